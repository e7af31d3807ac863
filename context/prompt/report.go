package prompt

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// layers describes the request layer by layer, in the order of the request.
func (in *incomingTurn) layers(env Envelope, l3 *turnLayer) []Layer {
	ep, r := env.next.epoch, env.request
	scale := in.t.Budget.scale
	layer := func(id string, s segment, parts ...Segment) Layer {
		return Layer{ID: id, Tokens: scale(s.tokens), SHA256: hexSum(s.sum), Segments: parts}
	}
	question := segment{}.renewed(env.question, in.count)
	out := []Layer{
		layer("L1", ep.l1),
		layer("L2", ep.library),
		{ID: "L4", Tokens: scale(tokensOf(r.fold, r.past, r.sent)), SHA256: sumOf(r.fold, r.past, r.sent)},
		layer("L3", segment{tokens: l3.tokens, sum: sha256.Sum256([]byte(env.Text("L3")))}, l3.segments...),
		layer("L5", question, Segment{ID: "question", Kind: "question", Text: question.text, Tokens: question.tokens}),
	}
	if ep.notes.text != "" {
		out = append(out, layer("notes", ep.notes))
	}
	if ep.guide.text != "" {
		out = append(out, layer("guide", ep.guide))
	}
	if in.t.ToolTokens > 0 {
		out = append(out, Layer{ID: "list", Tokens: scale(in.t.ToolTokens), SHA256: in.t.Settings.Tools})
	}
	for _, l := range out {
		for i := range l.Segments {
			l.Segments[i].Tokens = scale(l.Segments[i].Tokens)
		}
	}
	spreadCached(out, env.Predicted.Cached)
	return out
}

// spreadCached distributes the predicted cached tokens over the layers: first the list of tools and the parts of the
// system message, then the others in the order of the request.
func spreadCached(layers []Layer, cached int) {
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

// sumOf returns the hash of messages.
func sumOf(parts ...[]wire) string {
	d := sha256.New()
	for _, part := range parts {
		for i := range part {
			_, _ = d.Write(part[i].sum[:]) // never fails
		}
	}
	return hex.EncodeToString(d.Sum(nil))
}

// library lists what the model knows after this request.
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

// Text returns the exact bytes of a layer for a person, except that messages of the history have their role as a
// heading, and of the list of tools only the names are shown.
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
	case "list": // its bytes depend on the provider
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
			section(&b, string(m.Role), m.Content)
		}
		return b.String()
	}
	return ""
}

// History returns the messages between the system message and the question.
func (e Envelope) History() []Message {
	all := e.Messages()
	if len(all) > 0 && all[0].Role == System {
		all = all[1:]
	}
	return all[:len(all)-1-len(e.request.loop)]
}

// Content returns the exact text of a known item in the request, as it was shown last, followed by what it embeds;
// "" if the request does not contain it.
func (e Envelope) Content(id string) string {
	i := e.next.indexOf(id)
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
