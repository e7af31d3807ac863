package ui

import (
	"strings"

	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/ui/composer"
	"ibid/vault"
)

// chips are the active note, the pins, what was attached, and what the text names.
func chips(k *known, picked []pick) []composer.Chip {
	st := &k.desk
	var out []composer.Chip
	seen := map[prompt.Ref]bool{}
	add := func(r prompt.Ref, kind composer.ChipKind) {
		if r.ID == "" || seen[r] {
			return
		}
		seen[r] = true
		c := composer.Chip{ID: chipID(r), Label: refLabel(r), Kind: kind}
		c.State, c.Tokens = k.estimate.state(r)
		out = append(out, c)
	}
	if st.note.Path != "" || st.active == desk.Off {
		out = append(out, activeChip(k))
		if st.goes {
			seen[prompt.Ref{Kind: prompt.Note, ID: string(st.note.Path)}] = true
		}
	}
	for _, p := range st.pins {
		add(prompt.Ref{Kind: prompt.Note, ID: string(p.Path)}, composer.Pinned)
	}
	for _, r := range st.attached {
		add(r, composer.Attachment)
	}
	for _, p := range picked {
		add(p.ref, composer.Attachment)
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
		c.State, c.Age = composer.Idle, age(k.opt.now().Sub(st.note.When))
		return c
	case st.active == desk.Follow:
		c.State = composer.Follow
	default:
		c.State = composer.Fixed
	}
	state, n := k.estimate.state(prompt.Ref{Kind: prompt.Note, ID: string(st.note.Path)})
	if c.Tokens = n; state == composer.Missing {
		c.State = composer.Missing
	}
	return c
}

func chipID(r prompt.Ref) string { return string(r.Kind) + ":" + r.ID }

// removeChip is what takes a chip off the next turn.
func removeChip(k *known, picked []pick, id string) intent {
	if id == activeID {
		return atDesk{setActive{desk.Off}}
	}
	for _, p := range picked {
		if chipID(p.ref) == id {
			return say{"it stands in the prompt: delete " + p.text + " there", true}
		}
	}
	kind, name, _ := strings.Cut(id, ":")
	if kind == string(prompt.Note) && k.desk.pinned(vault.Path(name)) {
		return atDesk{command{`/unpin "` + name + `"`}}
	}
	return atDesk{dropRef{prompt.Ref{Kind: prompt.Kind(kind), ID: name}}}
}
