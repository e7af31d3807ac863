package tokens

import (
	"strings"
	"time"
)

// The table is of November 2026, made from the vendors' own pages, what servers
// answered, and charm's catalogue of August 2026. Vendors change these without
// notice: a person's settings and a server's own list come before it. What the
// sources disagree about is left at the smaller number, or unknown.

// rule says what holds of the models of a family. The first rule that fits decides.
type rule struct {
	family string // the name begins with it
	word   string // and has this word, if any
	since  version
	window int // thousands of tokens
	output int // thousands of tokens
	can    string
	cache  Cache
	factor float64 // tokens per token of o200k to begin with, 0 is 1
}

// What a rule's can lists: i images, t tools, r reasoning.

type version struct{ major, minor int }

func (v version) before(w version) bool {
	return v.major < w.major || v.major == w.major && v.minor < w.minor
}

var (
	// OpenAI up to GPT-5.4: 5–10 minutes if nobody asked for more, an hour at
	// most; a day since May 2026 for those who let OpenAI keep data.
	openaiHour = Cache{Kind: MatchPrefix, Min: 1024, Step: 128, Lifetime: time.Hour}
	openaiDay  = Cache{Kind: MatchPrefix, Min: 1024, Step: 128, Lifetime: 24 * time.Hour}
	openaiMark = Cache{Kind: MatchBoundary, Min: 1024, Lifetime: 30 * time.Minute}
	gemini     = Cache{Kind: MatchPrefix, Min: 4096, Lifetime: time.Hour}
	deepseek   = Cache{Kind: MatchRequest, Min: 64, Lifetime: 72 * time.Hour}
	mistral    = Cache{Kind: MatchPrefix, Min: 64, Step: 64}
	prefix     = Cache{Kind: MatchPrefix, Min: 1024}
	slot       = Cache{Kind: MatchSlot, Min: 1}
)

// claude is Anthropic's cache: five minutes after the last use, whatever the size.
func claude(least int) Cache {
	return Cache{Kind: MatchBlock, Min: least, Lifetime: 5 * time.Minute}
}

