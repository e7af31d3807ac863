// Package statefolder keeps data of a vault's chats outside of the vault, in a folder that may serve several
// vaults: locks, drafts, journals of streaming replies, texts that could not be saved in their place, and
// backups of the tops of chats. File names contain a hash of the vault and the epoch of the chat, so that data
// is found again after the chat has moved. Only this user may read the files.
//
// # Concurrency
//
// One goroutine at a time may use a [Folder]. Its [Drafts] and each [Journal] are safe
// for concurrent use; the timer of a Journal ends with it.
package statefolder
