package tokens

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"ibid/context/prompt"
)

// factsText is the table of models and of the caches in front of them.
//
//go:embed facts.txt
var factsText string

type table struct {
	rules  []rule
	hosts  []host
	caches map[string]Cache
	models map[string]*catalogueEntry // by normalised name
}

// catalogueEntry is a model of the catalogue, or one that the catalogue lacks or has with a wrong window.
type catalogueEntry struct {
	provider       string
	window, output int
	can            string // as in a rule
	efforts        []string
	price          Price
}

// rule has facts about a family of models. The first rule that fits is used.
type rule struct {
	family string // prefix of the name
	word   string // word in the name, "" for any name
	since  version
	can    string // i images, t tools, r reasoning, o tools in the Responses API only
	cache  Cache
	factor float64 // initial tokens per token of o200k, 0 is 1
	form   Thinking
}

// host is a provider with a cache of its own, or one that is known to understand the marks of others.
type host struct {
	name  string
	cache Cache
	marks string // fields for marks that it understands
}

type version struct{ major, minor int }

func (v version) before(w version) bool {
	return v.major < w.major || v.major == w.major && v.minor < w.minor
}

// facts returns the parsed factsText.
var facts = sync.OnceValue(func() *table {
	t := &table{caches: map[string]Cache{}, models: map[string]*catalogueEntry{}}
	for line := range strings.Lines(factsText) {
		f := strings.Fields(line)
		if len(f) == 0 || f[0][0] == '#' {
			continue
		}
		if f[0] == "model" {
			m := entryOf(f[3:])
			m.provider, t.models[normalise(f[2])] = f[1], m
			continue
		}
		for i := range f {
			if f[i] == "-" {
				f[i] = ""
			}
		}
		switch f[0] {
		case "cache":
			minutes := time.Duration(number(f[5])) * time.Minute
			t.caches[f[1]] = Cache{prompt.Cache{
				Kind: prompt.CacheKind(f[2]), Min: int(number(f[3])), Step: int(number(f[4])),
				Read: number(f[6]), Write: number(f[7]), Marks: f[8],
			}, minutes}
		case "host":
			t.hosts = append(t.hosts, host{f[1], t.caches[f[2]], f[3]})
		case "family":
			t.rules = append(t.rules, rule{
				family: f[1], word: f[2], since: versionOf(f[3]),
				can: f[4], cache: t.caches[f[5]], factor: number(f[6]), form: Thinking(f[7]),
			})
		}
	}
	return t
})

// number parses a number of the table, 0 for an empty field.
func number(s string) float64 {
	n, _ := strconv.ParseFloat(s, 64) // a test reads every number
	return n
}

func (r *rule) facts() Facts {
	has := func(what string) bool { return strings.Contains(r.can, what) }
	return Facts{
		Images: has("i"), Tools: has("t"), Reasoning: has("r"), Responses: has("o"),
		Thinking: r.form, Cache: r.cache, Known: true,
	}
}

// findRule returns the first rule that fits a model, nil if there is none.
func findRule(model string) *rule {
	name, rules := normalise(model), facts().rules
	if i := slices.IndexFunc(rules, func(r rule) bool { return r.fits(name) }); i >= 0 {
		return &rules[i]
	}
	return nil
}

func (r *rule) fits(name string) bool {
	rest, ok := strings.CutPrefix(name, r.family)
	if !ok || continuesWord(r.family, rest) {
		return false
	}
	if r.word != "" && !hasWord(rest, r.word) {
		return false
	}
	return r.since == version{} || !versionOf(rest).before(r.since)
}

// continuesWord reports whether rest continues the last word of family: "o1" does not match "o12", nor "gpt" "gpts".
func continuesWord(family, rest string) bool {
	if rest == "" || strings.HasSuffix(family, "-r") || strings.HasSuffix(family, "-v") ||
		strings.HasSuffix(family, "-m") {
		return false
	}
	c, last := rest[0], family[len(family)-1]
	return isDigit(c) && isDigit(last) || c >= 'a' && c <= 'z'
}

func hasWord(name, word string) bool {
	parts := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("-._", r) })
	return slices.Contains(parts, word)
}

// startFactor returns the provider's tokens per token of ours before any observation.
func startFactor(model string) float64 {
	if r := findRule(model); r != nil && r.factor > 0 {
		return r.factor
	}
	return 1
}
