package wire

// Facts is what is known of a model at a server, as far as requests go by it. The zero
// value is nothing.
type Facts struct {
	Thinks    bool     // it reasons before it answers
	Efforts   []string // levels of effort that it takes, least first, with "none" where it can go without; nil if not known
	Marks     Marks    // how it takes cache marks
	MaxOutput int      // tokens of a reply to ask for where the protocol wants a number, 0 if not known
	Adaptive  bool     // Claude: it decides itself how long to think, within an effort; else it is given a budget
	Responses bool     // OpenAI: while it thinks, it takes tools over the Responses API alone
}

// FactsOf gives the facts of a model; nil knows none.
type FactsOf func(model string) Facts

// Of is the facts of a model.
func (f FactsOf) Of(model string) Facts {
	if f == nil {
		return Facts{}
	}
	return f(model)
}

// Marks says how a model takes cache marks: the name of the field that carries one.
type Marks string

// The kinds of cache marks.
const (
	MarkNone         Marks = ""
	MarkCacheControl Marks = "cache_control"           // Claude, and Gemini and Qwen through OpenRouter
	MarkBreakpoint   Marks = "prompt_cache_breakpoint" // OpenAI's models from GPT-5.6 on
)
