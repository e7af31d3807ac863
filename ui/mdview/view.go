package mdview

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"

	"ibid/ui/theme"
	"ibid/vault/md"
)

// maxTail is the size in bytes above which the tail is shown as source text instead of being rendered
// for every piece.
const maxTail = 8 << 10

// tailPause is the multiple of the duration of one tail rendering that must pass before the next:
// rendering the tail uses at most a fifth of one core.
const tailPause = 4

// tablePace is the time that the drawing of an open table stays while rows arrive: they may change the width
// of every column.
const tablePace = 200 * time.Millisecond

// maxTable is like maxTail for a table, which is drawn less often.
const maxTable = 64 << 10

// maxSource limits the bytes of a document that are drawn; a line tells the size of the rest. A
// document of letters in quotes takes 300 times its size in memory.
const maxSource = 96 << 10

// Options configures a View. The zero value is ready to use.
type Options struct {
	Width  int              // cells; clamped to MinWidth..MaxWidth, 0 is MaxWidth
	Beside int              // columns beside them that code and tables may use
	Now    func() time.Time // clock that times the tail; nil is time.Now
	// Scroll keeps long lines of code as one line, wider than Width; Paint draws the visible part.
	// Without it they wrap.
	Scroll bool
	Lazy   bool // code is plain in Lines until Colour
	Links  Links
}

// View is a markdown document that is still being written. It is not safe for concurrent use.
type View struct {
	layout   layout
	now      func() time.Time
	width    int
	links    *Links
	src      []byte // sanitized
	pending  string // an unfinished escape sequence or character, not yet in src
	undrawn  int    // bytes that are not drawn
	closed   []unit
	tail     int // offset in src where the closed units end
	examined int // offset in src of the end of the examined lines
	list     listState
	refs     []parser.Reference
	fence    openFence
	table    openTable
	lines    []string
	stable   int // number of lines that no tail will change
	next     time.Time
	stale    bool // lines do not show all of src
	finished bool
}

// openFence is a fence at top level that has not been closed yet.
type openFence struct {
	md.Fence
	on     bool
	indent int // spaces before the opening line; as many are removed from each line
	scan   int // offset in src of the first line that was not examined
	at     int // index in lines of its first line
}

// openTable is a tail that ends in a table, with its last drawing.
type openTable struct {
	lines []string
	drawn int // offset in src up to which lines show it
	next  time.Time
}

// New returns an empty View that renders with r.
func New(r *Renderer, o Options) *View {
	l := layout{Renderer: r, scroll: o.Scroll, lazy: o.Lazy, beside: o.Beside}
	v := &View{now: o.Now, width: MaxWidth, links: &o.Links, layout: l}
	if v.now == nil {
		v.now = time.Now
	}
	if o.Width > 0 {
		v.width = clampWidth(o.Width)
	}
	return v
}

// Append adds the next piece of the document. Pieces may be cut anywhere, even inside a character.
// Nothing is rendered before Lines. A finished View ignores further pieces.
func (v *View) Append(text string) {
	if text == "" || v.finished {
		return
	}
	clean, held := theme.SanitizeChunk(v.pending + text)
	v.pending = held
	if over := len(v.src) + len(clean) - maxSource; over > 0 {
		clean = strings.ToValidUTF8(clean[:max(0, len(clean)-over)], "")
		v.undrawn += over
	}
	v.src = append(v.src, clean...)
	v.stale = v.stale || clean != ""
}

// Finish completes the document and renders it as a whole: what a reference that was defined after its use showed
// is replaced. A second call does nothing.
func (v *View) Finish() {
	if v.finished {
		return
	}
	v.src = append(v.src, theme.Sanitize(v.pending)...)
	if v.undrawn > 0 {
		v.src = fmt.Appendf(v.src, "\n\n(%d kB more are not drawn.)", v.undrawn>>10+1)
	}
	v.pending, v.finished, v.stale = "", true, false
	built := make(map[uint64]box, len(v.closed))
	for _, u := range v.closed {
		built[u.key] = u.box
	}
	v.closed = v.units(v.src[0:len(v.src)], 0, nil, listState{})
	for i := range v.closed {
		u := &v.closed[i]
		if b, ok := built[u.key]; ok {
			u.box, u.node, u.page, u.uncoloured = b, nil, nil, b.plain()
		} else {
			v.build(u)
		}
	}
	v.tail, v.fence, v.refs = len(v.src), openFence{}, nil
	v.relayout()
}

// SetWidth sets the width of the text column in cells, clamped to MinWidth..MaxWidth, and the columns
// beside it for code and tables. Nothing is parsed or styled again, only wrapped.
func (v *View) SetWidth(width, beside int) {
	if width = clampWidth(width); width == v.width && beside == v.layout.beside {
		return
	}
	v.width, v.layout.beside = width, beside
	v.relayout()
	v.next = time.Time{}
	v.stale = !v.finished
}

