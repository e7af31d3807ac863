package ui

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ibid/chains/desk"
)

// help is the page behind F1.
type help struct {
	lines []string
	top   int
}

// openHelp makes the page from the key map as it is now, for where the focus is.
func (m *Model) openHelp() tea.Cmd {
	m.help = help{lines: m.helpLines()}
	m.sheet = sheet{kind: helpSheet}
	m.find.leave()
	m.place()
	return nil
}

// helpRow is a key or a command, and what it does.
type helpRow struct{ key, does string }

func (m *Model) helpLines() []string {
	where, title := inPrompt, "In the prompt"
	if !m.composer.Focused() {
		where, title = inTranscript, "In the transcript"
	}
	var here, all, leader []helpRow
	for i := range m.keys.all {
		b := &m.keys.all[i]
		row := helpRow{b.key.Help().Key, b.name}
		switch {
		case row.key != "" && b.where == where:
			row.key = strings.Join(b.key.Keys(), " ")
			here = append(here, row)
		case row.key != "" && b.where == anywhere:
			all = append(all, row)
		}
		if b.leader != "" {
			leader = append(leader, helpRow{m.keys.lead.Help().Key + " " + b.leader, b.name})
		}
	}
	if where == inPrompt {
		here = append(here, helpRow{"@ or [[", "attach a note, heading, folder or tag"}, helpRow{"/", "commands, in the first column"})
		for _, column := range m.composer.KeyMap().FullHelp() {
			for _, k := range column {
				if !m.taken(k) {
					here = append(here, helpRow{k.Help().Key, k.Help().Desc})
				}
			}
		}
	}
	all = append(all, helpRow{"esc", "close; stop the reply"}, helpRow{"esc esc", "go back to a message of yours"}, helpRow{"ctrl+c", "clear the prompt (kept); twice quits"})
	var commands []helpRow
	for _, c := range desk.Commands() {
		commands = append(commands, helpRow{strings.TrimSpace("/" + c.Name + " " + c.Args), c.Help})
	}
	var out []string
	section := func(title string, rows []helpRow) {
		out = append(out, m.theme.Styles.Title.Render(title))
		out = append(out, m.columns(rows)...)
		out = append(out, "")
	}
	section(title, here)
	section("Anywhere", all)
	section("Behind "+m.keys.lead.Help().Key, leader)
	section("Commands", commands)
	const last = "Nothing leaves this machine until you press enter. A chat is a markdown note in your vault."
	for _, line := range strings.Split(ansi.Wrap(last, max(m.w, 20), ""), "\n") {
		out = append(out, m.theme.Styles.Muted.Render(line))
	}
	return out
}

// taken reports whether the screen uses a key before the prompt sees it.
func (m *Model) taken(k key.Binding) bool {
	for _, name := range k.Keys() {
		for i := range m.keys.all {
			b := &m.keys.all[i]
			if b.where == inTranscript {
				continue
			}
			for _, other := range b.key.Keys() {
				if name == other && len(k.Keys()) == 1 {
					return true
				}
			}
		}
	}
	return false
}

// columns lays rows out in as many columns as fit, read downwards.
func (m *Model) columns(rows []helpRow) []string {
	keyW, doesW := 0, 0
	for _, r := range rows {
		keyW, doesW = max(keyW, width(r.key)), max(doesW, width(r.does))
	}
	one := keyW + doesW + 6
	n := min(max(m.w/one, 1), 3)
	per := (len(rows) + n - 1) / n
	out := make([]string, per)
	for i, r := range rows {
		cell := "  " + m.theme.Styles.Accent.Render(r.key) + strings.Repeat(" ", keyW-width(r.key)+2) + capital(r.does)
		if i/per < n-1 {
			cell += strings.Repeat(" ", max(one-width(cell), 1))
		}
		out[i%per] += cell
	}
	for i := range out {
		out[i] = clip(out[i], m.w, m.theme.Glyphs.Ellipsis)
	}
	return out
}

// capital begins a line with a capital letter.
func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

func (m *Model) helpKey(msg tea.KeyPressMsg) tea.Cmd {
	page := m.help.page(m.h)
	switch msg.String() {
	case "esc", "f1", "q", "enter":
		m.closeSheet()
	case "down", "j":
		m.help.top++
	case "up", "k":
		m.help.top--
	case "pgdown", "space", "f":
		m.help.top += page
	case "pgup", "b":
		m.help.top -= page
	case "home", "g":
		m.help.top = 0
	case "end", "G":
		m.help.top = len(m.help.lines)
	}
	m.help.settle(m.h)
	return nil
}

// page is how many lines of help a screen of h rows shows.
func (p *help) page(h int) int { return max(h-4, 1) }

// settle leaves no empty screen below the last line.
func (p *help) settle(h int) { p.top = max(min(p.top, len(p.lines)-p.page(h)), 0) }

// viewHelp fills the screen with the page.
func (m *Model) viewHelp() string {
	rows := make([]string, 0, m.h)
	rows = append(rows, m.bar(m.theme.Styles.Title.Render("Help"), m.theme.Styles.Muted.Render("the keys of where you were, then the rest"), m.w), m.rule(m.w))
	for i := m.help.top; i < len(m.help.lines) && len(rows) < m.h-2; i++ {
		rows = append(rows, m.help.lines[i])
	}
	for len(rows) < m.h-2 {
		rows = append(rows, "")
	}
	more := "end"
	if m.help.top+m.h-4 < len(m.help.lines) {
		more = m.theme.Glyphs.Down + " more"
	}
	return strings.Join(append(rows, m.rule(m.w), m.bar(m.theme.Styles.Muted.Render("↑↓ scroll   esc back"), m.theme.Styles.Muted.Render(more), m.w)), "\n")
}
