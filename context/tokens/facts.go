package tokens

import (
	"cmp"
	"strings"
	"time"
)

// Facts is what is known about a model. A zero number is unknown.
type Facts struct {
	Window    int // tokens of prompt and reply together
	MaxOutput int // tokens to ask for where a reply must have a limit
	Images    bool
	Tools     bool
	Reasoning bool
	Efforts   []string // levels of effort that it takes, least first, with "none" where it can go without; nil is unknown
	Thinking  Thinking // how a request says how much
	Responses bool     // of OpenAI: while it thinks, it takes tools over the Responses API alone
	Price     Price    // at the provider
	Cache     Cache
	Known     bool // false: nothing is known of the model, and the rest is zero
}

// Thinking is how a request says how much a model is to think.
type Thinking string

// The forms of it. Others have a field of their provider's.
const (
	ThinkAdaptive Thinking = "adaptive" // Claude from 4.6 on: it decides itself, within an effort
	ThinkBudget   Thinking = "budget"   // Claude before: so many tokens
	ThinkSwitch   Thinking = "switch"   // DeepSeek, GLM, Kimi and Qwen: on or off, at their vendors
)

// Cache is how the prefix cache in front of a model matches.
type Cache struct {
	Kind     Match
	Min      int           // tokens below which nothing is cached
	Step     int           // matches are rounded down to a multiple of this, 0 for exact ones
	Lifetime time.Duration // idle time after which it is surely cold, 0: never surely
	Read     float64       // price of a cached token, in uncached ones
	Write    float64       // price of a token that is not cached yet, in uncached ones
	Marks    string        // the field that carries a cache mark, "" where none is known to be understood
}

// Match is what of an earlier request a cache can find again.
type Match string

// The kinds of match. Without a cache, or with none that this wire can use, it is
// MatchNone.
const (
	MatchSteps      Match = "steps"      // the longest common prefix, in steps
	MatchBoundaries Match = "boundaries" // an exact prefix that ends where an earlier request or a mark in it did
	MatchBlocks     Match = "blocks"     // an exact prefix that ends with a marked block
	MatchRequests   Match = "requests"   // an earlier request as a whole, or a prefix that several requests shared
	MatchSlot       Match = "slot"       // the longest common prefix with what a local server has in memory
	MatchNone       Match = "none"
)

// AssumedWindow is the window, in tokens, to show as assumed for a model of
// which nothing is known. It is no reason to shorten anything.
const AssumedWindow = 32 << 10

// Lookup is what is known of a model at a provider, named as in a configuration; ""
// is any. The catalogue of charm says what it takes and costs, a table of ours what
// that lacks or has wrong, and how caches in front of a family match. The name may be as any
// provider spells it: a vendor in front ("anthropic/claude-opus-4.7"), a tag behind
// ("qwen3:8b"), "-latest" and release dates do not matter, nor do case and the
// choice between dot and dash in versions.
//
// The cache is the one of the model's own vendor; Facts.On gives another's.
func Lookup(provider, model string) Facts {
	f := Facts{}
	if r := find(model); r != nil {
		f = r.facts()
	}
	f.know(strings.ToLower(provider), model)
	return f
}

// know adds what the lists of models say. What is not among ours comes from the catalogue.
func (f *Facts) know(provider, model string) {
	if own, ok := facts().models[normalise(model)]; ok {
		f.Known, f.Window, f.MaxOutput = true, own.window, own.output
		f.Efforts = own.efforts
		if provider == own.provider {
			f.Price = own.price
		}
		if own.price.Known { // else the rest is right in the catalogue
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

// On is what holds of the model at a provider, named as in a configuration or
// by its host ("ollama", "llama.cpp", "api.groq.com", "localhost:1234"). Providers
// with caches of their own replace the vendor's; a gateway or an unknown provider
// keeps it, without the marks: whether they are passed on is known of few.
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
	if !strings.Contains(marks, f.Cache.Marks) { // those of another vendor
		f.Cache.Marks = ""
	}
	return f
}

// Reserve is the room, in tokens, to keep free in a window for the reply: 8,192,
// four times that for a model that thinks first; never more than the model can
// write, nor than a quarter of the window.
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

// Budget is the room, in tokens, that a prompt may fill: the window without the
// reserve and without 5 %, because counts are estimates. It is 0 if the window
// is unknown: then nothing limits the prompt.
func Budget(f Facts) int {
	if f.Window <= 0 {
		return 0
	}
	return f.Window - Reserve(f) - f.Window/20
}
