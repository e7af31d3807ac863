package ui

import (
	"ibid/history"
	"ibid/ui/inspector"
	"ibid/ui/theme"
)

// railCache keeps the rails as they were drawn: they change less often than the
// rest of the screen.
type railCache struct {
	version        int // grows with what the rails show beside the report
	context, chats rail
}

// rail is a part of the screen that is drawn anew only when what it shows changed.
type rail struct {
	key  railKey
	rows []string
	ids  []string // by row: path of the chat or ID of the item there, "" for none
}

// railKey says what a rail was drawn from.
type railKey struct {
	r       rect
	theme   theme.Options
	report  int
	at      string // row that has the focus
	version int    // of everything else that it shows
}

// contextRail is the rail at the right.
func (s *screen) contextRail() []string {
	f, c := s.frame.context, &s.rails.context
	if key := (railKey{f, s.k.theme.Options, s.k.estimate.version, s.railRow(false), s.rails.version}); c.key != key {
		*c = rail{key: key}
		c.rows, c.ids = s.k.painter.Rail(&s.k.estimate.report, s.sections(), key.at, f.w, f.h)
	}
	return c.rows
}

// sections are what the rail says below the context.
func (s *screen) sections() []inspector.Section {
	v := inspector.Section{Title: "VAULT"}
	switch {
	case s.k.notes.trouble != "":
		v.Lines = []string{s.g.Alert + " " + s.k.notes.trouble}
	case s.k.notes.all == nil:
		v.Lines = []string{s.k.notes.state()}
	default:
		watching := ""
		if s.k.opt.Watch != nil {
			watching = " " + s.g.Dot + " watching " + s.g.Check
		}
		v.Lines = []string{theme.Plural(s.k.notes.all.Count, "note") + watching}
	}
	if s.k.notes.changed != "" {
		v.Lines = append(v.Lines, "changed "+s.k.notes.when.Format("15:04")+" "+s.k.notes.changed.Base())
	}
	return []inspector.Section{v}
}

// railRow is the row that has the focus in the left rail, or in the right one.
func (s *screen) railRow(chats bool) string {
	if s.focus == inRail && s.rail.chats == chats {
		return s.rail.at
	}
	return ""
}

// chatRail is the rail at the left: the saved chats.
func (s *screen) chatRail() []string {
	f, c := s.frame.chats, &s.rails.chats
	if key := (railKey{r: f, theme: s.k.theme.Options, at: s.railRow(true), version: s.rails.version}); c.key != key && f.w > 0 {
		*c = rail{key: key}
		c.rows, c.ids = s.chatRows(f, key.at)
	}
	return c.rows
}

// chatTitle is the title of a saved chat in the rail.
func (s *screen) chatTitle(chat *history.Summary, chosen bool) string {
	title := theme.OneLine(chat.Title)
	switch {
	case chosen:
		return s.st.Selected.Render(s.g.Cursor) + " " + s.st.Selected.Render(title)
	case string(chat.Path) == s.k.desk.chat.Path:
		return s.st.Chat.Gutter.Render(s.g.Gutter) + " " + s.st.Strong.Render(title)
	}
	return "  " + title
}

func (s *screen) chatRows(f rect, at string) (rows, paths []string) {
	st, g := s.st, s.g
	path := ""
	add := func(line string) {
		if len(rows) < f.h {
			rows, paths = append(rows, pad(clip(line, f.w, g.Ellipsis), f.w)), append(paths, path)
		}
	}
	add(pad(" "+st.Title.Render("CHATS"), f.w-1-width(s.k.keys.name("chats"))) + st.Muted.Render(s.k.keys.name("chats")))
	add("")
	now, group := s.k.opt.now(), ""
	for _, chat := range s.k.chats.all {
		if len(rows)+2 >= f.h {
			break
		}
		if s.k.opt.Store.Archived(chat.Path) {
			continue
		}
		path = ""
		d := day(chat.Modified, now)
		if chat.Pinned {
			d = "Pinned"
		}
		if d != group {
			if group != "" {
				add("")
			}
			group = d
			add(" " + st.Strong.Render(d))
		}
		path = string(chat.Path)
		add(s.chatTitle(&chat, path == at))
		if open := s.k.at(string(chat.Path)); open != nil && open != s.k.conversation {
			if sign, words := open.state(s.g); words != "" {
				add(st.Accent.Render("    " + sign + " " + words))
				continue
			}
		}
		line := "    " + theme.Plural(chat.Turns, "turn") + " " + g.Dot + " " + theme.Plural(len(chat.Notes), "note")
		if len(chat.Problems) > 0 && string(chat.Path) != s.k.desk.chat.Path {
			add(st.Warn.Render("    " + g.Alert + " " + theme.Plural(len(chat.Problems), "problem")))
			continue
		}
		add(st.Muted.Render(line))
	}
	path = ""
	if s.k.chats.listed && len(s.k.chats.all) == 0 {
		add(st.Muted.Render(" none yet"))
	}
	for len(rows) < f.h {
		add("")
	}
	return rows, paths
}
