package connect

import (
	"testing"
	"time"

	"ibid/chains/wire"
	"ibid/context/prompt"
	"ibid/context/tokens"
)

// TestCacheOf: the table says how the cache in front of a model is, marks go where
// they are known to be understood, and what the person wrote wins.
func TestCacheOf(t *testing.T) {
	yes, no := true, false
	for name, tt := range map[string]struct {
		config              Cache
		provider, at, model string
		local               bool
		kind                prompt.CacheKind
		marks               string
	}{
		"a gateway that passes them on":   {Cache{}, "openrouter", "", "anthropic/claude-opus-4.7", false, prompt.CacheBlocks, "cache_control"},
		"Anthropic itself":                {Cache{}, "anthropic", "", "claude-opus-4.7", false, prompt.CacheBlocks, "cache_control"},
		"switched off":                    {Cache{Marks: &no}, "openrouter", "", "anthropic/claude-opus-4.7", false, prompt.CacheNone, ""},
		"a gateway that nobody knows":     {Cache{}, "", "https://gateway.example/v1", "claude-opus-4.7", false, prompt.CacheNone, ""},
		"one that the person knows":       {Cache{Marks: &yes}, "", "https://gateway.example/v1", "claude-opus-4.7", false, prompt.CacheBlocks, "cache_control"},
		"one that is called like another": {Cache{}, "openai", "https://gateway.example/v1", "gpt-5.6", false, prompt.CacheBoundaries, ""},
		"OpenAI itself":                   {Cache{}, "openai", "", "gpt-5.6", false, prompt.CacheBoundaries, "prompt_cache_breakpoint"},
		"an older model there":            {Cache{}, "openai", "", "gpt-5.2", false, prompt.CacheSteps, ""},
		"a local server":                  {Cache{}, "ollama", "", "claude-like:8b", true, prompt.CacheSlot, ""},
		"Anthropic nearby":                {Cache{}, "anthropic", "http://localhost:4000/v1", "claude-opus-4.7", true, prompt.CacheBlocks, "cache_control"},
		"a local gateway":                 {Cache{}, "", "http://localhost:4000/v1", "claude-opus-4.7", true, prompt.CacheSlot, ""},
		"as the person says":              {Cache{Kind: "requests"}, "openai", "", "gpt-5.6", false, prompt.CacheRequests, "prompt_cache_breakpoint"},
	} {
		p, _ := wire.FindProvider(tt.provider)
		if tt.at != "" {
			p = wire.ProviderAt(tt.provider, tt.at)
		}
		if got := tt.config.of(p, tt.model, tt.local); got.Kind != tt.kind || got.Marks != tt.marks {
			t.Errorf("%s: %+v", name, got)
		}
	}
	p, _ := wire.FindProvider("openai")
	own := Cache{Lifetime: time.Minute, Kind: "slot", Min: 7, Step: 8, Read: 0.3, Write: 2}
	want := tokens.Cache{Cache: prompt.Cache{Kind: prompt.CacheSlot, Min: 7, Step: 8, Read: 0.3, Write: 2}, Lifetime: time.Minute}
	if got := own.of(p, "gpt-5.2", false); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	p, _ = wire.FindProvider("anthropic")
	for lifetime, want := range map[time.Duration]float64{0: 1.25, time.Minute: 1.25, time.Hour: 2} {
		if got := (Cache{Lifetime: lifetime}).of(p, "claude-opus-4.7", false); got.Write != want {
			t.Errorf("kept for %v: a write costs %v, want %v", lifetime, got.Write, want)
		}
	}
}
