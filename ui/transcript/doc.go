// Package transcript shows a conversation: a scrollable list of messages of
// which only the visible lines are ever drawn.
//
// # Cost
//
// The position is an anchor, a message and a line within it, not a line number
// in the whole. So nothing ever needs the height of all messages: what is above
// the anchor is laid out when it is scrolled to. Two thousand messages cost
// as much to load, to resize and to draw as the ones on screen. A finished
// message keeps its lines until the width or the theme changes; a streaming one
// renders its unfinished tail only (see package mdview). View returns the same
// string until something changed.
//
// # Following
//
// At the bottom, the view follows what arrives. Scrolled up, nothing moves: what
// arrives is counted in a pill in the corner (↓ 42 new lines · End). Reaching the
// bottom again, by any means, follows again.
//
// # Selecting
//
// A Selection is text that the mouse marks. Its ends are places in messages; moving
// them costs what is on screen, and only its Text what is selected. Blocks are parts
// of one reply that are chosen with the keyboard; they are marked in the gutter.
//
// # What a message looks like
//
// There are no boxes. A bar (▌) marks what the user wrote, white space what
// the assistant did. Reasoning is folded to one line (▸) until Toggle or a click
// opens it. A call of a tool is a line that unfolds to its output; more than four
// in a row are one line, but for those that run or wait for the user. Errors say
// what happened and, on a line of their own, what to do next. Errors and notices
// are lines on this screen only; they are no part of the conversation and are not
// saved with it.
//
// All text is foreign and is sanitized when it is laid out; Selected returns it
// as it came, to be copied.
//
// # Concurrency
//
// A Transcript and its Streams are used by one goroutine, that of the program's
// update loop. It starts none and does no I/O.
package transcript
