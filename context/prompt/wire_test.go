package prompt_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/openai"
	"ibid/chains/wire"
	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// searching is a chain with a search result in some turns.
type searching struct{ found *string }

func (searching) Name() string { return "searching" }

func (c searching) Open(_ context.Context, t *chains.Turn) error {
	if *c.found != "" {
		t.Use("localSearch", chains.ToolOutput{Text: *c.found})
	}
	return nil
}

func (searching) Run(ctx context.Context, t *chains.Turn) error {
	if err := t.Prepare(ctx); err != nil {
		return err
	}
	_, err := t.Stream(ctx)
	return err
}

// wireCost has the costs of a conversation on the wire.
type wireCost struct {
	cost, least             float64 // uncached tokens
	sent, cached, predicted float64
	breaks                  []string
}

// TestWireTargets runs conversations of a session over HTTP with a cache of each kind in the
// server. The costs of the default layout, by the server's reports, have limits, and the
// prediction equals the report.
func TestWireTargets(t *testing.T) {
	for _, p := range prompt.ReplayPrices() {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			const some = 3
			ratio, all := 0.0, wireCost{}
			for seed := range uint64(some) {
				got := overTheWire(t, seed, p)
				ratio += got.cost / got.least / some
				all.sent, all.cached, all.predicted = all.sent+got.sent, all.cached+got.cached, all.predicted+got.predicted
				if len(got.breaks) > 0 {
					t.Errorf("conversation %d: %s", seed, strings.Join(got.breaks, "; "))
				}
			}
			was, expected := 100*all.cached/all.sent, 100*all.predicted/all.sent
			t.Logf("%.3f × the lower bound; %.1f %% cached, predicted %.1f %%", ratio, was, expected)
			if ratio > p.Most {
				t.Errorf("%.3f × the lower bound, at most %.2f", ratio, p.Most)
			}
			if off := was - expected; off > 5 || off < -5 {
				t.Errorf("%.0f %% cached, predicted %.0f %%", was, expected)
			}
		})
	}
}

// overTheWire runs one conversation.
func overTheWire(t *testing.T, seed uint64, p prompt.ReplayPrice) (got wireCost) {
	instructions := prompt.Instructions{Vault: "notes"}
	play := prompt.NewReplay(seed, p, len(prompt.SystemText(instructions)))
	o := chaintest.Options{Cache: p.Cache}
	for _, turn := range play.Turns {
		o.Answers = append(o.Answers, chaintest.Answer{Text: turn.Reply, Chunk: 1000})
	}
	server := chaintest.NewServer(t, o)
	kinds := map[prompt.CacheKind]string{
		prompt.CacheBlocks:     openai.MarkCacheControl,
		prompt.CacheBoundaries: openai.MarkBreakpoint,
	}
	client, err := openai.New(openai.Options{Options: wire.Options{
		BaseURL: server.URL(), Facts: func(string) wire.Facts { return wire.Facts{Marks: kinds[p.Kind]} },
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer client.CloseIdle()
	var archive strings.Builder
	for path, text := range play.Files {
		fmt.Fprintf(&archive, "-- %s --\n%s\n", path, text)
	}
	v, found, now := vaulttest.New(t, archive.String()), "", time.Date(2026, 3, 14, 8, 0, 0, 0, time.UTC)
	session := chains.NewSession(chains.Options{
		Model: client.Model("m"), ModelName: "m", Gather: gather.New(v, gather.Options{}),
		Instructions: instructions, Chain: searching{&found},
		Cache: chains.CacheRule{Cache: p.Cache, Lifetime: p.Life}, Now: func() time.Time { return now },
	})
	for _, turn := range play.Turns {
		now, found = now.Add(turn.Gap), turn.Tool
		for path, text := range turn.Edits {
			vaulttest.Write(t, v, vault.Path(path), text+"\n")
		}
		if turn.Cold {
			server.Forget()
		}
		events := session.Send(t.Context(), input(turn))
		if turn.Again {
			events = chains.RetryWith(t.Context(), session, nil)
		}
		for e, err := range events {
			if err != nil {
				t.Fatal(err)
			}
			switch e := e.(type) {
			case chains.ContextReady:
				got.predicted += float64(e.Envelope.Predicted.Cached)
				if b := e.Envelope.Break; b != nil {
					got.breaks = append(got.breaks, fmt.Sprintf("turn %d: %+v", e.Envelope.Turn, *b))
				}
			case chains.UsageReported:
				if !e.Turn {
					got.pay(e.Usage, p)
				}
			}
		}
		got.least += turn.Least
	}
	return got
}

func input(turn prompt.ReplayTurn) chains.Input {
	in := chains.Input{Text: turn.Question}
	for _, path := range turn.Attached {
		ref := prompt.Ref{Kind: prompt.Note, ID: path}
		if path == turn.Active {
			in.Active, in.Open = ref, ref
		}
		in.Attach = append(in.Attach, ref)
	}
	return in
}

func (p *wireCost) pay(u chains.Usage, price prompt.ReplayPrice) {
	sent, cached := float64(u.Prompt), float64(max(0, u.Cached))
	p.sent, p.cached = p.sent+sent, p.cached+cached
	p.cost += cached*price.Read + (sent-cached)*price.Write
}
