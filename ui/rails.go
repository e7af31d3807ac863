package ui

import (
	"strings"

	"ibid/ui/inspector"
	"ibid/ui/theme"
)

// rail is a part of the screen that is drawn anew only when what it shows changed.
type rail struct {
	key  railKey
	rows []string
}

// railKey says what a rail was drawn from.
type railKey struct {
	r       rect
	theme   theme.Options
	report  int
	version int // of everything else that it shows
}

// viewContext is the rail at the right.
func (m *Model) viewContext() []string {
	f := m.frame.context
	key := railKey{r: f, theme: m.theme.Options, report: m.estimate.version, version: m.sides.version}
	if m.sides.context.key != key {
		m.sides.context = rail{key, strings.Split(m.painter.Rail(&m.estimate.report, m.sections(), f.w, f.h), "\n")}
	}
	return m.sides.context.rows
}

// sections are what the rail says below the context.
func (m *Model) sections() []inspector.Section {
	g := &m.theme.Glyphs
	file := inspector.Section{Title: "CHAT FILE"}
	c := &m.desk.state.chat
	switch {
	case c.Path != "":
		file.Lines = []string{theme.OneLine(c.Path), theme.Plural(c.Turns, "turn")}
	case m.opt.Store == nil:
		file.Lines = []string{"not kept (--no-save)"}
	default:
		file.Lines = []string{"created when you send"}
	}
	v := inspector.Section{Title: "VAULT"}
	switch {
	case m.notes.trouble != "":
		v.Lines = []string{g.Alert + " " + m.notes.trouble}
	case m.notes.names == nil:
		v.Lines = []string{m.vaultState()}
	default:
		watching := ""
		if m.opt.Watch != nil {
			watching = " " + g.Dot + " watching " + g.Check
		}
		v.Lines = []string{theme.Comma(m.notes.count) + " notes" + watching}
	}
	if m.notes.changed != "" {
		v.Lines = append(v.Lines, "changed "+m.notes.when.Format("15:04")+" "+noteName(string(m.notes.changed)))
	}
	return []inspector.Section{file, v}
}

// viewChats is the rail at the left: the saved chats.
func (m *Model) viewChats() []string {
	f := m.frame.chats
	key := railKey{r: f, theme: m.theme.Options, version: m.sides.version}
	if m.sides.chats.key != key {
		m.sides.chats = rail{key, m.chatRows(f)}
	}
	return m.sides.chats.rows
}

func (m *Model) chatRows(f rect) []string {
	st, g := &m.theme.Styles, &m.theme.Glyphs
	rows := make([]string, 0, f.h)
	add := func(s string) {
		if len(rows) < f.h {
			rows = append(rows, pad(clip(s, f.w, g.Ellipsis), f.w))
		}
	}
	add(" " + st.Title.Render("CHATS") + strings.Repeat(" ", f.w-13) + st.Muted.Render("ctrl+s"))
	add("")
	now, group := m.opt.now(), ""
	for _, s := range m.chats.all {
		if len(rows)+2 >= f.h {
			break
		}
		if d := day(s.Modified, now); d != group {
			if group != "" {
				add("")
			}
			group = d
			add(" " + st.Strong.Render(d))
		}
		mark := "  "
		title := theme.OneLine(s.Title)
		if string(s.Path) == m.desk.state.chat.Path {
			mark = st.Chat.Gutter.Render(g.Gutter) + " "
			title = st.Strong.Render(title)
		}
		add(mark + title)
		line := "    " + theme.Plural(s.Turns, "turn") + " " + g.Dot + " " + theme.Plural(len(s.Notes), "note")
		if len(s.Problems) > 0 && string(s.Path) != m.desk.state.chat.Path {
			add(st.Warn.Render("    " + g.Alert + " " + theme.Plural(len(s.Problems), "problem")))
			continue
		}
		add(st.Muted.Render(line))
	}
	if m.chats.listed && len(m.chats.all) == 0 {
		add(st.Muted.Render(" none yet"))
	}
	for len(rows) < f.h {
		add("")
	}
	return rows
}
