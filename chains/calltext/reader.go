package calltext

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"ibid/vault/md"
)

// Reader takes a reply as it streams and divides it into text and calls. Both are
// the same however the reply is split. Text is held back only while it may still
// become a call, and where it does is never let through. Text ends with the calls:
// what a model writes behind them, or as their results, it has made up. NewReader
// makes one for a reply.
type Reader struct {
	names names
	calls []Call

	state  state
	behind bool   // nothing but white space has come since a call
	over   bool   // the rest of the reply is no part of it
	held   []byte // what may become a call, or is one that is being read
	form   form   // of the call that is being read
	scan   scan
	tail   []byte // a call that counts if nothing follows, with the white space behind it
	ends   []Call // those in tail

	out    []byte    // text that may be shown and was not returned
	passed []byte    // text that code has not read
	code   md.Fences // where the fences are, up to passed
}

type state uint8

const (
	starting state = iota // at the beginning of a line, or behind what may be one
	passing               // in the rest of a line
	calling               // in a call
)

// NewReader makes a Reader for a reply to a request that offers tools of these
// names. Where calls come as text alone, a call of a tool that there is not is a
// call too.
func NewReader(tools []string, textOnly bool) *Reader {
	return &Reader{names: newNames(tools, textOnly)}
}

// Calls are the calls that were read so far, in order.
func (r *Reader) Calls() []Call { return r.calls }

// Over reports whether all of the reply has come that counts: its calls are whole and
// something else follows, or the model has begun to write their results.
func (r *Reader) Over() bool { return r.over }

// Write takes the next piece of the reply and returns the text that may be shown.
func (r *Reader) Write(piece string) string {
	r.take(piece)
	return r.shown(piece)
}

// shown is the text that may be shown since it was asked for last. Mostly that is the
// beginning of the piece that came, of which no copy is made.
func (r *Reader) shown(piece string) string {
	n := len(r.out)
	if n > len(piece) || string(r.out) != piece[:n] {
		piece = string(r.out)
	}
	r.out = r.out[:0]
	return piece[:n]
}

// take reads text: the rest of a line at once, all else by the byte.
func (r *Reader) take(text string) {
	for text != "" && !r.over {
		n := 1
		if r.state != passing {
			r.step(text[0])
		} else {
			if n = strings.IndexByte(text, '\n') + 1; n == 0 {
				n = len(text)
			}
			r.pass(text[:n])
		}
		text = text[n:]
	}
}

// readAgain keeps so many bytes of what is held, and reads anew what stands from a place on.
func (r *Reader) readAgain(keep, from int) {
	rest := string(r.held[from:])
	r.held = r.held[:keep]
	r.take(rest)
}

// pass lets text through, unless it stands behind calls. Those that would have counted if
// nothing had followed are text, too.
func (r *Reader) pass(text string) {
	text = string(r.tail) + text
	r.tail, r.ends = nil, nil
	r.state, r.behind = passing, false
	if len(r.calls) > 0 {
		r.over = true
		return
	}
	if strings.HasSuffix(text, "\n") {
		r.state = starting
	}
	r.passed, r.out = append(r.passed, text...), append(r.out, text...)
}

// inCode reports whether what is held, at the beginning of a line, is in a block of code.
func (r *Reader) inCode() bool {
	for line := range strings.Lines(string(r.passed)) {
		r.code.Line(strings.TrimSuffix(line, "\n"))
	}
	r.passed = r.passed[:0]
	return r.code.Inside(string(r.held[:len(r.held)-len(bytes.TrimLeft(r.held, " "))]))
}

// step takes one byte that may have to do with a call.
func (r *Reader) step(c byte) {
	switch first := len(r.held) == 0; {
	case r.state == calling:
		r.inCall(c)
		return
	case first && r.tail != nil && space(c):
		r.tail = append(r.tail, c)
		return
	case first && r.behind && (space(c) || c == ';' || c == ','):
		return
	}
	r.held = append(r.held, c)
	f, v, used := r.names.open(r.held, r.behind)
	if (v == opens || v == results) && r.inCode() {
		v = isText
	}
	switch v {
	case results:
		r.takeTail()
		r.held, r.over = nil, true
	case closes:
		r.readAgain(0, used)
	case opens:
		r.begin(f)
	case isText:
		r.noCall()
	}
}

// noCall lets the first line of what is held through, and reads the rest again.
func (r *Reader) noCall() {
	n := bytes.IndexByte(r.held, '\n') + 1
	if n == 0 {
		n = len(r.held)
	}
	r.refuse(n)
}

// refuse lets so much of what is held through, and reads the rest again.
func (r *Reader) refuse(n int) {
	r.pass(string(r.held[:n]))
	r.readAgain(0, n)
}

// begin begins a call of which the opening is held, and perhaps more.
func (r *Reader) begin(f form) {
	if !f.tail {
		r.takeTail()
	}
	r.form, r.scan, r.state = f, scan{value: f.value}, calling
	if f.whole != "" {
		r.done([]Call{{f.name, f.whole}}, f.begin)
		return
	}
	r.readAgain(f.begin, f.begin)
}

