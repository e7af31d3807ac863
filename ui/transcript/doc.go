// Package transcript shows a conversation: a scrollable list of messages of which only the visible
// lines are drawn.
//
// # Cost
//
// The position is an anchor, a message and a line in it, not a line number of the whole. So nothing
// ever needs the height of all messages: messages above the anchor are laid out when the user scrolls
// to them. Two thousand messages cost as much to load, to resize and to draw as the ones on screen. A
// finished message keeps its lines until the width or the theme changes; a streaming one renders its
// unfinished tail only (see package mdview). View returns the same string until something has changed.
//
// # Following
//
// At the bottom, the view follows new text. After scrolling up, nothing moves: new lines are counted in
// a pill in the corner (↓ 42 new lines · End). Reaching the bottom again, by any means, follows again.
//
// # Selecting
//
// A Selection is text that is marked with the mouse. Its ends are places in messages; moving them costs
// what is on screen, and only Text costs the whole selection. Blocks are parts of one reply that are
// chosen with the keyboard; they are marked in the gutter.
//
// # Layout of a message
//
// There are no boxes. A bar (▌) marks the text of the user, white space the text of the assistant.
// Reasoning is folded to one line (▸) until Toggle or a click opens it. A tool call is a line that
// unfolds to its output; more than four in a row are one line, except those that run or wait for the
// user. Errors say what happened and, on a line of their own, what to do next. Errors and notices exist
// on this screen only; they are not part of the conversation and are not saved with it.
//
// All text is foreign and is sanitized when it is laid out; Selected returns it as it came, to be
// copied.
//
// # Concurrency
//
// A Transcript and its Streams are used by one goroutine, the one of the program's update loop. They
// start none and do no I/O.
package transcript
