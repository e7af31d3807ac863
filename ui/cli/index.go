package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"
)

// updateIndex runs ibid index. It asks whether notes may be sent before it does anything that takes long.
func updateIndex(ctx context.Context, p *parts, words []string) error {
	p.warnOfRules()
	r, err := p.desk.Command(ctx, "/index "+strings.Join(words, " "))
	if err == nil && r.Ask != nil && !p.flags.JSON && terminal(p.env.Stdin) &&
		p.agreed(ctx, r.Ask.About+"\nSend them? [y/N] ") {
		_, err = p.desk.Command(ctx, r.Ask.Line)
	}
	if err != nil {
		return usagef("%w", err)
	}
	if err := p.indexing(ctx, func() error { return p.desk.UpdateIndex(ctx) }); err != nil && ctx.Err() == nil {
		p.remark("%v", err)
	}
	if r, err = p.desk.Command(ctx, "/index"); err == nil {
		p.printRow(rowJSON{"index": r.Text}, r.Text+"\n")
	}
	return cmp.Or(err, ctx.Err())
}

// indexing runs work on the index and shows its progress.
func (p *parts) indexing(ctx context.Context, work func() error) error {
	return p.live(func() string { return p.desk.Progress(ctx) + "; ctrl+c stops, the next time goes on" }, work)
}

// offerVectors adds a notice that a server of this machine can make vectors. It does so only once, since people who
// ignore it do not want them.
func (p *parts) offerVectors() {
	const file, offered = "vectors.json", "offered"
	model := p.servers.LocalEmbedder(p.model.Servers)
	if model == "" || p.config.Search.Vectors != "" || p.model.Settled || p.hints().Read(file)[offered] != "" {
		return
	}
	p.hints().Set(file, offered, model)
	p.notices = append(p.notices, fmt.Sprintf("%s is on this machine: with `/config search.vectors %s` notes are found by their meaning, too, from the next start on", model, model))
}
