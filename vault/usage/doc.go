// Package usage records which notes were used together in chats, and suggests notes from that.
//
// A [File] is one readable JSON file outside of the vault: for each pair of notes a count, the day of their
// last use, and the chats with them among the last 20. A count grows by one per chat and is halved every 30
// days; a pair with a count below one is dropped. Deleting the file deletes all data. Private, excluded and
// deleted notes and saved chats are left out when it is written. Nothing in it is ever sent.
//
// [SuggestionInput.Suggest] is a pure function. A File may be used from several goroutines. Processes that write at the
// same moment replace the whole file, so one count may be lost.
package usage
