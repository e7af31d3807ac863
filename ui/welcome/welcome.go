package welcome

import (
	"cmp"
	"slices"
	"strings"

	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/ui/theme"
)

// Page is the content of the page of an empty chat.
type Page struct {
	page.Env
	W, H     int
	Findings []Finding // only on the first run
	Starters []Starter
	Notices  []string
}

// Finding is a thing that was found on this machine, or is missing.
type Finding struct {
	Name, What, Detail, Mark string
	Good                     bool
	Does                     page.Request // request of a click
}

// Starter is a text that the user can choose for the prompt.
type Starter struct {
	Key   string // key that chooses it, or the sign of its subject
	Label string // text of the row
	About string // reason for the suggestion
	Text  string // text for the prompt
}

// Choose asks for a starter, by its index.
type Choose int

// Row is a row of the page with the request of a click on it.
type Row struct {
	Text string
	Does page.Request
}

// ServerName is the name of the first finding about servers that answer.
const ServerName = "also here"

// form is a way to shorten the page.
type form int

const (
	roomy form = iota
	tight      // no blank rows
	least      // besides, one row for each text, and only findings about missing things
)

// Rows draws the page in H rows. On a low screen the starters are more important than the findings.
func (p *Page) Rows() []Row {
	pen, indent := p.Pen(p.W), min(4, max(p.W-40, 0))
	var notices, rows []Row
	for _, text := range p.Notices {
		// one column less, for the ellipsis
		for _, row := range p.Theme.Hanging(pen.Styles.Warn, pen.Glyphs.Alert+" ", theme.OneLine(text),
			max(p.W-2*indent-1, 22)) {
			notices = append(notices, Row{Text: row})
		}
	}
	for f := roomy; f <= least; f++ {
		if rows = p.rows(&pen, f, indent); len(rows)+len(notices) <= p.H {
			break
		}
	}
	if n := max(p.H-len(rows), 0); n < len(notices) {
		if notices = notices[:n]; n > 0 {
			notices[n-1].Text += pen.Styles.Warn.Render(pen.Glyphs.Ellipsis)
		}
	}
	rows = append(rows, notices...)
	out := make([]Row, p.H)
	top := max(min((p.H-len(rows))/2, 4), 0)
	for i, row := range rows[:min(len(rows), p.H-top)] {
		row.Text = term.Clip(strings.Repeat(" ", indent)+row.Text, p.W, pen.Glyphs.Ellipsis)
		out[top+i] = row
	}
	return out
}

// rows draws the page in a form. left is the indentation.
func (p *Page) rows(pen *page.Pen, f form, left int) (rows []Row) {
	st, w, room := pen.Styles, p.W, max(p.W-left, 1)
	add := func(texts ...string) {
		for _, text := range texts {
			rows = append(rows, Row{Text: text})
		}
	}
	gap := func() {
		if f == roomy {
			add("")
		}
	}
	if len(p.Findings) > 0 {
		rows = p.factRows(pen, f == least, room-max(left/2, 1))
		if f != least {
			change := "/vault  /provider  " + p.Keys.NameOf("model") + "  " + p.Keys.NameOf("chain") +
				"  /config change these"
			if nameWidth+term.Width(change) > room-left {
				change = "/config changes these"
			}
			add(st.Muted.Render(strings.Repeat(" ", nameWidth)+change),
				st.Border.Render(strings.Repeat(pen.Glyphs.RuleFaint, max(w-8, 0))))
		}
	}
	if len(p.Starters) > 0 {
		add(st.Text.Render("Ask anything, or start from here:"))
		gap()
		rows = append(rows, p.starterRows(pen, f == least)...)
	} else {
		add(st.Text.Render("Ask anything. These already work:"))
		gap()
		for _, hint := range [][3]string{
			{"@  or [[", "attach a note, a heading, a #tag or a folder", "attach a note"},
			{"/", `commands: "/chats"  "/context"  "/model"`, "commands"},
			{p.Keys.NameOf("context"), "see exactly what will be sent, and what is cached", "see what will be sent"},
		} {
			add(hintRows(pen, hint, f == least, room)...)
		}
	}
	gap()
	leaves := "Nothing leaves this machine until you press enter."
	if f == least && term.Width(leaves) > room {
		leaves = "Nothing leaves before you press enter."
	}
	add(p.Theme.Hanging(st.Muted, "", leaves, room)...)
	return rows
}

