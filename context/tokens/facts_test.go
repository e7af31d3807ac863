package tokens

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ibid/context/prompt"
	"ibid/vault/md"
	"ibid/vault/vaulttest"
)

func TestLookup(t *testing.T) {
	for _, row := range vaulttest.Rows(t, "lookup.txt", 3) {
		for model := range strings.FieldsSeq(row[1]) {
			f := Lookup(row[0], model)
			if row[0] == "openrouter" { // which has levels and limits of its own
				f.Efforts, f.MaxOutput = nil, 0
			}
			can := ""
			for i, has := range []bool{f.Images, f.Tools, f.Reasoning, f.Responses} {
				if has {
					can += "itro"[i : i+1]
				}
			}
			c := f.Cache
			got := fmt.Sprint(f.Window, f.MaxOutput, " ", can, " ", f.Efforts, " ", f.Thinking, " ", c.Kind, " ",
				c.Min, "+", c.Step, " ", c.Lifetime)
			if got = md.OneLine(got); got != row[2] || !f.Known {
				t.Errorf("Lookup(%q, %q): %s, want %s", row[0], model, got, row[2])
			}
		}
	}
}

// TestPrices: of the two cached prices of the catalogue one may be that of a read, the
// other that of a write; what others take for a model says nothing.
func TestPrices(t *testing.T) {
	for _, row := range vaulttest.Rows(t, "prices.txt", 3) {
		is(t, fmt.Sprint(Lookup(row[0], row[1]).Price), row[2], row[1], "at", row[0])
	}
}

// TestLevels: an effort that a model lacks becomes the nearest below it.
func TestLevels(t *testing.T) {
	for _, row := range vaulttest.Rows(t, "levels.txt", 4) {
		is(t, Lookup(row[0], row[1]).Level(row[2]), row[3], row[2], "at", row[1])
	}
}

// TestDefault: a key and nothing else is answered by the catalogue's choice.
func TestDefault(t *testing.T) {
	for provider, want := range map[string]string{
		"openai": "gpt-5.6-sol", "anthropic": "claude-sonnet-4-6",
		"alibaba": "qwen3.6-plus", "somewhere": "",
	} {
		is(t, Default(provider), want, provider)
	}
}

func TestLookupUnknown(t *testing.T) {
	for _, model := range []string{
		"", "/", ":", "gpts", "gpt-image-1", "gpt2", "o12", "o1x", "claudette",
		"house-model", "nomic-embed-text",
	} {
		if got := Lookup("", model); got.Known || got.Window != 0 || got.Price.Known {
			t.Errorf("Lookup(%q) = %+v, want nothing", model, got)
		}
	}
}

// TestCachePrices: every cache says what it charges, a read never costs more than
// no cache would, and those that charge for writes are those that take marks.
func TestCachePrices(t *testing.T) {
	for name, c := range facts().caches {
		marks := c.Kind == prompt.CacheBlocks || c.Kind == prompt.CacheBoundaries
		if c.Read <= 0 || c.Read > 1 || (c.Read == 1) != (c.Kind == prompt.CacheNone) || (c.Write > 1) != marks ||
			(c.Marks != "") != marks {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

func TestOn(t *testing.T) {
	for _, row := range vaulttest.Rows(t, "caches.txt", 3) {
		name, unmarked := strings.CutSuffix(row[2], " unmarked")
		want := facts().caches[name]
		if unmarked {
			want.Marks = ""
		}
		if got := Lookup("", row[0]).On(row[1]).Cache; got != want || got == (Cache{}) {
			t.Errorf("Lookup(%q).On(%q).Cache = %+v, want %+v", row[0], row[1], got, want)
		}
	}
}

// Every line of the table has its columns: numbers where numbers belong, and caches
// that the table has.
func TestTableSound(t *testing.T) {
	numbers := map[string][]int{"cache": {3, 4, 5, 6, 7}, "host": {}, "family": {3, 6}, "model": {3, 4, 7, 8, 9, 10}}
	columns := map[string]int{"cache": 9, "host": 4, "family": 8, "model": 11}
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
	kinds := []prompt.CacheKind{
		prompt.CacheSteps, prompt.CacheBoundaries, prompt.CacheBlocks, prompt.CacheRequests, prompt.CacheSlot, prompt.CacheNone,
	}
	for name, c := range facts().caches {
		if !slices.Contains(kinds, c.Kind) {
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
		if got := findRule(name); got != &rules[i] {
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
	is(t, Reserve(Lookup("openai", "gpt-4o")), 8192, "reserve of a model that answers at once")
	is(t, Reserve(Lookup("anthropic", "claude-sonnet-5")), 32768, "reserve of a model that thinks first")
}

func FuzzLookup(f *testing.F) {
	for _, s := range []string{
		"gpt-5.4", "anthropic/claude-opus-4.7", "x-", "-2026-01-01", "gpt-", "v", "k2",
		"grok-99999999999",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, model string) {
		got := Lookup("", model)
		is(t, Lookup("", "vendor/"+model[strings.LastIndexByte(model, '/')+1:]), got, "a vendor in front of", model)
		if !got.Known && got.Window > 0 {
			t.Errorf("unknown, but %+v", got)
		}
		if f := startFactor(model); f < 1 || f > 1.3 {
			t.Errorf("start factor %v", f)
		}
	})
}
