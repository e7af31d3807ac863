package transcript

import (
	"slices"
	"time"

	"ibid/ui/mdview"
	"ibid/ui/picture"
	"ibid/ui/theme"
)

// Options configures a Transcript. The zero value is ready to use.
type Options struct {
	Theme theme.Theme      // the zero Theme is replaced by theme.New(theme.Options{})
	Now   func() time.Time // clock that paces rendering and times replies; nil is time.Now
	Text  int              // largest width of text beside wider code; 0 is no limit
	Whole bool             // fold nothing, and wrap long lines of code: the lines are printed
	// Address returns the address of the target of a wikilink, "" for none; nil is like "" for all.
	Address func(target string) string
	// Picture returns the image of a target, nil for none; nil is like nil for all.
	Picture func(target string) *picture.Picture
}

// Transcript is a scrollable list of messages, see New. SetSize must be called before View shows
// anything. It is not safe for concurrent use.
type Transcript struct {
	pen
	md     *mdview.Renderer
	width  int
	height int
	items  []*item
	byID   map[string]*item // messages with an ID
	live   []*item          // streaming messages
	laid   int              // number of items with lines
	look   int              // version of width and theme; lines of another version are invalid
	pos    position         // first visible line, unless following
	follow bool
	left   position // end of the transcript when following ended
	anchor anchor   // pos before the width changed
	sel    *item    // last item navigated to, nil after scrolling
	find   finder
	spin   int
	frame  string
	dirty  bool
}

// position is a line of an item.
type position struct{ item, line int }

// New returns an empty transcript that follows.
func New(o Options) *Transcript {
	if o.Now == nil {
		o.Now = time.Now
	}
	t := &Transcript{pen: pen{opt: o}, follow: true, byID: map[string]*item{}, dirty: true}
	t.SetTheme(o.Theme.OrDefault())
	return t
}

// SetTheme changes the theme.
func (t *Transcript) SetTheme(th theme.Theme) {
	t.theme, t.md = th, mdview.NewRenderer(th)
	for _, it := range t.items {
		it.view = nil
	}
	t.restyle()
}

// SetSize sets the size of the view in cells. Its cost does not depend on the number of messages.
func (t *Transcript) SetSize(width, height int) { SetColumns(t, width, height, t.opt.Text) }

// SetColumns is like SetSize, with text as the largest width of text; code and tables use the whole
// width. 0 is no limit.
func SetColumns(t *Transcript, width, height, text int) {
	width, height = max(width, 1), max(height, 1)
	if width == t.width && height == t.height && text == t.opt.Text {
		return
	}
	if width != t.width || text != t.opt.Text {
		pos, left := t.heightAt(t.pos.item), t.heightAt(t.left.item)
		t.width, t.opt.Text = width, text
		t.restyle()
		if !t.follow && t.pos.item < len(t.items) { // stay at the same part of a message that wraps differently
			t.reanchor(pos)
			t.left.line = t.rescale(t.left, left)
		}
	}
	t.height = height
	t.dirty = true
}

// anchor is a position in a message of some height, and the position that it became at the current
// width. When a window is dragged through many widths, all of them start from the same anchor, because
// rounding would move the position a little with each.
type anchor struct {
	of     position
	height int
	now    position
}

// reanchor moves the position to the same part of its message, which had old lines before the width
// changed.
func (t *Transcript) reanchor(old int) {
	a := &t.anchor
	if a.height == 0 || t.pos != a.now || t.items[t.pos.item].stream {
		*a = anchor{of: t.pos, height: old}
	}
	t.pos.line = t.rescale(a.of, a.height)
	a.now = t.pos
}

// rescale returns the line of p after a change of width, before which the item had old lines.
func (t *Transcript) rescale(p position, old int) int {
	if old == 0 {
		return p.line
	}
	return p.line * t.itemHeight(p.item) / old
}

// restyle invalidates all lines.
func (t *Transcript) restyle() {
	t.look++
	t.dirty = true
}

// heightAt returns the current height of item i, 0 if it is not laid out.
func (t *Transcript) heightAt(i int) int {
	if i < 0 || i >= len(t.items) || t.items[i].look != t.look {
		return 0
	}
	return t.items[i].height()
}

// Reset replaces all messages, as for another chat, and goes to the end. Nothing is rendered before it
// is visible.
func (t *Transcript) Reset(ms []Message) {
	t.items, t.byID = make([]*item, 0, len(ms)), make(map[string]*item, len(ms))
	t.sel, t.find, t.live, t.laid, t.anchor = nil, finder{}, nil, 0, anchor{}
	for _, m := range ms {
		t.add(m)
	}
	t.Bottom()
}

// Append adds a message at the end.
func (t *Transcript) Append(m Message) {
	t.add(m)
	t.dirty = true
}

func (t *Transcript) add(m Message) {
	it := &item{Message: m, index: len(t.items)}
	if n := len(t.items); n > 0 { // tool lines have no gap between them, and neither have notices
		it.gap = m.Role != t.items[n-1].Role || m.Role != Tool && m.Role != Notice
	}
	t.items = append(t.items, it)
	t.invalidate(it)
	if m.ID != "" {
		t.byID[m.ID] = it
	}
}

