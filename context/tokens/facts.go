package tokens

import (
	"cmp"
	"strings"
	"time"

	"ibid/context/prompt"
)

// Facts are facts about a model. A zero number is unknown.
type Facts struct {
	Window    int // tokens of prompt and reply together
	MaxOutput int // tokens to ask for where a reply must have a limit
	Images    bool
	Tools     bool
	Reasoning bool
	Efforts   []string // levels of effort, least first, with "none" if it can do without; nil is unknown
	Thinking  Thinking // form in which a request sets the effort
	Responses bool     // OpenAI: while it reasons, it takes tools in the Responses API only
	Price     Price    // at the provider
	Cache     Cache
	Known     bool // false: the model is unknown, and the other fields are zero
}

// Thinking is the form in which a request says how much a model reasons.
type Thinking string

// The forms. Other models use a field of their provider.
const (
	ThinkAdaptive Thinking = "adaptive" // Claude from 4.6 on: it decides itself, within an effort
	ThinkBudget   Thinking = "budget"   // earlier Claude: a number of tokens
	ThinkSwitch   Thinking = "switch"   // DeepSeek, GLM, Kimi and Qwen at their vendors: on or off
)

// Cache describes the prefix cache in front of a model. Its kind is prompt.CacheNone also if this protocol cannot use
// it, and it has no field for marks if none is known to be understood.
type Cache struct {
	prompt.Cache
	Lifetime time.Duration // idle time after which it has surely expired, 0 for never
}

// AssumedWindow is the window, in tokens, that is shown as assumed for an unknown model. It is no reason to shorten
// anything.
const AssumedWindow = 32 << 10

// Lookup returns the facts about a model at a provider, named as in a configuration; "" is any provider. Windows,
// abilities and prices come from charm's catalogue, corrected and completed by our own table, and the caches of a
// family from our table. The name may have any provider's spelling: a vendor in front
// ("anthropic/claude-opus-4.7"), a tag ("qwen3:8b"), "-latest" and release dates do not matter, nor do case and the
// choice between dot and dash in versions.
//
// The cache is that of the model's own vendor; Facts.On returns another's.
func Lookup(provider, model string) Facts {
	f := Facts{}
	if r := findRule(model); r != nil {
		f = r.facts()
	}
	f.fillIn(strings.ToLower(provider), model)
	return f
}

// fillIn fills in the facts of our table of models and, where that has none, of the catalogue.
func (f *Facts) fillIn(provider, model string) {
	if own, ok := facts().models[normalise(model)]; ok {
		f.Known, f.Window, f.MaxOutput = true, own.window, own.output
		f.Efforts = own.efforts
		if provider == own.provider {
			f.Price = own.price
		}
		if own.price.Known { // else the catalogue has the other facts right
			return
		}
	}
	name := strings.ToLower(strings.TrimSpace(model))
	m := cmp.Or(modelAt(provider, name), modelAt(provider, releaseDate.ReplaceAllString(name, "")),
		modelAt("", normalise(model)))
	if m == nil {
		return
	}
	if f.Window == 0 {
		f.Window = m.window
	}
	f.Known, f.Tools, f.MaxOutput = true, true, m.output
	f.Images, f.Reasoning, f.Efforts = strings.Contains(m.can, "i"), strings.Contains(m.can, "r"), m.efforts
	f.Price = m.price
}

// On returns the facts about the model at a provider, named as in a configuration or by its host ("ollama",
// "llama.cpp", "api.groq.com", "localhost:1234"). A provider with a cache of its own replaces the vendor's; a
// gateway or an unknown provider keeps it, but without the marks, because few are known to pass them on.
func (f Facts) On(provider string) Facts {
	p := strings.ReplaceAll(strings.ToLower(provider), " ", "")
	marks := ""
	for _, h := range facts().hosts {
		if strings.Contains(p, h.name) {
			if h.cache.Kind != "" {
				f.Cache = h.cache
				return f
			}
			marks = h.marks
			break
		}
	}
	if !strings.Contains(marks, f.Cache.Marks) { // marks of another vendor
		f.Cache.Marks = ""
	}
	return f
}

// Reserve returns the tokens of a window to keep free for the reply: 8,192, four times that for a model that
// reasons; never more than the model can write, nor than a quarter of the window.
func Reserve(f Facts) int {
	reserve := 8 << 10
	if f.Reasoning {
		reserve = 32 << 10
	}
	if f.MaxOutput > 0 {
		reserve = min(reserve, f.MaxOutput)
	}
	window := f.Window
	if window <= 0 {
		window = AssumedWindow
	}
	return min(reserve, window/4)
}

// Budget returns the tokens that a prompt may fill: the window without the reserve and without 5 %, because counts
// are estimates. It is 0 if the window is unknown: then nothing limits the prompt.
func Budget(f Facts) int {
	if f.Window <= 0 {
		return 0
	}
	return f.Window - Reserve(f) - f.Window/20
}
