package ui

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/ui/theme"
	"ibid/ui/transcript"
)

// textList lists texts that hold every word of the query, by their first lines.
type textList struct {
	opts  picker.Options
	texts []string // newest first
	turns bool     // a text for each turn: say which
	acts  []page.Action
}

func (l textList) Options() picker.Options { return l.opts }
func (l textList) Actions() []page.Action  { return l.acts }

func (l textList) Rows(query string) page.Listing {
	var shown page.Listing
	for i, text := range l.texts {
		if !page.Matches(text, query) {
			continue
		}
		line, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
		it := picker.Item{ID: strconv.Itoa(i), Label: line}
		if rest != "" {
			it.Meta = theme.Plural(strings.Count(rest, "\n")+2, "line")
		}
		if l.turns {
			it.Detail = "turn " + strconv.Itoa(len(l.texts)-i)
		}
		shown.Items = append(shown.Items, it)
	}
	return shown
}

// newRewindList lists the user's messages of this chat, to go back to one.
func newRewindList(t *chatview.Turn) textList {
	l := textList{turns: true, opts: picker.Options{
		Title: "Go back to", Filter: true, Page: true, Placeholder: "words in it", Choose: "edit and send again",
		Note: "the last one is undone, /redo brings it back; an earlier one goes on in a chat of its own",
	}}
	for _, id := range slices.Backward(t.Prompts) {
		msg, _ := t.Transcript.Message(id)
		l.texts = append(l.texts, msg.Text)
	}
	number := func(r page.Row) int { return len(l.texts) - 1 - r.Index() }
	l.acts = []page.Action{
		page.On("enter", "edit and send again", func(r page.Row) page.Request {
			return page.Steps{page.Close{}, atDesk(editMessage{number(r), l.texts[r.Index()], r.Index() == 0})}
		}),
		page.On("ctrl+b", "branch after its reply", func(r page.Row) page.Request { return page.Steps{page.Close{}, atDesk(branchAfter{number(r)})} }),
	}
	return l
}

// branchAfter goes on behind the reply to the k-th message of the user, counted
// from 0, in a chat of its own.
type branchAfter struct{ k int }

func (j branchAfter) run(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
	if err := d.BranchTurns(ctx, j.k+1); err != nil {
		return nil, fmt.Errorf("branch: %w", err)
	}
	return chatview.ReadChat(d, chatview.Reading{Say: "a branch from here; the old chat is kept"}, true), nil
}

// editMessage takes the chat back to before the k-th message of the user,
// counted from 0, and puts its text into the prompt. The last one is taken back; an
// earlier one goes on in a chat of its own.
type editMessage struct {
	k    int
	text string
	last bool
}

func (j editMessage) run(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
	if j.last {
		r, err := d.Command(ctx, "/edit")
		if err != nil {
			return nil, err
		}
		return chatview.ReadChat(d, chatview.Reading{Say: "edit and send again; /redo brings it back", Prompt: r.Prompt}, false), nil
	}
	if err := d.BranchTurns(ctx, j.k); err != nil {
		return nil, err
	}
	return chatview.ReadChat(d, chatview.Reading{Say: "a branch from here; the old chat is kept", Prompt: j.text}, true), nil
}

// editSelected takes the chosen message of the user back into the prompt, or the one
// that the chosen reply answers.
func editSelected(k *known) page.Request {
	t := &k.Turn
	if t.Running() {
		return chatview.Busy
	}
	msg, ok := t.Transcript.Selected()
	if n := msg.Turn; ok && msg.Role != transcript.You && n > 0 && n <= len(t.Prompts) {
		msg, ok = t.Transcript.Message(t.Prompts[n-1])
	}
	if !ok || msg.Role != transcript.You {
		return page.Toast{Text: "choose a message of yours: [ and ] go from one to the next"}
	}
	for k, id := range t.Prompts {
		if id == msg.ID {
			return atDesk(editMessage{k, msg.Text, k == len(t.Prompts)-1})
		}
	}
	return nil
}
