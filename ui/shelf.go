package ui

import (
	"context"
	"path"
	"slices"
	"strings"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/ui/composer"
	"ibid/ui/page"
	"ibid/vault"
)

// chips are the active note, the pins, what was attached, and what the text names.
func chips(k *known, o *composer.Outline) []composer.Chip {
	st := &k.desk
	var out []composer.Chip
	seen := map[prompt.Ref]bool{}
	add := func(r prompt.Ref, kind composer.ChipKind) {
		if r.ID == "" || r.Kind == prompt.Workspace || seen[r] {
			return
		}
		seen[r] = true
		c := composer.Chip{ID: chipID(r), Label: refLabel(r), Kind: kind}
		if at, ok := st.pages[r.ID]; ok {
			c.Label += ", " + page.Ago(k.Now().Sub(at))
		}
		c.State, c.Tokens = k.estimate.state(r)
		c.Why = k.estimate.whyNot(r)
		if im, ok := k.estimate.images[r]; ok && c.State != composer.Missing {
			c.Label += " " + im.Says(k.Theme.Options.ASCII)
		}
		out = append(out, c)
	}
	if st.note.Path != "" || st.active == desk.Off {
		out = append(out, activeChip(k))
		if st.goes {
			seen[prompt.Ref{Kind: prompt.Note, ID: string(st.note.Path)}] = true
		}
	}
	if o.Model != "" {
		out = append(out, composer.Chip{ID: "model:" + o.Model, Label: o.Model, Kind: composer.Answers})
	}
	if p := st.chat.Project; p != nil && len(p.Notes) > 0 {
		out = append(out, projectChip(p, &k.estimate))
	}
	for _, p := range st.pins {
		add(prompt.Ref{Kind: prompt.Note, ID: string(p.Path)}, composer.Pinned)
	}
	for _, r := range st.attached {
		add(r, composer.Attachment)
	}
	for _, pick := range o.Picks {
		add(refOf(pick), composer.Attachment)
	}
	for _, r := range k.estimate.typed {
		if r == chains.ActiveRef() {
			r = prompt.Ref{Kind: prompt.Note, ID: string(st.note.Path)}
		}
		if !o.Empty {
			add(r, composer.Attachment)
		}
	}
	return out
}

// activeID is the id of the active note's chip.
const activeID = "active"

func activeChip(k *known) composer.Chip {
	st := &k.desk
	c := composer.Chip{ID: activeID, Kind: composer.Active, Label: refLabel(prompt.Ref{Kind: prompt.Note, ID: string(st.note.Path)})}
	switch {
	case st.active == desk.Off:
		c.State = composer.Off
		return c
	case !st.goes:
		c.State, c.Age = composer.Idle, page.Age(k.Now().Sub(st.note.When))
		return c
	case st.active == desk.Follow:
		c.State = composer.Follow
	default:
		c.State = composer.Fixed
	}
	state, n := k.estimate.state(prompt.Ref{Kind: prompt.Note, ID: string(st.note.Path)})
	if c.Tokens = n; state == composer.Missing || state == composer.Unsent {
		c.State, c.Why = state, k.estimate.whyNot(prompt.Ref{Kind: prompt.Note, ID: string(st.note.Path)})
	}
	return c
}

// projectID is the id of the project's chip.
const projectID = "project"

// projectChip stands for the notes of the project, which go with every turn.
func projectChip(p *prompt.Project, e *estimate) composer.Chip {
	c := composer.Chip{ID: projectID, Kind: composer.Project, State: composer.Known, Label: path.Base(p.Name), Notes: len(p.Notes)}
	if e.env == nil {
		c.State, c.Tokens = composer.Fresh, composer.NotKnown
	}
	if e.env == nil || e.sent {
		return c
	}
	add := func(id string, state composer.ChipState, tokens int) {
		if slices.ContainsFunc(p.Notes, func(r prompt.Ref) bool { return r.ID == id }) {
			c.State = state
			c.Tokens += tokens
		}
	}
	for _, l := range e.env.Layers {
		for _, s := range l.Segments {
			if s.Kind == "update" || s.Kind == "diff" {
				add(s.ID, composer.Drifted, s.Tokens)
			}
		}
	}
	for _, it := range e.env.Library {
		if it.State == "new" {
			add(it.Ref.ID, composer.Fresh, it.Tokens)
		}
	}
	return c
}

// chipID is a reference as one string, which refOf reads.
func chipID(r prompt.Ref) string { return string(r.Kind) + ":" + r.ID }

// shelfID is the id of a reference's chip: the active note has one of its own.
func shelfID(k *known, r prompt.Ref) string {
	if k.desk.goes && r == (prompt.Ref{Kind: prompt.Note, ID: string(k.desk.note.Path)}) {
		return activeID
	}
	return chipID(r)
}

func refOf(id string) prompt.Ref {
	kind, name, _ := strings.Cut(id, ":")
	return prompt.Ref{Kind: prompt.Kind(kind), ID: name}
}

// input is the next turn with what stands in the prompt.
func input(ctx context.Context, d *desk.Desk, draft composer.Draft) (in chains.Input, err error) {
	in = d.Input(draft.Text)
	in.Spans = spansOf(draft)
	in.Model, err = d.ModelOf(ctx, draft.Model)
	return in, err
}

// spansOf is what of a draft was pasted or picked.
func spansOf(draft composer.Draft) (spans []chains.Span) {
	for _, s := range draft.Spans {
		spans = append(spans, chains.Span{From: s.From, To: s.To, Ref: refOf(s.Pick)})
	}
	return spans
}

// removeChip is what takes a chip off the next turn.
func removeChip(k *known, d composer.Draft, id string) page.Request {
	ref := refOf(id)
	switch {
	case id == activeID:
		return atDesk(setActive{how: desk.Off})
	case id == projectID:
		return page.Run{Line: "/project off"}
	case ref.Kind == prompt.Note && k.desk.pinned(vault.Path(ref.ID)):
		return page.Run{Line: `/unpin "` + ref.ID + `"`}
	case slices.Contains(k.desk.attached, ref):
		return atDesk(dropRef{ref})
	}
	for _, s := range d.Spans {
		if s.Pick == id {
			return page.Complain("it stands in the prompt: delete " + d.Text[s.From:s.To] + " there")
		}
	}
	return page.Complain("it stands in the prompt: delete it there")
}
