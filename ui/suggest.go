package ui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/ui/composer"
	"ibid/ui/theme"
	"ibid/vault"
	"ibid/vault/usage"
)

// suggestHeight is the rows that a screen has on which notes are suggested.
const suggestHeight = 24

// countUsage has it counted, or not any more, which notes are used together. Without
// that none are suggested.
type countUsage struct{ on bool }

func (j countUsage) run(_ context.Context, d *desk.Desk) (tea.Msg, error) {
	if used := desk.UsageOf(d); used != nil {
		used.Count(j.on)
	}
	return nil, nil
}

// takeSuggestion attaches a suggested note, counted from 0.
type takeSuggestion int

// suggest finds notes that may go with the next turn, while the prompt names none.
func suggest(k *known, o *composer.Outline, h int) []usage.Suggestion {
	st, n := &k.Desk, k.notes.all
	switch {
	case len(k.opt.FirstRun.Questions) > 0 && k.Transcript.Len() == 0: // those are there to be asked
		return nil
	case st.With == nil || n == nil || n.Links == nil || h < suggestHeight || k.Turn.Running():
		return nil
	case st.Note.Path == "" || st.Active == desk.Off:
		return nil
	case h < tallHeight && o.Empty && k.Turn.Transcript.Len() > 0 && !k.Offers(): // the row is the transcript's
		return nil
	case !o.Empty && len(k.Estimate.Typed) > 0, o.Slash, len(o.Picks) > 0:
		return nil
	}
	linked, _ := n.Links.Of(st.Note.Path)
	return usage.Suggest(st.Note.Path, linked, *st.With, func(p vault.Path) bool {
		ref := prompt.Ref{Kind: prompt.Note, ID: string(p)}
		if slices.Contains(st.Attached, ref) || st.Pinned(p) {
			return true
		}
		if state, _ := k.Estimate.State(ref); state == composer.Known || state == composer.Drifted {
			return true
		}
		note, ok := k.opt.Vault.Note(p)
		return !ok || note.Private || note.Chat
	})
}

// suggestions are what the prompt shows of suggested notes.
func suggestions(k *known) (out []composer.Suggestion) {
	for _, s := range k.Suggested {
		c := composer.Suggestion{Label: s.Path.Base(), Reason: s.Reason, Short: s.Short}
		if w := k.Estimate.Prices[noteRef(s)]; w.State == "new" {
			c.Price = "+" + theme.ShortCount(w.Tokens)
		} else if n, ok := k.opt.Vault.Note(s.Path); ok {
			c.Price = k.Theme.Glyphs.About + " " + theme.ShortCount(int(n.Size+3)/4)
		}
		out = append(out, c)
	}
	return out
}

func noteRef(s usage.Suggestion) prompt.Ref { return prompt.Ref{Kind: prompt.Note, ID: string(s.Path)} }

// weighSuggested asks once what the suggested notes cost.
func weighSuggested(m *Model) tea.Cmd {
	e := &m.k.Estimate
	var refs []prompt.Ref
	for _, s := range m.k.Suggested {
		r := noteRef(s)
		if _, asked := e.Prices[r]; !asked {
			refs = append(refs, r)
		}
	}
	if len(refs) == 0 {
		return nil
	}
	e.Asked(refs)
	return m.work(weighRows{refs, m.k.opt.Vault})
}

// carryOut attaches the suggested note, if it is on screen; if none is, they are shown.
func (i takeSuggestion) carryOut(m *Model) tea.Cmd {
	if int(i) >= min(m.composer.Suggested(), len(m.k.Suggested)) {
		if m.k.Transcript.Len() > 0 && m.composer.Suggested() == 0 { // the row may be the transcript's
			m.k.Estimate.Offered = len(m.k.Turn.Prompts) + 1
			m.refreshShelf()
			return weighSuggested(m)
		}
		return chooseStarter(i).carryOut(m)
	}
	s := m.k.Suggested[i]
	return m.work(attachRefs{[]prompt.Ref{noteRef(s)}, "attached: " + s.Path.Base()})
}

// shownSuggestions are the suggested notes on screen.
func shownSuggestions(m *Model) (notes []vault.Path) {
	for _, s := range m.k.Suggested[:min(m.composer.Suggested(), len(m.k.Suggested))] {
		notes = append(notes, s.Path)
	}
	return notes
}
