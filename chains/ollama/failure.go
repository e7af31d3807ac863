package ollama

import (
	"context"
	"fmt"

	"ibid/chains"
	"ibid/chains/wire"
)

// Values of ProviderError.Code that only Ollama has.
const (
	OutOfMemory = "out_of_memory" // the model with this window does not fit the memory
	RunnerDied  = "runner_failed" // the process that runs the model ended
)

// What the server says of failures that a retry does not help, in lower case.
var (
	outOfMemory = wire.Pattern(
		`requires more (\w+ )?memory|out of memory|outofmemory|(unable|failed) to allocate|(not enough|insufficient)( \w+)? memory|cudamalloc failed`)
	runnerDied = wire.Pattern(
		`runner (process )?(has terminated|has unexpectedly stopped|no longer running|exited|is not running)|waiting for (llama )?runner|(error|unable|failed) (to )?load(ing)? model|llama-server|(cuda|rocm|metal) error|exit status \d+|signal: (killed|aborted|segmentation)`)
)

// failureCode returns the code of a failure, "" if it is none of these.
func failureCode(e *chains.ProviderError) string {
	switch said := wire.Words(e); {
	case e.Status != 0 && e.Status < 500:
	case outOfMemory().MatchString(said):
		return OutOfMemory
	case runnerDied().MatchString(said):
		return RunnerDied
	}
	return ""
}

// tooLong returns the error for a prompt that is longer than the window.
func (c *Client) tooLong(name string, tokens, window int) *chains.ProviderError {
	return &chains.ProviderError{
		Kind: chains.ErrContext, Window: window,
		Message: fmt.Sprintf("Too long for %s: about %s of %s tokens. Detach notes or start a new chat.",
			c.Line(name), shortTokens(tokens), shortTokens(window)),
	}
}

// explain writes the message of a failure that only Ollama has.
func (c *Client) explain(ctx context.Context, e *chains.ProviderError, name string, window int) error {
	said, shown := wire.ProviderSaid(e), c.Line(name)
	code := failureCode(e)
	if code != "" {
		e.Code, e.Kind, e.Retryable = code, chains.ErrServer, false
	}
	switch {
	case code == OutOfMemory:
		e.Message = fmt.Sprintf(
			"Out of memory at %s: there is no room for %s with a window of %s tokens. Choose a smaller model, or end what else is in memory.%s",
			c.Name(), shown, shortTokens(window), said)
	case code == RunnerDied:
		e.Message = fmt.Sprintf(
			"The runner of %s failed at %s; the log of the server says more. Another model may run.%s",
			shown, c.Name(), said)
	case e.Code == wire.NoSuchModel:
		e.Message = fmt.Sprintf("%s is not pulled at %s. `/model pull %s` or `ibid models pull %s` pulls it.%s",
			shown, c.Name(), shown, shown, said)
	case e.Kind == chains.ErrContext && c.cappedByOptions(name, window):
		e.Message += fmt.Sprintf(" The window ends at %s tokens: tokens in [window] raises that.", shortTokens(window))
	case e.Status == 401:
		e.Message = fmt.Sprintf(
			"%s runs in Ollama's cloud, which wants an account: `ollama signin` on the machine of the server.%s",
			shown, said)
	}
	return e
}

// nothingPulled returns the error for a server without models.
func (c *Client) nothingPulled() *chains.ProviderError {
	return &chains.ProviderError{
		Kind: chains.ErrConfig, Code: wire.NoSuchModel,
		Message: fmt.Sprintf(
			"No model is pulled at %s: `ibid models pull NAME` pulls one, such as qwen3:8b; ollama.com/library lists what there is.",
			c.Name()),
	}
}