// takeTail makes calls of what stands at the end.
func (r *Reader) takeTail() {
	r.calls = append(r.calls, r.ends...)
	r.tail, r.ends = nil, nil
}

// inCall takes one byte of a call.
func (r *Reader) inCall(c byte) {
	r.held = append(r.held, c)
	body := r.held[r.form.begin:]
	r.scan.step(c)
	n := -1 // how much of the body belongs to the call
	switch {
	case r.form.value && r.scan.balanced:
		n = len(body)
	case r.form.value:
		if r.scan.began == 0 && (len(body) > longestLead || !r.scan.lead(c)) {
			r.noCall()
			return
		}
	case r.form.fence.Len > 0:
		n = r.scan.fenceEnd(body, r.form.fence)
	default:
		if n = r.scan.tagEnd(c, body, r.form.word); n < 0 && r.overrun(body) {
			r.end(r.form.lostEnd(string(body)))
			return
		}
	}
	if n >= 0 {
		r.end(n, len(body))
	}
}

// overrun reports whether something else begins with the last byte of body, behind all
// that the call needs: its end will not come any more.
func (r *Reader) overrun(body []byte) bool {
	if !r.scan.balanced || r.scan.tags {
		return false
	}
	rest := string(bytes.TrimLeft(body[r.scan.size:], blanks))
	begun := len(rest) == 1 && !strings.ContainsAny(rest, "{}[](),;<`'\"")
	if !begun && !slices.Contains(resultMarks, rest) {
		return false
	}
	calls, _ := r.names.readBody(r.form.name, string(body[:r.scan.size]))
	return len(calls) > 0
}

// end ends a call whose body has n bytes. What follows begins at next, or where the call
// was read to if that is less than 0; what of the body is another call is read again.
func (r *Reader) end(n, next int) {
	body := string(r.held[r.form.begin:])
	calls, used := r.read(body[:n])
	if next < 0 {
		next = used
	} else if r.form.word != "" && used < n {
		next = r.names.nextTag(body, used, next)
	}
	if len(calls) == 0 || r.form.tail && strings.TrimSpace(body[next:]) != "" {
		r.refuse(len(r.held))
		return
	}
	r.done(calls, r.form.begin+next)
}

// nextTag finds the place in a text, from one on, at which a tag opens another call; end if none does.
func (n *names) nextTag(text string, from, end int) int {
	for at, t := range tagsIn(text[from:]) {
		if _, ok := n.callTag(t); ok {
			return from + at
		}
	}
	return end
}

// read reads the body of a call; used is how far.
func (r *Reader) read(body string) (calls []Call, used int) {
	all, used := r.names.readBody(r.form.name, body)
	for _, c := range all {
		if r.names.has(c.Name) || r.names.text && !r.form.tail && c.Name != "" {
			calls = append(calls, c)
		}
	}
	if len(all) == 0 && r.form.name != "" {
		calls = []Call{{r.form.name, cmp.Or(strings.TrimSpace(body), "{}")}}
	}
	return calls, used
}

// done notes calls, and reads again what stands from a place on in what is held.
func (r *Reader) done(calls []Call, from int) {
	r.state, r.behind = starting, !r.form.tail
	if r.form.tail {
		r.tail, r.ends = append(r.tail, r.held[:from]...), append(r.ends, calls...)
	} else {
		r.calls = append(r.calls, calls...)
	}
	r.readAgain(0, from)
}

// Close ends a reply that has come in whole, and returns the rest of its text. A call
// without an end is read as far as it goes, unless it ends inside of a text, as where a
// mark at which the server stops stands in it.
func (r *Reader) Close() string {
	for r.state == calling {
		body := string(r.held[r.form.begin:])
		n, next := r.form.lostEnd(body)
		if r.scan.quote != 0 && next < 0 && !strings.HasSuffix(strings.TrimRight(body, blanks), "}") {
			return r.Cut()
		}
		r.end(n, next)
	}
	return r.finish()
}

// Cut ends a reply that broke off, and returns the rest of its text. A call without an
// end stays as it came: what is missing is not made up. The beginning of one is no text.
func (r *Reader) Cut() string {
	if r.state == calling {
		body := string(r.held[r.form.begin:])
		if calls, _ := r.read(body); len(calls) > 0 {
			calls[len(calls)-1].Arguments = strings.TrimSpace(body)
			r.takeTail()
			r.calls = append(r.calls, calls...)
		}
		r.held, r.state = nil, starting
	} else if strings.HasPrefix(strings.TrimLeft(string(r.held), " \t"), "<use_tool") {
		r.held = nil
	}
	return r.finish()
}

// finish lets the rest through, and makes calls of what stands at the end.
func (r *Reader) finish() string {
	if len(r.held) > 0 && !(r.behind && strings.Trim(string(r.held), "` ") == "") {
		r.pass(string(r.held))
	}
	r.held = nil
	r.takeTail()
	return r.shown("")
}
