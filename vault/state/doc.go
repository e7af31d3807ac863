// Package state is what a person works with in a vault, as a value: the active
// note, the pins, and the notes that are open.
//
// A State is made by [Apply] of the State before and an [Event]: what an editor
// states, what Obsidian last wrote about its windows, changes of the vault's files,
// and what a person opens here. It reads nothing and knows no clock, so the same
// events always make the same State.
//
// A State never changes and may be shared between goroutines. Whoever holds the
// present one decides in which order events come.
package state
