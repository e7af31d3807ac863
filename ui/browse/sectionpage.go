package browse

import (
	"cmp"
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/keys"
	"ibid/ui/mdview"
	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/ui/theme"
)

// sectionPage is the page of a section.
type sectionPage struct {
	Section
	page    *textPage
	list    *linkList     // the list that led to it
	view    *mdview.View  // the section as markdown, nil before it is drawn
	look    theme.Options // of view
	written bool          // show the section as source text
}

func newSectionPage(l *linkList, s Section) *textPage {
	p := &sectionPage{Section: s, list: l}
	p.page = &textPage{
		Env: l.Env, title: theme.OneLine(s.Link), rows: p.rows, act: p.act,
		hints: keys.Hints("esc", "back", "s", "source", "f", "unfold", "+", "attach", "o", "$EDITOR", "O", "Obsidian"),
	}
	if s.Source != "" {
		p.page.title = mdview.LinkLabel(l.Theme, p.page.title)
	}
	if term.IsPage(s.Link) {
		p.page.hints = keys.Hints("esc", "back", "o", "open in the browser", "y", "copy", "+", "attach")
	}
	return p.page
}

// act handles a key: it goes back, or does with the link what the list does.
func (p *sectionPage) act(msg tea.KeyPressMsg) page.Request {
	name := msg.String()
	if address := p.Link; term.IsPage(address) && (name == "o" || name == "O") {
		opener := p.list.Opener
		return page.Do{Work: func(context.Context) tea.Msg { return openAddress(opener, address, "opening "+address) }}
	}
	switch name {
	case "esc", "q", "enter":
		if len(p.list.links) < 2 { // there is no other link to choose
			return page.Close{}
		}
		return page.Show{Page: p.list.page}
	case "s":
		p.written = !p.written
	case "f":
		if p.view != nil && !p.view.Unfold() {
			p.view.Fold(0, len(p.view.Lines()))
		}
	case "+", "o", "O", "y":
		wants, _ := p.list.page.Update(msg)
		return wants
	default:
		return nil
	}
	p.page.show()
	return page.Steps{}
}

// rows lays out the section in w columns. The page begins at the passage.
func (p *sectionPage) rows(w int) []string {
	th := p.list.Theme
	if p.page.about = theme.OneLine(p.Place); term.Width(p.page.title)+term.Width(p.page.about)+4 > w {
		p.page.about = "" // the end of a heading is more useful than the path
	}
	p.page.begin, w = 0, max(w-3, mdview.MinWidth)
	if p.Source == "" || p.written {
		return th.Hanging(th.Styles.Text, " ", cmp.Or(p.Source, p.Text), w)
	}
	if p.view == nil || p.look != th.Options {
		p.look = th.Options
		p.view = mdview.Whole(*th, p.Text, mdview.Options{Links: mdview.Links{Address: p.addressHere}})
	}
	p.view.SetWidth(w, max(w-mdview.MaxWidth, 0))
	first, last := p.view.LinesOf(p.From, p.To)
	lines := slices.Clone(p.view.Lines())
	for i := range lines {
		mark := " "
		if i >= first && i < last {
			mark = th.Styles.Accent.Render(th.Glyphs.Gutter)
		}
		lines[i] = mark + " " + mdview.Paint(th, lines[i], w, 0)
	}
	p.page.begin = first
	return lines
}

// addressHere returns the address of the target of a link in the section.
func (p *sectionPage) addressHere(link string) string {
	if link != "" && link[0] == '#' {
		note, _, _ := strings.Cut(p.Link, "#")
		link = note + link
	}
	return p.list.Address(link)
}
