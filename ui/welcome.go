package ui

import (
	"cmp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"ibid/chains"
	"ibid/ui/term"
	"ibid/ui/theme"
)

// firstRun reports whether nothing was configured and nothing was ever said here.
func (s *screen) firstRun() bool { return s.k.opt.FirstRun.New && len(s.k.Chats.All) == 0 }

// welcomeForm is how much room the page of an empty chat takes.
type welcomeForm struct {
	faults bool // of what was found, only what is missing
	brief  bool // a row for each sentence
	dense  bool // no blank rows
}

// welcomeForms are all of them, the roomiest first.
var welcomeForms = []welcomeForm{{}, {dense: true}, {brief: true}, {brief: true, dense: true}, {faults: true, brief: true}, {faults: true, brief: true, dense: true}}

// welcome is the page of an empty chat: what was found, on the first run;
// and what could be asked. On a low screen the latter comes first.
func (s *screen) welcome() []string {
	r := s.frame.body
	left := strings.Repeat(" ", min(4, max(r.w-40, 0)))
	var notices, rows []string
	for _, text := range s.k.opt.Notices {
		notices = append(notices, s.Theme.Hanging(s.Styles.Warn, s.Glyphs.Alert+" ", theme.OneLine(text), max(r.w-2*len(left)-1, 22))...) // a column for what is left out
	}
	for _, form := range welcomeForms {
		if rows = s.welcomeRows(form, r.w, len(left)); len(rows)+len(notices) <= r.h {
			break
		}
	}
	if n := max(r.h-len(rows), 0); n < len(notices) {
		if notices = notices[:n]; n > 0 {
			notices[n-1] += s.Styles.Warn.Render(s.Glyphs.Ellipsis)
		}
	}
	rows = append(rows, notices...)
	out := make([]string, r.h)
	top := max(min((r.h-len(rows))/2, 4), 0)
	for i, row := range rows {
		if top+i < r.h {
			out[top+i] = term.Clip(left+row, r.w, s.Glyphs.Ellipsis)
		}
	}
	return out
}

// welcomeRows are the rows of the page for w columns, the first of which stay blank.
func (s *screen) welcomeRows(form welcomeForm, w, left int) (rows []string) {
	st, room := s.Styles, max(w-left, 1)
	gap := func() {
		if !form.dense {
			rows = append(rows, "")
		}
	}
	if s.firstRun() {
		rows = s.factRows(form.faults, room-max(left/2, 1))
		if !form.faults {
			change := "/vault  /provider  " + s.k.Keys.NameOf("model") + "  " + s.k.Keys.NameOf("chain") + "  /config change these"
			if factName+term.Width(change) > room-left {
				change = "/config changes these"
			}
			rows = append(rows, st.Muted.Render(strings.Repeat(" ", factName)+change), st.Border.Render(strings.Repeat(s.Glyphs.RuleFaint, max(w-8, 0))))
		}
	}
	if all := starters(s.k); len(all) > 0 {
		head := st.Text.Render("Ask anything, or start from here:")
		if w >= 60 {
			head += st.Muted.Render(" " + s.Glyphs.Down + " chooses, enter asks")
		}
		rows = append(rows, head)
		gap()
		rows = append(rows, s.starterRows(all, form.brief)...)
	} else {
		rows = append(rows, st.Text.Render("Ask anything. These already work:"))
		gap()
		rows = append(rows, s.hintRows("@  or [[", "attach a note, a heading, a #tag or a folder", "attach a note", form.brief, room)...)
		rows = append(rows, s.hintRows("/", `commands: "/chats"  "/context"  "/model"`, "commands", form.brief, room)...)
		rows = append(rows, s.hintRows(s.k.Keys.NameOf("context"), "see exactly what will be sent, and what is cached", "see what will be sent", form.brief, room)...)
	}
	gap()
	leaves := "Nothing leaves this machine until you press enter."
	if form.brief && term.Width(leaves) > room {
		leaves = "Nothing leaves before you press enter."
	}
	return append(rows, s.Theme.Hanging(st.Muted, "", leaves, room)...)
}

// chainHint says what a turn sends.
func (s *screen) chainHint() string {
	if s.k.LooksUp() {
		return "the model may look up notes"
	}
	if s.k.Desk.Chat.Chain == (chains.Vault{}).Name() {
		return "sends what is found, too"
	}
	return "sends what you attach"
}

// hintRows say what keys do, in rows of at most w columns; a brief one is one row.
func (s *screen) hintRows(hints, does, short string, brief bool, w int) []string {
	cell := "   " + s.Styles.Accent.Render(hints) + strings.Repeat(" ", max(factName-term.Width(hints), 1))
	indent := term.Width(cell)
	if brief && term.Width(does) > w-indent {
		does = short
	}
	rows := theme.Wrap(does, max(w-indent, 1))
	for i, row := range rows {
		rows[i] = cell + s.Styles.Muted.Render(row)
		cell = strings.Repeat(" ", indent)
	}
	return rows
}

