package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ibid/ui/chatview"
	"ibid/ui/composer"
	"ibid/ui/inspector"
	"ibid/ui/keys"
	"ibid/ui/page"
	"ibid/ui/rails"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/ui/transcript"
)

// screen holds the values and widgets that a frame is drawn from. Drawing changes none of them.
type screen struct {
	*screenState
	page.Pen
	h        int
	frame    frame
	rails    *rails.Rails
	focus    keys.Focus
	page     page.Page
	toast    page.Toast
	selected *transcript.Selection
	broken   map[part]bool // parts that cannot be drawn
	faults   []brokenPart  // parts that failed in this frame
	compact  bool          // without the alternate screen, see inline.go
	printed  int           // number of messages that are printed
}

// besidePrompt reports whether a page leaves the prompt on screen.
func besidePrompt(p page.Page) bool {
	switch p.(type) {
	case nil, page.BesidePrompt:
		return true
	}
	return overPrompt(p)
}

// empty reports whether the transcript is empty.
func (s *screen) empty() bool { return s.Transcript.Len() == 0 }

// draw returns the content of the screen: h rows of at most w columns.
func (s *screen) draw() string {
	switch {
	case s.Width == 0:
		return ""
	case s.frame.tooSmall:
		if s.compact {
			return term.Clip(page.TooSmall, s.Width, "")
		}
		return strings.Join(page.TooSmallRows(s.Width, s.h), "\n")
	case s.compact:
		return s.strip()
	case !besidePrompt(s.page):
		return strings.Join(s.part(pagePart, s.h, s.wholePage), "\n")
	}
	f := &s.frame
	rows := make([]string, 0, s.h)
	if f.header.H > 0 {
		rows = append(rows, s.part(headerPart, f.header.H, s.header)...)
	}
	rows = append(rows, s.body()...)
	rows = append(rows, s.part(queuePart, f.queue.H, s.queueRows)...)
	if f.find.H > 0 {
		rows = append(rows, s.part(findPart, f.find.H, func() []string { return []string{s.findBar()} })...)
	}
	rows = append(rows, s.ribbon()...)
	term.Overlay(rows, s.overlay(len(rows)))
	rows = append(rows, s.prompt()...)
	return strings.Join(append(rows, s.lastRow()...), "\n")
}

// wholePage returns the rows of a page that takes the whole screen, below what there is to say.
func (s *screen) wholePage() []string {
	rows := s.page.View(s.Width, s.h)
	term.Overlay(rows[:len(rows)-s.countFootRows(rows)], s.bars(s.Message(s.toast)))
	return rows
}

// ribbon returns the row about the next request, if it is shown.
func (s *screen) ribbon() []string {
	if s.frame.ribbon.H == 0 {
		return nil
	}
	return s.part(ribbonPart, s.frame.ribbon.H, func() []string {
		return []string{inspector.NewPainter(*s.Theme).Ribbon(&s.Estimate.Report, s.Width)}
	})
}

// prompt returns the rows of the prompt.
func (s *screen) prompt() []string {
	return s.part(promptPart, s.frame.composer.H, func() []string { return strings.Split(s.Composer.View(), "\n") })
}

// lastRow returns the row with the status.
func (s *screen) lastRow() []string {
	return s.part(statusPart, 1, func() []string { return []string{s.status()} })
}

// overlay returns the rows that cover the last room rows above the prompt: the keys after the leader key,
// a page, or what there is to say, if that does not fit in the status.
func (s *screen) overlay(room int) []string {
	switch said := s.said(); {
	case s.Keys.Held:
		return s.leader(room)
	case s.page != nil:
		return s.part(pagePart, 0, func() []string { return s.page.View(s.frame.popup.W, s.frame.popup.H) })
	case len(said) > 1:
		return append([]string{s.Rule()}, s.bars(said)...)
	}
	return nil
}

// countFootRows returns the number of rows at the end of a page that name its keys, which nothing may cover.
func (s *screen) countFootRows(rows []string) int {
	if p, ok := s.page.(page.FootedPage); ok {
		return p.FootRows()
	}
	for n := 1; n <= footRows && n < len(rows); n++ {
		if strings.HasPrefix(ansi.Strip(rows[len(rows)-1-n]), s.Glyphs.Rule+s.Glyphs.Rule) {
			return n
		}
	}
	return 1
}

// queueRows returns the rows of queued messages, the newest last.
func (s *screen) queueRows() []string {
	n := min(s.frame.queue.H, len(s.Queue))
	rows := make([]string, 0, n)
	for i, d := range s.Queue[len(s.Queue)-n:] {
		does := ""
		if i == n-1 {
			does = s.Glyphs.Up + " edits"
		}
		room := s.Width - term.Width(does) - 14
		rows = append(rows, s.Bar(s.Styles.Muted.Render("  queued  "+
			term.Clip(theme.OneLine(d.Text), max(room, 8), s.Glyphs.Ellipsis)), s.Styles.Muted.Render(does)))
	}
	return rows
}

