package connect

import (
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/vault/vaulttest"
)

// TestColdAsConfigured goes from the configuration over the table of models to a
// rebuild: a conversation that was idle for longer than its provider keeps a
// cache begins a new epoch, and no other one does.
func TestColdAsConfigured(t *testing.T) {
	for name, tt := range map[string]struct {
		config Config
		model  string
		ends   bool // the provider's cache does, some time
	}{
		"steps":                    {Config{Provider: "openai"}, "gpt-4.1", true},
		"boundaries":               {Config{Provider: "openai"}, "gpt-5.6", true},
		"marks":                    {Config{Provider: "openrouter"}, "anthropic/claude-opus-4.7", true},
		"a server of this machine": {Config{Provider: "ollama"}, "qwen3:8b", false},
		"as the person says":       {Config{Provider: "ollama", Cache: Cache{Lifetime: 2 * time.Minute}}, "qwen3:8b", true},
	} {
		t.Run(name, func(t *testing.T) {
			all := newTestProviders(t, tt.config, nil, Flags{})
			e, _, err := all.selection(t.Context()).pick()
			noError(t, err)
			l, err := all.open(e)
			noError(t, err)
			now, o := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC), l.options(tt.model)
			o.Model, o.Gather = chaintest.New(chaintest.Reply{Text: "One."}, chaintest.Reply{Text: "Two."}), gather.New(vaulttest.New(t, "-- a.md --\nA note.\n"), gather.Options{})
			o.Now, o.Layout = func() time.Time { return now }, prompt.Append
			s := chains.NewSession(o)
			for _, err := range s.Send(t.Context(), chains.Input{Text: "1 @a"}) {
				noError(t, err)
			}
			if (o.Cache.Lifetime > 0) != tt.ends {
				t.Fatalf("the cache lives for %v", o.Cache.Lifetime)
			}
			sent := now
			for idle, cold := range map[time.Duration]bool{o.Cache.Lifetime: false, o.Cache.Lifetime + time.Second: tt.ends, 1000 * time.Hour: tt.ends} {
				now = sent.Add(idle)
				env, _, err := s.Preview(t.Context(), chains.Input{Text: "2"})
				noError(t, err)
				if got := env.Epoch.New && env.Epoch.Cause == prompt.CauseCold; got != cold {
					t.Errorf("%+v after %v, want cold %v", env.Epoch, idle, cold)
				}
			}
		})
	}
}
