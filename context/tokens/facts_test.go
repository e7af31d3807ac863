package tokens

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestLookup(t *testing.T) {
	const hour, day = time.Hour, 24 * time.Hour
	tests := []struct {
		models string // all of them with the same facts
		window int
		output int
		can    string
		kind   Match
		least  int
		life   time.Duration
	}{
		{"gpt-4o gpt-4o-2024-08-06 openai/gpt-4o-mini GPT-4o ft:gpt-4o:people:garden", 128_000, 16_000, "it", MatchSteps, 1024, hour},
		{"gpt-4.1 gpt-4-1-mini", 1_047_000, 32_000, "it", MatchSteps, 1024, hour},
		{"gpt-5 openai/gpt-5.1 gpt-5-mini gpt-5-mini-2025-08-07 gpt-5.4-nano gpt-5.2-codex", 400_000, 128_000, "itr", MatchSteps, 1024, day},
		{"gpt-5.4 gpt-5.4-2026-03-05 gpt-5.5", 1_050_000, 128_000, "itr", MatchSteps, 1024, day},
		{"gpt-5.6 gpt-5.6-sol gpt-5-6 gpt-5.10 gpt-6 gpt-6.2", 1_050_000, 128_000, "itr", MatchBoundaries, 1024, 30 * time.Minute},
		{"gpt-5.6-mini gpt-6-nano", 400_000, 128_000, "itr", MatchBoundaries, 1024, 30 * time.Minute},
		{"o3 o3-pro o4-mini o4-mini-2025-04-16", 200_000, 100_000, "itr", MatchSteps, 1024, hour},
		{"gpt-oss-120b openai/gpt-oss-20b gpt-oss:20b", 131_000, 32_000, "tr", MatchSlot, 1, 0},
		{"claude-opus-5 anthropic/claude-opus-5.5 us.anthropic.claude-opus-5", 1_000_000, 128_000, "itr", MatchBlocks, 512, 5 * time.Minute},
		{"claude-sonnet-5 claude-fable-5-1 claude-opus-4-8 claude-opus-4.8", 1_000_000, 128_000, "itr", MatchBlocks, 1024, 5 * time.Minute},
		{"claude-opus-4-7 anthropic/claude-opus-4.7", 1_000_000, 128_000, "itr", MatchBlocks, 2048, 5 * time.Minute},
		{"claude-opus-4-6", 200_000, 128_000, "itr", MatchBlocks, 4096, 5 * time.Minute},
		{"claude-haiku-4.5 anthropic/claude-4.5-haiku-20251001 claude-haiku-4-5@20251001 claude-opus-4-5-20251101", 200_000, 64_000, "itr", MatchBlocks, 4096, 5 * time.Minute},
		{"claude-sonnet-4 claude-sonnet-4-20250514 claude-sonnet-4-5-20250929", 200_000, 64_000, "itr", MatchBlocks, 1024, 5 * time.Minute},
		{"claude-3-5-sonnet-latest claude-3.5-haiku claude-3-5-haiku-20241022", 200_000, 8_000, "it", MatchBlocks, 2048, 5 * time.Minute},
		{"gemini-2.5-flash gemini-3-pro-preview google/gemini-2.5-pro", 1_048_000, 64_000, "itr", MatchSteps, 4096, hour},
		{"deepseek-v4-pro deepseek/deepseek-v4-flash", 1_000_000, 384_000, "tr", MatchRequests, 64, 72 * hour},
		{"deepseek-v3.2", 128_000, 0, "tr", MatchRequests, 64, 72 * hour},
		{"deepseek-r1:14b", 64_000, 0, "r", MatchSlot, 1, 0},
		{"mistral-small-latest mistral-large-2512 mistralai/mistral-medium", 128_000, 0, "it", MatchSteps, 64, 0},
		{"grok-4 grok-4-1-fast-non-reasoning x-ai/grok-4.1", 256_000, 0, "itr", MatchSteps, 1024, 0},
		{"z-ai/glm-5-turbo-20260315 glm-4.6", 200_000, 128_000, "tr", MatchSteps, 1024, 0},
		{"moonshotai/kimi-k2-instruct-0905", 131_000, 0, "t", MatchSteps, 1024, 0},
		{"kimi-k2.5", 256_000, 0, "itr", MatchSteps, 1024, 0},
		{"qwen3:8b Qwen/Qwen3-32B", 40_000, 0, "tr", MatchSlot, 1, 0},
		{"llama3.2 meta-llama/Llama-3.3-70B-Instruct llama-3.1-8b-instant Meta-Llama-3.1-8B", 128_000, 0, "t", MatchSlot, 1, 0},
		{"llama3:70b", 8_000, 0, "", MatchSlot, 1, 0},
		{"gemma3:4b", 128_000, 8_000, "i", MatchSlot, 1, 0},
	}
	for _, tt := range tests {
		for model := range strings.FieldsSeq(tt.models) {
			want := Facts{
				Window: tt.window, MaxOutput: tt.output, Known: true,
				Images: strings.Contains(tt.can, "i"), Tools: strings.Contains(tt.can, "t"), Reasoning: strings.Contains(tt.can, "r"),
				Cache: Cache{Kind: tt.kind, Min: tt.least, Lifetime: tt.life},
			}
			got := Lookup(model)
			want.Cache.Read, want.Cache.Write, want.Cache.Marks = got.Cache.Read, got.Cache.Write, got.Cache.Marks // see TestCachePrices
			switch {
			case tt.kind == MatchSteps && strings.Contains(model, "mistral"):
				want.Cache.Step = 64
			case tt.kind == MatchSteps && find(model).family != "gemini" && tt.life != 0:
				want.Cache.Step = 128
			}
			if got != want {
				t.Errorf("Lookup(%q)\n got %+v\nwant %+v", model, got, want)
			}
		}
	}
}

