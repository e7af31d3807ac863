// Package state represents the workspace of a person as a value: the active note, the pins, and the open notes.
//
// [Apply] makes a State from the last State and an [Event]: the signal of an editor, what Obsidian last wrote
// about its windows, changes of the vault's files, or a note that a person opens here. It does no I/O and has
// no clock, so the same events always make the same State.
//
// A State never changes and may be shared between goroutines. The owner of the current one decides the order of
// events.
package state
