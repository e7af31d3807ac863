// Package chatview is what the screen keeps of an open chat ([Chat]): its transcript, the
// turn that runs in it ([Turn]), what the next request holds and costs, what
// is chosen of it and looked for in it, what is not sent, and its state at the desk
// ([State]).
//
// A turn reaches it as events, which its goroutine hands over ([Chat.Follow]) and which
// draw themselves into the transcript; a saved chat is drawn by [MessagesOf]. Nothing here
// knows the screen around the chat: what is to be said or opened its callers do.
//
// A chat belongs to the loop of the program. Only the work that Follow returns runs
// beside it, and ends with the turn.
package chatview
