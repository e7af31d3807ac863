package chatview

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/ui/composer"
	"ibid/ui/theme"
	"ibid/ui/transcript"
	"ibid/vault"
	"ibid/vault/usage"
)

// suggestHeight is the least number of rows of a screen that suggests notes.
const suggestHeight = 24

// TallHeight is the number of rows from which a screen has room for suggestions above an empty prompt, for a rule
// below the header, and for a box around the prompt.
const TallHeight = 30

// suggest returns notes that may go with the next turn, while the prompt refers to none.
func (c *Chat) suggest(o *composer.Outline) []usage.Suggestion {
	st := &c.Desk
	switch {
	case c.Starters && c.Transcript.Len() == 0: // the starters stand there
		return nil
	case st.UsedWith == nil || c.Linked == nil || c.Rows < suggestHeight || c.Turn.Running():
		return nil
	// the row belongs to the transcript
	case c.Rows < TallHeight && o.Empty && c.Transcript.Len() > 0:
		return nil
	case c.Vault.Withheld() != nil: // they may be excluded
		return nil
	case !o.Empty && len(c.Estimate.Typed) > 0, o.Slash, len(o.Picks) > 0:
		return nil
	}
	around := usage.SuggestionInput{Cited: citedNotes(c)}
	if !o.Empty {
		around.Typed = c.Estimate.fitting
	}
	if st.Active != desk.Off && st.Note.Path != "" {
		around.Active, around.With = st.Note.Path, *st.UsedWith
		around.Linked, _ = c.Linked(st.Note.Path)
	}
	return around.Suggest(func(p vault.Path) bool {
		ref := prompt.NoteRef(p)
		if slices.Contains(st.Attached, ref) || st.Pinned(p) {
			return true
		}
		if state, _ := c.Estimate.State(ref); state == composer.Known || state == composer.Drifted {
			return true
		}
		note, ok := c.Vault.Note(p)
		return !ok || !note.Ordinary()
	})
}

// citedNotes returns the notes that the last reply cites.
func citedNotes(c *Chat) (notes []vault.Path) {
	last, _ := transcript.LastReply(c.Transcript)
	for _, target := range last.Sources {
		name, _, _ := strings.Cut(target, "#")
		if f := c.Vault.Resolve(name, ""); f.State == vault.OK {
			notes = append(notes, f.Path)
		}
	}
	return notes
}

// suggestions returns the suggested notes for the prompt.
func suggestions(c *Chat) (out []composer.Suggestion) {
	for _, s := range c.Estimate.suggested {
		one := composer.Suggestion{Label: s.Path.Base(), Reason: s.Reason, Short: s.Short}
		if n, ok := c.Vault.Note(s.Path); ok {
			one.Price = c.Theme.Glyphs.About + " " + theme.ShortCount(prompt.TokensOfSize(n.Size))
		}
		out = append(out, one)
	}
	return out
}

// TakeSuggestion attaches the i-th suggested note. It reports false if that is not on the screen.
func (c *Chat) TakeSuggestion(i int) (cmd tea.Cmd, ok bool) {
	if i >= len(c.shownSuggestions()) {
		return nil, false
	}
	s := c.Estimate.suggested[i]
	return c.Do(attach("attached: "+s.Path.Base(), prompt.NoteRef(s.Path))), true
}

// shownSuggestions returns the suggested notes that are on the screen.
func (c *Chat) shownSuggestions() (notes []vault.Path) {
	if !c.Shown() {
		return nil
	}
	for _, s := range c.Estimate.suggested[:min(c.Composer.Suggested(), len(c.Estimate.suggested))] {
		notes = append(notes, s.Path)
	}
	return notes
}
