package ui

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/history"
	"ibid/ui/composer"
	"ibid/ui/picker"
	"ibid/ui/theme"
)

// promptList lists what was written earlier, in this chat and since the program
// began, newest first.
type promptList struct{ drafts []composer.Draft }

func (l promptList) options() picker.Options {
	return picker.Options{
		Title: "Earlier prompts", Filter: true, Page: true, Placeholder: "words in it", Choose: "write it again", Empty: "nothing was written yet",
	}
}

func (l promptList) rows(query string) listing {
	var shown listing
	for i, d := range l.drafts {
		if holds(d.Text, query) {
			shown.items = append(shown.items, promptItem(i, d.Text))
		}
	}
	return shown
}

func (l promptList) actions() []action {
	return []action{{key: bind("enter", "write it again"), does: func(r row) intent {
		i, err := strconv.Atoi(r.id)
		if err != nil || i >= len(l.drafts) {
			return nil
		}
		return steps{doClosePage, writeDraft{l.drafts[i]}}
	}}}
}

// promptItem is the row of the i-th prompt: its first line that says anything.
func promptItem(i int, text string) picker.Item {
	line, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	it := picker.Item{ID: strconv.Itoa(i), Label: theme.OneLine(line)}
	if rest != "" {
		it.Meta = theme.Plural(strings.Count(rest, "\n")+2, "line")
	}
	return it
}

// rewindList lists the person's messages of this chat, newest first, to go back
// to one.
type rewindList struct{ texts []string }

// newRewindList makes the list, or says why there is none.
func newRewindList(t *turn) (rewindList, intent) {
	switch {
	case t.running():
		return rewindList{}, busy
	case len(t.prompts) == 0:
		return rewindList{}, say{text: "there is no message to go back to yet"}
	}
	var l rewindList
	for i := len(t.prompts) - 1; i >= 0; i-- {
		msg, _ := t.transcript.Message(t.prompts[i])
		l.texts = append(l.texts, msg.Text)
	}
	return l, nil
}

func (l rewindList) options() picker.Options {
	return picker.Options{
		Title: "Go back to", Filter: true, Page: true, Placeholder: "words in it", Choose: "edit and send again",
		Note: "the last one is undone, /redo brings it back; an earlier one goes on in a chat of its own",
	}
}

func (l rewindList) rows(query string) listing {
	var shown listing
	for i, text := range l.texts {
		if holds(text, query) {
			it := promptItem(i, text)
			it.Detail = "turn " + strconv.Itoa(len(l.texts)-i)
			shown.items = append(shown.items, it)
		}
	}
	return shown
}

func (l rewindList) actions() []action {
	onMessage := func(does func(i int) job) func(row) intent {
		return func(r row) intent {
			i, err := strconv.Atoi(r.id)
			if err != nil || i >= len(l.texts) {
				return nil
			}
			return steps{doClosePage, atDesk{does(i)}}
		}
	}
	number := func(i int) int { return len(l.texts) - 1 - i }
	return []action{
		{key: bind("enter", "edit and send again"), does: onMessage(func(i int) job { return editMessage{number(i), l.texts[i], i == 0} })},
		{key: bind("ctrl+b", "branch after its reply"), does: onMessage(func(i int) job { return branchAfter{number(i)} })},
	}
}

// branchAfter goes on behind the reply to the k-th message of the person, counted
// from 0, in a chat of its own.
type branchAfter struct{ k int }

func (j branchAfter) run(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
	chat, err := d.Session().Chat()
	if err != nil {
		return nil, err
	}
	end, k := 0, j.k
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
	return readChat(d, "a branch from here; the old chat is kept", "", true)
}

// editMessage takes the chat back to before the k-th message of the person,
// counted from 0, and puts its text into the prompt. The last one is undone; an
// earlier one goes on in a chat of its own, so that nothing is lost.
type editMessage struct {
	k    int
	text string
	last bool
}

func (j editMessage) run(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
	if j.last {
		r, err := d.Command(ctx, "/undo")
		for err == nil && !r.Opened { // a change that was made since the turn
			r, err = d.Command(ctx, "/undo")
		}
		if err != nil {
			return nil, err
		}
		return readChat(d, "edit and send again; /redo brings it back", r.Prompt, false)
	}
	chat, err := d.Session().Chat()
	if err != nil {
		return nil, err
	}
	before, k := 0, j.k
	for n, msg := range chat.Display() {
		if msg.Role != history.User {
			continue
		}
		if k == 0 {
			before = n - 1
			break
		}
		k--
	}
	if before < 1 {
		if _, err := d.Command(ctx, "/new"); err != nil {
			return nil, err
		}
		return readChat(d, "a new chat from here; the old one is kept", j.text, false)
	}
	if err := d.Branch(ctx, before); err != nil {
		return nil, err
	}
	return readChat(d, "a branch from here; the old chat is kept", j.text, true)
}
