package ui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

func width(s string) int { return ansi.StringWidth(s) }

// clip cuts a styled line to w columns.
func clip(s string, w int, tail string) string {
	if width(s) <= w {
		return s
	}
	return ansi.Truncate(s, max(w, 0), tail)
}

// pad fills a styled line up to exactly w columns.
func pad(s string, w int) string {
	n := width(s)
	if n > w {
		return ansi.Truncate(s, max(w, 0), "")
	}
	return s + strings.Repeat(" ", w-n)
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }

// bar is a line with something at both ends; the right end goes first when there
// is no room for both.
func (m *Model) bar(left, right string, w int) string {
	room := max(w-2, 0)
	tail := m.theme.Glyphs.Ellipsis
	if right != "" && width(left)+2+width(right) > room {
		left = clip(left, max(room-width(right)-2, room/2), tail)
		right = clip(right, max(room-width(left)-2, 0), tail)
	}
	left = clip(left, room, tail)
	return " " + left + strings.Repeat(" ", max(room-width(left)-width(right), 0)) + right + " "
}

func (m *Model) rule(w int) string {
	return m.theme.Styles.Border.Render(strings.Repeat(m.theme.Glyphs.Rule, w))
}

// viewHeader is the title, the file and its state, the model, the share of the
// window; and a rule.
func (m *Model) viewHeader() []string {
	st, g := &m.theme.Styles, &m.theme.Glyphs
	if m.empty() && m.firstRun() && (m.chats.listed || m.opt.Store == nil) {
		left := st.Title.Render(g.Context.Active + " ibid")
		return []string{m.bar(left, st.Muted.Render("first run "+g.Dot+" nothing written yet"), m.w), m.headRule()}
	}
	right := m.modelState()
	left, state := st.Title.Render(m.title()), m.fileState()
	if p := m.desk.state.chat.Path; p != "" && m.opt.Store != nil {
		// The path gets what the title, the state and the model leave.
		room := m.w - 2 - width(left) - width(state) - width(right) - 9
		if room >= 12 {
			left += "  " + st.Muted.Render(g.Dot+"  "+clip(theme.OneLine(p), room, g.Ellipsis))
		}
	}
	if state != "" {
		left += "  " + state
	}
	return []string{m.bar(left, right, m.w), m.headRule()}
}

// headRule is the rule below the header, with the feet of the rails in it.
func (m *Model) headRule() string { return m.crossRule("┬") }

// crossRule is a rule that meets the rules of the rails.
func (m *Model) crossRule(cross string) string {
	f := &m.frame
	g := m.theme.Glyphs
	if f.context.w == 0 || g.Rule != "─" {
		return m.rule(m.w)
	}
	cells := []rune(strings.Repeat("─", m.w))
	mark := []rune(cross)[0]
	cells[f.context.x-2] = mark
	if f.chats.w > 0 {
		cells[f.chats.w] = mark
	}
	return m.theme.Styles.Border.Render(string(cells))
}

// title is what the chat is called.
func (m *Model) title() string {
	t := theme.OneLine(m.desk.state.chat.Title)
	if m.turn.title != "" && m.desk.state.chat.Turns == 0 {
		t = m.turn.title
	}
	if t == "" || m.desk.state.chat.Path == "" && m.transcript.Len() == 0 {
		t = "New chat"
	}
	if m.opt.Demo {
		t = "demo " + m.theme.Glyphs.Dot + " " + t
	}
	return clip(t, max(m.w/2, 20), m.theme.Glyphs.Ellipsis)
}

// fileState is where the chat is kept, and whether all of it is.
func (m *Model) fileState() string {
	st, g, c := &m.theme.Styles, &m.theme.Glyphs, &m.desk.state.chat
	switch {
	case c.ReadOnly:
		return st.Warn.Render(g.Alert + " read-only: open in another window, /branch goes on here")
	case m.opt.Store == nil:
		return st.Muted.Render("not kept")
	case c.Path == "":
		return ""
	}
	if m.turn.running() && m.turn.saved.Before(m.turn.began) {
		return st.Muted.Render("saving")
	}
	at := ""
	if !m.turn.saved.IsZero() && m.w >= oneRail {
		at = " " + m.turn.saved.Format("15:04")
	}
	return st.Good.Render("saved "+g.Check) + st.Muted.Render(at)
}

// modelState is which model answers, and how full its window is.
func (m *Model) modelState() string {
	st, g := &m.theme.Styles, &m.theme.Glyphs
	name := theme.OneLine(m.desk.state.chat.Model)
	switch name {
	case "":
		name = st.Warn.Render("no model")
	case m.opt.OfflineModel:
		name = st.Warn.Render("offline")
	default:
		name = st.Accent.Render(name)
	}
	if r := &m.estimate.report; r.Window > 0 && r.Prompt > 0 && m.w >= oneRail {
		share := 100 * r.Prompt / r.Window
		style, sign := st.Muted, ""
		if r.NearlyFull() {
			style, sign = st.Warn, g.Alert+" "
		}
		name += st.Muted.Render(" "+g.Dot+" ") + style.Render(fmt.Sprintf("%sctx %d%%", sign, share))
	}
	return name
}

