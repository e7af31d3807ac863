package tokens

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestLookup(t *testing.T) {
	const hour, day = time.Hour, 24 * time.Hour
	mark, low := []string{"none", "low", "medium", "high", "xhigh", "max"}, []string{"low", "medium", "high"}
	always, most := mark[1:], mark[1:5]
	tests := []struct {
		provider string
		models   string // all of them with the same facts
		window   int
		output   int
		can      string
		efforts  []string
		thinking Thinking
		kind     Match
		least    int
		life     time.Duration
	}{
		{"openai", "gpt-4o gpt-4o-2024-08-06 openai/gpt-4o-mini GPT-4o ft:gpt-4o:people:garden", 128_000, 8_192, "it", nil, "", MatchSteps, 1024, hour},
		{"openai", "gpt-4.1 gpt-4-1-mini", 1_047_576, 16_384, "it", nil, "", MatchSteps, 1024, hour},
		{"openai", "gpt-5-mini gpt-5-mini-2025-08-07", 400_000, 128_000, "itr", low, "", MatchSteps, 1024, day},
		{"openai", "gpt-5.4 gpt-5.4-2026-03-05 gpt-5.5", 1_050_000, 128_000, "itr", most, "", MatchSteps, 1024, day},
		{"openai", "gpt-5.6-sol gpt-6-sol openai/gpt-6-luna gpt-6-sol-2026-09-22", 1_050_000, 128_000, "itro", mark, "", MatchBoundaries, 1024, 30 * time.Minute},
		{"openai", "gpt-6-astra gpt-6.1-sol gpt-6-2-sol", 1_050_000, 128_000, "itro", always, "", MatchBoundaries, 1024, 30 * time.Minute},
		{"openai", "gpt-7 gpt-5.6-mini", 0, 0, "itro", nil, "", MatchBoundaries, 1024, 30 * time.Minute}, // newer than all lists
		{"anthropic", "claude-opus-5 anthropic/claude-opus-5 us.anthropic.claude-opus-5", 1_000_000, 128_000, "itr", always, ThinkAdaptive, MatchBlocks, 512, 5 * time.Minute},
		{"openrouter", "anthropic/claude-opus-4.7", 1_000_000, 128_000, "itr", nil, ThinkAdaptive, MatchBlocks, 2048, 5 * time.Minute},
		{"anthropic", "claude-opus-4-6 claude-opus-4.6", 1_000_000, 128_000, "itr", []string{"low", "medium", "high", "max"}, ThinkAdaptive, MatchBlocks, 4096, 5 * time.Minute},
		{"anthropic", "claude-sonnet-4 claude-sonnet-4-20250514 claude-sonnet-4-5-20250929", 200_000, 64_000, "itr", nil, ThinkBudget, MatchBlocks, 1024, 5 * time.Minute},
		{"anthropic", "claude-sonnet-9", 0, 0, "itr", nil, ThinkAdaptive, MatchBlocks, 1024, 5 * time.Minute},
		{"deepseek", "deepseek-v4-pro deepseek/deepseek-v4-flash", 1_000_000, 384_000, "tr", []string{"low", "high", "max"}, ThinkSwitch, MatchRequests, 64, 72 * hour},
		{"moonshot", "kimi-k3", 1_048_576, 131_072, "itr", nil, ThinkSwitch, MatchSteps, 1024, 0},
		{"zai", "glm-5.3", 1_000_000, 131_072, "tr", []string{"low", "high", "xhigh"}, ThinkSwitch, MatchSteps, 1024, 0},
		{"ollama", "qwen3:8b", 0, 0, "tr", nil, ThinkSwitch, MatchSlot, 1, 0},
	}
	for _, tt := range tests {
		for model := range strings.FieldsSeq(tt.models) {
			has := func(what string) bool { return strings.Contains(tt.can, what) }
			want := Facts{
				Window: tt.window, MaxOutput: tt.output, Known: true,
				Images: has("i"), Tools: has("t"), Reasoning: has("r"), Responses: has("o"), Efforts: tt.efforts, Thinking: tt.thinking,
				Cache: Cache{Kind: tt.kind, Min: tt.least, Lifetime: tt.life},
			}
			got := Lookup(tt.provider, model)
			want.Cache.Read, want.Cache.Write, want.Cache.Marks = got.Cache.Read, got.Cache.Write, got.Cache.Marks // see TestCachePrices
			want.Price = got.Price                                                                                 // see TestPrices
			if tt.provider == "openrouter" {                                                                       // which has levels and limits of its own
				got.Efforts, want.MaxOutput = nil, got.MaxOutput
			}
			if tt.kind == MatchSteps && tt.provider == "openai" {
				want.Cache.Step = 128
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("Lookup(%q, %q) (-want +got): %s", tt.provider, model, d)
			}
		}
	}
}

