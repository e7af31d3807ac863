package cite

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ibid/vault/md"
)

// Catalogue knows the sources of a chat, and what the marks of a reply may be besides references to them.
type Catalogue interface {
	// Any reports whether the chat has sources: without, footnotes are just footnotes.
	Any() bool
	// Later reports whether Any may become true by the end of this part of the reply.
	Later() bool
	// Given reports whether a source has this number.
	Given(number int) bool
	// Quoted reports whether a footnote with this number stands in a text that was sent.
	Quoted(number int) bool
	// Defined reports whether a text that was sent defines a footnote in these words.
	Defined(number int, as string) bool
	// Bare reports whether a mark of this number without its sign stands in a text that was sent.
	Bare(number int) bool
}

// Checker checks the references of a reply while it streams:
//
//   - A mark of a source that was never sent is taken out, and so are its definitions.
//   - A definition of a source that was sent is taken out: the list below the reply has the source itself. The heading
//     or rule above a list that is taken out goes, too.
//   - A mark in another form becomes a footnote, if it has numbers of sources and stands like one.
//   - Code, formulas, links, tags, proposals of notes, and footnotes of texts that were sent stay as they are.
//
// The text in front of a call that finds the first sources of a chat can cite none either, so that its beginning is
// held back from the first footnote on.
//
// Text is held back only as long as it is not decided. The result does not depend on how the reply is cut. A Checker
// is for one goroutine.
type Checker struct {
	Catalogue Catalogue
	Findings

	lines   lineReader // state before the line
	line    []byte     // beginning of the line, at most maxLine bytes
	lineEnd []byte     // its last bytes, if it is longer
	kind    lineKind
	begun   bool   // this part of the reply has begun
	checks  bool   // there are sources
	waiting []byte // text from the first footnote on, if there may be sources later
	waited  bool   // it became too long to wait for them

	// A stretch of running text: buf[:read] belongs to it, buf[:sent] was returned, and the marks in buf[:at] are
	// decided. lead is what comes before buf in its first line.
	buf       []byte
	read      int
	sent      int
	at        int
	lead      []byte
	unchecked bool // the rest of the stretch stays as it is

	tail    []byte // blank lines, rule and heading behind the last stretch, which may belong to a list of sources
	heading bool   // there is a heading of a list in tail
	rule    bool   // there is a rule in tail
	listed  bool   // a definition behind tail was taken out
	listing bool   // the last line was one

	out      []byte
	returned int // bytes that were returned before out
}

// Findings are the numbers that a Checker found, each once, in the order of the reply.
type Findings struct {
	Struck []int // that were taken out, because no source has them
	Listed []int // of sources, whose definitions were taken out
	Kept   []int // of footnotes that are none of the sources, and were kept

	StruckAt []int // offsets in what was returned at which marks were taken out
}

// lineKind says whether a line stays.
type lineKind byte

const (
	unknownLine lineKind = iota // its beginning does not tell yet
	textLine                    // part of the stretch
	otherLine                   // it stays as it is
	droppedLine                 // a definition that is taken out
)

const (
	maxLine = 4 << 10 // bytes of a line that tell its kind
	maxHeld = 8 << 10 // bytes that are held back
	maxLead = 200     // bytes of a line in front of a mark
	maxWait = 1000    // bytes behind a footnote that may be text in front of a call
)

// Write takes the next piece of the reply and returns the text that is decided.
func (c *Checker) Write(piece string) string {
	if !c.begun {
		c.begin()
	}
	if !c.checks {
		piece = c.wait(piece)
		c.Skip(piece)
		return piece
	}
	c.buf = append(c.buf, piece...)
	c.readLines(false)
	c.scan(false)
	return c.take()
}

// begin begins a part of the reply.
func (c *Checker) begin() {
	c.begun = true
	c.waited = false
	c.checks = c.Catalogue.Any()
	c.goOn()
}

