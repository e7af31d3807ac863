package ui

import (
	"cmp"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"ibid/chains"
	"ibid/ui/theme"
)

// firstRun reports whether nothing was configured and nothing was ever said here.
func (s *screen) firstRun() bool { return s.k.opt.FirstRun.New && len(s.k.chats.all) == 0 }

// welcome is the page of an empty chat: what was found, on the first run;
// and what could be asked.
func (s *screen) welcome() []string {
	r := s.frame.body
	left := strings.Repeat(" ", min(4, max(r.w-40, 0)))
	room := max(r.w-len(left), 1)
	var facts, rows []string
	if s.firstRun() {
		change := "/vault  /provider  " + s.k.keys.name("model") + "  " + s.k.keys.name("chain") + "  /config change these"
		if r.w < 70 {
			change = "/config changes these"
		}
		facts = append(s.factRows(r.w), s.st.Muted.Render(strings.Repeat(" ", 11)+change), s.st.Border.Render(clip(strings.Repeat(s.g.RuleFaint, max(r.w-8, 0)), r.w, "")))
	}
	st := s.st
	if all := starters(s.k); len(all) > 0 {
		head := st.Text.Render("Ask anything, or start from here:")
		if r.w >= 60 {
			head += st.Muted.Render(" " + s.g.Down + " chooses, enter asks")
		}
		rows = append(rows, head, "")
		if len(facts)+len(rows)+len(all) > r.h { // the questions come first
			facts = nil
		}
		rows = append(rows, s.starterRows(all, r.h-len(facts)-len(rows)-3)...)
	} else {
		rows = append(rows, st.Text.Render("Ask anything. These already work:"), "")
		rows = append(rows, s.hintRows("@  or [[", "attach a note, a heading, a #tag or a folder", room)...)
		rows = append(rows, s.hintRows("/", `commands: "/chats"  "/context"  "/model"`, room)...)
		rows = append(rows, s.hintRows(s.k.keys.name("context"), "see exactly what will be sent, and what is cached", room)...)
	}
	rows = append(rows, "")
	rows = append(rows, s.theme.Hanging(st.Muted, "", "Nothing leaves this machine until you press enter.", room)...)
	for _, text := range s.k.opt.Notices {
		rows = append(rows, s.theme.Hanging(st.Warn, s.g.Alert+" ", theme.OneLine(text), max(r.w-2*len(left), 22))...)
	}
	rows = append(facts, rows...)
	out := make([]string, r.h)
	top := max(min((r.h-len(rows))/2, 4), 0)
	for i, row := range rows {
		if top+i < r.h {
			out[top+i] = clip(left+row, r.w, s.g.Ellipsis)
		}
	}
	return out
}

// looksUp reports whether a model that is no part of this program may look things
// up in the vault by itself.
func (k *known) looksUp() bool {
	switch k.desk.chat.Chain {
	case "", chains.Chat{}.Name(), chains.Vault{}.Name():
		return false
	}
	return !k.offline()
}

// offline says that the model answers which needs no network. A provider's may have its
// name.
func (k *known) offline() bool {
	return k.desk.chat.At == "" && k.desk.chat.Model == k.opt.OfflineModel
}

// chainHint says what a turn sends.
func (s *screen) chainHint() string {
	if s.k.looksUp() {
		return "the model may look up notes"
	}
	if s.k.desk.chat.Chain == (chains.Vault{}).Name() {
		return "sends what is found, too"
	}
	return "sends what you attach"
}

// hintRows say what keys do, in rows of at most w columns.
func (s *screen) hintRows(keys, does string, w int) []string {
	cell := "   " + s.st.Accent.Render(keys) + strings.Repeat(" ", max(11-width(keys), 1))
	indent := width(cell)
	rows := theme.Wrap(does, max(w-indent, 1))
	for i, row := range rows {
		rows[i] = cell + s.st.Muted.Render(row)
		cell = strings.Repeat(" ", indent)
	}
	return rows
}

// finding is something that was found on this machine, or is missing there.
type finding struct {
	name, what, detail, mark string
	good                     bool
}

// findings are what the first run tells of.
func (s *screen) findings() []finding {
	f, g := &s.k.opt.FirstRun, s.g
	found, none := g.Check+" found", g.Alert+" none"
	counts := cmp.Or(s.k.notes.state(), "being read")
	if all := s.k.notes.all; all != nil {
		counts = theme.Plural(all.Count, "note") + " " + g.Dot + " " + theme.Plural(all.Folders, "folder")
	}
	name := s.k.desk.chat.Model
	provider := finding{"Provider", f.Provider, "", found, true}
	model := finding{"Model", name, f.Model, g.Check + " ready", true}
	switch {
	case name == "":
		provider.detail, provider.mark, provider.good = "it names no model", g.Alert+" no model", false
		model = finding{"Model", "none found", s.k.keys.name("model") + " chooses one", none, false}
	case s.k.offline():
		provider.detail, provider.mark, provider.good = "/provider adds one", none, false
		model.what, model.detail = "offline", "quotes notes, attached or found"
	}
	if f.Provider == "" {
		provider = finding{"Provider", "none configured", "/provider adds one", none, false}
	}
	chain := finding{"Chain", cmp.Or(s.k.desk.chat.Chain, "chat"), s.chainHint(), g.Check + " chosen", true}
	all := []finding{{"Vault", f.Vault, counts, found, true}, provider}
	for i, server := range s.k.servers {
		also := finding{"", server, "", g.Check + " answers", true}
		if i == 0 {
			also.name = "also here"
		}
		all = append(all, also)
	}
	chats := finding{"Chats in", f.Chats, "one markdown file a chat", g.Context.Added + " create", true}
	if f.Chats == "" {
		chats = finding{"Chats", "are not kept in this session", "", g.Alert + " --no-save", false}
	}
	return append(all, model, chain, chats)
}

// factRows say what was found, each with a tick or what is missing.
func (s *screen) factRows(w int) []string {
	g, st := s.g, s.st
	room := min(w-6, 76)
	var rows []string
	for _, f := range s.findings() {
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
