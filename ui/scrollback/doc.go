// Package scrollback shows the conversation without the terminal's alternate screen. It prints
// messages, which stay in the scrollback of the terminal; below them stand the prompt and the current
// block of a running reply. Pages, the search, and the transcript when it is scrolled or focused need
// the whole screen: they use the alternate screen and leave it afterwards.
//
// Each line is printed once, laid out for the current width of the terminal. Lines printed while the
// alternate screen is shown would be lost with it. So nothing is printed before the terminal was told
// to leave the alternate screen, and that is not entered before everything is printed.
//
// A [Printer] gets the current state as a [View] after each message. It may only be used in the
// goroutine of the screen.
package scrollback