// wait returns the part of the text that stays as it is even if there will be sources.
func (c *Checker) wait(piece string) string {
	if c.waited || !c.Catalogue.Later() {
		return piece
	}
	c.waiting = append(c.waiting, piece...)
	from := footnoteForm.FindIndex(c.waiting)
	if from == nil {
		from = []int{len(c.waiting)}
	}
	at := from[0] - len(leadOf(string(c.waiting[max(0, from[0]-maxLead):from[0]])))
	if len(c.waiting)-at > maxWait {
		c.waited = true
		at = len(c.waiting)
	}
	piece = string(c.waiting[:at])
	c.waiting = c.waiting[:copy(c.waiting, c.waiting[at:])]
	return piece
}

// checkWaiting checks text that waited, in the line that it stands in, and closes the part of the reply.
func (c *Checker) checkWaiting(text string) string {
	line := string(c.line)
	c.forgetLine()
	c.begin()
	c.buf = append(c.buf, line...)
	c.sent = len(line)
	return c.Write(text) + c.Close()
}

// footnoteForm matches a footnote with a number, or its beginning at the end of the text.
var footnoteForm = regexp.MustCompile(`\[(?:$|\^(?:$|\d{1,9}(?:$|[\],;])))`)

// Close ends the reply, or a part of it, and returns the rest.
func (c *Checker) Close() string {
	c.begun = false
	if !c.checks {
		waiting := string(c.waiting)
		c.waiting = c.waiting[:0]
		if waiting == "" || !c.Catalogue.Any() {
			c.Skip(waiting)
			return waiting
		}
		return c.checkWaiting(waiting)
	}
	c.readLines(true)
	c.finish()
	if c.listed {
		c.tail = c.tail[:0]
	}
	c.flush()
	c.goOn()
	return c.take()
}

// goOn prepares for text behind what was returned, which may be in the middle of a line.
func (c *Checker) goOn() {
	c.lead = append(c.lead[:0], c.line...)
	if len(c.line) > 0 && c.kind != otherLine {
		c.kind = textLine
	}
}

// Skip takes text that stays as it is.
func (c *Checker) Skip(text string) {
	c.returned += len(text)
	for line := range strings.Lines(text) {
		c.addToLine([]byte(line))
		if strings.HasSuffix(line, "\n") {
			c.endLine()
		}
	}
}

func (c *Checker) take() string {
	out := string(c.out)
	c.returned += len(out)
	c.out = c.out[:0]
	return out
}

func (c *Checker) addToLine(text []byte) {
	n := min(len(text), maxLine-len(c.line))
	c.line = append(c.line, text[:n]...)
	if rest := text[n:]; len(rest) > 0 {
		c.lineEnd = append(c.lineEnd, rest[max(0, len(rest)-maxLead):]...)
		c.lineEnd = c.lineEnd[max(0, len(c.lineEnd)-maxLead):]
	}
}

func (c *Checker) endLine() {
	c.lines.read(strings.TrimRight(string(c.line)+string(c.lineEnd), "\r\n"))
	c.forgetLine()
}

// forgetLine prepares for the beginning of a line.
func (c *Checker) forgetLine() {
	c.line = c.line[:0]
	c.lineEnd = c.lineEnd[:0]
	c.kind = unknownLine
}

// readLines sorts the lines behind buf[:read]: it adds those of running text to the stretch. At a line that ends the
// stretch it decides the stretch first.
func (c *Checker) readLines(final bool) {
	for c.read < len(c.buf) {
		rest := c.buf[c.read:]
		end := bytes.IndexByte(rest, '\n') + 1
		whole := end > 0
		if !whole {
			end = len(rest)
		}
		if c.kind == unknownLine {
			c.beginLine(string(rest[:end]), whole || final)
			if c.kind == unknownLine {
				return
			}
			rest = c.buf[c.read:]
		}
		c.addToLine(rest[:end])
		switch c.kind {
		case textLine:
			c.read += end
		case otherLine:
			c.out = append(c.out, rest[min(c.sent, end):end]...)
			c.drop(end)
		default:
			c.drop(end)
		}
		if whole {
			c.endLine()
		}
	}
}

