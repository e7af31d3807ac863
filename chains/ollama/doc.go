// Package ollama speaks Ollama's own protocol, /api/chat: the one in which a
// request says how large a window its model gets. Over chat completions the server
// takes a window of its own and cuts longer prompts without a word.
//
// # The window
//
// A request asks for the smallest window of 8k, 16k, 32k, 64k and so on that holds
// the prompt and room for the reply, twice the prompt where there are tools: all rounds of
// a turn have one window, as long as it holds them. A window never shrinks within a chat, since
// the server would load the model again and read the whole prompt anew; a model
// that is in memory with a larger window keeps it. The most is what the options
// say, 32k if they do not, and what the model was trained for. When memory runs
// out, the next smaller window is tried, once, and that is said. After each reply
// the server is asked which window is in force.
//
// A prompt that does not fit is refused and never cut, by servers that can be told
// so (truncate, shift); of older ones the reported number of tokens tells.
//
// # Models
//
// The server's list, what it says of each model and what is in memory become
// chains.ModelInfo. [Client.Pull] has the server fetch a model. [AnswersAt] reports
// whether an address is Ollama.
//
// What else may happen to an exchange is chains/wire's: retries, failures, silence,
// recording. Failures of memory and of the runner, which are the server's own, are
// named here and not tried again.
//
// # Concurrency
//
// A Client may be used by several goroutines at once. Models starts goroutines and
// waits for all of them.
package ollama