// Lines returns the lines of the document, wrapped as by theme.Wrap. The slice belongs to the View and
// is valid until the next call of any method. The lines of an open document may lag behind the appended
// text, see Lags.
func (v *View) Lines() []string {
	if !v.stale || v.now().Before(v.next) {
		return v.lines
	}
	start, closed := v.now(), len(v.closed)
	v.advance()
	if len(v.closed) > closed {
		start = v.now() // that work was done once, and was progress
	}
	v.lines = v.lines[:v.stable]
	v.showTail()
	end := v.now()
	v.next = end.Add(tailPause * end.Sub(start))
	v.stale = v.table.lines != nil && v.table.drawn < len(v.src)
	return v.lines
}

// Lags reports whether Lines do not show all appended text yet. The caller draws the View again some time later.
func (v *View) Lags() bool { return v.stale }

// advance closes the units that complete lines have ended.
func (v *View) advance() {
	for {
		if v.fence.on {
			if !v.scanFence() {
				return
			}
			continue
		}
		end := v.tail + lastLine(v.src[v.tail:])
		if end <= v.examined || end <= v.tail {
			return
		}
		if v.table.lines == nil || !rows(v.src[max(v.examined, v.tail):end]) {
			v.closeUnits(end)
		}
		v.examined = end
	}
}

// rows reports whether all lines of src can only continue the table above them.
func rows(src []byte) bool {
	for line := range bytes.Lines(src) {
		if line[0] != '|' {
			return false
		}
	}
	return true
}

// closeUnits parses the complete lines of the tail, up to end, and closes all units but the last. It closes
// that, too, if nothing can continue it.
func (v *View) closeUnits(end int) {
	src := v.src[v.tail:end]
	units := v.units(v.src[v.tail:end], v.tail, v.refs, v.list)
	if len(units) == 0 {
		return
	}
	last := &units[len(units)-1]
	v.refs = last.page.refs
	n := len(units) - 1
	fence, ok := fenceAt(src[last.start:])
	isFence := ok && !last.list.on && last.node.Kind() == ast.KindFencedCodeBlock
	if !isFence && isFinal(last, src) {
		n++
	}
	cut, list := end, listState{}
	if n < len(units) {
		cut, list = v.tail+last.start, last.list
	}
	v.addClosed(units[:n])
	v.tail, v.list = cut, list
	if isFence {
		fence.on, fence.at = true, len(v.lines)
		fence.scan = cut + lineEnd(v.src[cut:])
		v.openFence(fence)
	}
}

// units splits the text at an offset, see Renderer.units.
func (v *View) units(src []byte, start int, refs []parser.Reference, in listState) []unit {
	units := v.layout.units(src, start, refs, in)
	if len(units) > 0 {
		units[0].page.links, units[0].page.whole = v.links, v.finished // all units share one page
	}
	return units
}

// isFinal reports whether no following text can belong to u, the last unit of src.
func isFinal(u *unit, src []byte) bool {
	if u.list.on {
		return false
	}
	switch n := u.node.(type) {
	case *ast.Heading, *ast.ThematicBreak:
		return true
	case *ast.CodeBlock:
		return false
	case *ast.HTMLBlock:
		if n.HTMLBlockType < ast.HTMLBlockType6 {
			return n.HasClosure()
		}
	case *verbatimBlock:
		return n.closed
	case *footnote:
		return false
	}
	return blankEnd(src)
}

// addClosed adds units to the closed ones.
func (v *View) addClosed(units []unit) {
	v.lines, v.table, v.closed = v.lines[:v.stable], openTable{}, slices.Grow(v.closed, len(units))
	for i := range units {
		units[i].page.whole = true
		v.build(&units[i])
		v.lines = v.show(v.lines, v.closed, &units[i])
		v.closed = append(v.closed, units[i])
	}
	v.stable = len(v.lines)
}

// show appends the lines of u, which follows the units above.
func (v *View) show(lines []string, above []unit, u *unit) []string {
	if n := len(above); len(lines) > 0 && u.box.kind != noBox && gap(&above[n-1], u) {
		lines = append(lines, "")
	}
	u.from = len(lines)
	lines = append(lines, v.layout.linesOf(u.box, v.width)...)
	u.to = len(lines)
	return lines
}

// Closed returns the number of blocks in Lines that no appended text will change.
func (v *View) Closed() int { return len(v.closed) }

// EndOf returns the index in Lines of the end of the first n closed blocks.
func (v *View) EndOf(n int) int {
	if n = min(n, len(v.closed)); n <= 0 {
		return 0
	}
	return v.closed[n-1].to
}

// LinesOf returns the range of Lines that shows the bytes start..end of the text, 0, 0 if the document is
// not complete.
func (v *View) LinesOf(start, end int) (from, to int) {
	if !v.finished {
		return 0, 0
	}
	for i := range v.closed {
		if u := &v.closed[i]; u.start < end && start < u.end {
			if to == 0 {
				from = u.from
			}
			to = u.to
		}
	}
	return from, to
}

