// Package undo writes notes so that it can be taken back: [Journal.Write] keeps what
// a file holds, changes the file, and [Journal.Undo] brings back what was kept. It
// also knows where may be written at all ([Journal.Check]) and what a person should be
// told of a change before ([Journal.Warnings]).
//
// Each write is a file in the state folder, which nobody else may read: what the file
// held before and holds after, and who wrote. The file is there, and on the disk,
// before the note is touched; its name says whether the note was written. What a crash
// leaves between the two is settled the next time the journal is used, by looking at
// the note: whatever the moment, the note is what it was or what it was to be, and the
// journal says which.
//
// Nothing is overwritten that somebody else wrote meanwhile: [Journal.Write] returns
// vault.ErrChanged then, and [Journal.Undo] a *ChangedError that has all three texts.
//
// A Journal may be used from several goroutines, and by several processes: a lock in
// its folder is held for the moment of a write.
package undo
