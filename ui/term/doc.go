// Package term handles the terminal around the screen, and other services of the machine: [Watch] keeps
// track of writes to the terminal and of its modes; there are the user's editor, the command that opens
// URLs, the clipboard, files dropped on the window, and notifications. The package does not depend on
// pages and draws nothing.
//
// [Tasks] are commands of Bubble Tea and run in its goroutines. All of them end with the context of
// [NewTasks] or with [Tasks.Close], which waits for them. A [Tasks] may only be used in the loop of the
// program; its commands may use nothing else of it.
package term
