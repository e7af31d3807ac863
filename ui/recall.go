package ui

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/history"
	"ibid/ui/composer"
	"ibid/ui/picker"
	"ibid/ui/theme"
)

// backTime is how soon the second esc must follow the first.
const backTime = time.Second

// recalled is the prompts that a list offers, newest first.
type recalled struct {
	drafts []composer.Draft // written earlier, to be written again
	turns  []string         // of this chat, to go back to
}

// openHistory lists what was written earlier: in this chat, and since the program
// began.
func (m *Model) openHistory() tea.Cmd {
	m.attach.recalled = recalled{drafts: m.composer.Prompts()}
	list := m.open(historySheet, picker.Options{
		Title: "Earlier prompts", Filter: true, Page: true, Placeholder: "words in it", Choose: "write it again", Empty: "nothing was written yet",
	})
	list.SetItems(m.recallItems(""))
	return nil
}

// openRewind lists the person's messages of this chat, to go back to one.
func (m *Model) openRewind() tea.Cmd {
	if m.turn.running() {
		return m.complain("a reply is still being written: esc stops it")
	}
	if len(m.turn.prompts) == 0 {
		return m.say("there is no message to go back to yet")
	}
	r := recalled{}
	for i := len(m.turn.prompts) - 1; i >= 0; i-- {
		msg, _ := m.transcript.Message(m.turn.prompts[i])
		r.turns = append(r.turns, msg.Text)
	}
	m.attach.recalled = r
	list := m.open(rewindSheet, picker.Options{
		Title: "Go back to", Filter: true, Page: true, Placeholder: "words in it", Choose: "edit and send again", Keys: []key.Binding{bind("ctrl+b", "branch after its reply")},
		Note: "the last one is undone, /redo brings it back; an earlier one goes on in a chat of its own",
	})
	list.SetItems(m.recallItems(""))
	return nil
}

// recallItems lists what holds every word of the query.
func (m *Model) recallItems(query string) []picker.Item {
	words := strings.Fields(strings.ToLower(query))
	r := &m.attach.recalled
	var items []picker.Item
	add := func(i int, text string) {
		low := strings.ToLower(text)
		for _, w := range words {
			if !strings.Contains(low, w) {
				return
			}
		}
		it := picker.Item{ID: strconv.Itoa(i), Label: firstLine(text)}
		if n := strings.Count(strings.TrimSpace(text), "\n"); n > 0 {
			it.Meta = theme.Plural(n+1, "line")
		}
		if r.turns != nil {
			it.Detail = "turn " + strconv.Itoa(len(r.turns)-i)
		}
		items = append(items, it)
	}
	for i, d := range r.drafts {
		add(i, d.Text)
	}
	for i, text := range r.turns {
		add(i, text)
	}
	return items
}

// firstLine is the first line of a text that says anything.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return theme.OneLine(line)
}

func (m *Model) historyAction(a picker.Action) tea.Cmd {
	switch a.Kind {
	case picker.Closed:
		m.closeSheet()
	case picker.Queried:
		m.sheet.list.SetItems(m.recallItems(a.Query))
	case picker.Chosen:
		i, err := strconv.Atoi(a.ID)
		if err != nil || i >= len(m.attach.recalled.drafts) {
			return nil
		}
		m.closeSheet()
		m.composer.Take() // what stood there is the newest of the earlier prompts
		m.composer.SetDraft(m.attach.recalled.drafts[i])
		m.attach.picked = nil
		m.focusComposer()
		return m.edited()
	}
	return nil
}

func (m *Model) rewindAction(a picker.Action) tea.Cmd {
	switch a.Kind {
	case picker.Closed:
		m.closeSheet()
		return nil
	case picker.Queried:
		m.sheet.list.SetItems(m.recallItems(a.Query))
		return nil
	case picker.Chosen, picker.Pressed:
	default:
		return nil
	}
	turns := m.attach.recalled.turns
	i, err := strconv.Atoi(a.ID)
	if err != nil || i >= len(turns) {
		return nil
	}
	m.closeSheet()
	k := len(turns) - 1 - i
	if a.Kind == picker.Pressed {
		return m.errand(branchAfter(k))
	}
	return m.errand(editMessage(k, turns[i], i == 0))
}

// branchAfter goes on behind the reply to the k-th message of the person, counted
// from 0, in a chat of its own.
func branchAfter(k int) errand {
	return func(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
		chat, err := d.Session().Chat()
		if err != nil {
			return nil, err
		}
		end := 0
		for n, msg := range chat.Display() {
			if msg.Role == history.User {
				k--
			}
			if k < -1 {
				break
			}
			end = n
		}
		if err := d.Branch(ctx, end); err != nil {
			return nil, fmt.Errorf("branch: %w", err)
		}
		return loaded(d, "a branch from here; the old chat is kept", "", true)
	}
}