// drop removes the first n bytes of buf, which are a whole stretch or none of it.
func (c *Checker) drop(n int) {
	c.buf = c.buf[n:]
	c.sent = max(0, c.sent-n)
	c.lead = c.lead[:0]
}

// beginLine decides what becomes of a line, unless its beginning does not tell. It decides a very long one by its
// beginning.
func (c *Checker) beginLine(begun string, whole bool) {
	line := strings.TrimRight(begun, "\r\n")
	blank := unindented(line) == ""
	decided := whole || len(line) > maxLine
	if c.lines.inBlock() {
		decided = decided || !blank
	} else {
		decided = decided || lineIsDecided(line, c.heading)
	}
	if !decided {
		return
	}
	wasListing := c.listing
	c.listing = false
	switch {
	case !c.lines.isText(line, whole):
		c.finish()
		c.flush()
		c.kind = otherLine
	case whole && (blank || md.Rule(line) || headsList(line)):
		c.finish()
		c.addToTail(begun, line)
		c.kind = droppedLine // it is in tail
	case c.takesOut(line, wasListing):
		c.finish()
		c.listed = true
		c.listing = true
		c.kind = droppedLine
	default:
		if c.read == 0 || beginsStretch(line) {
			c.finish()
			c.flush()
		}
		c.kind = textLine
	}
}

// addToTail adds a blank line, a rule or a heading of a list to what may stand above a list of sources.
func (c *Checker) addToTail(begun, line string) {
	rule := md.Rule(line)
	heading := headsList(line)
	if rule && c.rule || heading && c.heading {
		c.flush()
	}
	if unindented(line) == "" && c.listed && strings.HasSuffix(string(c.tail), "\n\n") {
		return // a blank line behind a definition that had one in front of it
	}
	c.rule = c.rule || rule
	c.heading = c.heading || heading
	c.tail = append(c.tail, begun...)
}

// flush returns what stands behind the last stretch.
func (c *Checker) flush() {
	c.out = append(c.out, c.tail...)
	c.tail = c.tail[:0]
	c.heading = false
	c.rule = false
	c.listed = false
}

// takesOut reports whether a line is to be taken out: a definition of a source, an invented one, or, behind another,
// a further line of it, which is indented.
func (c *Checker) takesOut(line string, behindAnother bool) bool {
	if columns, _ := md.Indent(line); behindAnother && columns >= 2 {
		return true
	}
	m := definitionForm.FindStringSubmatch(line)
	signed := m != nil
	if !signed && c.heading {
		m = listedForm.FindStringSubmatch(line)
	}
	if m == nil {
		return false
	}
	n, _ := strconv.Atoi(m[1]) // at most nine digits
	switch given := c.Catalogue.Given(n); {
	case !signed && !given:
		return false
	case signed && c.Catalogue.Defined(n, m[2]):
		c.keep(n)
		return false
	case given:
		c.Listed = addOnce(c.Listed, n)
	case c.Catalogue.Quoted(n):
		c.keep(n)
		return false
	default:
		c.Struck = addOnce(c.Struck, n)
	}
	return true
}

func (c *Checker) keep(n int) { c.Kept = addOnce(c.Kept, n) }

func addOnce(list []int, n int) []int {
	if slices.Contains(list, n) {
		return list
	}
	return append(list, n)
}

// finish decides the whole stretch and returns it. White space at its end goes to tail.
func (c *Checker) finish() {
	if c.read == 0 {
		return
	}
	c.scan(true)
	c.tail = append(c.tail, c.buf[c.sent:c.read]...)
	c.drop(c.read)
	c.at = 0
	c.read = 0
	c.unchecked = false
}

// scan decides the marks of the stretch as far as it can, and returns the text in front of those that are open.
func (c *Checker) scan(final bool) {
	text := string(c.buf[:c.read])
	s := scanner{text: text, at: c.at, partial: !final}
	if c.unchecked {
		s.at = len(text)
	}
	for {
		r, ok := s.run()
		if !ok {
			break
		}
		c.decide(&r, text)
	}
	if len(text)-s.at > maxHeld {
		c.unchecked = true
		s.at = len(text)
	}
	c.at = s.at
	if final {
		c.release(len(strings.TrimRight(text, " \t\r\n")))
		return
	}
	c.release(heldFrom(text, s.at))
	c.forget()
}

