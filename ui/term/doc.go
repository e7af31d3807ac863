// Package term is the terminal around the screen, and what else of the machine the screen
// needs: who writes to the terminal and which modes it is in ([Watch]), the user's editor,
// the command that opens addresses, the clipboard, files that are dropped on the window,
// notifications. It knows no page and draws nothing.
//
// [Tasks] are commands of Bubble Tea. They run in its goroutines; all of them end with the
// context of [NewTasks] or with [Tasks.Close], which waits for them. A [Tasks] belongs to
// the loop of the program; what its commands do may use nothing else of it.
package term
