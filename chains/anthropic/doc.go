// Package anthropic implements Anthropic Messages, the only protocol in which Claude's prompt cache takes marks and
// reasoning goes back with its signature.
//
// A Client translates a prompt into the form of the protocol: the system message as separate blocks, the results of
// tools as blocks of a user message, images before the text, consecutive messages of one role as one. It cuts a
// prompt into blocks where the engine cut it, one block per library item, and sends its marks as cache_control: at
// most four, for five minutes or an hour. A request depends only on the chains.Request and the options, so that
// equal prompts are equal bytes.
//
// Reasoning is requested with Effort. Its blocks come back as the Echo of a reply with calls, opaque and signed,
// and are sent again within the turn.
//
// A reply that the server pauses is continued. Package chains/wire handles retries, failures, silence and
// recording.
//
// # Concurrency
//
// Several goroutines may use a Client at once. It starts none.
package anthropic
