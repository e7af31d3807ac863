package prompt

import (
	"crypto/sha256"
	"encoding"
	"strings"
)

// layers describes the request layer by layer, in wire order.
func (in *incomingTurn) layers(env Envelope, l3 *turnLayer) []Layer {
	ep, r := env.next.epoch, env.request
	l4 := 0
	for _, part := range [][]wire{r.fold, r.past, r.sent} {
		for _, w := range part {
			l4 += w.tokens
		}
	}
	l5 := in.count(env.question)
	l3Sum, l5Sum := sha256.Sum256([]byte(env.Text("L3"))), sha256.Sum256([]byte(env.question))
	scale := in.t.Budget.scale
	out := []Layer{
		{ID: "L1", Tokens: scale(ep.l1.tokens), SHA256: hexSum(ep.l1.sum)},
		{ID: "L2", Tokens: scale(ep.library.tokens), SHA256: hexSum(ep.library.sum)},
		{ID: "L4", Tokens: scale(l4), SHA256: hexSum(historySum(r))},
		{ID: "L3", Tokens: scale(l3.tokens), SHA256: hexSum(l3Sum), Segments: l3.segments},
		{
			ID: "L5", Tokens: scale(l5), SHA256: hexSum(l5Sum),
			Segments: []Segment{{ID: "question", Kind: "question", Text: env.question, Tokens: l5}},
		},
	}
	if ep.library.text == "" {
		out[1].SHA256 = hexSum(sha256.Sum256(nil))
	}
	if ep.notes.text != "" {
		out = append(out, Layer{ID: "notes", Tokens: scale(ep.notes.tokens), SHA256: hexSum(ep.notes.sum)})
	}
	if ep.guide.text != "" {
		out = append(out, Layer{ID: "guide", Tokens: scale(ep.guide.tokens), SHA256: hexSum(ep.guide.sum)})
	}
	if in.t.ToolTokens > 0 {
		out = append(out, Layer{ID: "list", Tokens: scale(in.t.ToolTokens), SHA256: in.t.Settings.Tools})
	}
	for _, l := range out {
		for i := range l.Segments {
			l.Segments[i].Tokens = scale(l.Segments[i].Tokens)
		}
	}
	spread(out, env.Predicted.Cached)
	return out
}

// spread tells how much of each layer the predicted cache covers: the list of
// tools and the system message's parts first, then the rest in wire order.
func spread(layers []Layer, cached int) {
	order := []string{"list", "L1", "L2", "notes", "guide", "L4", "L3", "L5", "tools"}
	for _, id := range order {
		for i := range layers {
			if layers[i].ID == id {
				layers[i].Cached = min(cached, layers[i].Tokens)
				cached -= layers[i].Cached
			}
		}
	}
}

// historySum hashes L4: what was folded, then the messages in order.
func historySum(r *request) [32]byte {
	d := sha256.New()
	for _, part := range [][]wire{r.sent, r.past} {
		if n := len(part); n > 0 {
			// Marshalled from this very kind of hash: it cannot be refused.
			_ = d.(encoding.BinaryUnmarshaler).UnmarshalBinary(part[n-1].digest)
			break
		}
	}
	for _, w := range r.fold {
		_, _ = d.Write([]byte(w.Content))
	}
	var sum [32]byte
	d.Sum(sum[:0])
	return sum
}

// library lists what the model knows once this request was sent.
func (in *incomingTurn) library(env Envelope, fresh bool) []LibraryItem {
	out := make([]LibraryItem, len(env.next.known))
	for i, e := range env.next.known {
		it := LibraryItem{
			Ref: e.Ref, Title: e.shown.Title, Revision: e.shown.Revision,
			Since: e.since, Used: e.used, Times: e.times,
			Tokens: in.t.Budget.scale(e.tokens), Place: "transcript", State: "cached",
		}
		switch {
		case e.copy != nil:
			it.Place = "system"
		case e.absent:
			it.Place = ""
		}
		now, changed := in.current[e.ID]
		switch {
		case in.c.muted[e.ID]:
			it.State = "muted"
		case e.absent:
			it.State = "left"
		case e.stub:
			it.State = "stub"
		case in.gone[e.ID]:
			it.State = "deleted"
		case changed && now.Revision != e.shown.Revision:
			it.State = "changed"
		case e.since == env.Turn || in.t.Layout == Strict && e.copy == nil || fresh && env.Predicted.Cached == 0:
			it.State = "new"
		}
		out[i] = it
	}
	return out
}

// Text is the exact bytes of a layer, for people: history is written message by
// message under its role, and of the list of tools there are the names.
func (e Envelope) Text(layer string) string {
	switch layer {
	case "L1":
		return e.next.epoch.l1.text
	case "L2":
		return e.next.epoch.library.text
	case "notes":
		return e.next.epoch.notes.text
	case "guide":
		return e.next.epoch.guide.text
	case "L3":
		return strings.TrimSuffix(e.request.user[0].Content, e.question)
	case "L5":
		return e.question
	case "list": // the bytes are the provider's business
		return strings.Join(e.tools.names, "\n")
	case "tools":
		var b strings.Builder
		for _, w := range e.request.loop {
			dumpLoop(&b, w.Message)
		}
		return b.String()
	case "L4":
		var b strings.Builder
		for _, m := range e.History() {
			b.WriteString("--- " + string(m.Role) + " ---\n" + m.Content + "\n\n")
		}
		return b.String()
	}
	return ""
}

// History is the messages between the system message and the question.
func (e Envelope) History() []Message {
	all := e.Messages()
	if len(all) > 0 && all[0].Role == System {
		all = all[1:]
	}
	return all[:len(all)-1-len(e.request.loop)]
}

// Content is the exact text that the request holds of a known item, as it was
// shown last, with what it embeds behind it; "" if it holds none.
func (e Envelope) Content(id string) string {
	i := e.next.find(id)
	if i < 0 || e.next.known[i].absent {
		return ""
	}
	it := e.next.known[i].shown
	text := it.Content
	for _, part := range it.Embedded {
		text += "\n\n![[" + part.Path + "]]\n\n" + part.Content
	}
	return text
}
