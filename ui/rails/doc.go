// Package rails has the columns beside the conversation: the saved chats at the left, the context of
// the next turn at the right. [Rails] keeps the focus, the row under the cursor, the filter of the
// chats and the scroll positions. The content is passed as a [Source] to each call; only the drawn rows
// are kept.
//
// The package starts no goroutines, and may only be used in the goroutine of the screen.
package rails