// TestPrices: of the two cached prices of the catalogue one may be that of a read, the
// other that of a write; what others take for a model says nothing.
func TestPrices(t *testing.T) {
	for _, tt := range []struct {
		provider, model string
		want            Price
	}{
		{"anthropic", "claude-opus-5", Price{5, 0.5, 6.25, 25}},
		{"openai", "gpt-5.5", Price{5, 0.5, -1, 30}},
		{"openai", "gpt-5.3-codex", Price{1.75, -1, -1, 14}}, // both below the input
		{"openai", "gpt-6.1-sol", Price{2, 0.1, 2.5, 10}},
		{"gemini", "gemini-3.7-flash", Price{0.75, 0.075, -1, 3.75}}, // one is the output's
		{"gemini", "gemini-3.6-flash", Price{1.5, 0.15, -1, 7.5}},
		{"openai", "gpt-5.5-pro", Price{30, -1, -1, 180}},
		{"zai", "glm-5.2", unknownPrice}, // part of a subscription
		{"somewhere", "gpt-6.1-sol", unknownPrice},
		{"somewhere", "claude-opus-5", unknownPrice},
		{"openai", "gpt-9", unknownPrice},
	} {
		if got := Lookup(tt.provider, tt.model).Price; got != tt.want {
			t.Errorf("%s at %s: %+v, want %+v", tt.model, tt.provider, got, tt.want)
		}
	}
}

// TestLevels: an effort that a model lacks becomes the nearest below it.
func TestLevels(t *testing.T) {
	for _, tt := range []struct{ provider, model, effort, want string }{
		{"openai", "gpt-6.1-sol", "off", "low"},
		{"openai", "gpt-6.1-sol", "max", "max"},
		{"openai", "gpt-6-sol", "off", "off"},
		{"openai", "gpt-5.4", "max", "xhigh"},
		{"openai", "gpt-5.4", "minimal", "low"},
		{"anthropic", "claude-opus-5", "off", "off"},
		{"anthropic", "claude-opus-4-6", "xhigh", "high"},
		{"deepseek", "deepseek-v4-pro", "medium", "low"},
		{"deepseek", "deepseek-v4-pro", "off", "off"},
		{"somewhere", "house-model", "max", "high"},
		{"somewhere", "house-model", "", ""},
	} {
		if got := Lookup(tt.provider, tt.model).Level(tt.effort); got != tt.want {
			t.Errorf("%s at %s becomes %q, want %q", tt.effort, tt.model, got, tt.want)
		}
	}
}

// TestDefault: a key and nothing else is answered by the catalogue's choice.
func TestDefault(t *testing.T) {
	for provider, want := range map[string]string{"openai": "gpt-5.6-sol", "anthropic": "claude-sonnet-4-6", "alibaba": "qwen3.6-plus", "somewhere": ""} {
		if got := Default(provider); got != want {
			t.Errorf("%s begins with %q, want %q", provider, got, want)
		}
	}
}

func TestLookupUnknown(t *testing.T) {
	for _, model := range []string{"", "/", ":", "gpts", "gpt-image-1", "gpt2", "o12", "o1x", "claudette", "house-model", "text-embedding-3-small"} {
		if got := Lookup("", model); got.Known || got.Window != 0 || got.Price != unknownPrice {
			t.Errorf("Lookup(%q) = %+v, want nothing", model, got)
		}
	}
}

