// Package statefolder keeps what belongs to the chats of a vault and not into it, in a
// folder that may serve several vaults: locks, drafts, the journals of replies that
// stream, what could not be saved in its place, and what stands above the messages of
// chats. A file goes by its vault and the epoch of its chat, so that it is found again
// when the chat has moved. Nobody else may read what lies there.
//
// # Concurrency
//
// One goroutine at a time may use a [Folder]. Its [Drafts] and each [Journal] are safe
// for concurrent use; the timer of a Journal ends with it.
package statefolder
