package transcript

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/mdview"
	"ibid/ui/theme"
)

// margin is the width of the gutter, or of the white space in its place.
const margin = 2

// item is a message with its lines. Lines are made when they are needed, and are valid until the look
// of the transcript or the message changes.
type item struct {
	Message
	index     int
	gap       bool // a blank line above
	open      bool // reasoning or output is unfolded
	steps     bool // on the first of many calls: each has its own line
	stream    bool // the text is in said and thought
	answering bool // text of the reply has arrived
	first     time.Time
	said      strings.Builder
	thought   strings.Builder
	foldable  int          // lines of a long prompt that can be folded
	codeShift int          // columns by which long lines of code are moved to the left
	writing   string       // a note that the reply is writing and does not show yet
	view      *mdview.View // of an Assistant message after layout
	look      int          // look for which the lines were made; with another one they are invalid
	stale     bool         // the message has changed since
	head      []string     // without margin, like all lines
	body      []string
	foot      []string
}

// folds reports whether there is something to fold or unfold.
func (it *item) folds() bool {
	switch it.Role {
	case Tool:
		return it.Text != ""
	case You:
		return it.foldable > 0
	}
	return it.message().Reasoning != "" || slices.ContainsFunc(it.body, mdview.Folds)
}

// message returns the message with the streamed text.
func (it *item) message() Message {
	m := it.Message
	if it.stream {
		m.Text, m.Reasoning = it.said.String(), it.thought.String()
	}
	return m
}

func (it *item) lines() bool { return it.look != 0 }

// height returns the number of lines, with the gap; the item must be laid out.
func (it *item) height() int {
	n := len(it.head) + len(it.body) + len(it.foot)
	if it.gap {
		n++
	}
	return n
}

// drop frees the lines.
func (it *item) drop() {
	it.look, it.head, it.body, it.foot = 0, nil, nil, nil
	if !it.stream {
		it.view = nil
	}
}

// itemHeight lays out item i and returns its height, 0 if there is no such item.
func (t *Transcript) itemHeight(i int) int {
	if i < 0 || i >= len(t.items) {
		return 0
	}
	it := t.items[i]
	t.layOut(it)
	return it.height()
}

// layOut makes the lines of it, unless they are valid.
func (t *Transcript) layOut(it *item) {
	if it.look == t.look && !it.stale {
		return
	}
	if !it.lines() {
		t.laid++
	}
	it.look, it.stale = t.look, false
	t.compose(it)
}

// refresh takes over streamed text. It happens once per frame and at no other time, so that no message
// grows between measuring a frame and drawing it. It includes messages that are off screen: a view that lags is drawn
// again, and nothing else would end that.
func (t *Transcript) refresh() {
	for _, it := range t.live {
		t.layOut(it)
		it.body = it.view.Lines()
	}
}

// column returns the width of the text.
func (t *Transcript) column() int {
	w := t.width
	if t.opt.Text > 0 {
		w = min(w, t.opt.Text)
	}
	return min(max(w-margin, mdview.MinWidth), mdview.MaxWidth)
}

// codeWidth returns the width of code.
func codeWidth(t *Transcript) int {
	if t.opt.Text == 0 {
		return t.column()
	}
	return max(t.width-margin, t.column())
}

// pen draws the parts of messages.
type pen struct {
	theme theme.Theme
	opt   Options
}

// compose makes the lines of it.
func (t *Transcript) compose(it *item) {
	s, w := t.theme.Styles, t.column()
	it.head, it.foot = nil, nil
	switch it.Role {
	case You:
		it.head = []string{t.header(it, s.Chat.You, "you")}
		it.body = t.shorten(it, t.theme.Hanging(s.Text, "", it.Text, w))
		it.foot = append(t.chips(it.Chips, w), t.variant(it.Variant)...)
	case Assistant:
		it.head = []string{t.header(it, s.Muted, "assistant")}
		if lines := t.reasoning(it, w); lines != nil {
			it.head = append(append(it.head, lines...), "")
		}
		t.render(it, w)
		it.body = it.view.Lines()
		it.foot = append(append(t.chips(it.Chips, w), t.mark(it, w)...), t.variant(it.Variant)...)
	case Tool:
		it.head, it.body = nil, nil
		run := stepsOf(t.items, it.index)
		if it == run[0] && len(run) > maxSteps {
			it.head = append(it.head, t.summary(run, t.sel == it && run.folded(), w))
		}
		if run.folded() && it.Call.hasEnded() {
			return
		}
		it.head = append(it.head, t.call(it, t.sel == it, t.spin, w))
		if it.open {
			it.body = t.quoted(s.Muted, it.Text, w)
		}
	case Notice:
		if it.Markdown {
			it.body = t.noticeLines(it.Text, w)
			return
		}
		it.body = t.theme.Hanging(s.Accent, t.theme.Glyphs.Dot+" ", it.Text, w)
	default:
		it.body = t.theme.Hanging(s.Chat.Error, t.theme.Glyphs.Cross+" ", it.Text, w)
		it.foot = t.adviceLines(it.Fix, w)
	}
}

