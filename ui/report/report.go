package report

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"ibid/context/prompt"
	"ibid/ui/inspector"
	"ibid/ui/theme"
)

// Describe analyses a request for the inspector, the ribbon and the rail. r has the facts that are not
// in the request; Describe returns it with the rest.
func Describe(env prompt.Envelope, missing []prompt.MissingRef, r inspector.Report) inspector.Report {
	r.Prompt, r.Cached = env.Predicted.Prompt, env.Predicted.Cached
	if env.Epoch.N > 0 {
		r.Arranged = append([]string{env.Epoch.Words()}, r.Arranged...)
	}
	before := 0 // tokens of L1 and of the items before the current one
	for _, l := range inWireOrder(env.Layers) {
		if l.ID == "L1" {
			before = l.Tokens
		}
		r.Layers = append(r.Layers, inspector.Layer{
			ID: l.ID, Name: l.Name(), Tokens: l.Tokens, Cached: l.Cached,
			Hash: l.SHA256, Note: layerNote(env, l),
		})
		if l.Cached > 0 {
			r.Boundary = l.ID
		}
		if l.ID == "L3" {
			r.Parts = append(r.Parts, parts(env, l)...)
		}
		if l.ID == toolLayer {
			r.Parts = append(r.Parts, toolParts(l)...)
		}
	}
	for _, it := range env.Library {
		item := libraryItem(env, it)
		if age := r.Ages[it.Ref.ID]; age != "" {
			item.Note = "fetched " + age
		}
		if it.Place == "system" {
			// Changing an item changes every byte after it.
			item.Evict = max(env.Predicted.Cached-before, 0)
			item.Refresh = item.Evict
			before += it.Tokens
		}
		r.Library = append(r.Library, item)
	}
	for _, n := range env.NotSent {
		r.NotSent = append(r.NotSent, inspector.NotSent{ID: n.ID, Why: n.Reason})
	}
	for _, m := range missing {
		r.NotSent = append(r.NotSent, inspector.NotSent{
			ID:  m.Ref.ID,
			Why: strings.TrimLeft(strings.TrimPrefix(m.Reason, m.Ref.ID), ": "),
		})
	}
	r.Saved = savedSoFar(env)
	r.Remarks = remarks(env)
	return r
}

// inWireOrder returns the layers of a request in the order in which they are sent: first the list of
// tools, then the layers of the system message, then the history.
func inWireOrder(layers []prompt.Layer) []prompt.Layer {
	order := []string{"list", "L1", "L2", "notes", "guide", "L4", "L3", "L5", toolLayer}
	return slices.SortedStableFunc(slices.Values(layers), func(a, b prompt.Layer) int {
		return slices.Index(order, a.ID) - slices.Index(order, b.ID)
	})
}

// toolLayer is the ID of the layer with the calls of a loop.
const toolLayer = "tools"

// toolParts lists the calls of a loop and their results, each with its own ID.
func toolParts(l prompt.Layer) []inspector.Part {
	out := make([]inspector.Part, len(l.Segments))
	for i, s := range l.Segments {
		kind, note := "call", ""
		if s.Kind == "tool" {
			kind, note = "result", "dropped with the next turn"
		}
		out[i] = inspector.Part{ID: toolPart(i), Layer: toolLayer, Kind: kind, Text: s.ID, Tokens: s.Tokens, Note: note}
	}
	return out
}

func toolPart(i int) string { return fmt.Sprintf("%s/%d", toolLayer, i+1) }

func layerNote(env prompt.Envelope, l prompt.Layer) string {
	switch l.ID {
	case "L2":
		n := 0
		for _, it := range env.Library {
			if it.Place == "system" {
				n++
			}
		}
		return theme.Plural(n, "note")
	case "L4":
		return theme.Plural(max(env.Turn-1, 0), "turn")
	}
	return ""
}

// parts lists the parts that a turn adds.
func parts(env prompt.Envelope, l prompt.Layer) []inspector.Part {
	var named []string
	for _, a := range env.Attached {
		if a.State != "new" && a.State != "muted" {
			named = append(named, a.Ref.Label())
		}
	}
	kinds := map[string]string{
		"reference": "refs", "full": "full", "update": "diff", "diff": "diff",
		"notice": "notice", "tool": "tool",
	}
	notes := map[string]string{
		"reference": "named only, the text is above", "update": "replaces an older copy",
		"diff": "keeps the cached copy valid",
	}
	out := make([]inspector.Part, 0, len(l.Segments))
	for _, s := range l.Segments {
		part := inspector.Part{ID: s.ID, Kind: kinds[s.Kind], Text: s.ID, Tokens: s.Tokens, Note: notes[s.Kind]}
		if s.Kind == "reference" {
			part.Text = strings.Join(named, ", ")
		}
		out = append(out, part)
	}
	last := slices.IndexFunc(out, func(p inspector.Part) bool { return p.Kind != "tool" })
	if last < 0 {
		last = len(out)
	}
	var passages []inspector.Part
	for _, s := range env.Passages() {
		part := inspector.Part{ID: s.ID, Kind: "passage", Text: s.ID, Tokens: s.Tokens}
		if s.Kind != part.Kind {
			part.Note = s.Kind
		}
		passages = append(passages, part)
	}
	return slices.Insert(out, last, passages...)
}

