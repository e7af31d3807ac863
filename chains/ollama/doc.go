// Package ollama implements Ollama's own protocol, /api/chat, because there a request can set the window of its
// model. In chat completions the server uses its default window and silently cuts longer prompts.
//
// # The window
//
// A request asks for the smallest window of 8k, 16k, 32k, 64k and so on that holds the prompt and the reply. If
// there are tools, it counts the prompt twice, so that all rounds of a turn have one window. The window never
// shrinks within a chat, because the server would load the model again and read the whole prompt anew; a model that
// is in memory with a larger window keeps that. The maximum is that of the options, 32k by default, and at most the
// window that the model was trained for. If memory runs out, the next smaller window is tried, once, with a notice.
// After each reply the server is asked which window is in use.
//
// A prompt that does not fit is refused and never cut, by servers that support that (truncate, shift); with older
// ones the reported number of tokens shows that it was cut.
//
// # Models
//
// chains.ModelInfo is filled from the server's list, its descriptions of the models, and the models in memory.
// [Client.Pull] lets the server download a model. [AnswersAt] reports whether an address is Ollama's.
//
// Package chains/wire handles retries, failures, silence and recording. Failures of memory and of the runner, which
// only Ollama has, are recognized here and not retried.
//
// # Concurrency
//
// Several goroutines may use a Client at once. Models starts goroutines and waits for all of them.
package ollama