func TestLookupUnknown(t *testing.T) {
	for _, model := range []string{"", "/", ":", "gpts", "gpt-image-1", "gpt2", "o12", "o1x", "claudette", "house-model", "text-embedding-3-small"} {
		if got := Lookup(model); got != (Facts{}) {
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
		if got := Lookup(tt.model).On(tt.provider).Cache; got != tt.want {
			t.Errorf("Lookup(%q).On(%q).Cache = %+v, want %+v", tt.model, tt.provider, got, tt.want)
		}
	}
}

// Every line of the table has its columns: numbers where numbers belong, and caches
// that the table has.
func TestTableSound(t *testing.T) {
	numbers := map[string][]int{"cache": {3, 4, 5, 6, 7}, "host": {}, "model": {3, 4, 5, 8}}
	columns := map[string]int{"cache": 9, "host": 4, "model": 9}
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
		cache := map[string]string{"host": f[2], "model": f[min(7, len(f)-1)]}[f[0]]
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
	if got := Reserve(Lookup("gpt-4o")); got != 8192 {
		t.Errorf("reserve of a model that answers at once: %d", got)
	}
	if got := Reserve(Lookup("claude-sonnet-5")); got != 32768 {
		t.Errorf("reserve of a model that thinks first: %d", got)
	}
}

func FuzzLookup(f *testing.F) {
	for _, s := range []string{"gpt-5.4", "anthropic/claude-opus-4.7", "x-", "-2026-01-01", "gpt-", "v", "k2", "grok-99999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, model string) {
		got := Lookup(model)
		if got != Lookup("vendor/"+model[strings.LastIndexByte(model, '/')+1:]) {
			t.Errorf("a vendor in front of %q changes what is known", model)
		}
		if !got.Known && got != (Facts{}) {
			t.Errorf("unknown, but %+v", got)
		}
		if f := startFactor(model); f < 1 || f > 1.3 {
			t.Errorf("start factor %v", f)
		}
	})
}
