package browse

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"ibid/ui/composer"
	"ibid/ui/keys"
	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/vault/md"
)

// helpPage lists the current keys and commands, first the keys of the part that had the focus.
type helpPage struct {
	*Catalog
	where keys.Focus
	vim   bool
}

// OpenHelp opens the help. where is the part that had the focus.
func (c *Catalog) OpenHelp(where keys.Focus, vim bool) page.Request {
	p := helpPage{c, where, vim}
	return page.Show{Page: &textPage{
		Env: c.Env, title: "Help", about: "the keys of where you were, then the rest", rows: p.rows, act: p.act,
		hints: keys.Hints("↑↓", "scroll", "esc", "back"),
	}}
}

// act closes the help.
func (p *helpPage) act(msg tea.KeyPressMsg) page.Request {
	switch name := msg.String(); {
	case name == "esc", name == "q", name == "enter", p.Keys.Matches(msg, "help"):
		return page.Close{}
	}
	return nil
}

// rows returns the lines of the help.
func (p *helpPage) rows(w int) []string {
	title := "In the prompt"
	switch p.where {
	case keys.InTranscript:
		title = "In the transcript"
	case keys.InRail:
		title = "In a rail"
	}
	lead := p.Keys.Lead.Help().Key
	here, all, leader := p.Keys.Help(p.where)
	switch p.where {
	case keys.InPrompt:
		here = append(here, p.promptKeys()...)
	case keys.InRail:
		here = append(here, keys.Hints("letters", "Filter the chats, in their rail", "wheel",
			"Scroll the rail under the pointer")...)
	}
	all = append(all, keys.FixedKeys()...)
	var commands []keys.Hint
	for i := range p.Commands {
		if c := &p.Commands[i]; !c.Screen {
			commands = append(commands, keys.Hints(c.Usage(), c.Help)...)
		}
	}
	var out []string
	section := func(title string, rows []keys.Hint) {
		out = append(out, p.Theme.Styles.Title.Render(title))
		out = append(out, columns(p.Theme, rows, w)...)
		out = append(out, "")
	}
	section(title, here)
	section("Anywhere", all)
	section("Behind "+lead, leader)
	section("Commands", commands)
	const last = "Nothing leaves this machine until you press enter. A chat is a markdown note in your vault."
	for line := range strings.SplitSeq(ansi.Wrap(last, max(w, 20), ""), "\n") {
		out = append(out, p.Theme.Styles.Muted.Render(line))
	}
	return out
}

// promptKeys returns the keys of the prompt that are not bindings.
func (p *helpPage) promptKeys() []keys.Hint {
	hints := keys.Hints("@ or [[", "attach a note, heading, folder or tag", "@vault",
		"search the vault for this message", "/", "commands, in the first column")
	if p.vim {
		hints = append(hints, keys.Hints("esc i a o v", "normal, insert and visual mode of vi")...)
	}
	for _, k := range composer.Keys() {
		if !p.Keys.Uses(k) {
			hints = append(hints, keys.Hints(k.Help().Key, k.Help().Desc)...)
		}
	}
	return hints
}

// columns lays out rows in as many columns as fit in w, at most three, read downwards.
func columns(t *theme.Theme, rows []keys.Hint, w int) []string {
	keyW, doesW := 0, 0
	for _, r := range rows {
		keyW, doesW = max(keyW, term.Width(r.Key)), max(doesW, term.Width(r.Does))
	}
	one := keyW + doesW + 6
	n := min(max(w/one, 1), 3)
	per := (len(rows) + n - 1) / n
	out := make([]string, per)
	for i, r := range rows {
		cell := "  " + t.Styles.Accent.Render(r.Key) + strings.Repeat(" ", keyW-term.Width(r.Key)+2) +
			md.Capital(r.Does)
		if i/per < n-1 {
			cell += strings.Repeat(" ", max(one-term.Width(cell), 1))
		}
		out[i%per] += cell
	}
	for i := range out {
		out[i] = term.Clip(out[i], w, t.Glyphs.Ellipsis)
	}
	return out
}