// Update replaces the message that has m's ID, keeping its place and whether it is open, and reports
// whether there is one. It ends a stream of that message.
func (t *Transcript) Update(m Message) bool {
	it, ok := t.byID[m.ID]
	if !ok {
		return false
	}
	it.Message, it.view = m, nil
	t.endStream(it)
	t.invalidate(it)
	return true
}

// Truncate removes the message with the given ID and all after it, as for an edit of an earlier prompt,
// and reports whether there is one. It scrolls only if removed messages are on screen.
func (t *Transcript) Truncate(id string) bool {
	it, ok := t.byID[id]
	if !ok {
		return false
	}
	for _, gone := range t.items[it.index:] {
		delete(t.byID, gone.ID)
		t.endStream(gone)
		if gone.lines() {
			t.laid--
		}
	}
	gone := func(i *item) bool { return i != nil && i.index >= it.index }
	t.items = t.items[:it.index]
	if gone(t.sel) {
		t.sel = nil
	}
	if slices.ContainsFunc(t.find.hits, func(h hit) bool { return gone(h.it) }) {
		t.find = finder{}
	}
	if n := len(t.items); n > 0 && t.items[n-1].Role == Tool {
		t.invalidate(t.items[n-1])
	}
	t.dirty = true
	switch last := len(t.items) - 1; {
	case t.follow:
	case last < 0 || t.pos.item > last:
		t.Bottom()
	case t.left.item > last:
		t.left = position{last, t.itemHeight(last)}
	}
	return true
}

// Len returns the number of messages.
func (t *Transcript) Len() int { return len(t.items) }

// Message returns the message with the given ID, with streamed text.
func (t *Transcript) Message(id string) (Message, bool) {
	it, ok := t.byID[id]
	if !ok {
		return Message{}, false
	}
	return it.message(), true
}

// Stream returns the handle that adds text to the message with the given ID, an Assistant message whose
// Status is Streaming; nil and false if there is none.
func (t *Transcript) Stream(id string) (*Stream, bool) {
	it, ok := t.byID[id]
	if !ok || it.Role != Assistant || it.Status != Streaming {
		return nil, false
	}
	if !it.stream {
		it.stream = true
		t.live = append(t.live, it)
		it.said.Reset()
		it.said.WriteString(it.Text)
		it.thought.Reset()
		it.thought.WriteString(it.Reasoning)
	}
	return &Stream{t: t, it: it}, true
}

// Tick advances the spinners of streaming messages by one step. The program calls it a few times a
// second while something streams, and not otherwise.
func (t *Transcript) Tick() {
	t.spin++
	for _, it := range t.live {
		t.invalidate(it)
	}
	if n := len(t.items); n > 0 && t.items[n-1].Status == Streaming { // no text has arrived yet
		t.invalidate(t.items[n-1])
	}
	for i := len(t.items) - 1; i >= 0 && t.items[i].Role == Tool; i-- {
		if !t.items[i].Call.hasEnded() {
			t.invalidate(t.items[i])
		}
	}
}

// endStream ends the streaming of it.
func (t *Transcript) endStream(it *item) {
	it.stream = false
	t.live = slices.DeleteFunc(t.live, func(l *item) bool { return l == it })
}

// invalidate invalidates the lines of it. Consecutive calls depend on each other.
func (t *Transcript) invalidate(it *item) {
	it.stale = true
	t.dirty = true
	if it.Role == Tool {
		for _, other := range stepsOf(t.items, it.index) {
			other.stale = true
		}
	}
}

// Stream adds text to a message while it arrives.
type Stream struct {
	t  *Transcript
	it *item
}

// AppendText adds the next piece of the reply, which may be cut anywhere.
func (s *Stream) AppendText(text string) {
	if !s.it.stream || text == "" {
		return
	}
	s.it.said.WriteString(text)
	if s.it.view != nil {
		s.it.view.Append(text)
	}
	if !s.it.answering {
		s.it.answering, s.it.first = true, s.t.opt.Now()
		s.it.stale = true
	}
	s.t.dirty = true
}

// Writing sets the line below the reply about a note that is being written and not shown yet, "" for
// none.
func (s *Stream) Writing(what string) {
	if s.it.stream && s.it.writing != what {
		s.it.writing = what
		s.t.invalidate(s.it)
	}
}

// AppendReasoning adds the next piece of the model's reasoning.
func (s *Stream) AppendReasoning(text string) {
	if !s.it.stream || text == "" {
		return
	}
	s.it.thought.WriteString(text)
	s.t.invalidate(s.it)
}

// Thought sets how long the reasoning took and its number of tokens; 0 is unknown.
func (s *Stream) Thought(d time.Duration, tokens int) {
	if !s.it.stream {
		return
	}
	s.it.Thought, s.it.Tokens = d, tokens
	s.t.invalidate(s.it)
}

// Finish ends the stream with a status other than Streaming. Later calls do nothing.
func (s *Stream) Finish(status Status) {
	it := s.it
	if !it.stream {
		return
	}
	it.Message = it.message()
	it.Status = status
	s.t.endStream(it)
	it.writing = ""
	it.said.Reset()
	it.thought.Reset()
	if it.view != nil {
		it.view.Finish()
	}
	s.t.invalidate(it)
}
