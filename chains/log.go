package chains

import (
	"context"
	"log/slog"
)

// log writes one line about the request of the turn: hashes of what was sent, and how much of it the provider had
// cached. It contains no texts, names of notes or keys.
func (t *Turn) log(ctx context.Context, finish Finish) {
	l, env, at := t.s.opts.Log, &t.env, t.env.Predicted
	if len(env.Layers) == 0 {
		return
	}
	attrs := []any{
		"conversation", t.s.chat.Epoch, "turn", env.Turn, "model", t.s.opts.ModelName,
		"finish", string(finish), "epoch", env.Epoch.N, "cause", string(env.Epoch.Cause), "new_epoch", env.Epoch.New,
		"predicted_prompt", at.Prompt, "predicted_cached", at.Cached, "stable_bytes", at.Bytes,
	}
	for _, layer := range env.Layers {
		attrs = append(attrs, layer.ID, layer.SHA256[:16])
	}
	if u := t.answer.usage; u != nil {
		attrs = append(attrs, "prompt", u.Prompt)
		if u.Cached >= 0 {
			attrs = append(attrs, "cached", u.Cached)
		}
	}
	l.DebugContext(ctx, "request", attrs...)
	if b := env.Break; b != nil {
		l.WarnContext(ctx, "prefix-changed", "layer", b.Layer, "offset", b.Offset)
	}
}

// logCall writes one line about a call of a tool, with the query and the result as hashes only. The stack of a tool
// that panicked is logged in a line before it.
func (t *Turn) logCall(ctx context.Context, j *job, result string) {
	l := t.s.opts.Log
	if j.fault != nil {
		l.ErrorContext(ctx, "tool-panic", "name", j.call.Name, "stack", string(j.fault.Stack))
	}
	if !l.Enabled(ctx, slog.LevelDebug) {
		return
	}
	l.DebugContext(ctx, "tool", "source", "tool", "conversation", t.s.chat.Epoch, "name", j.call.Name, "state",
		string(j.state),
		"round", t.loop.rounds, "ms", j.took.Milliseconds(), "bytes", len(result), "hash", hashOf(result)[:16])
}