// showTail appends the lines of the tail to v.lines.
func (v *View) showTail() {
	if v.fence.on {
		// it may close the fence
		if rest := v.src[v.fence.scan:]; len(bytes.Trim(rest, " "+string(rune(v.fence.Char)))) > 0 {
			v.lines = append(v.lines, v.fenceLine(string(rest))...)
		}
		return
	}
	tail := v.src[v.tail:]
	if limit := v.table.limit(); len(tail) > limit {
		v.lines = append(v.linesWithBlank(), v.verbatim(tail)...)
		return
	}
	if v.table.lines != nil && v.now().Before(v.table.next) {
		v.lines = append(v.lines, v.table.lines...)
		return
	}
	units := v.units(mendText(tail), v.tail, v.refs, v.list)
	above := v.closed
	isTable := false
	for i := range units {
		u := &units[i]
		isTable = u.node.Kind() == east.KindTable
		v.build(u)
		v.lines = v.show(v.lines, above, u)
		above = units[:i+1]
	}
	if v.table = (openTable{}); isTable {
		v.table = openTable{slices.Clone(v.lines[v.stable:]), len(v.src), v.now().Add(tablePace)}
	}
}

// limit returns the size of a tail above which it is shown as source text.
func (t *openTable) limit() int {
	if t.lines != nil {
		return maxTable
	}
	return maxTail
}

// linesWithBlank returns v.lines with the blank line that separates the tail.
func (v *View) linesWithBlank() []string {
	if len(v.lines) == 0 {
		return v.lines
	}
	return append(v.lines, "")
}

// verbatim returns the lines of source text.
func (v *View) verbatim(text []byte) []string {
	var out []string
	for l := range strings.Lines(expandTabs(string(text))) {
		out = append(out, wrapText(strings.TrimSuffix(l, "\n"), v.width)...)
	}
	return out
}

// relayout lays out the closed units again.
func (v *View) relayout() {
	v.lines, v.table = v.lines[:0], openTable{}
	for i := range v.closed {
		v.lines = v.show(v.lines, v.closed[:i], &v.closed[i])
	}
	v.stable = len(v.lines)
	if v.fence.on {
		f := v.fence
		f.scan, f.at = v.tail+lineEnd(v.src[v.tail:]), len(v.lines)
		v.openFence(f)
	}
}

// openFence shows the first line of a fence that starts at the tail.
func (v *View) openFence(f openFence) {
	info := strings.TrimSpace(string(v.src[v.tail:f.scan]))
	info = strings.TrimLeft(info, string(rune(f.Char)))
	v.fence = f
	v.lines = append(v.linesWithBlank(), v.layout.linesOf(box{
		kind: codeBox,
		head: theme.OneLine(strings.TrimSpace(info)),
	}, v.width)...)
	v.stable = len(v.lines)
}

// scanFence shows the new complete lines of the open fence, plain, and reports whether one of them
// closed it.
func (v *View) scanFence() bool {
	v.lines = v.lines[:v.stable]
	for {
		n := lineEnd(v.src[v.fence.scan:])
		if n == 0 {
			v.stable = len(v.lines)
			return false
		}
		line := v.src[v.fence.scan : v.fence.scan+n]
		v.fence.scan += n
		if v.fence.closes(line) {
			break
		}
		v.lines = append(v.lines, v.fenceLine(string(line))...)
	}
	end := v.fence.scan
	v.lines, v.stable = v.lines[:v.fence.at], v.fence.at
	units := v.units(v.src[v.tail:end], v.tail, v.refs, listState{})
	v.fence = openFence{}
	v.addClosed(units)
	v.tail, v.examined = end, end
	return true
}

// fenceLine lays out one line of an open fence as in its closed form.
func (v *View) fenceLine(line string) []string {
	line = strings.TrimSuffix(line, "\n")
	for i := 0; i < v.fence.indent && strings.HasPrefix(line, " "); i++ {
		line = line[1:]
	}
	return v.layout.code(expandTabs(line), v.width)
}

// fenceAt returns the fence that opens on the first line of src.
func fenceAt(src []byte) (openFence, bool) {
	rest := bytes.TrimLeft(src, " ")
	if len(rest) == 0 || rest[0] != '`' && rest[0] != '~' {
		return openFence{}, false
	}
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	f, ok := md.FenceOf(string(line))
	indent := len(src) - len(rest)
	return openFence{Fence: f, indent: indent}, ok && indent <= 3
}

// closes reports whether line closes f.
func (f *openFence) closes(line []byte) bool {
	g, ok := fenceAt(line)
	return ok && g.Closes(f.Fence)
}

// lastLine returns the offset after the last newline of src, 0 without one.
func lastLine(src []byte) int { return bytes.LastIndexByte(src, '\n') + 1 }

// lineEnd returns the length of the first line of src with its newline, 0 if it is not complete.
func lineEnd(src []byte) int { return bytes.IndexByte(src, '\n') + 1 }

// blankEnd reports whether the last line of src, which is complete, is blank.
func blankEnd(src []byte) bool {
	line := src[:len(src)-1]
	return len(trimBlank(line[lastLine(line):])) == 0
}