// hintRows draws a key and its effect in rows of at most w columns. hint has the key, the effect, and a
// shorter text, which replaces the effect if brief is true and the effect does not fit in one row.
func hintRows(pen *page.Pen, hint [3]string, brief bool, w int) []string {
	cell, does := "   "+pen.Styles.Accent.Render(hint[0])+
		strings.Repeat(" ", max(nameWidth-term.Width(hint[0]), 1)), hint[1]
	indent := term.Width(cell)
	if brief && term.Width(does) > w-indent {
		does = hint[2]
	}
	rows := theme.Wrap(does, max(w-indent, 1))
	for i, row := range rows {
		rows[i] = cell + pen.Styles.Muted.Render(row)
		cell = strings.Repeat(" ", indent)
	}
	return rows
}

// nameWidth is the width of the names of findings. minDetailWidth is the smallest width of a row with
// details.
const (
	nameWidth      = 11
	minDetailWidth = 68
)

// factRows draws the findings, or only the missing things, in at most room columns: each with a tick or
// its problem.
func (p *Page) factRows(pen *page.Pen, faults bool, room int) (rows []Row) {
	g, st := pen.Glyphs, pen.Styles
	all, mark, gap := slices.Clone(p.Findings), 0, 2
	if faults {
		all = slices.DeleteFunc(all, func(f Finding) bool { return f.Good })
	}
	for i := range all {
		mark = max(mark, term.Width(all[i].Mark))
	}
	if room < minDetailWidth {
		gap = 1
	}
	room = min(room, 76) - mark - gap
	for _, f := range all {
		style := st.Warn
		if f.Good {
			style = st.Good
		}
		what, detail := theme.OneLine(f.What), theme.OneLine(f.Detail)
		switch {
		case gap > 1:
			what = term.LastPart(what, room-nameWidth-term.Width(detail)-2, g.Ellipsis)
		case !f.Good && detail != "":
			what, detail = detail, "" // detail says what to do about it
		case f.Name == "" || f.Name == ServerName:
			_, about, _ := strings.Cut(what, " (")
			what, detail = cmp.Or(strings.TrimSuffix(about, ")"), what), ""
		default:
			what, detail = term.LastPart(what, room-nameWidth, g.Ellipsis), ""
		}
		left := st.Strong.Render(f.Name) + strings.Repeat(" ", max(nameWidth-term.Width(f.Name), 1)) + what
		if gap := max(34-term.Width(left), 2); detail != "" && term.Width(left)+gap+term.Width(detail) <= room {
			left += strings.Repeat(" ", gap) + st.Muted.Render(detail)
		}
		left = term.Clip(left, room, g.Ellipsis)
		rows = append(rows, Row{
			left + strings.Repeat(" ", max(room-term.Width(left), 0)+gap) + style.Render(f.Mark), f.Does,
		})
	}
	return rows
}

// starterRows draws the starters. brief draws each in one row.
func (p *Page) starterRows(pen *page.Pen, brief bool) (rows []Row) {
	hints := 8
	if p.W < 60 {
		hints = 6
	}
	room := max(p.W-hints-4-2*min(4, max(p.W-40, 0)), 1)
	for i, a := range p.Starters {
		key, label := pen.Styles.Accent.Render(a.Key), theme.OneLine(a.Label)
		texts := theme.Wrap(label, room)
		if brief {
			texts = []string{term.Clip(label, room, pen.Glyphs.Ellipsis)}
		}
		for _, text := range texts {
			row := pen.Styles.Muted.Render(text)
			if about := "   " + theme.OneLine(a.About); a.About != "" && term.Width(label+about) <= room {
				row += pen.Styles.Muted.Render(about)
			}
			rows = append(rows, Row{
				"   " + key + strings.Repeat(" ", max(hints-term.Width(key), 1)) + row,
				page.Post{Msg: Choose(i)},
			})
			key = ""
		}
	}
	return rows
}
