// Package scrollback is the screen without the alternate screen of the terminal: what was
// said is printed, to stay in the scrollback of the terminal, and below it stand the prompt
// and the block of the reply that is being written. Whatever needs the whole screen takes
// the alternate one, and gives it back: pages, the search, and the transcript once it is
// scrolled or has the cursor.
//
// Each line is printed once, and is laid out for the width that the terminal has then. What
// is printed while the alternate screen is shown would be lost with it, so that nothing is
// before the terminal was told to leave it, and the alternate screen is not entered before
// all is printed.
//
// A [Printer] is told after each message what there is, as a [View]; it is for the goroutine
// of the screen.
package scrollback
