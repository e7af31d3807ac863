package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"ibid/context/prompt"
)

// railFocus is the rail in which the arrow keys walk, and the row that they are at.
type railFocus struct {
	on    bool   // else the keys are the transcript's
	chats bool   // the left rail, else the right one
	at    string // path of the chat, or ID of the item
}

// stepRail goes to another row of a rail, so many on.
type stepRail int

// pressRow opens a chat, or shows a note: the one at hand, or that of a row of a rail.
type pressRow struct {
	chats bool
	id    string
}

func (stepRail) intent() {}
func (pressRow) intent() {}

// focusedRail is what was drawn last of the rail that has the focus, nil if none has.
func focusedRail(m *Model) *rail {
	rails, f := &m.drawing.rails, &m.stage.frame
	switch on := m.stage.rail; {
	case !on.on || m.composer.Focused():
	case on.chats && f.chats.w > 0:
		return &rails.chats
	case !on.chats && f.context.w > 0:
		return &rails.context
	}
	return nil
}

// id is the chat or the item of a row, "" for none.
func (r *rail) id(row int) string {
	if row < 0 || row >= len(r.ids) {
		return ""
	}
	return r.ids[row]
}

// entries are the chats or items of a rail, each once.
func (r *rail) entries() []string {
	return slices.DeleteFunc(slices.Compact(slices.Clone(r.ids)), func(id string) bool { return id == "" })
}

// toTranscript gives the focus to the transcript, or to what comes behind it if it is
// empty.
func toTranscript(m *Model) {
	if m.stage.rail.on = false; m.k.transcript.Len() == 0 {
		nextPane(m)
		return
	}
	m.composer.Blur()
}

// nextPane gives the focus to what comes behind: the transcript, the rails that have
// something to choose, the prompt.
func nextPane(m *Model) {
	from := 0
	if m.focus() == inRail {
		from = 1
		if m.stage.rail.chats {
			from = 2
		}
	}
	for _, r := range []struct {
		chats bool
		shown rect
		ids   []string
	}{{false, m.stage.frame.context, m.drawing.rails.context.entries()}, {true, m.stage.frame.chats, m.drawing.rails.chats.entries()}}[from:] {
		if r.shown.w == 0 || len(r.ids) == 0 {
			continue
		}
		m.composer.Blur()
		m.stage.rail = railFocus{on: true, chats: r.chats, at: r.ids[0]}
		if own := m.k.desk.chat.Path; r.chats && slices.Contains(r.ids, own) {
			m.stage.rail.at = own
		}
		return
	}
	m.composer.Focus()
}

// step goes to another row.
func (i stepRail) step(m *Model) {
	r := focusedRail(m)
	if r == nil {
		return
	}
	ids := r.entries()
	if n := len(ids); n > 0 {
		m.stage.rail.at = ids[min(max(slices.Index(ids, m.stage.rail.at)+int(i), 0), n-1)]
	}
}

// press opens what stands there.
func (i pressRow) press(m *Model) tea.Cmd {
	if i.id == "" {
		i = pressRow{m.stage.rail.chats, m.stage.rail.at}
	}
	if i.chats {
		m.composer.Focus()
		return m.carryOut(openSaved(&m.k, openChat{path: i.id}))
	}
	ref := prompt.Ref{Kind: prompt.Note, ID: i.id}
	if e := m.k.estimate.env; e != nil {
		for _, it := range e.Library {
			if it.Ref.ID == i.id {
				ref = it.Ref
			}
		}
	}
	if link := linkOf(ref); link != "" {
		return m.openPage(openPage{pageLinks, link})
	}
	return m.openPage(openPage{kind: pageContext})
}

// railKeys work while a rail has the focus. Letters are the prompt's.
func railKeys() []binding {
	in := func(id, keys, does, name string, foot bool, wants intent) binding {
		return binding{id: id, key: bind(keys, does), name: name, where: inRail, foot: foot, does: wants}
	}
	const far = 1 << 20
	return []binding{
		in("rail-open", "enter", "open", "Open the chat, or read the note", true, pressRow{}),
		in("rail-next", "tab", "next", "Go to the next rail, or to the prompt", true, doFocusNext),
		in("rail-down", "down", "row down", "Row down", false, stepRail(1)),
		in("rail-up", "up", "row up", "Row up", false, stepRail(-1)),
		in("rail-first", "home pgup", "first row", "First row", false, stepRail(-far)),
		in("rail-last", "end pgdown", "last row", "Last row", false, stepRail(far)),
	}
}
