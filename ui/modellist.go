package ui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/picker"
)

// modelsMsg lists the models that can be chosen.
type modelsMsg struct {
	names []string
	err   error
}

// modelList lists the models of the server, once it has answered.
type modelList struct {
	k      *known
	names  []string
	answer bool // it came just now
}

func (l *modelList) options() picker.Options {
	return picker.Options{
		Title: "Models", Filter: true, Page: true, Placeholder: "part of a name", Choose: "use it from the next turn on",
		Empty: "asking the server…", Note: "another model reads the whole prompt once: its cache is empty",
	}
}

func (l *modelList) actions() []action {
	return []action{{key: bind("enter", "use it"), does: func(r row) intent {
		return steps{doClosePage, atDesk{command{line: "/model " + r.id}}}
	}}}
}

func (l *modelList) rows(query string) listing {
	shown := listing{Rows: picker.Rows{Total: len(l.names)}}
	if l.answer {
		l.answer, shown.at = false, l.k.desk.chat.Model
	}
	for _, name := range l.names {
		if !strings.Contains(strings.ToLower(name), strings.ToLower(query)) {
			continue
		}
		it := picker.Item{ID: name, Label: name}
		if name == l.k.desk.chat.Model {
			it.Glyph, it.State = l.k.theme.Glyphs.Check, "answers now"
		}
		shown.Items = append(shown.Items, it)
	}
	return shown
}

// receive takes the server's answer.
func (l *modelList) receive(msg tea.Msg) (intent, bool) {
	answer, ok := msg.(modelsMsg)
	switch {
	case !ok:
		return nil, false
	case answer.err != nil:
		return steps{doClosePage, say{answer.err.Error(), true}}, false
	case len(answer.names) == 0:
		return steps{doClosePage, say{text: "the offline model answers; `ibid doctor` says how to connect one"}}, false
	}
	l.names, l.answer = answer.names, true
	return nil, true
}

// askModels asks for the models.
func askModels(list func(context.Context) ([]string, error)) work {
	return func(ctx context.Context) tea.Msg {
		if list == nil {
			return modelsMsg{}
		}
		names, err := list(ctx)
		return modelsMsg{names, err}
	}
}
