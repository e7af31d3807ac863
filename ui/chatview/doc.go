// Package chatview is an open chat on a screen ([Chat]): its transcript, the turn that runs
// in it ([Turn]), what the next request holds and costs, what is chosen of it and looked for
// in it, what is not sent, and its state at the desk ([State]).
//
// [Chat.Update] takes the messages that are for a chat. A turn reaches it as events, which
// its goroutine hands over and which draw themselves into the transcript; a saved chat is
// read at the desk as a [ConversationChanged]. What it wants done elsewhere it asks its Host, the
// screen: work at the desk, a page, a line in the status. What is to be read or answered in
// a chat behind waits until it is shown.
//
// Work at the desk waits in the mailbox of its chat ([Chat.Work]): one job at a time, in the
// order in which they were asked for, each in a goroutine that takes the desk for itself
// and gives it to the other chats while it waits for something. What it brings back, with
// the state of the chat, is a [JobDone].
//
// A [DraftKeeper] has what is unsent in the chats of a screen on disk a second after it
// changed, and brings it back.
//
// A chat belongs to the loop of the program. Only the work that its commands do runs
// beside it, and ends with the screen or the turn.
package chatview
