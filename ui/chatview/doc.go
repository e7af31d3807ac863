// Package chatview is an open chat on a screen ([Chat]): its transcript, the turn that runs
// in it ([Turn]), what the next request holds and costs, what is chosen of it and looked for
// in it, what is not sent, and its state at the desk ([State]).
//
// [Chat.Update] takes the messages that are for a chat. A turn reaches it as events, which
// its goroutine hands over and which draw themselves into the transcript; a saved chat is
// read at the desk as a [Reading]. What it wants done elsewhere it asks its [Host], the
// screen: work at the desk, a page, a line in the status. What is to be read or answered in
// a chat behind waits until it is shown.
//
// A chat belongs to the loop of the program. Only the work that its commands do runs
// beside it, and ends with the screen or the turn.
package chatview