// DescribeDropped describes in one line what the turns before turn looked up; "" for nothing.
func DescribeDropped(past []prompt.Envelope, turn int) string {
	var turns []string
	for _, env := range past {
		if env.Turn >= turn {
			continue
		}
		passages, results, tokens := env.Passages(), 0, 0
		for _, s := range passages {
			tokens += s.Tokens
		}
		for _, l := range env.Layers {
			for _, s := range l.Segments {
				if l.ID == toolLayer && s.Kind == "tool" {
					results, tokens = results+1, tokens+s.Tokens
				}
			}
		}
		var what []string
		if len(passages) > 0 {
			what = append(what, theme.Plural(len(passages), "passage"))
		}
		if results > 0 {
			what = append(what, theme.Plural(results, "result"))
		}
		if what != nil {
			turns = append(turns, fmt.Sprintf("turn %d: %s, %s tokens", env.Turn, strings.Join(what, " and "),
				theme.ShortCount(tokens)))
		}
	}
	if turns == nil {
		return ""
	}
	return "looked up and dropped: " + strings.Join(turns, "; ")
}

func libraryItem(env prompt.Envelope, it prompt.LibraryItem) inspector.Item {
	item := inspector.Item{
		ID: it.Ref.ID, Title: itemTitle(it), Since: it.Since, Times: it.Times,
		Tokens: it.Tokens, State: inspector.State(it.State), Past: it.Place != "system",
	}
	if d := path.Dir(it.Ref.ID); d != "." && it.Ref.Kind == prompt.Note {
		item.Detail = d + "/"
	}
	for _, a := range env.Attached {
		item.Active = item.Active || a.Active && a.Ref == it.Ref
	}
	return item
}

// itemTitle returns the title of an item, with the part of the note that a selection has.
func itemTitle(it prompt.LibraryItem) string {
	if it.Ref.Kind == prompt.Query {
		return it.Ref.Label()
	}
	if _, sub, ok := strings.Cut(it.Ref.ID, "#"); ok && it.Ref.Kind == prompt.Selection {
		return it.Title + "#" + sub
	}
	return it.Title
}

// savedSoFar returns the tokens saved by naming items instead of sending them again, "" for none.
func savedSoFar(env prompt.Envelope) string {
	n := 0
	for _, it := range env.Library {
		n += max(it.Times-1, 0) * it.Tokens
	}
	if n == 0 {
		return ""
	}
	return "≈ " + theme.ShortCount(n) + " tokens"
}

func remarks(env prompt.Envelope) []string {
	var out []string
	for _, s := range env.Shortened {
		out = append(out, fmt.Sprintf("shortened to fit: %s (%s, about %s tokens)", s.What, s.How,
			theme.ShortCount(s.Tokens)))
	}
	if b := env.Break; b != nil {
		out = append(out, fmt.Sprintf("the prompt changed at byte %d of %s without a cause: please report this",
			b.Offset, prompt.Layer{ID: b.Layer}.Name()))
	}
	return out
}

// Bytes returns the bytes of a request that belong to a row of the inspector.
func Bytes(e *prompt.Envelope, row string) inspector.Preview {
	p := inspector.Preview{ID: row, Title: row}
	for _, l := range e.Layers {
		if l.ID == row {
			p.Text = e.Text(row)
			p.Meta = []string{"sha256 " + l.SHA256[:16] + "…"}
		}
		for _, s := range l.Segments {
			if p.Text == "" && s.ID == row && l.ID == "L3" {
				p.Text = s.Text
				if s.SHA256 != "" {
					p.Meta = append(p.Meta, "sha256 "+s.SHA256[:16]+"… with ids from 1")
				}
			}
		}
		for i, s := range l.Segments {
			if l.ID == toolLayer && row == toolPart(i) {
				p.Text, p.Title = s.Text, s.ID
			}
		}
	}
	for _, s := range e.Passages() {
		if p.Text == "" && s.ID == row {
			p.Text = s.Text
		}
	}
	for _, it := range e.Library {
		if it.Ref.ID == row {
			p.Text, p.Title = e.Content(row), it.Title
			p.Meta = append(p.Meta, fmt.Sprintf("first sent in turn %d", it.Since), "revision "+it.Revision.Short())
		}
	}
	if row == "list" {
		p.Meta = append(p.Meta, "names only: `ibid tool` shows more")
		return p
	}
	p.Meta = append(p.Meta, fmt.Sprintf("%d bytes", len(p.Text)))
	return p
}