// viewStatus is the last line: what the keys do where the focus is, and what
// there is to say.
func (m *Model) viewStatus() string {
	st := &m.theme.Styles
	if m.keys.held {
		return m.bar(st.Accent.Render(m.keys.lead.Help().Key)+st.Muted.Render(" and then one of these; esc for none"), "", m.w)
	}
	if rows := m.toastRows(); len(rows) == 1 {
		return m.bar(rows[0], "", m.w)
	}
	right := st.Muted.Render("F1 help")
	if s := m.vaultState(); s != "" {
		right = st.Muted.Render(s)
	} else if m.desk.state.chat.Model == "" {
		right = st.Warn.Render("no model: ctrl+l chooses one")
	}
	if m.h < lowHeight { // there is no header
		state, model := m.fileState(), m.modelState()
		room := m.w - 6 - width(state) - width(model)
		return m.bar(st.Title.Render(clip(m.title(), max(room, 8), m.theme.Glyphs.Ellipsis))+"  "+state, model, m.w)
	}
	return m.bar(m.hints(m.w-width(right)-5), right, m.w)
}

// vaultState is what goes on in the vault, "" if nothing does.
func (m *Model) vaultState() string {
	n := &m.notes
	switch {
	case n.names == nil && n.total > 0:
		return fmt.Sprintf("indexing %s of %s", theme.Comma(n.done), theme.Comma(n.total))
	case n.names == nil && n.trouble == "":
		return "reading the vault"
	}
	return ""
}

// hints is the keys that matter now, as many as fit.
func (m *Model) hints(room int) string {
	switch _, chip := m.composer.Chip(); {
	case m.sheet.kind == fitSheet:
		return ""
	case m.sheet.kind == commandSheet:
		return m.keyRow([][2]string{{"enter", "run"}, {"esc", "close"}}, room)
	case m.sheet.kind == attachSheet:
		return m.keyRow([][2]string{{"enter", "attach"}, {"#", "headings of a note"}, {"#L3-L9", "its lines"}, {"esc", "close"}}, room)
	case chip && m.composer.Focused():
		return m.keyRow(m.chipKeys(), room)
	}
	var keys [][2]string
	where := inTranscript
	if m.turn.running() {
		keys = append(keys, [2]string{"esc", "stop"})
	}
	if m.composer.Focused() {
		where = inPrompt
		send := "send"
		if m.turn.running() {
			send = "queue"
		}
		keys = append(keys, [2]string{"enter", send}, [2]string{"@", "note"}, [2]string{"/", "command"})
	}
	for i := range m.keys.all {
		if b := &m.keys.all[i]; b.foot && (b.where == where || b.where == anywhere) {
			keys = append(keys, [2]string{b.key.Help().Key, b.key.Help().Desc})
		}
	}
	lead := m.keys.lead.Help()
	return m.keyRow(append(keys, [2]string{lead.Key, lead.Desc}), room)
}

// chipKeys is what can be done with the chosen chip.
func (m *Model) chipKeys() [][2]string {
	keys := [][2]string{{m.theme.Glyphs.Back + m.theme.Glyphs.On, "chips"}, {"x", "remove"}}
	if c, _ := m.composer.Chip(); c.ID == activeID {
		keys = append(keys, [2]string{"enter", "off, follow, this one"})
	}
	return append(keys, [2]string{"esc", "back to the prompt"})
}

// keyRow is keys and what they do, those that fit in w columns.
func (m *Model) keyRow(keys [][2]string, w int) string {
	var out strings.Builder
	for _, k := range keys {
		n, gap := width(k[0])+1+width(k[1]), ""
		if out.Len() > 0 {
			gap = "   "
		}
		if n+len(gap) > w {
			continue
		}
		w -= n + len(gap)
		out.WriteString(gap + m.theme.Styles.Accent.Render(k[0]) + " " + m.theme.Styles.Muted.Render(k[1]))
	}
	return out.String()
}

// viewLeader is the strip that says what the second key can be.
func (m *Model) viewLeader() []string {
	st, g := &m.theme.Styles, &m.theme.Glyphs
	rows := []string{m.crossRule(g.Rule)}
	var row strings.Builder
	used := 0
	for i := range m.keys.all {
		b := &m.keys.all[i]
		if b.leader == "" {
			continue
		}
		cell := st.Accent.Render(b.leader) + " " + b.key.Help().Desc
		if used > 0 && used+20 > m.w-2 {
			rows = append(rows, pad(" "+row.String(), m.w))
			row.Reset()
			used = 0
		}
		row.WriteString(pad(clip(cell, 19, g.Ellipsis), 20))
		used += 20
	}
	return append(rows, pad(" "+row.String(), m.w))
}

// viewFind is the bar that looks for words.
func (m *Model) viewFind() string {
	st := &m.theme.Styles
	keys := "enter go there   esc close"
	if !m.find.typing {
		keys = "n N   esc close"
	}
	right := st.Muted.Render(m.find.state(m.transcript) + "   " + keys)
	return m.bar(m.find.line.View(), right, m.w)
}
