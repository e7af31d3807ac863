package chains

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
)

// log writes one line about the request of the turn: what was sent, by hash,
// and what of it the provider had cached. Texts, names of notes and keys are
// not in it.
func (t *Turn) log(ctx context.Context, finish Finish) {
	l := t.s.opts.Log
	if l == nil || len(t.env.Layers) == 0 {
		return
	}
	attrs := []slog.Attr{
		slog.Int64("conversation", t.s.chat.Epoch), slog.Int("turn", t.env.Turn), slog.String("model", t.s.opts.ModelName),
		slog.String("finish", string(finish)), slog.Int("epoch", t.env.Epoch.N), slog.String("cause", string(t.env.Epoch.Cause)), slog.Bool("new_epoch", t.env.Epoch.New),
		slog.Int("predicted_prompt", t.env.Predicted.Prompt), slog.Int("predicted_cached", t.env.Predicted.Cached), slog.Int("stable_bytes", t.env.Predicted.Bytes),
	}
	for _, layer := range t.env.Layers {
		attrs = append(attrs, slog.String(layer.ID, layer.SHA256[:16]))
	}
	if t.answer.usage != nil {
		attrs = append(attrs, slog.Int("prompt", t.answer.usage.Prompt))
		if t.answer.usage.Cached >= 0 {
			attrs = append(attrs, slog.Int("cached", t.answer.usage.Cached))
		}
	}
	l.LogAttrs(ctx, slog.LevelDebug, "request", attrs...)
	if b := t.env.Break; b != nil {
		l.LogAttrs(ctx, slog.LevelWarn, "prefix-changed", slog.String("layer", b.Layer), slog.Int("offset", b.Offset))
	}
}

// logCall writes one line about a call of a tool; what was looked for and found is
// in it by its hash only. A tool that panicked has its stack in a line before.
func (t *Turn) logCall(ctx context.Context, j *job, result string) {
	l := t.s.opts.Log
	if l == nil {
		return
	}
	if j.fault != nil {
		l.LogAttrs(ctx, slog.LevelError, "tool-panic", slog.String("name", j.call.Name), slog.String("stack", string(j.fault.Stack)))
	}
	sum := sha256.Sum256([]byte(result))
	l.LogAttrs(
		ctx, slog.LevelDebug, "tool", slog.String("source", "tool"), slog.Int64("conversation", t.s.chat.Epoch), slog.String("name", j.call.Name), slog.String("state", string(j.state)),
		slog.Int("round", t.loop.rounds), slog.Int64("ms", j.took.Milliseconds()), slog.Int("bytes", len(result)), slog.String("hash", hex.EncodeToString(sum[:8])),
	)
}