// bars draws rows as they stand above the prompt.
func (s *screen) bars(rows []string) []string {
	for i := range rows {
		rows[i] = s.Bar(rows[i], "")
	}
	return rows
}

// said returns the rows of the toast, or else of the reason why no reply comes yet. "esc stops" fits beside them.
func (s *screen) said() []string {
	pen := s.Pen
	if s.Turn.Running() {
		pen.Width -= 2 + len(escStops)
	}
	rows := pen.Message(s.toast)
	if len(rows) == 0 && s.Turn.Running() && s.Turn.Live.Wait.Text != "" {
		rows = s.Theme.Hanging(s.Styles.Warn, "", theme.OneLine(s.Turn.Live.Waiting(s.Now())), pen.Width-2)
	}
	return rows
}

// escStops stands at the right of the status while a reply is being written.
const escStops = "esc stops"

// body returns the rows of the transcript, or of the welcome page, between the rails.
func (s *screen) body() []string {
	f := &s.frame
	rows := s.part(conversationPart, f.body.H, s.conversation)
	if f.context.W == 0 {
		return rows
	}
	return s.part(railsPart, f.body.H, func() []string { return s.besideRails(rows) })
}

// conversation returns the rows of the transcript, or of the welcome page.
func (s *screen) conversation() (rows []string) {
	f := &s.frame
	if s.empty() {
		for _, row := range s.welcome(f.body.W, f.body.H).Rows() {
			rows = append(rows, row.Text)
		}
		return rows
	}
	rows = strings.Split(s.Transcript.View(), "\n")
	s.selected.Paint(rows)
	for i := range rows {
		rows[i] = strings.Repeat(" ", f.indent) + rows[i]
	}
	return rows
}

// besideRails puts the rails beside the rows of the conversation.
func (s *screen) besideRails(rows []string) []string {
	f := &s.frame
	bar := s.Styles.Border.Render(s.Glyphs.Quote)
	source := s.railSource()
	left, right := s.rails.Draw(source, rails.Chats), s.rails.Draw(source, rails.Context)
	out := make([]string, len(rows))
	for i, row := range rows {
		line := term.Pad(row, f.body.W) + bar + " " + right[i].Text
		if f.chats.W > 0 {
			line = left[i].Text + bar + line
		}
		out[i] = line
	}
	return out
}

// cursor returns the cursor of the terminal, nil if no text field has the focus.
func (s *screen) cursor() (at *tea.Cursor) {
	where := promptPart
	switch {
	case s.page != nil:
		where = pagePart
	case s.railFocused():
		where = railsPart
	case s.Find.Typing:
		where = findPart
	}
	s.part(where, 0, func() []string {
		at = s.findCursor()
		return nil
	})
	return at
}

func (s *screen) railFocused() bool {
	_, focused := s.rails.Focused()
	return focused
}

func (s *screen) findCursor() *tea.Cursor {
	c, x, y := s.Composer.Cursor(), 0, s.frame.composer.Y
	switch {
	case s.Width == 0 || s.frame.tooSmall:
		return nil
	case !besidePrompt(s.page):
		return s.page.Cursor()
	case s.page != nil && !overPrompt(s.page):
		if !keysToPrompt(s.page) {
			c = s.page.Cursor()
		}
	case s.rails.Cursor() != nil:
		c, x, y = s.rails.Cursor(), 1, s.frame.chats.Y+1
	case s.Find.Typing:
		c, x, y = s.Find.Line.Cursor(), 1, s.frame.find.Y
	}
	if c == nil {
		return nil
	}
	moved := *c
	moved.X, moved.Y = c.X+x, c.Y+y
	return &moved
}

// leader returns the rows that list the keys after the leader key, at most room rows.
func (s *screen) leader(room int) []string {
	var hints []keys.Hint
	for i := range s.Keys.All {
		if b := &s.Keys.All[i]; b.Leader != "" {
			hints = append(hints, keys.Hint{Key: b.Leader, Does: b.Key.Help().Desc})
		}
	}
	rows := append([]string{s.Rule()}, s.KeyRows(hints)...)
	return rows[:min(len(rows), room)]
}

// findBar returns the row of the search in the transcript, with as much of its state and keys as fits.
func (s *screen) findBar() string {
	state, hints := s.Find.State(), keys.Hints("enter", "go", "esc", "close")
	switch {
	case s.Find.Typing:
	case s.focus == keys.InTranscript:
		hints[0] = keys.Hint{Key: "n N", Does: "next"}
	default: // a letter is text there
		hints[0] = keys.Hint{Key: s.Keys.NameOf("find"), Does: "next"}
	}
	left := s.Find.Line.View()
	room := s.Width - 4 - term.Width(left)
	right := s.KeyRow(hints, room)
	if n := term.Width(state) + 3; s.Find.Line.Value() != "" || n+term.Width(right) <= room {
		right = s.Styles.Muted.Render(state) + "   " + s.KeyRow(hints, room-n)
	}
	return s.Bar(left, right)
}

