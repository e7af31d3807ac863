package ui

import (
	"ibid/ui/inspector"
	"ibid/ui/keys"
	"ibid/ui/theme"
)

// railCache keeps the rails as they were drawn: they change less often than the
// rest of the screen.
type railCache struct {
	version        int // grows with what the rails show beside the report
	context, chats rail
}

// rail is a part of the screen that is drawn again only when what it shows changed.
type rail struct {
	key railKey
	inspector.Rail
}

// railKey says what a rail was drawn from.
type railKey struct {
	r       rect
	theme   theme.Options
	report  int
	at      string // chat or item that has the focus
	show    string // chat or item that is to be seen, "" for any
	row     int    // where that was in the list
	scroll  railScroll
	filter  string // the line that chats are filtered in, as it is drawn
	steps   int    // of the signs of chats that are being answered
	version int    // of everything else that it shows
}

// railKey is what a rail is to be drawn from.
func (s *screen) railKey(r rect, chats bool) railKey {
	key := railKey{r: r, theme: s.k.Theme.Options, scroll: *s.rail.scrolled(chats), version: s.rails.version}
	if s.focus == keys.InRail && s.rail.chats == chats {
		key.at, key.show, key.row = s.rail.at, s.rail.at, s.rail.row
	} else if chats && s.rail.ownRow >= 0 {
		key.show, key.row = s.rail.own, s.rail.ownRow
	}
	return key
}

// contextRail is the rail at the right.
func (s *screen) contextRail() []inspector.RailRow {
	c := &s.rails.context
	key := s.railKey(s.frame.context, false)
	if key.report = s.k.Estimate.Version; c.key != key {
		*c = rail{key, s.k.painter.Rail(&s.k.Estimate.Report, inspector.RailView{
			Extra: s.sections(), At: key.at, From: key.scroll.from, Free: key.scroll.free, W: key.r.w, H: key.r.h,
		})}
	}
	return c.Rows
}

// sections are what the rail says below the context.
func (s *screen) sections() []inspector.Section {
	v := inspector.Section{Title: "VAULT"}
	switch {
	case s.k.Notes.Trouble != "":
		v.Lines = []string{s.Glyphs.Alert + " " + s.k.Notes.Trouble}
	case s.k.Notes.All == nil:
		v.Lines = []string{s.k.Notes.State()}
	default:
		watching := ""
		if s.k.opt.Watch != nil {
			watching = " " + s.Glyphs.Dot + " watching " + s.Glyphs.Check
		}
		v.Lines = []string{theme.Plural(s.k.Notes.All.Count, "note") + watching}
	}
	if s.k.Notes.Changed != "" {
		v.Lines = append(v.Lines, "changed "+s.k.Notes.When.Format("15:04")+" "+s.k.Notes.Changed.Base())
	}
	return []inspector.Section{v}
}