// TestCachePrices: every cache says what it charges, a read never costs more than
// no cache would, and those that charge for writes are those that take marks.
func TestCachePrices(t *testing.T) {
	for name, c := range facts().caches {
		marks := c.Kind == MatchBlocks || c.Kind == MatchBoundaries
		if c.Read <= 0 || c.Read > 1 || (c.Read == 1) != (c.Kind == MatchNone) || (c.Write > 1) != marks || (c.Marks != "") != marks {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

func TestOn(t *testing.T) {
	caches := facts().caches
	unmarked := func(name string) Cache {
		c := caches[name]
		c.Marks = ""
		return c
	}
	tests := []struct {
		model, provider string
		want            Cache
	}{
		{"llama3.3", "ollama", caches["slot"]},
		{"gpt-4o", "localhost:1234", caches["slot"]},
		{"unheard-of", "LM Studio", caches["slot"]},
		{"qwen3", "vllm", caches["vllm"]},
		{"gpt-oss-120b", "api.groq.com", caches["groq"]},
		{"claude-opus-5", "anthropic", caches["claude-512"]},
		{"claude-opus-5", "openrouter", caches["claude-512"]},
		{"claude-opus-5", "gateway.example", unmarked("claude-512")},
		{"claude-opus-5", "azure", unmarked("claude-512")},
		{"gpt-5.6", "azure", caches["openai-mark"]},
		{"gpt-5.6", "openai", caches["openai-mark"]},
		{"gpt-5.6", "openrouter", caches["openai-mark"]},
		{"gpt-5.6", "gateway.example", unmarked("openai-mark")},
		{"house-model", "offline", caches["none"]},
	}
	for _, tt := range tests {
		if got := Lookup("", tt.model).On(tt.provider).Cache; got != tt.want {
			t.Errorf("Lookup(%q).On(%q).Cache = %+v, want %+v", tt.model, tt.provider, got, tt.want)
		}
	}
}

// Every line of the table has its columns: numbers where numbers belong, and caches
// that the table has.
func TestTableSound(t *testing.T) {
	numbers := map[string][]int{"cache": {3, 4, 5, 6, 7}, "host": {}, "family": {3, 6}, "model": {3, 4, 6, 7, 8, 9}}
	columns := map[string]int{"cache": 9, "host": 4, "family": 8, "model": 10}
	for line := range strings.Lines(factsText) {
		f := strings.Fields(line)
		if len(f) == 0 || strings.HasPrefix(f[0], "#") {
			continue
		}
		if columns[f[0]] != len(f) {
			t.Fatalf("%d columns: %s", len(f), line)
		}
		for _, i := range numbers[f[0]] {
			if _, err := strconv.ParseFloat(f[i], 64); err != nil && f[i] != "-" {
				t.Errorf("column %d is no number: %s", i, line)
			}
		}
		cache := map[string]string{"host": f[2], "family": f[min(5, len(f)-1)]}[f[0]]
		if c, ok := facts().caches[cache]; cache != "" && cache != "-" && (!ok || c == Cache{}) {
			t.Errorf("no cache %s: %s", cache, line)
		}
	}
	for name, c := range facts().caches {
		if !slices.Contains([]Match{MatchSteps, MatchBoundaries, MatchBlocks, MatchRequests, MatchSlot, MatchNone}, c.Kind) {
			t.Errorf("cache %s matches by %q", name, c.Kind)
		}
	}
}

// Every line of the table decides for some name: a line that an earlier one
// hides would be a fact that nobody sees.
func TestTableReached(t *testing.T) {
	rules := facts().rules
	for i, r := range rules {
		name := r.family
		if r.since != (version{}) {
			name = strings.TrimSuffix(name, "-")
			name += "-" + string(rune('0'+r.since.major)) + "." + string(rune('0'+r.since.minor))
		}
		if r.word != "" {
			name += "-" + r.word
		}
		if strings.HasSuffix(r.family, "-v") || strings.HasSuffix(r.family, "-r") || strings.HasSuffix(r.family, "-m") {
			name += "1"
		}
		if got := find(name); got != &rules[i] {
			t.Errorf("line %d (%+v): %q is decided by %+v", i, r, name, got)
		}
	}
}

// Room for the reply and for the prompt always fit into the window.
func TestBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := Facts{
			Window:    rapid.IntRange(0, 3_000_000).Draw(t, "window"),
			MaxOutput: rapid.IntRange(0, 400_000).Draw(t, "output"),
			Reasoning: rapid.Bool().Draw(t, "reasoning"),
		}
		reserve, budget := Reserve(f), Budget(f)
		if f.Window == 0 {
			if budget != 0 || reserve <= 0 && f.MaxOutput != 0 {
				t.Fatalf("unknown window: reserve %d, budget %d", reserve, budget)
			}
			return
		}
		if reserve < 0 || reserve > f.Window/4 || f.MaxOutput > 0 && reserve > f.MaxOutput {
			t.Fatalf("%+v: reserve %d", f, reserve)
		}
		if margin := f.Window - reserve - budget; margin != f.Window/20 {
			t.Fatalf("%+v: budget %d leaves a margin of %d", f, budget, margin)
		}
	})
	if got := Reserve(Lookup("openai", "gpt-4o")); got != 8192 {
		t.Errorf("reserve of a model that answers at once: %d", got)
	}
	if got := Reserve(Lookup("anthropic", "claude-sonnet-5")); got != 32768 {
		t.Errorf("reserve of a model that thinks first: %d", got)
	}
}

func FuzzLookup(f *testing.F) {
	for _, s := range []string{"gpt-5.4", "anthropic/claude-opus-4.7", "x-", "-2026-01-01", "gpt-", "v", "k2", "grok-99999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, model string) {
		got := Lookup("", model)
		if d := cmp.Diff(got, Lookup("", "vendor/"+model[strings.LastIndexByte(model, '/')+1:])); d != "" {
			t.Errorf("a vendor in front of %q changes what is known: %s", model, d)
		}
		if !got.Known && got.Window > 0 {
			t.Errorf("unknown, but %+v", got)
		}
		if f := startFactor(model); f < 1 || f > 1.3 {
			t.Errorf("start factor %v", f)
		}
	})
}
