// Package usage keeps which notes were used together in chats, and suggests notes from it.
//
// A [File] is one readable JSON file outside of the vault: for each pair of notes a
// count, the day they were last used, and in which of the last 20 chats. A count grows
// by one a chat, is halved every 30 days, and the pair is dropped when it is below one.
// Deleting the file forgets everything. Private, excluded and deleted notes and saved
// chats are left out when it is written. Nothing of it is ever sent.
//
// [Around.Suggest] is a pure function. A File may be used from several goroutines. Processes
// that write at the same moment replace the file as a whole, so that one count may be
// lost.
package usage
