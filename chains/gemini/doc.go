// Package gemini stores the beginning of prompts at Gemini's servers: the explicit cache, cachedContents of the
// native API. Requests of chains/openai then send the name of the stored part in its place.
//
// # What is kept
//
// A content is the system message of a chat, with L1 and L2, and its tools. Its key is made of the chat, the hash
// of L1 and the hash of L2. As long as neither changes, each turn names the same content; when one does, a new
// content is created and the old one deleted. A content lives for an hour and is extended while it is used. A
// prompt that is too short, or whose content cannot be created, is sent whole; the person is told once. The price
// of a content is announced before it is created.
//
// # Names
//
// The server chooses the name of a content. Its display name contains digests of the chat and the key, so that the
// next process finds the contents of one that was killed: it requests the list once, uses contents that fit and
// deletes the others. A name is sent only before its content expires, and never for a content of another program,
// chat or model.
//
// # Concurrency
//
// Several goroutines may use a Cache at once. Requests of one chat and model wait for each other; requests of
// different chats share only the request for the list. The package starts no goroutine.
package gemini
