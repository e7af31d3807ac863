// Package anthropic speaks Anthropic Messages, natively: the one protocol in which
// Claude's prompt cache takes marks and thinking goes back with its signature.
//
// A Client words a prompt as the protocol has it: the system message as blocks of
// its own, the results of tools as blocks of a user message, images before the
// text, messages of one role in a row as one. A prompt is cut into blocks where
// the engine cut it, a block a library item, and its marks become cache_control:
// four at most, for five minutes or an hour. Nothing is sent that depends on
// anything but the request and the options, so equal prompts are equal bytes.
//
// Thinking is asked for by [Effort]. Its blocks come back as the Echo of a reply
// that calls tools, opaque and signed, and are sent again within the turn.
//
// A reply that the server pauses is asked to go on. What else may happen to an
// exchange is chains/wire's: retries, failures, silence, recording.
//
// # Concurrency
//
// A Client may be used by several goroutines at once. It starts none.
package anthropic
