package rails

import (
	"strconv"

	"ibid/history"
	"ibid/ui/inspector"
	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/ui/theme"
)

// Widths of the rails. The rail of chats ends with a rule; the context rail begins with a rule and a
// space.
const (
	ChatsWidth   = 30
	ContextWidth = 34
)

// Draw returns the rows of a rail. It draws them only if something has changed.
func (r *Rails) Draw(s *Source, side Side) []inspector.RailRow {
	d := &r.drawn[side]
	if d.version == r.version || d.w == 0 {
		return d.Rows
	}
	d.version = r.version
	at := ""
	if focus, focused := r.Focused(); focused && focus == side {
		at = r.chosen
	}
	if scroll := r.scroll[side]; side == Context {
		d.Rail = inspector.NewPainter(*s.Theme).Rail(s.Report,
			inspector.RailView{Extra: s.Extra, At: at, From: scroll.from, Free: scroll.free, W: d.w, H: d.h})
	} else {
		d.Rail = r.drawChats(s, at)
	}
	return d.Rows
}

// chatRows computes how many rows chats take in the rail: two each, and two more for the heading of
// another group and the blank row above it.
type chatRows struct {
	*Source
	all []history.Summary
}

// group returns the heading of the group of chat i.
func (c *chatRows) group(i int) string { return c.Group(&c.all[i]) }

// height returns the number of rows that chat i takes below the one before it.
func (c *chatRows) height(i int) int {
	if c.group(i) != c.group(i-1) {
		return 4
	}
	return 2
}

// roomFor returns how many of h rows are left for the chats up to last: one row is needed to count those
// after it.
func (c *chatRows) roomFor(last, h int) int {
	if last < len(c.all)-1 {
		return h - 1
	}
	return h
}

// firstTo returns the first chat on screen if last is the last one in h rows.
func (c *chatRows) firstTo(last, h int) int {
	first, used := last, 3
	for first > 0 && used+c.height(first) <= c.roomFor(last, h) {
		used += c.height(first)
		first--
	}
	return max(first, 0)
}

// lastFrom returns the last chat on screen if first is the first one in h rows.
func (c *chatRows) lastFrom(first, h int) int {
	last, used := first, 3
	for last+1 < len(c.all) {
		if used += c.height(last + 1); used > c.roomFor(last+1, h) {
			break
		}
		last++
	}
	return last
}

// firstVisible returns the first chat to show in h rows. It keeps the scroll position, except that the
// chat in row must be visible, unless that is -1, and that no row may be empty while there are more chats.
func (c *chatRows) firstVisible(from, row, h int) int {
	from = min(max(from, 0), c.firstTo(len(c.all)-1, h))
	if row < 0 {
		return from
	}
	return min(max(from, c.firstTo(row, h)), row)
}

// headRows is the number of rows above the chats: the title and the filter line.
const headRows = 2

// drawChats draws the rail of chats; at is the chat under the cursor.
func (r *Rails) drawChats(source *Source, at string) inspector.Rail {
	all, d := r.chats(source), &r.drawn[Chats]
	c, s := chatRows{source, all}, source.Pen(d.w)
	var out inspector.Rail
	add := func(id, line string) {
		out.Rows = append(out.Rows, inspector.RailRow{
			ID: id, Text: term.Pad(term.Clip(line, d.w, s.Glyphs.Ellipsis), d.w),
		})
	}
	ends := func(left, right string) string {
		return term.Pad(left, d.w-1-term.Width(right)) + s.Styles.Muted.Render(right) + " "
	}
	add("", ends(" "+s.Styles.Title.Render("CHATS"), c.Keys.NameOf("chats")))
	last := -1
	if room := d.h - headRows; len(all) > 0 {
		out.From = c.firstVisible(r.scroll[Chats].from, r.mustShow(all, at), room)
		last = c.lastFrom(out.From, room)
		out.Shown = last - out.From + 1
	}
	more := ""
	if out.From > 0 {
		more = s.Glyphs.Up + " " + theme.Comma(out.From)
	}
	filter := ""
	if r.filtering() {
		filter = r.filter.View()
	}
	add("", ends(" "+filter, more))
	out.Rows[1].More = -min(out.From, 1)
	titles := map[string]int{} // number of visible chats with each title
	for i := out.From; i <= last; i++ {
		titles[all[i].Title]++
	}
	for i := out.From; i <= last; i++ {
		if i == out.From || c.height(i) > 2 {
			if i > out.From {
				add("", "")
			}
			add("", " "+s.Styles.Strong.Render(c.group(i)))
		}
		add(string(all[i].Path), c.title(&s, &all[i], string(all[i].Path) == at))
		add(string(all[i].Path), "    "+c.state(&s, &all[i], titles[all[i].Title] > 1))
	}
	switch {
	case len(all) > 0 || !c.Listed:
	case len(c.Chats) > 0:
		add("", s.Styles.Muted.Render(" no chat is called that"))
	default:
		add("", s.Styles.Muted.Render(" none yet"))
	}
	for len(out.Rows) < d.h {
		add("", "")
	}
	if n := len(all) - 1 - last; n > 0 {
		out.Rows[d.h-1] = inspector.RailRow{Text: ends("", s.Glyphs.Down+" "+theme.Comma(n)), More: 1}
	}
	return out
}

// mustShow returns the row of the chat that must be visible: at, or the one on the screen; -1 for none.
func (r *Rails) mustShow(all []history.Summary, at string) int {
	row := r.row
	if at == "" {
		at, row = r.current, r.currentRow
	}
	if row < 0 || r.scroll[Chats].free {
		return -1
	}
	return nearestRow(len(all), func(i int) string { return string(all[i].Path) }, row, at)
}

// title draws the title of a saved chat in the rail.
func (c *chatRows) title(s *page.Pen, chat *history.Summary, chosen bool) string {
	title := theme.OneLine(chat.Title)
	switch {
	case chosen:
		return s.Styles.Selected.Render(s.Glyphs.Cursor) + " " + s.Styles.Selected.Render(title)
	case string(chat.Path) == c.Current:
		return s.Styles.Chat.Gutter.Render(s.Glyphs.Gutter) + " " + s.Styles.Strong.Render(title)
	}
	return "  " + title
}

// state draws the row below the title of a chat: its activity, its problem, or its size. others adds
// the time, if other visible chats have the same title.
func (c *chatRows) state(s *page.Pen, chat *history.Summary, others bool) string {
	path := string(chat.Path)
	if text := c.State(path); text != "" {
		return s.Styles.Accent.Render(text)
	}
	if all := chat.Problems; len(all) > 0 && path != c.Current {
		text := theme.OneLine(all[0])
		if len(all) > 1 {
			text = theme.Plural(len(all), "problem")
		}
		return s.Styles.Warn.Render(s.Glyphs.Alert + " " + text)
	}
	text := theme.Plural(chat.Turns, "turn")
	if n := len(chat.Notes); n > 0 {
		text = s.Glyphs.Dotted(text, theme.Plural(n, "note"))
	}
	if chat.Origin != (history.Origin{}) { // its title may be the same as that of its origin
		text = s.Glyphs.Dotted("branch at message "+strconv.Itoa(chat.Origin.Message), text)
	}
	if others {
		text = s.Glyphs.Dotted(chat.Modified.Format("15:04"), text)
	}
	return s.Styles.Muted.Render(text)
}
