// Package gemini keeps the beginning of prompts at Gemini's servers: the explicit
// cache, cachedContents of the native API. Chat completions, which chains/openai
// speaks, then name what is kept in place of sending it.
//
// # What is kept
//
// The system message of a chat, which holds L1 and L2, and its tools, under a key:
// the chat, the hash of L1 and the hash of L2. While neither changes, each turn names
// the same content; when one does, the new content is created and the old one
// deleted. A content lives for an hour and is extended while it is used. What is too
// short, or cannot be created, is not kept: the request goes out whole, and the person
// is told once. What a content costs is said before it is created.
//
// # Names
//
// The server chooses the name of a content. Its display name says which chat and key
// it is for, as digests, so that a process that was killed leaves nothing behind that
// the next one does not find: the list is asked for once, what fits is used again and
// what does not is deleted. A name is sent only while its time is not over, and never
// one of another program, chat or model.
//
// # Concurrency
//
// A Cache may be used by several goroutines at once. Requests of one chat and model take
// turns; a chat waits for no other one but for the list. It starts no goroutine.
package gemini
