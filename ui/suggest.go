package ui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
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
	st, n := &k.desk, k.notes.all
	switch {
	case len(k.opt.FirstRun.Questions) > 0 && k.transcript.Len() == 0: // those are there to be asked
		return nil
	case st.with == nil || n == nil || n.Links == nil || h < suggestHeight || k.turn.running():
		return nil
	case st.note.Path == "" || st.active == desk.Off:
		return nil
	case h < tallHeight && o.Empty && k.turn.transcript.Len() > 0 && !k.offers(): // the row is the transcript's
		return nil
	case !o.Empty && len(k.estimate.typed) > 0, o.Slash, len(o.Picks) > 0:
		return nil
	}
	linked, _ := n.Links.Of(st.note.Path)
	return usage.Suggest(st.note.Path, linked, *st.with, func(p vault.Path) bool {
		ref := prompt.Ref{Kind: prompt.Note, ID: string(p)}
		if slices.Contains(st.attached, ref) || st.pinned(p) {
			return true
		}
		if state, _ := k.estimate.state(ref); state == composer.Known || state == composer.Drifted {
			return true
		}
		note, ok := k.opt.Vault.Note(p)
		return !ok || note.Private || note.Chat
	})
}

// offers reports whether the user asked for suggestions for the next message, though
// the prompt is empty and the screen low.
func (c *conversation) offers() bool { return c.estimate.offered > len(c.turn.prompts) }

// suggestions are what the prompt shows of suggested notes.
func suggestions(k *known) (out []composer.Suggestion) {
	for _, s := range k.suggested {
		c := composer.Suggestion{Label: s.Path.Base(), Reason: s.Reason, Short: s.Short}
		if w := k.estimate.prices[noteRef(s)]; w.State == "new" {
			c.Price = "+" + theme.Short(w.Tokens)
		} else if n, ok := k.opt.Vault.Note(s.Path); ok {
			c.Price = k.Theme.Glyphs.About + " " + theme.Short(int(n.Size+3)/4)
		}
		out = append(out, c)
	}
	return out
}

func noteRef(s usage.Suggestion) prompt.Ref { return prompt.Ref{Kind: prompt.Note, ID: string(s.Path)} }

// weighSuggested asks once what the suggested notes cost.
func weighSuggested(m *Model) tea.Cmd {
	e := &m.k.estimate
	var refs []prompt.Ref
	for _, s := range m.k.suggested {
		r := noteRef(s)
		if _, asked := e.prices[r]; !asked {
			refs = append(refs, r)
		}
	}
	if len(refs) == 0 {
		return nil
	}
	e.asked(refs)
	return m.work(weighRows{refs, m.k.opt.Vault})
}

// asked remembers that prices were asked for.
func (e *estimate) asked(refs []prompt.Ref) {
	if e.prices == nil {
		e.prices = map[prompt.Ref]chains.Weight{}
	}
	for _, r := range refs {
		e.prices[r] = chains.Weight{Ref: r}
	}
}

// setPrices takes prices over, unless they are outdated.
func (e *estimate) setPrices(msg weighedMsg) {
	for _, w := range msg.got {
		if e.prices != nil {
			e.prices[w.Ref] = w
		}
	}
}

// carryOut attaches the suggested note, if it is on screen; if none is, they are shown.
func (i takeSuggestion) carryOut(m *Model) tea.Cmd {
	if int(i) >= min(m.composer.Suggested(), len(m.k.suggested)) {
		if m.k.transcript.Len() > 0 && m.composer.Suggested() == 0 { // the row may be the transcript's
			m.k.estimate.offered = len(m.k.turn.prompts) + 1
			m.refreshShelf()
			return weighSuggested(m)
		}
		return chooseStarter(i).carryOut(m)
	}
	s := m.k.suggested[i]
	return m.work(attachRefs{[]prompt.Ref{noteRef(s)}, "attached: " + s.Path.Base()})
}

// shown are the suggested notes on screen.
func shown(m *Model) (notes []vault.Path) {
	for _, s := range m.k.suggested[:min(m.composer.Suggested(), len(m.k.suggested))] {
		notes = append(notes, s.Path)
	}
	return notes
}
