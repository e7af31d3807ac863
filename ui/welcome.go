package ui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// serversMsg lists the model servers that answer on this machine.
type serversMsg struct{ found []string }

// findServers looks for model servers beside everything else.
func findServers(look func(context.Context) []string) work {
	return func(ctx context.Context) tea.Msg { return serversMsg{look(ctx)} }
}

// empty reports whether nothing has been said yet.
func (m *Model) empty() bool { return m.transcript.Len() == 0 }

// firstRun reports whether nothing was configured and nothing was ever said here.
func (m *Model) firstRun() bool { return m.opt.FirstRun.New && len(m.chats.all) == 0 }

// viewWelcome is the page of an empty chat: what was found, on the first run;
// and what could be asked.
func (m *Model) viewWelcome(r rect) []string {
	var rows []string
	if m.firstRun() {
		rows = append(rows, m.factRows(r.w)...)
		rows = append(rows, "", m.theme.Styles.Border.Render(clip(strings.Repeat(m.theme.Glyphs.RuleFaint, max(r.w-8, 0)), r.w, "")))
	}
	st := &m.theme.Styles
	if m.firstRun() || m.notes.names == nil || m.notes.count == 0 {
		rows = append(
			rows, st.Text.Render("Ask anything. These already work:"), "",
			m.hintRow("@  or [[", "attach a note, a heading, a #tag or a folder"),
			m.hintRow("/", `commands: "/chats"  "/context"  "/model"`),
			m.hintRow("F2", "see exactly what will be sent, and what is cached"),
		)
	} else {
		rows = append(rows, st.Text.Render("Ask anything, or start from here:"), "")
		rows = append(rows, m.suggestions()...)
	}
	rows = append(rows, "", st.Muted.Render("Nothing leaves this machine until you press enter."))
	left := strings.Repeat(" ", min(4, max(r.w-40, 0)))
	for _, text := range m.opt.Notices {
		sign := m.theme.Glyphs.Alert + " "
		for _, line := range strings.Split(ansi.Wrap(theme.OneLine(text), max(r.w-2*len(left)-2, 20), ""), "\n") {
			rows = append(rows, st.Warn.Render(sign+line))
			sign = "  "
		}
	}
	out := make([]string, r.h)
	top := max(min((r.h-len(rows))/2, 4), 0)
	for i, row := range rows {
		if top+i < r.h {
			out[top+i] = clip(left+row, r.w, m.theme.Glyphs.Ellipsis)
		}
	}
	return out
}

func (m *Model) hintRow(keys, does string) string {
	return "   " + m.theme.Styles.Accent.Render(keys) + strings.Repeat(" ", max(11-width(keys), 1)) + m.theme.Styles.Muted.Render(does)
}

// finding is something that was found on this machine, or is missing there.
type finding struct {
	name, what, detail, mark string
	good                     bool
}

// findings are what the first run tells of.
func (m *Model) findings() []finding {
	f, g := &m.opt.FirstRun, &m.theme.Glyphs
	found, none := g.Check+" found", g.Alert+" none"
	counts := "being read"
	if m.notes.names != nil {
		counts = fmt.Sprintf("%s notes %s %s folders", theme.Comma(m.notes.count), g.Dot, theme.Comma(m.notes.dirs))
	} else if m.notes.total > 0 {
		counts = fmt.Sprintf("indexing %s of %s", theme.Comma(m.notes.done), theme.Comma(m.notes.total))
	}
	name := m.desk.state.chat.Model
	provider := finding{"Provider", f.Provider, "", found, true}
	model := finding{"Model", name, f.Model, g.Check + " ready", true}
	switch name {
	case "":
		provider.detail, provider.mark, provider.good = "it names no model", g.Alert+" no model", false
		model = finding{"Model", "none found", "ctrl+l chooses one", none, false}
	case m.opt.OfflineModel:
		provider.mark, provider.good = none, false
		model.what, model.detail = "offline", "quotes the attached notes"
	}
	if f.Provider == "" {
		provider = finding{"Provider", "none configured", "ibid doctor says what to do", none, false}
	}
	all := []finding{{"Vault", f.Vault, counts, found, true}, provider}
	for i, s := range m.offers.servers {
		also := finding{"", s, "", g.Check + " answers", true}
		if i == 0 {
			also.name = "also here"
		}
		all = append(all, also)
	}
	chats := finding{"Chats in", f.Chats, "one markdown file a chat", g.Context.Added + " create", true}
	if f.Chats == "" {
		chats = finding{"Chats", "are not kept in this session", "", g.Alert + " --no-save", false}
	}
	return append(all, model, chats)
}

// factRows say what was found, each with a tick or what is missing.
func (m *Model) factRows(w int) []string {
	g, st := &m.theme.Glyphs, &m.theme.Styles
	room := min(w-6, 76)
	var rows []string
	for _, f := range m.findings() {
		style := st.Warn
		if f.good {
			style = st.Good
		}
		if w < 70 {
			f.detail = ""
		}
		what := lastPart(theme.OneLine(f.what), room-width(f.mark)-width(f.detail)-11-4, g.Ellipsis)
		left := st.Strong.Render(f.name) + strings.Repeat(" ", max(11-width(f.name), 1)) + what
		if f.detail != "" {
			left += strings.Repeat(" ", max(34-width(left), 2)) + st.Muted.Render(theme.OneLine(f.detail))
		}
		left = clip(left, room-width(f.mark)-2, g.Ellipsis)
		rows = append(rows, left+strings.Repeat(" ", max(room-width(left)-width(f.mark), 1))+style.Render(f.mark))
	}
	return rows
}

// lastPart cuts a text, such as a long path, at its beginning.
func lastPart(s string, w int, tail string) string {
	if n := width(s); n > w && w > width(tail) {
		return tail + ansi.TruncateLeft(s, n-w+width(tail), "")
	}
	return s
}

// suggestions are three lines built from the vault: the note that is open, the
// one that changed last, the last chat.
func (m *Model) suggestions() []string {
	g := &m.theme.Glyphs
	now := m.opt.now()
	var rows []string
	if n := m.desk.state.note; n.Path != "" {
		ask, name, in := "what does this note say?   ", noteName(string(n.Path)), m.openIn(n.Source)
		if m.frame.body.w < 18+width(ask+name+in) {
			in = ""
		}
		rows = append(rows, m.hintRow(g.Context.Active, ask+name+in))
	}
	for _, n := range m.notes.recent {
		if n.Path == m.desk.state.note.Path || string(n.Path) == m.desk.state.chat.Path {
			continue
		}
		if m.opt.Store != nil && n.Path.In(m.opt.Store.Folder()) {
			continue
		}
		rows = append(rows, m.hintRow("@", noteName(string(n.Path))+"   changed "+ago(now.Sub(n.ModTime))))
		break
	}
	if len(m.chats.all) > 0 {
		rows = append(rows, m.hintRow("ctrl+s", theme.OneLine(m.chats.all[0].Title)+"   your last chat, "+ago(now.Sub(m.chats.all[0].Modified))))
	} else {
		rows = append(rows, m.hintRow("/", "commands"))
	}
	return rows
}

func (m *Model) openIn(source string) string {
	if source == "" {
		return ""
	}
	return "   open in " + theme.OneLine(source)
}