// noticeLines returns the lines of a notice in markdown.
func (p *pen) noticeLines(text string, w int) []string {
	lines := mdview.Whole(p.theme, text,
		mdview.Options{Width: max(w-margin, mdview.MinWidth), Links: mdview.Links{Address: p.opt.Address}}).Lines()
	for i := range lines {
		lines[i] = strings.Repeat(" ", margin) + lines[i]
	}
	return lines
}

// render makes the view of an assistant's message, or sets its width.
func (t *Transcript) render(it *item, w int) {
	if it.view != nil {
		it.view.SetWidth(w, codeWidth(t)-w)
		if t.opt.Whole {
			it.view.Unfold()
		}
		return
	}
	it.view = mdview.New(t.md, mdview.Options{
		Width: w, Beside: codeWidth(t) - w, Now: t.opt.Now, Scroll: !t.opt.Whole, Lazy: true,
		Links: mdview.Links{Dead: it.Dead, Sources: it.Sources, Address: t.opt.Address, Picture: t.opt.Picture},
	})
	it.view.Append(it.message().Text)
	if !it.stream && it.Status != Streaming {
		it.view.Finish()
	}
	if t.opt.Whole {
		it.view.Unfold()
	}
}

// Illustrate draws the messages with images again, after more images were read.
func Illustrate(t *Transcript) {
	for _, it := range t.items {
		if it.view != nil && !it.stream && strings.Contains(it.Text, "![") {
			it.view = nil
			t.invalidate(it)
		}
	}
}

// A prompt of more than maxPromptLines lines is folded to its first foldedPromptLines lines.
const (
	maxPromptLines    = 12
	foldedPromptLines = 8
)

// shorten folds a long prompt, unless it is open; a last line says so.
func (p *pen) shorten(it *item, lines []string) []string {
	if it.foldable = 0; len(lines) <= maxPromptLines || p.opt.Whole {
		return lines
	}
	g, muted := p.theme.Glyphs, p.theme.Styles.Muted
	if it.foldable = len(lines) - foldedPromptLines; it.open {
		return append(lines, muted.Render(g.Unfolded+" all "+theme.Plural(len(lines), "line")))
	}
	return append(lines[:foldedPromptLines:foldedPromptLines],
		muted.Render(g.Folded+" "+g.Ellipsis+" "+theme.Plural(it.foldable, "more line")))
}

// headerDetails returns the time and the detail of a message for its header, each "" if the reply before has
// the same minute or the same model.
func headerDetails(items []*item, it *item) (at, detail string) {
	if !it.At.IsZero() {
		at = it.At.Format("15:04")
	}
	if detail = it.Detail; it.Role != Assistant {
		return at, detail
	}
	for i := it.index - 1; i >= 0; i-- {
		before := items[i]
		if !before.At.IsZero() && i >= it.index-1 && before.At.Format("02 15:04") == it.At.Format("02 15:04") {
			at = ""
		}
		if before.Role == Assistant {
			if before.Detail == detail {
				detail = ""
			}
			break
		}
	}
	return at, detail
}

// header returns the line with the role and the time.
func (t *Transcript) header(it *item, style theme.Ink, who string) string {
	s := t.theme.Styles
	if t.sel == it {
		style = s.Selected
	}
	left := style.Render(who)
	at, detail := headerDetails(t.items, it)
	if at != "" {
		left += s.Muted.Render("  " + at)
	}
	if it.Status == Streaming && it.Role == Assistant {
		left += s.Accent.Render("  " + t.progress(it, t.spin))
	}
	return t.putAtRight(left, detail, t.column())
}

// progress returns the spinner of a streaming reply, with its seconds and its speed.
func (p *pen) progress(it *item, spin int) string {
	frames := p.theme.Glyphs.Spinner
	sign := frames[spin%len(frames)]
	if d := p.opt.Now().Sub(it.At); !it.At.IsZero() && d >= time.Second {
		sign += " " + formatDuration(d.Truncate(time.Second))
	}
	if d := p.opt.Now().Sub(it.first); it.answering && d >= 2*time.Second { // a token has about four bytes
		sign += fmt.Sprintf(" %s %s %d tok/s", p.theme.Glyphs.Dot, p.theme.Glyphs.About,
			int(float64(it.said.Len())/4/d.Seconds()+0.5))
	}
	return sign
}

// Progress returns the progress of the streaming reply, "" if there is none. Unless anyway is true, it
// is "" too if the header with the progress is on the screen, as last drawn by View.
func Progress(t *Transcript, anyway bool) string {
	last := len(t.items) - 1
	if last < 0 || t.items[last].Role != Assistant || t.items[last].Status != Streaming {
		return ""
	}
	if !anyway && (itemLine{t.items[last], 0}).isShown(t) {
		return ""
	}
	return t.progress(t.items[last], t.spin)
}

