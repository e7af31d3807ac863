package browse

import (
	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"

	"ibid/ui/keys"
	"ibid/ui/page"
)

// textPage is a page of rows that scroll between a title and the keys.
type textPage struct {
	page.Env
	title, about string
	rows         func(w int) []string
	begin        int                                    // row to begin at, as set by rows
	act          func(msg tea.KeyPressMsg) page.Request // request of a key; nil scrolls
	hints        []keys.Hint
	lines        viewport.Model
}

// Update implements page.Page.
func (p *textPage) Update(msg tea.Msg) (page.Request, bool) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg: // the rows depend on the width
		begins := p.lines.Width() == 0
		p.lines.SetWidth(msg.Width)
		p.lines.SetHeight(max(msg.Height-4, 1))
		p.lines.SetContentLines(p.rows(msg.Width))
		if begins {
			p.lines.SetYOffset(p.begin)
		}
	case page.RefreshMsg: // the theme may have changed
		p.lines.SetContentLines(p.rows(p.lines.Width()))
	case tea.MouseWheelMsg:
		page.ScrollLines(&p.lines, keys.Wheel(msg))
	case tea.KeyPressMsg:
		if wants := p.act(msg); wants != nil {
			return wants, true
		}
		page.ScrollLines(&p.lines, msg)
	default:
		return nil, false
	}
	return nil, true
}

// show lays out the rows again and goes to the one to begin at.
func (p *textPage) show() {
	p.lines.SetContentLines(p.rows(p.lines.Width()))
	p.lines.SetYOffset(p.begin)
}

// View implements page.Page.
func (p *textPage) View(w, _ int) []string {
	pen := p.Pen(w)
	head := []string{pen.Bar(pen.Styles.Title.Render(p.title), pen.Styles.Muted.Render(p.about)), pen.Rule()}
	return pen.Scrolled(head, &p.lines, pen.KeyRow(p.hints, w-10))
}

// Cursor implements page.Page.
func (p *textPage) Cursor() *tea.Cursor { return nil }

// Hints implements page.Page.
func (p *textPage) Hints() []keys.Hint { return p.hints }
