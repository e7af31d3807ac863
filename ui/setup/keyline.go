package setup

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/page"
	"ibid/ui/picker"
)

// keyLine asks for the key of a provider. The typed key is not shown, and only the line and the task
// that tests it have it.
type keyLine struct {
	page.Env
	from  Providers
	what  string
	doing bool
}

// KeyTested is the result of testing and adding a provider.
type KeyTested struct {
	line *keyLine
	ProviderMsg
}

func openKeyLine(env page.Env, from Providers, what string) page.Request {
	return page.Show{Page: page.NewList(env, &keyLine{Env: env, from: from, what: what}, "")}
}

func (l *keyLine) Options() picker.Options {
	return picker.Options{
		Title: "Key for " + l.what, Secret: true,
		Note: "not shown; enter alone takes none, or that of the environment",
	}
}

func (l *keyLine) Rows(string) page.Listing {
	it := picker.Item{ID: l.what, Label: l.what}
	if l.doing {
		it.State = "testing" + l.Theme.Glyphs.Ellipsis
	}
	return page.Listing{Rows: picker.Rows{Items: []picker.Item{it}}}
}

func (l *keyLine) Actions() []page.Action {
	return []page.Action{
		page.On("enter", "test and keep", func(r page.Row) page.Request {
			if l.doing {
				return nil
			}
			l.doing = true
			return page.Do{Work: func(ctx context.Context) tea.Msg {
				said, err := l.from.Add(ctx, l.what, strings.TrimSpace(r.Query))
				return KeyTested{l, ProviderMsg{said, err}}
			}, Latest: true}
		}),
		page.Always("esc", "back", page.Open{ID: page.Providers}),
	}
}

// Receive shows the result of the test.
func (l *keyLine) Receive(msg tea.Msg) (page.Request, bool) {
	tested, ok := msg.(KeyTested)
	switch {
	case !ok || tested.line != l:
		return nil, ok
	case tested.err == nil:
		return page.Steps{page.Open{ID: page.Providers}, page.Toast{Text: tested.result}}, true
	}
	return page.Show{Page: &page.Question{
		Env: l.Env, Title: l.what + " is not added", Rows: [][2]string{{tested.err.Error(), ""}},
		Answers: []page.Answer{
			page.Reply("enter", "test another", openKeyLine(l.Env, l.from, l.what)),
			page.Reply("esc", "back", page.Open{ID: page.Providers}),
		},
	}}, true
}