// putAtRight puts detail at the right end of a line, if there is room.
func (p *pen) putAtRight(left, detail string, w int) string {
	detail = theme.OneLine(detail)
	room := w - ansi.StringWidth(left) - ansi.StringWidth(detail)
	if detail == "" || room < 2 {
		return left
	}
	return left + strings.Repeat(" ", room) + p.theme.Styles.Muted.Render(detail)
}

// reasoning returns the folded line of the reasoning, and its text below if it is open.
func (p *pen) reasoning(it *item, w int) []string {
	text := it.message().Reasoning
	if text == "" {
		return nil
	}
	g, style := p.theme.Glyphs, p.theme.Styles.Chat.Reasoning
	what := "thought"
	if it.Status == Streaming && !it.answering && it.Thought == 0 {
		what = "thinking"
		if d := p.opt.Now().Sub(it.At).Truncate(time.Second); !it.At.IsZero() && d > 0 {
			what += " for " + formatDuration(d)
		}
	}
	if it.Thought >= time.Second/10 {
		what += " for " + formatDuration(it.Thought)
	}
	if it.Tokens > 0 {
		what += " " + g.Dot + " " + theme.Plural(it.Tokens, "token")
	}
	if !it.open {
		return []string{style.Render(g.Folded + " " + what)}
	}
	return append([]string{style.Render(g.Unfolded + " " + what)}, p.quoted(style, text, w)...)
}

// formatDuration formats d: 320 ms, 4.2 s, 15 s, 1 min 5 s.
func formatDuration(d time.Duration) string {
	s := int(d.Seconds() + 0.5)
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 10*time.Second:
		return strings.TrimSuffix(d.Round(100*time.Millisecond).String(), "s") + " s"
	case s < 60:
		return fmt.Sprintf("%d s", s)
	}
	return fmt.Sprintf("%d min %d s", s/60, s%60)
}

// chips returns the lines of the attachments, as many on a line as fit.
func (p *pen) chips(chips []Chip, w int) []string {
	var out []string
	line, used := "", 0
	for _, c := range chips {
		glyph, style := p.chip(c.State)
		label := theme.OneLine(c.Label)
		if c.Detail != "" {
			label += " " + theme.OneLine(c.Detail)
		}
		label = ansi.Truncate(label, w-2, p.theme.Glyphs.Ellipsis)
		n := 2 + ansi.StringWidth(label)
		if used > 0 && used+2+n > w {
			out, line, used = append(out, line), "", 0
		}
		if used > 0 {
			line, used = line+"  ", used+2
		}
		line += style.Render(glyph) + " " + p.theme.Styles.Muted.Render(label)
		used += n
	}
	if used > 0 {
		out = append(out, line)
	}
	return out
}

func (p *pen) chip(state ChipState) (string, theme.Ink) {
	g, s := p.theme.Glyphs, p.theme.Styles
	switch state {
	case ChipAdded:
		return g.Context.Added, s.Context.Added
	case ChipActive:
		return g.Context.Active, s.Context.Active
	case ChipDrifted:
		return g.Context.Drifted, s.Context.Drifted
	case ChipImage:
		return g.Image, s.Context.Added
	case ChipMissing:
		return g.Cross, s.Bad
	}
	return g.Context.Library, s.Context.Library
}

// mark returns the lines that say that a reply is not complete.
func (p *pen) mark(it *item, w int) []string {
	what := ""
	switch it.Status {
	case Streaming:
		if it.writing == "" {
			return nil
		}
		return append([]string{""}, p.theme.Hanging(p.theme.Styles.Accent, p.theme.Glyphs.Dot+" ",
			it.writing+p.theme.Glyphs.Ellipsis, w)...)
	case Cancelled:
		what = "stopped here"
	case CutOff:
		what = "cut off at the model's length limit"
	case Filtered:
		what = "ended here by the provider's filter"
	case Failed:
		what = "interrupted here"
	default:
		return nil
	}
	out := p.theme.Hanging(p.theme.Styles.Warn, p.theme.Glyphs.Alert+" ", what, w)
	return append(out, p.adviceLines(it.Fix, w)...)
}

// variant returns the line with the number of the shown variant, nil if there is only one.
func (p *pen) variant(v Variant) []string {
	if v.Of < 2 {
		return nil
	}
	s, g := p.theme.Styles, p.theme.Glyphs
	return []string{
		s.Accent.Render(g.Prev) + s.Muted.Render(fmt.Sprintf(" %d/%d ", v.N, v.Of)) + s.Accent.Render(g.Next),
	}
}

// adviceLines returns the lines of the advice what to do next.
func (p *pen) adviceLines(text string, w int) []string {
	if text == "" {
		return nil
	}
	return p.theme.Hanging(p.theme.Styles.Text, "  ", text, w)
}

// quoted returns text beside a bar.
func (p *pen) quoted(style theme.Ink, text string, w int) []string {
	bar := p.theme.Styles.Border.Render(p.theme.Glyphs.Quote) + " "
	out := p.theme.Hanging(style, "", text, w-2)
	for i, l := range out {
		out[i] = bar + l
	}
	return out
}
