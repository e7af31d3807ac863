// Package chatview has the screen side of an open chat ([Chat]): its transcript, the running turn
// ([Turn]), the content and cost of the next request, the selection and the search in it, its unsent
// text, and its state at the desk ([State]).
//
// [Chat.Update] handles the messages for a chat. A turn sends events through its goroutine, which are
// drawn into the transcript; a saved chat is read at the desk and comes as a [ConversationChanged].
// Requests go to the Host, which is the screen: work at the desk, a page, a line in the status.
// Messages that the user must read or answer wait until their chat is on the screen.
//
// Work at the desk waits in the mailbox of its chat ([Chat.Work]): one job at a time, in the order of
// the requests, each in a goroutine that holds the desk and lets other chats use it while it waits for
// something. The result, with the state of the chat, is a [JobDone].
//
// A [DraftKeeper] writes the unsent text of all chats to disk a second after it changed, and reads it
// back.
//
// A chat belongs to the loop of the program. Only the work of its commands runs beside the loop, and
// ends with the screen or the turn.
package chatview