// finding is something that was found on this machine, or is missing there.
type finding struct {
	name, what, detail, mark string
	good                     bool
}

// serverName names the first of the servers that answer.
const serverName = "also here"

// findings are what the first run tells of.
func (s *screen) findings() []finding {
	f, g := &s.k.opt.FirstRun, s.Glyphs
	found, none := g.Check+" found", g.Alert+" none"
	counts := cmp.Or(s.k.Notes.State(), "being read")
	if all := s.k.Notes.All; all != nil {
		counts = g.Dotted(theme.Plural(all.Count, "note"), theme.Plural(all.Folders, "folder"))
	}
	name := s.k.Desk.Chat.Model
	provider := finding{"Provider", f.Provider, "", found, true}
	model := finding{"Model", name, f.Model, g.Check + " ready", true}
	switch {
	case name == "":
		provider.detail, provider.mark, provider.good = "it names no model", g.Alert+" no model", false
		model = finding{"Model", "none found", s.k.Keys.NameOf("model") + " chooses one", none, false}
	case s.k.Offline():
		provider.detail, provider.mark, provider.good = "/provider adds one", none, false
		model.what, model.detail = "offline", "quotes attached or found notes"
	}
	if f.Provider == "" {
		provider = finding{"Provider", "none configured", "/provider adds one", none, false}
	}
	chain := finding{"Chain", cmp.Or(s.k.Desk.Chat.Chain, "chat"), s.chainHint(), g.Check + " chosen", true}
	all := []finding{{"Vault", f.Vault, counts, found, true}, provider}
	for i, server := range s.k.servers {
		also := finding{"", server, "", g.Check + " answers", true}
		if i == 0 {
			also.name = serverName
		}
		all = append(all, also)
	}
	chats := finding{"Chats in", f.Chats, "one markdown file a chat", g.Context.Added + " create", true}
	if f.Chats == "" {
		chats = finding{"Chats", "are not kept in this session", "", g.Alert + " --no-save", false}
	}
	return append(all, model, chain, chats)
}

// factName is how many columns the name of a finding takes, and wideFacts how many a
// row needs that says more than what was found.
const (
	factName  = 11
	wideFacts = 68
)

// factRows say what was found, or what of it is missing, in at most room columns: each
// with a tick or what is the matter.
func (s *screen) factRows(faults bool, room int) (rows []string) {
	g, st := s.Glyphs, s.Styles
	all, mark, gap := s.findings(), 0, 2
	if faults {
		all = slices.DeleteFunc(all, func(f finding) bool { return f.good })
	}
	for i := range all {
		mark = max(mark, term.Width(all[i].mark))
	}
	if room < wideFacts {
		gap = 1
	}
	room = min(room, 76) - mark - gap
	for _, f := range all {
		style := st.Warn
		if f.good {
			style = st.Good
		}
		what, detail := theme.OneLine(f.what), theme.OneLine(f.detail)
		switch {
		case gap > 1:
			what = lastNames(what, room-factName-term.Width(detail)-2, g.Ellipsis)
		case !f.good && detail != "":
			what, detail = detail, "" // what to do about it
		case f.name == "" || f.name == serverName:
			_, about, _ := strings.Cut(what, " (")
			what, detail = cmp.Or(strings.TrimSuffix(about, ")"), what), ""
		default:
			what, detail = lastNames(what, room-factName, g.Ellipsis), ""
		}
		left := st.Strong.Render(f.name) + strings.Repeat(" ", max(factName-term.Width(f.name), 1)) + what
		if gap := max(34-term.Width(left), 2); detail != "" && term.Width(left)+gap+term.Width(detail) <= room {
			left += strings.Repeat(" ", gap) + st.Muted.Render(detail)
		}
		left = term.Clip(left, room, g.Ellipsis)
		rows = append(rows, left+strings.Repeat(" ", max(room-term.Width(left), 0)+gap)+style.Render(f.mark))
	}
	return rows
}

// wholeWords is a text in w columns, cut between words.
func wholeWords(s string, w int, tail string) string {
	if term.Width(s) <= w {
		return s
	}
	return theme.Wrap(s, max(w-term.Width(tail), 1))[0] + tail
}

// lastNames is a path in w columns: the last names of it that fit, at least one. Other
// text is cut at its end.
func lastNames(path string, w int, tail string) string {
	if !strings.Contains(path, "/") || term.Width(path) <= w {
		return wholeWords(path, w, tail)
	}
	for rest := path; ; {
		_, after, more := strings.Cut(rest, "/")
		if rest = after; !more || rest == "" {
			return lastPart(path, w, tail)
		}
		if term.Width(tail+"/"+rest) <= w {
			return tail + "/" + rest
		}
	}
}

// lastPart cuts a text, such as a long path, at its beginning.
func lastPart(s string, w int, tail string) string {
	if n := term.Width(s); n > w && w > term.Width(tail) {
		return tail + ansi.TruncateLeft(s, n-w+term.Width(tail), "")
	}
	return s
}
