package ui

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ibid/chains/desk"
	"ibid/ui/composer"
	"ibid/ui/theme"
)

// helpPage is the key map as it is, beginning with the keys of where the focus was.
type helpPage struct {
	k     *known
	where focus
	lines viewport.Model
}

// Update scrolls.
func (p *helpPage) Update(msg tea.Msg) (intent, bool) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg: // its columns depend on the width
		p.lines.SetWidth(msg.Width)
		p.lines.SetHeight(max(msg.Height-4, 1))
		p.lines.SetContentLines(p.write())
	case refreshMsg: // the look may have changed
		p.lines.SetContentLines(p.write())
	case tea.MouseWheelMsg:
		return p.Update(arrow(msg))
	case tea.KeyPressMsg:
		if p.k.keys.matches(msg, "help") {
			return doClosePage, true
		}
		switch msg.String() {
		case "esc", "q", "enter":
			return doClosePage, true
		}
		scrollLines(&p.lines, msg)
	default:
		return nil, false
	}
	return nil, true
}

// View is the lines between a title and a footer.
func (p *helpPage) View(w, _ int) []string {
	pen, st := newPen(&p.k.theme, w), &p.k.theme.Styles
	rows := []string{pen.bar(st.Title.Render("Help"), st.Muted.Render("the keys of where you were, then the rest")), pen.rule()}
	return pen.scrolled(rows, &p.lines, st.Muted.Render("↑↓ scroll   esc back"))
}

// scrollLines acts on a key in lines that are read.
func scrollLines(lines *viewport.Model, msg tea.KeyPressMsg) {
	switch msg.String() {
	case "home", "g":
		lines.GotoTop()
	case "end", "G":
		lines.GotoBottom()
	default:
		*lines, _ = lines.Update(msg)
	}
}

// scrolled is lines that are read, below the head of a page, and the keys.
func (p pen) scrolled(head []string, lines *viewport.Model, keys string) []string {
	more := "end"
	if !lines.AtBottom() {
		more = p.g.Down + " more"
	}
	rows := append(head, strings.Split(lines.View(), "\n")...)
	return append(rows, p.rule(), p.bar(keys, p.st.Muted.Render(more)))
}

// Cursor is nowhere.
func (p *helpPage) Cursor() *tea.Cursor { return nil }

// Hints are in the footer of the page.
func (p *helpPage) Hints() []Hint { return nil }

// write makes the lines.
func (p *helpPage) write() []string {
	title := "In the prompt"
	switch p.where {
	case inTranscript:
		title = "In the transcript"
	case inRail:
		title = "In a rail"
	}
	lead := p.k.keys.lead.Help().Key
	here, all, leader := p.bindings()
	switch p.where {
	case inPrompt:
		here = append(here, p.promptKeys()...)
	case inRail:
		here = append(here, Hint{"letters", "Filter the chats, in their rail"}, Hint{"wheel", "Scroll the rail under the pointer"})
	}
	all = append(all, fixedKeys()...)
	var commands []Hint
	for _, c := range desk.Commands() {
		commands = append(commands, Hint{strings.TrimSpace("/" + c.Name + " " + c.Args), c.Help})
	}
	var out []string
	section := func(title string, rows []Hint) {
		out = append(out, p.k.theme.Styles.Title.Render(title))
		out = append(out, columns(&p.k.theme, rows, p.lines.Width())...)
		out = append(out, "")
	}
	section(title, here)
	section("Anywhere", all)
	section("Behind "+lead, leader)
	section("Commands", commands)
	const last = "Nothing leaves this machine until you press enter. A chat is a markdown note in your vault."
	for line := range strings.SplitSeq(ansi.Wrap(last, max(p.lines.Width(), 20), ""), "\n") {
		out = append(out, p.k.theme.Styles.Muted.Render(line))
	}
	return out
}

// bindings are the keys of where the focus was, those that work anywhere, and those
// behind the leader key.
func (p *helpPage) bindings() (here, all, leader []Hint) {
	keys := &p.k.keys
	for _, b := range keys.all {
		name := b.key.Help().Key
		switch {
		case name != "" && b.where == p.where:
			here = append(here, Hint{strings.Join(b.key.Keys(), " "), b.name})
		case name != "" && b.where == anywhere:
			all = append(all, Hint{strings.Join(append([]string{name}, b.key.Keys()[1:]...), " "), b.name})
		}
		if b.leader != "" {
			leader = append(leader, Hint{keys.lead.Help().Key + " " + b.leader, b.name})
		}
	}
	return here, all, leader
}

// promptKeys are the keys of the prompt that are no bindings.
func (p *helpPage) promptKeys() []Hint {
	hints := []Hint{{"@ or [[", "attach a note, heading, folder or tag"}, {"@vault", "search the vault for this message"}, {"/", "commands, in the first column"}}
	if p.k.opt.Input.Vim {
		hints = append(hints, Hint{"esc i a o v", "normal, insert and visual mode of vi"})
	}
	for _, k := range composer.Keys() {
		if !p.k.keys.uses(k) {
			hints = append(hints, Hint{k.Help().Key, k.Help().Desc})
		}
	}
	return hints
}

// uses reports whether the screen takes a key before the prompt sees it.
func (k *keyMap) uses(b key.Binding) bool {
	names := b.Keys()
	return len(names) == 1 && slices.ContainsFunc(k.all, func(other binding) bool {
		return (other.where == anywhere || other.where == inPrompt) && slices.Contains(other.key.Keys(), names[0])
	})
}

// columns lays rows out in as many columns as fit in w, read downwards.
func columns(t *theme.Theme, rows []Hint, w int) []string {
	keyW, doesW := 0, 0
	for _, r := range rows {
		keyW, doesW = max(keyW, width(r.Key)), max(doesW, width(r.Does))
	}
	one := keyW + doesW + 6
	n := min(max(w/one, 1), 3)
	per := (len(rows) + n - 1) / n
	out := make([]string, per)
	for i, r := range rows {
		cell := "  " + t.Styles.Accent.Render(r.Key) + strings.Repeat(" ", keyW-width(r.Key)+2) + capital(r.Does)
		if i/per < n-1 {
			cell += strings.Repeat(" ", max(one-width(cell), 1))
		}
		out[i%per] += cell
	}
	for i := range out {
		out[i] = clip(out[i], w, t.Glyphs.Ellipsis)
	}
	return out
}

// capital begins a line with a capital letter.
func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}
