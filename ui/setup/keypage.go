package setup

import (
	"context"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"ibid/ui/keys"
	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/ui/theme"
)

// keyPage asks for the key of a provider. The typed key is not shown, and only the page and the task
// that tests it have it.
type keyPage struct {
	page.Env
	from   Providers
	what   string
	input  textinput.Model
	doing  bool
	failed string // error of the test, "" before one failed
}

// KeyTested is the result of testing and adding a provider.
type KeyTested struct {
	page *keyPage
	ProviderMsg
}

func newKeyPage(env page.Env, from Providers, what string) *keyPage {
	p := &keyPage{Env: env, from: from, what: what, input: term.NewLine("> ")}
	p.input.EchoMode, p.input.CharLimit = textinput.EchoPassword, 4096
	p.input.Focus()
	return p
}

// Update implements page.Page.
func (p *keyPage) Update(msg tea.Msg) (page.Request, bool) {
	switch msg := msg.(type) {
	case KeyTested:
		if msg.page != p {
			return nil, true
		}
		if p.doing = false; msg.err == nil {
			return page.Steps{page.Open{ID: page.Providers}, page.Toast{Text: msg.result}}, true
		}
		p.failed = msg.err.Error()
		return nil, true
	case tea.PasteMsg:
		if !p.doing {
			p.input.SetValue(p.input.Value() + strings.TrimSpace(msg.Content))
			p.input.CursorEnd()
		}
		return nil, true
	case tea.KeyPressMsg:
		return p.press(msg), true
	}
	return nil, false
}

func (p *keyPage) press(msg tea.KeyPressMsg) page.Request {
	switch name := msg.String(); {
	case name == "esc":
		return page.Open{ID: page.Providers}
	case p.doing:
	case name == "enter":
		return p.add()
	case msg.Text != "" || strings.Contains(" backspace delete left right home end ctrl+u ctrl+w ", " "+name+" "):
		p.input, _ = p.input.Update(msg)
	}
	return nil
}

// add tests the provider with the typed key, and adds it.
func (p *keyPage) add() page.Request {
	what, key, from := p.what, p.input.Value(), p.from
	p.doing, p.failed = true, ""
	p.input.Reset()
	return page.Do{Work: func(ctx context.Context) tea.Msg {
		said, err := from.Add(ctx, what, key)
		return KeyTested{p, ProviderMsg{said, err}}
	}, Latest: true}
}

// View returns the page, in h rows of w columns.
func (p *keyPage) View(w, h int) []string {
	pen, st := p.Pen(w), &p.Theme.Styles
	p.input.SetWidth(max(w-6, 8))
	rows := []string{pen.Bar(st.Title.Render("Key for "+theme.OneLine(p.what)), ""), pen.Rule()}
	switch {
	case p.doing:
		rows = append(rows, pen.Bar("testing"+p.Theme.Glyphs.Ellipsis, ""))
	default:
		rows = append(rows, pen.Bar(p.input.View(), ""))
	}
	about := pen.Hanging(st.Muted, "", "It is not shown. Enter alone takes none, or the one that a variable of the environment has.")
	if p.failed != "" {
		about = pen.Hanging(st.Bad, p.Theme.Glyphs.Alert+" ", theme.OneLine(p.failed))
	}
	rows = append(append(rows, ""), about...)
	hints := pen.KeyRows(p.Hints())
	room := max(h-1-len(hints), 0)
	rows = append(rows, make([]string, room)...)[:room]
	for i, row := range rows {
		rows[i] = term.Pad(row, w)
	}
	return append(append(rows, pen.Rule()), hints...)
}

// Cursor returns the cursor of the line, nil during a test.
func (p *keyPage) Cursor() *tea.Cursor {
	if p.doing {
		return nil
	}
	return term.CursorIn(&p.input, 2)
}

// Hints returns the keys of the page.
func (p *keyPage) Hints() []keys.Hint {
	switch {
	case p.doing:
		return keys.Hints("esc", "stop")
	case p.failed != "":
		return keys.Hints("enter", "test another", "esc", "back")
	}
	return keys.Hints("enter", "test and keep", "esc", "back")
}