// release returns the text before an offset.
func (c *Checker) release(to int) {
	if to > c.sent {
		c.out = append(c.out, c.buf[c.sent:to]...)
		c.sent = to
	}
}

// forget drops the text of the stretch that is decided and was returned, except for the beginning of its last line.
func (c *Checker) forget() {
	n := min(c.at, c.sent)
	c.lead = append(c.lead, c.buf[:n]...)
	from := bytes.LastIndexByte(c.lead, '\n') + 1
	if len(c.lead) > 3*maxLead { // its end tells what a mark stands behind
		from = max(from, len(c.lead)-2*maxLead)
	}
	c.lead = c.lead[:copy(c.lead, c.lead[from:])]
	c.buf = c.buf[n:]
	c.at -= n
	c.read -= n
	c.sent -= n
}

// decide writes the marks of a run in text, which is the stretch.
func (c *Checker) decide(r *run, text string) {
	for len(r.marks) > 0 && r.marks[0].from < c.sent { // they were returned before there were sources
		r.marks = r.marks[1:]
		r.joints = r.joints[1:]
	}
	if len(r.marks) == 0 {
		return
	}
	first, last := r.marks[0], r.marks[len(r.marks)-1]
	var written strings.Builder
	behindMark := false
	likeFootnote := false
	for i, m := range r.marks {
		if r.joints[i] != "" || i == 0 {
			likeFootnote = m.standsLikeFootnote(c.lineBefore(text[:m.from]), text[last.to:])
		}
		form := c.checked(&m, text[m.from:m.to], likeFootnote)
		if form == "" {
			continue
		}
		if behindMark {
			written.WriteString(r.joints[i])
		}
		written.WriteString(form)
		behindMark = true
	}
	from, to := first.from, last.to
	if !behindMark {
		from, to = c.around(text, from, to, r.spaces)
	}
	c.release(from)
	if !behindMark {
		c.StruckAt = append(c.StruckAt, c.returned+len(c.out))
	}
	c.out = append(c.out, written.String()...)
	c.sent = to
}

// lineBefore returns the line in front of a mark, of a long one only the end.
func (c *Checker) lineBefore(text string) string {
	before := tail(text, 2*maxLead)
	if i := strings.LastIndexByte(before, '\n'); i >= 0 {
		return before[i+1:]
	}
	if len(text) > len(before) {
		return before
	}
	return string(c.lead) + before
}

// around widens the place of marks that are taken out by the space in front of them, or behind them at the beginning
// of a line, and by brackets with nothing else in them.
func (c *Checker) around(text string, from, to, spaces int) (int, int) {
	for _, w := range wrappers {
		if strings.HasSuffix(text[:from], w.open) && strings.HasPrefix(text[to:], w.close) {
			from -= len(w.open)
			to += len(w.close)
			spaces = 0
			break
		}
	}
	if strings.TrimSpace(c.lineBefore(text[:from])) == "" {
		return from, to + spaces
	}
	return len(strings.TrimRight(text[:from], " ")), to
}

// checked returns what is written for a mark, "" if it is taken out.
func (c *Checker) checked(m *mark, as string, likeFootnote bool) string {
	if m.form != signedForm {
		other := func(n int) bool { return !c.Catalogue.Given(n) || c.Catalogue.Bare(n) }
		if !likeFootnote || slices.ContainsFunc(m.numbers, other) {
			return as
		}
		return references(m.numbers)
	}
	var kept []int
	for _, n := range m.numbers {
		switch {
		case c.Catalogue.Given(n):
			kept = append(kept, n)
		case c.Catalogue.Quoted(n):
			c.keep(n)
			kept = append(kept, n)
		default:
			c.Struck = addOnce(c.Struck, n)
		}
	}
	if len(kept) == 1 && len(m.numbers) == 1 {
		return as
	}
	return references(kept)
}
