// Package undo writes notes so that each write can be undone: [Journal.Write] saves the content of a file and
// changes the file, and [Journal.Undo] restores the saved content. It also decides which files may be written
// ([Journal.Check]) and warns of problems of a change ([Journal.Warnings]).
//
// Each write has a file in the state folder, readable by this user only, with the content of the note before
// and after, and its author. That file is on the disk before the note is changed; its extension says whether
// the note was written. After a crash between the two, the next use of the journal compares the note with both
// contents: at any moment the note has either the old or the new content, and the journal knows which.
//
// Several files can be written at once ([Journal.WriteAll]): they are one entry of the journal, and one undo restores
// all of them. After a crash the entry has those that were written.
//
// A change that somebody else made in the meantime is never overwritten: [Journal.Write] then returns
// vault.ErrChanged, and [Journal.Undo] a *ChangedError with all three texts.
//
// A Journal may be used from several goroutines, and by several processes: each write holds a lock in its
// folder.
package undo
