package cli

import (
	"context"
	"fmt"
	"strings"

	"ibid/chains/desk"
	"ibid/ui/theme"
)

// updateIndex brings the search index and the vectors of notes up to date, and says how far they are.
func updateIndex(ctx context.Context, p *parts, words []string) error {
	if err := p.live(func() string { return p.indexing(ctx) }, func() error { p.desk.Sync(ctx); return ctx.Err() }); err != nil {
		return err
	}
	answer := strings.Join(words, " ")
	r, err := p.desk.Command(ctx, "/index "+answer)
	if err == nil && r.Ask != nil && !p.flags.JSON && terminal(p.env.Stdin) && p.agreed(ctx, r.Ask.About+"\nSend them? [y/N] ") {
		r, err = p.desk.Command(ctx, "/index yes")
	}
	if err != nil {
		return usagef("%w", err)
	}
	if m := p.desk.Meaning(); m != nil && r.Ask == nil && answer != "no" {
		if err := p.live(func() string { return filling(ctx, m) }, func() error { return m.Fill(ctx) }); err != nil {
			p.remark("%v", err)
		}
		if r, err = p.desk.Command(ctx, "/index"); err != nil {
			return err
		}
	}
	p.printRow(rowJSON{"index": r.Text}, r.Text+"\n")
	return nil
}

// filling says how far the vectors are.
func filling(ctx context.Context, m *desk.Meaning) string {
	s, err := m.State(ctx)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("vectors of %s of %s notes; ctrl+c stops, the next time goes on", theme.Comma(s.Done), theme.Comma(s.Notes))
}

// offerVectors says once that a server of this machine can make vectors of notes.
func (p *parts) offerVectors() {
	const file, offered = "vectors.json", "offered"
	model := p.servers.LocalEmbedder(p.model.Servers)
	if model == "" || p.config.Search.Vectors != "" || p.model.Settled || p.hints().Read(file)[offered] != "" {
		return
	}
	p.hints().Set(file, offered, model)
	p.notices = append(p.notices, fmt.Sprintf("%s is on this machine: with `/config search.vectors %s` notes are found by their meaning, too, from the next start on", model, model))
}
