package chatview

import (
	"context"
	"path"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/ui/composer"
	"ibid/ui/page"
)

// chips returns the chips of the shelf: the active note, the model, the project, the pins, the
// attachments, and the references in the text.
func chips(env page.Env, c *Chat, o *composer.Outline) []composer.Chip {
	st := &c.Desk
	var out []composer.Chip
	seen := map[prompt.Ref]bool{}
	add := func(r prompt.Ref, kind composer.ChipKind) {
		if r.ID == "" || r.Kind == prompt.Workspace || seen[r] {
			return
		}
		seen[r] = true
		chip := composer.Chip{ID: r.Text(), Label: r.Label(), Kind: kind}
		if at, ok := st.pages[r.ID]; ok {
			chip.Label += ", " + page.FormatAge(env.Now().Sub(at))
		}
		chip.State, chip.Tokens = c.Estimate.State(r)
		chip.Why = c.Estimate.reasonNotSent(r)
		out = append(out, chip)
	}
	if st.Note.Path != "" || st.Active == desk.Off {
		out = append(out, activeChip(env, c))
		if st.SendsNote {
			seen[prompt.NoteRef(st.Note.Path)] = true
		}
	}
	if o.Model != "" {
		out = append(out, composer.Chip{ID: "model:" + o.Model, Label: o.Model, Kind: composer.Answers})
	}
	if p := st.Chat.Project; p != nil && len(p.Notes) > 0 {
		out = append(out, composer.Chip{
			ID: projectID, Kind: composer.Project, Label: path.Base(p.Name), Notes: len(p.Notes),
		})
	}
	for _, p := range st.Pins {
		add(prompt.NoteRef(p.Path), composer.Pinned)
	}
	for _, r := range st.Attached {
		add(r, composer.Attachment)
	}
	for _, pick := range o.Picks {
		add(prompt.ParseRef(pick), composer.Attachment)
	}
	for _, r := range c.Estimate.Typed {
		if r == chains.ActiveRef {
			r = prompt.NoteRef(st.Note.Path)
		}
		if !o.Empty {
			add(r, composer.Attachment)
		}
	}
	return out
}

// ActiveID is the id of the active note's chip.
const ActiveID = "active"

// activeChip returns the chip of the active note.
func activeChip(env page.Env, c *Chat) composer.Chip {
	st := &c.Desk
	ref := prompt.NoteRef(st.Note.Path)
	chip := composer.Chip{
		ID: ActiveID, Kind: composer.Active,
		Label: ref.Label(),
	}
	switch {
	case st.Active == desk.Off:
		chip.State = composer.Off
		return chip
	case !st.SendsNote:
		chip.State, chip.Age = composer.Idle, page.Age(env.Now().Sub(st.Note.When))
		return chip
	case st.Active == desk.Follow:
		chip.State = composer.Follow
	default:
		chip.State = composer.Fixed
	}
	state, n := c.Estimate.State(ref)
	if chip.Tokens = n; state == composer.Missing || state == composer.Unsent {
		chip.State, chip.Why = state, c.Estimate.reasonNotSent(ref)
	}
	return chip
}

// projectID is the id of the project's chip.
const projectID = "project"

// input returns the next turn with the draft as its text.
func input(ctx context.Context, d *desk.Place, draft composer.Draft) (in chains.Input, err error) {
	in = d.Input(draft.Text)
	in.Spans = SpansOf(draft)
	in.Model, err = d.ModelOf(ctx, draft.Model)
	return in, err
}

// SpansOf returns the pasted and picked parts of a draft.
func SpansOf(draft composer.Draft) (spans []chains.Span) {
	for _, s := range draft.Spans {
		spans = append(spans, chains.Span{From: s.From, To: s.To, Ref: prompt.ParseRef(s.Pick)})
	}
	return spans
}
