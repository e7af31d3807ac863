package ui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/history"
	"ibid/ui/browse"
	"ibid/ui/inspector"
	"ibid/ui/page"
	"ibid/ui/rails"
	"ibid/ui/theme"
	"ibid/vault"
)

// railSource returns the data of the rails.
func (k *screenState) railSource() *rails.Source {
	return &rails.Source{
		Env: k.Env, Chats: k.Chats.Kept, Listed: k.Chats.Listed, Current: k.Desk.Chat.Path,
		Group: func(s *history.Summary) string {
			if s.Pinned {
				return "Pinned"
			}
			return browse.Day(s.Modified, k.Now())
		},
		State: func(path string) string {
			c := k.ChatAt(path)
			if c == nil || c == k.Chat {
				return ""
			}
			sign, words := c.State(&k.Theme.Glyphs)
			if words == "" {
				return ""
			}
			return sign + " " + words
		},
		Report: &k.Estimate.Report, Extra: k.vaultSections(),
	}
}

// vaultSections returns the sections of the rail below the context: related notes and the vault.
func (k *screenState) vaultSections() []inspector.Section {
	v, g := inspector.Section{Title: "VAULT"}, &k.Theme.Glyphs
	switch {
	case k.Notes.Trouble != "":
		v.Lines = []string{g.Alert + " " + k.Notes.Trouble}
	case k.Notes.All == nil:
		v.Lines = []string{k.Notes.State()}
	default:
		watching := ""
		if k.opt.Watch != nil {
			watching = " " + g.Dot + " watching " + g.Check
		}
		v.Lines = []string{theme.Plural(k.Notes.All.Count, "note") + watching}
	}
	if k.Notes.Changed != "" {
		v.Lines = append(v.Lines, "changed "+k.Notes.When.Format("15:04")+" "+k.Notes.Changed.Base())
	}
	near := inspector.Section{Title: "RELATED"}
	for _, n := range k.related.notes {
		if _, ok := k.Vault.Note(vault.Path(n.ID)); ok { // else it was deleted since
			near.IDs = append(near.IDs, n.ID)
			near.Lines = append(near.Lines, g.Dotted(vault.Path(n.ID).Base(), strings.Join(n.Why, ", ")))
		}
	}
	if near.IDs == nil {
		return []inspector.Section{v}
	}
	return []inspector.Section{near, v}
}

// maxRelated limits the related notes in the rail.
const maxRelated = 4

// followRelated looks for related notes if the rail shows them and the chat, its active note or its
// turns have changed.
func (m *Model) followRelated() tea.Cmd {
	k := &m.screenState
	now := relatedNotes{chat: k.Chat, note: k.Desk.Note.Path, turns: k.Desk.Chat.Turns, notes: k.related.notes}
	if same := now.chat == k.related.chat && now.note == k.related.note && now.turns == k.related.turns; same ||
		k.Turn.Running() || !m.rails.Shows(rails.Context) {
		return nil
	}
	k.related = now
	return k.Do(func(ctx context.Context, d *desk.Place) (tea.Msg, error) {
		notes, _ := desk.Related(ctx, d, "") // an error leaves none
		return relatedRailMsg(notes), nil
	})
}

// relatedRailMsg holds the notes for the rail.
type relatedRailMsg []chains.RelatedNote

func (msg relatedRailMsg) carryOut(k *screenState) tea.Cmd {
	k.related.notes = nil
	for _, n := range msg {
		if _, ok := k.Vault.Note(vault.Path(n.ID)); ok && len(k.related.notes) < maxRelated {
			k.related.notes = append(k.related.notes, n)
		}
	}
	return nil
}

// railStep returns an action that moves in the focused rail.
func railStep(move func(r *rails.Rails, s *rails.Source)) action {
	return func(m *Model) tea.Cmd {
		move(m.rails, m.railSource())
		return nil
	}
}

// nextPane moves the focus to the pane after the transcript or rail.
var nextPane = railStep((*rails.Rails).Next)

// openRow returns the request that shows an entry of a rail: a chat, a note, or the page of the whole
// rail.
func (k *screenState) openRow(row rails.Row) page.Request {
	switch {
	case row.Side == rails.Chats && row.ID == "":
		return page.Open{ID: page.Chats}
	case row.Side == rails.Chats:
		return page.Post{Msg: browse.OpenSaved{Path: row.ID}}
	}
	ref := prompt.NoteRef(row.ID)
	if e := k.Estimate.Env; e != nil {
		for _, it := range e.Library {
			if it.Ref.ID == row.ID {
				ref = it.Ref
			}
		}
	}
	if link := ref.Link(); row.ID != "" && link != "" {
		return page.Open{ID: page.Links, Arg: link}
	}
	return page.Open{ID: page.Context}
}