// status returns the last row: the keys of the focused part, and what there is to say.
func (s *screen) status() string {
	if s.Keys.Held {
		return s.Bar(s.Styles.Accent.Render(s.Keys.Lead.Help().Key)+
			s.Styles.Muted.Render(" and one of these   esc close"), "")
	}
	stop := ""
	if s.Turn.Running() {
		stop = s.Styles.Muted.Render(escStops)
	}
	if rows := s.said(); len(rows) == 1 || len(rows) > 1 && s.page != nil {
		return s.Bar(rows[0], stop)
	}
	if does := s.Turn.Preparing(s.Glyphs); does != "" && besidePrompt(s.page) {
		return s.Bar(s.Styles.Accent.Render(does), stop)
	}
	right := s.Styles.Muted.Render(s.Keys.NameOf("help") + " help")
	progress := transcript.Progress(s.Transcript, s.compact)
	if progress != "" {
		right = s.Styles.Accent.Render(progress)
	} else if state := s.Notes.State(); state != "" {
		right = s.Styles.Muted.Render(state)
	} else if s.Desk.Chat.Model == "" {
		right = s.Styles.Warn.Render("no model: " + s.Keys.NameOf("model") + " chooses one")
	}
	if low := s.h < page.LowHeight; low && overPrompt(s.page) {
		return s.Bar(s.KeyRow(s.hints(), s.Width-2), "")
	} else if low { // there is no header
		state, model := s.fileState()+s.otherChats(), s.modelState()
		left := ""
		if s.page == nil && s.Turn.Running() {
			if left = s.KeyRow(keys.Hints("esc", "stop"), s.Width) + "  "; progress != "" {
				model = right
			}
		}
		room := s.Width - 6 - term.Width(left) - term.Width(state) - term.Width(model)
		title := s.Styles.Title.Render(term.Clip(s.title(), max(room, 8), s.Glyphs.Ellipsis))
		return s.Bar(left+title+"  "+state, model)
	}
	return s.Bar(s.KeyRow(s.hints(), s.Width-term.Width(right)-5), right)
}

// hints returns the keys that matter now, the most important first.
func (s *screen) hints() []keys.Hint {
	if s.page != nil {
		if overPrompt(s.page) {
			return s.page.Hints()
		}
		return nil // the page shows them itself
	}
	if c, ok := s.Composer.Chip(); ok && s.focus == keys.InPrompt {
		hints := keys.Hints(s.Glyphs.Back+s.Glyphs.On, "chips", "x", "remove")
		if c.ID == chatview.ActiveID {
			hints = append(hints, keys.Hints("enter", "off, follow, this one")...)
		}
		return append(hints, keys.Hints("esc", "back to the prompt")...)
	}
	var hints []keys.Hint
	send := "send"
	if t := &s.Turn; t.Running() {
		esc := keys.Hint{Key: "esc", Does: "stop"}
		if t.Rounds.Step > 0 {
			esc = keys.Hint{
				Key: fmt.Sprintf("step %d of %d %s esc", t.Rounds.Step, t.Rounds.Max, s.Glyphs.Dot), Does: "stops",
			}
		}
		hints, send = append(hints, esc), "queue"
	}
	switch {
	case s.focus == keys.InPrompt && composer.VimIn(s.Composer).Commands():
		hints = append(hints, keys.Hints("enter", send, "i", "insert")...)
	case s.focus == keys.InPrompt:
		hints = append(hints, keys.Hints("enter", send, "@", "note", "/", "command")...)
	}
	if s.focus != keys.InPrompt { // keys of this focus come first
		hints = append(hints, s.Keys.Footer(s.focus)...)
	}
	if s.focus == keys.InRail {
		hints = append(hints, keys.Hints("esc", "prompt")...)
	}
	if hints = append(hints, s.Keys.Footer(keys.Anywhere)...); s.focus == keys.InPrompt {
		hints = append(hints, s.Keys.Footer(s.focus)...)
	}
	lead := s.Keys.Lead.Help()
	return append(hints, keys.Hints(lead.Key, lead.Desc)...)
}

// strip returns the rows below the printed lines: the end of the text that is not printed yet, then the
// prompt. A terminal that becomes narrower wraps all of it and leaves the rows above the cursor behind:
// mostly that is one empty row.
func (s *screen) strip() string {
	f := &s.frame
	rows := s.part(conversationPart, 0, func() []string {
		return transcript.LastLines(s.Transcript, s.printed, f.popup.H)
	})
	if f.queue.H > 0 {
		rows = append(rows, s.part(queuePart, f.queue.H, s.queueRows)...)
	}
	over := s.overlay(f.popup.H)
	if n := len(over) - len(rows); n > 0 {
		rows = append(rows, make([]string, n)...)
	}
	if len(rows) == 0 {
		rows = []string{""}
	}
	term.Overlay(rows, over)
	rows = rows[max(len(rows)-f.popup.H-f.queue.H, 0):]
	f.composer.Y = len(rows)
	rows = append(rows, s.prompt()...)
	rows = append(rows, s.ribbon()...)
	return strings.Join(append(rows, s.lastRow()...), "\n")
}
