package setup

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/page"
	"ibid/ui/picker"
)

// Providers is the interface to the providers for their page. Results are lines for the user.
type Providers interface {
	// List returns the configured providers, and those that can be added.
	List(ctx context.Context) ([]Provider, error)
	// Add tests a provider, by a name or an address, and keeps it with its key; the key "" stands for
	// none, or for the one found elsewhere.
	Add(ctx context.Context, what, key string) (said string, err error)
	// Test tests a configured provider.
	Test(ctx context.Context, name string) (said string, err error)
	// Remove removes a provider and its key.
	Remove(ctx context.Context, name string) (said string, err error)
}

// Provider is one row of the page about providers.
type Provider struct {
	Name, Address string
	State         string // in words: origin of its key, or what is missing
	Ready         bool   // it can be used
	Answers       bool   // its model answers in the current chat
	Known         bool   // it is not configured, and can be added
}

// ProvidersMsg lists the providers.
type ProvidersMsg struct {
	all []Provider
	err error
}

// ProviderMsg is the result of testing or removing a provider.
type ProviderMsg struct {
	result string
	err    error
}

// providerList lists the providers, and those that can be added.
type providerList struct {
	page.Env
	from   Providers
	all    []Provider
	result string // result of the last action
	failed bool   // the last action failed
	doing  string // the running action, "" for none
}

// OpenProviders opens the page.
func OpenProviders(env page.Env, from Providers) page.Request {
	if from == nil {
		return page.Toast{Text: "providers cannot be changed here"}
	}
	return page.Steps{page.Show{Page: page.NewList(env, &providerList{Env: env, from: from}, "")}, listProviders(from)}
}

func (l *providerList) Options() picker.Options {
	return picker.Options{
		Title: "Providers", Placeholder: "name, or an address to add", Empty: "looking…",
		Note: "keys are typed hidden, tested, and kept in the keyring or a private file",
	}
}

func (l *providerList) Actions() []page.Action {
	askKey := func(r page.Row) page.Request { return openKeyLine(l.Env, l.from, r.ID) }
	return []page.Action{
		page.On("enter", "test, or add", func(r page.Row) page.Request {
			if p := l.find(r.ID); p != nil && !p.Known && p.Ready {
				return l.runAction("testing "+p.Name+" with two small requests",
					func(ctx context.Context) (string, error) { return l.from.Test(ctx, p.Name) })
			}
			return askKey(r)
		}),
		page.On("alt+k", "another key", askKey),
		page.On("ctrl+d", "remove", func(r page.Row) page.Request {
			p := l.find(r.ID)
			switch {
			case p == nil || p.Known:
				return page.Complain("it is not configured")
			case p.Answers:
				return page.Complain(p.Name + " answers now: choose a model of another provider first")
			}
			return page.Show{Page: l.removal(p.Name)}
		}),
	}
}

func (l *providerList) find(name string) *Provider {
	return page.Find(l.all, func(p *Provider) bool { return p.Name == name })
}

// runAction runs an action in the background; leaving the page ends it.
func (l *providerList) runAction(what string, does func(context.Context) (string, error)) page.Request {
	l.doing = what
	return page.Steps{listProviders(l.from), page.Do{Work: func(ctx context.Context) tea.Msg {
		said, err := does(ctx)
		return ProviderMsg{said, err}
	}, Latest: true}}
}

func (l *providerList) Rows(query string) page.Listing {
	shown := page.Listing{Rows: picker.Rows{Notice: l.result, Alert: l.failed}}
	if l.doing != "" {
		shown.Notice, shown.Alert = l.doing+l.Theme.Glyphs.Ellipsis, false
	}
	for _, p := range l.all {
		if !page.Matches(p.Name+" "+p.Address, query) {
			continue
		}
		it := picker.Item{ID: p.Name, Label: p.Name, Detail: p.Address, Why: p.State, Group: "Providers"}
		switch g := &l.Theme.Glyphs; {
		case p.Known:
			it.Group, it.Why = "Add", ""
		case p.Answers:
			it.Glyph, it.State = g.Check, "answers now"
		case p.Ready:
			it.Glyph, it.State = g.Check, "ready"
		default:
			it.Glyph, it.State = g.Alert, "not ready"
			it.Why, it.Snippet = "", it.Why
		}
		shown.Items = append(shown.Items, it)
	}
	if query = strings.TrimSpace(query); strings.ContainsAny(query, ".:/") && !strings.Contains(query, " ") {
		shown.Items = append(shown.Items, picker.Item{ID: query, Label: query, Detail: "this address", Group: "Add"})
	}
	if len(l.all) > 0 {
		shown.Empty = "no provider of that name is known; type an address"
	}
	return shown
}

// Receive stores answers.
func (l *providerList) Receive(msg tea.Msg) (page.Request, bool) {
	switch msg := msg.(type) {
	case ProvidersMsg:
		if l.all = msg.all; msg.err != nil {
			l.result, l.failed = msg.err.Error(), true
		}
	case ProviderMsg:
		l.doing = ""
		if l.result, l.failed = msg.result, msg.err != nil; l.failed {
			l.result = msg.err.Error()
		}
		return listProviders(l.from), true
	default:
		return nil, false
	}
	return nil, true
}

// listProviders reads the list of providers.
func listProviders(from Providers) page.Do {
	return page.Do{Work: func(ctx context.Context) tea.Msg {
		all, err := from.List(ctx)
		return ProvidersMsg{all, err}
	}}
}

// removal returns the question whether to remove a provider.
func (l *providerList) removal(name string) *page.Question {
	return &page.Question{
		Env: l.Env, Title: "Remove " + name + "?",
		Rows: [][2]string{{"its table in the configuration goes, and its key from where ibid keeps it", ""}},
		Answers: []page.Answer{
			page.Reply("enter", "remove", page.Steps{
				page.Open{ID: page.Providers},
				page.Do{Work: func(ctx context.Context) tea.Msg {
					said, err := l.from.Remove(ctx, name)
					return ProviderMsg{said, err}
				}, Latest: true},
			}),
			page.Reply("esc", "back", page.Open{ID: page.Providers}),
		},
	}
}