// rules is never written to.
var rules = []rule{
	{family: "gpt-oss", window: 131, output: 32, can: "tr", cache: slot},
	{family: "gpt-4o", window: 128, output: 16, can: "it", cache: openaiHour},
	{family: "chatgpt-4o", window: 128, output: 16, can: "i", cache: openaiHour},
	{family: "gpt", word: "chat", since: version{5, 0}, window: 128, output: 16, can: "it", cache: openaiDay},
	{family: "gpt", word: "mini", since: version{5, 6}, window: 400, output: 128, can: "itr", cache: openaiMark},
	{family: "gpt", word: "nano", since: version{5, 6}, window: 400, output: 128, can: "itr", cache: openaiMark},
	{family: "gpt", since: version{5, 6}, window: 1050, output: 128, can: "itr", cache: openaiMark},
	{family: "gpt", word: "mini", since: version{5, 0}, window: 400, output: 128, can: "itr", cache: openaiDay},
	{family: "gpt", word: "nano", since: version{5, 0}, window: 400, output: 128, can: "itr", cache: openaiDay},
	{family: "gpt", since: version{5, 4}, window: 1050, output: 128, can: "itr", cache: openaiDay},
	{family: "gpt", since: version{5, 0}, window: 400, output: 128, can: "itr", cache: openaiDay},
	{family: "gpt", since: version{4, 1}, window: 1047, output: 32, can: "it", cache: openaiHour},
	{family: "gpt", word: "turbo", since: version{4, 0}, window: 128, output: 4, can: "it", cache: Cache{None: true}},
	{family: "gpt", since: version{4, 0}, window: 8, output: 4, can: "t", cache: Cache{None: true}},
	{family: "gpt", since: version{3, 5}, window: 16, output: 4, can: "t", cache: Cache{None: true}},
	{family: "o1", window: 200, output: 100, can: "itr", cache: openaiHour},
	{family: "o3-mini", window: 200, output: 100, can: "tr", cache: openaiHour},
	{family: "o3", window: 200, output: 100, can: "itr", cache: openaiHour},
	{family: "o4", window: 200, output: 100, can: "itr", cache: openaiHour},

	{family: "claude", word: "opus", since: version{5, 0}, window: 1000, output: 128, can: "itr", cache: claude(512), factor: 1.3},
	{family: "claude", since: version{5, 0}, window: 1000, output: 128, can: "itr", cache: claude(1024), factor: 1.3},
	{family: "claude", since: version{4, 8}, window: 1000, output: 128, can: "itr", cache: claude(1024), factor: 1.3},
	{family: "claude", since: version{4, 7}, window: 1000, output: 128, can: "itr", cache: claude(2048), factor: 1.3},
	{family: "claude", word: "sonnet", since: version{4, 6}, window: 200, output: 128, can: "itr", cache: claude(1024)},
	{family: "claude", since: version{4, 6}, window: 200, output: 128, can: "itr", cache: claude(4096)},
	{family: "claude", word: "sonnet", since: version{4, 0}, window: 200, output: 64, can: "itr", cache: claude(1024)},
	{family: "claude", since: version{4, 5}, window: 200, output: 64, can: "itr", cache: claude(4096)},
	{family: "claude", since: version{4, 0}, window: 200, output: 32, can: "itr", cache: claude(1024)},
	{family: "claude", since: version{3, 7}, window: 200, output: 64, can: "itr", cache: claude(1024)},
	{family: "claude", since: version{3, 5}, window: 200, output: 8, can: "it", cache: claude(2048)},
	{family: "claude", since: version{3, 0}, window: 200, output: 4, can: "it", cache: claude(2048)},

	{family: "gemini", since: version{2, 5}, window: 1048, output: 64, can: "itr", cache: gemini},
	{family: "gemini", since: version{2, 0}, window: 1048, output: 8, can: "it", cache: Cache{None: true}},
	{family: "gemini", window: 1048, can: "it", cache: Cache{None: true}},
	{family: "gemma", since: version{3, 0}, window: 128, output: 8, can: "i", cache: slot},

	{family: "deepseek-coder", window: 128, can: "t", cache: slot},
	{family: "deepseek-reasoner", window: 1000, can: "tr", cache: deepseek},
	{family: "deepseek-r", window: 64, can: "r", cache: slot},
	{family: "deepseek", since: version{4, 0}, window: 1000, output: 384, can: "tr", cache: deepseek},
	{family: "deepseek-v", window: 128, can: "tr", cache: deepseek},
	{family: "deepseek-chat", since: version{3, 0}, window: 128, can: "t", cache: deepseek},
	{family: "deepseek-chat", window: 1000, can: "t", cache: deepseek},

	{family: "mistral-large", since: version{3, 0}, window: 256, can: "it", cache: mistral},
	{family: "mistral", window: 128, can: "it", cache: mistral},
	{family: "magistral", window: 128, can: "tr", cache: mistral},
	{family: "codestral", window: 256, can: "t", cache: mistral},
	{family: "devstral", window: 128, can: "t", cache: mistral},
	{family: "ministral", window: 128, can: "t", cache: mistral},
	{family: "pixtral", window: 128, can: "it", cache: mistral},

	{family: "grok", word: "code", window: 256, can: "tr", cache: prefix},
	{family: "grok", since: version{4, 0}, window: 256, can: "itr", cache: prefix},
	{family: "grok", window: 131, can: "t", cache: prefix},

	{family: "glm", since: version{5, 0}, window: 200, output: 128, can: "tr", cache: prefix},
	{family: "glm", since: version{4, 6}, window: 200, output: 128, can: "tr", cache: prefix},
	{family: "glm", window: 128, output: 96, can: "tr", cache: prefix},
	{family: "kimi", since: version{2, 5}, window: 256, can: "itr", cache: prefix},
	{family: "kimi", word: "thinking", window: 256, can: "tr", cache: prefix},
	{family: "kimi", window: 131, can: "t", cache: prefix},
	{family: "minimax-m", window: 200, can: "tr", cache: prefix},
	{family: "qwen", word: "coder", since: version{3, 0}, window: 256, can: "t", cache: slot},
	{family: "qwen", word: "vl", window: 128, can: "it", cache: slot},
	{family: "qwen", since: version{3, 0}, window: 40, can: "tr", cache: slot},
	{family: "qwen", window: 32, can: "t", cache: slot},
	{family: "llama", since: version{4, 0}, window: 128, can: "it", cache: slot},
	{family: "llama", word: "vision", window: 128, can: "i", cache: slot},
	{family: "llama", since: version{3, 1}, window: 128, can: "t", cache: slot},
	{family: "llama", since: version{3, 0}, window: 8, cache: slot},
	{family: "phi", since: version{4, 0}, window: 16, cache: slot},
	{family: "command", window: 128, output: 4, can: "t", cache: Cache{None: true}},
	{family: "sonar", window: 128, output: 8, cache: Cache{None: true}},
	{family: "ibid-offline", cache: Cache{None: true}},
}

func (r *rule) facts() Facts {
	has := func(what string) bool { return strings.Contains(r.can, what) }
	return Facts{
		Window: r.window * 1000, MaxOutput: r.output * 1000,
		Images: has("i"), Tools: has("t"), Reasoning: has("r"),
		Cache: r.cache, Known: true,
	}
}

// find is the first rule that fits a model, nil if there is none.
func find(model string) *rule {
	name := normalise(model)
	for i := range rules {
		if rules[i].fits(name) {
			return &rules[i]
		}
	}
	return nil
}

func (r *rule) fits(name string) bool {
	rest, ok := strings.CutPrefix(name, r.family)
	if !ok || continues(r.family, rest) {
		return false
	}
	if r.word != "" && !hasWord(rest, r.word) {
		return false
	}
	return r.since == version{} || !versionOf(rest).before(r.since)
}

// continues reports whether rest goes on with the word that family ends with:
// "o1" does not name "o12", nor "gpt" "gpts".
func continues(family, rest string) bool {
	if rest == "" || strings.HasSuffix(family, "-r") || strings.HasSuffix(family, "-v") || strings.HasSuffix(family, "-m") {
		return false
	}
	c, last := rest[0], family[len(family)-1]
	return isDigit(c) && isDigit(last) || c >= 'a' && c <= 'z'
}

func hasWord(name, word string) bool {
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '-' || r == '.' || r == '_' }) {
		if part == word {
			return true
		}
	}
	return false
}

// startFactor is what a model's tokenizer makes of a token of ours, before
// anything has been observed.
func startFactor(model string) float64 {
	if r := find(model); r != nil && r.factor > 0 {
		return r.factor
	}
	return 1
}
