package calltext

import (
	"bytes"
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

	out    []byte    // what Write returns
	passed []byte    // text that code has not read
	code   md.Fences // where the fences are, up to passed
}

type state uint8

const (
	starting state = iota // at the beginning of a line, or behind what may be one
	passing               // in the rest of a line
	calling               // in a call
)

// lookAhead is how much of a line is looked at to tell that it begins no call.
const lookAhead = 64

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
	if r.over {
		return ""
	}
	out := r.out[:0]
	from := 0 // what of piece is not in out yet begins here
	for i := 0; i < len(piece); {
		switch {
		case r.state == passing:
			n := strings.IndexByte(piece[i:], '\n')
			if n < 0 {
				i = len(piece)
				continue
			}
			i += n + 1
			r.state = starting
		case r.isText(piece[i:]):
			r.state = passing
		default:
			r.passed = append(r.passed, piece[from:i]...)
			out = r.step(append(out, piece[from:i]...), piece[i])
			i++
			if from = i; r.over {
				from = len(piece)
				i = from
			}
		}
	}
	r.passed = append(r.passed, piece[from:]...)
	if from == 0 {
		return piece
	}
	r.out = append(out, piece[from:]...)
	return string(r.out)
}

// isText reports whether it is plain at once that no call begins here.
func (r *Reader) isText(piece string) bool {
	if r.state != starting || len(r.held) > 0 || r.behind || r.tail != nil {
		return false
	}
	if strings.IndexByte(" <[{`", piece[0]) < 0 {
		return true
	}
	if len(piece) > lookAhead {
		piece = piece[:lookAhead]
	}
	line, _, _ := strings.Cut(piece, "\n")
	_, v, _ := r.names.open(line, false)
	return v == isText
}

// pass lets text through, unless it stands behind calls.
func (r *Reader) pass(out []byte, text []byte) []byte {
	r.state, r.behind = passing, false
	if len(r.calls) > 0 {
		r.over = true
		return out
	}
	if len(text) > 0 && text[len(text)-1] == '\n' {
		r.state = starting
	}
	r.passed = append(r.passed, text...)
	return append(out, text...)
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
func (r *Reader) step(out []byte, c byte) []byte {
	switch {
	case r.over:
		return out
	case r.state == passing:
		return r.pass(out, []byte{c})
	case r.state == calling:
		return r.inCall(out, c)
	case len(r.held) == 0 && r.tail != nil && space(c):
		r.tail = append(r.tail, c)
		return out
	case len(r.held) == 0 && r.behind && (space(c) || c == ';' || c == ','):
		return out
	}
	r.held = append(r.held, c)
	f, v, used := r.names.open(string(r.held), r.behind)
	if (v == opens || v == results) && r.inCode() {
		v = isText
	}
	switch v {
	case results:
		r.takeTail()
		r.held, r.over = nil, true
		return out
	case mayOpen:
		return out
	case closes:
		return r.again(out, used)
	case opens:
		return r.begin(out, f)
	}
	return r.noCall(out)
}

// again reads what is held behind its first n bytes.
func (r *Reader) again(out []byte, n int) []byte {
	rest := bytes.Clone(r.held[n:])
	r.held = r.held[:0]
	for _, c := range rest {
		out = r.step(out, c)
	}
	return out
}

// noCall lets the first line of what is held through, and reads the rest again.
func (r *Reader) noCall(out []byte) []byte {
	out = r.noTail(out)
	n := bytes.IndexByte(r.held, '\n') + 1
	if n == 0 {
		n = len(r.held)
	}
	out = r.pass(out, r.held[:n])
	return r.again(out, n)
}

// noTail lets through what would have been calls if nothing had followed.
func (r *Reader) noTail(out []byte) []byte {
	if r.tail != nil {
		tail := r.tail
		r.tail, r.ends = nil, nil
		out = r.pass(out, tail)
	}
	return out
}

// begin begins a call of which the opening is held, and perhaps more.
func (r *Reader) begin(out []byte, f form) []byte {
	if !f.tail {
		r.takeTail()
	}
	r.form, r.scan, r.state = f, scan{value: f.value}, calling
	body := bytes.Clone(r.held[f.begin:])
	r.held = r.held[:f.begin]
	if f.whole != "" {
		return r.done(out, []Call{{f.name, f.whole}})
	}
	for _, c := range body {
		out = r.step(out, c)
	}
	return out
}

// takeTail makes calls of what stands at the end.
func (r *Reader) takeTail() {
	r.calls = append(r.calls, r.ends...)
	r.tail, r.ends = nil, nil
}

// inCall takes one byte of a call.
func (r *Reader) inCall(out []byte, c byte) []byte {
	r.held = append(r.held, c)
	body := r.held[r.form.begin:]
	r.scan.step(c)
	n := 0 // how much of the body belongs to the call
	switch {
	case r.form.value:
		if r.scan.began == 0 && (len(body) > longestLead || !r.scan.lead(c)) {
			return r.noCall(out)
		}
		if !r.scan.balanced {
			return out
		}
		n = len(body)
	case r.form.fence.Len > 0:
		if n = r.scan.fenceEnd(body, r.form.fence); n < 0 {
			return out
		}
	default:
		if n = r.scan.tagEnd(c, body, r.form.word); n < 0 {
			if r.overrun(body) {
				return r.lastCall(out)
			}
			return out
		}
	}
	return r.end(out, n)
}

// overrun reports whether something else begins with the last byte of body, behind all
// that the call needs: its end will not come any more.
func (r *Reader) overrun(body []byte) bool {
	if !r.scan.balanced || r.scan.tags {
		return false
	}
	rest := bytes.TrimLeft(body[r.scan.size:], " \t\r\n")
	if begun := len(rest) == 1 && bytes.IndexByte([]byte("{}[](),;<`'\""), rest[0]) < 0; !begun && !slices.Contains(resultMarks, string(rest)) {
		return false
	}
	calls, _ := r.names.readBody(r.form.name, string(body[:r.scan.size]))
	return len(calls) > 0
}

// end ends a call whose body has n bytes; what of it is something else is read again.
func (r *Reader) end(out []byte, n int) []byte {
	begin := r.form.begin
	calls, used := r.read(string(r.held[begin : begin+n]))
	if len(calls) == 0 {
		return r.refuse(out)
	}
	rest := string(r.held[begin+used:])
	if i := r.names.nextTag(rest); r.form.word != "" && i >= 0 && used < n {
		r.held = append(r.held[:0], rest[i:]...)
		out = r.accept(out, calls)
		return r.again(out, 0)
	}
	return r.done(out, calls)
}

// nextTag is where in rest a tag opens another call, -1 if none does.
func (n *names) nextTag(rest string) int {
	for at := 0; ; at++ {
		i := strings.IndexByte(rest[at:], '<')
		if i < 0 {
			return -1
		}
		at += i
		if t, size := readTag(rest[at:]); size > 0 {
			if _, ok := n.callTag(t); ok {
				return at
			}
		}
	}
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
		args := strings.TrimSpace(body)
		if args == "" {
			args = "{}"
		}
		calls = []Call{{r.form.name, args}}
	}
	return calls, used
}

// accept notes calls.
func (r *Reader) accept(out []byte, calls []Call) []byte {
	r.state = starting
	if r.form.tail {
		r.ends, r.behind = append(r.ends, calls...), false
		return out
	}
	r.calls, r.behind = append(r.calls, calls...), true
	return out
}

// done ends a call that is held in whole.
func (r *Reader) done(out []byte, calls []Call) []byte {
	if r.form.tail {
		r.tail = append(r.tail, r.held...)
	}
	r.held = r.held[:0]
	return r.accept(out, calls)
}

// refuse lets what was read as a call through: it is none.
func (r *Reader) refuse(out []byte) []byte {
	out = r.noTail(out)
	held := r.held
	r.held = nil
	return r.pass(out, held)
}

// Close ends a reply that has come in whole, and returns the rest of its text. A call
// without an end is read as far as it goes.
func (r *Reader) Close() string {
	var out []byte
	for r.state == calling {
		if r.brokeOff() {
			return r.Cut()
		}
		out = r.lastCall(out)
	}
	return string(r.finish(out))
}

// brokeOff reports whether the call that is being read ends inside of a text, as where
// a mark at which the server stops stands in it.
func (r *Reader) brokeOff() bool {
	body := bytes.TrimRight(r.held[r.form.begin:], " \t\r\n")
	return r.scan.quote != 0 && !bytes.HasSuffix(body, []byte("}")) && r.scan.lostEnd(body, r.form) < 0
}

// lastCall reads a call of which no end was seen.
func (r *Reader) lastCall(out []byte) []byte {
	body := r.held[r.form.begin:]
	n := len(body)
	if i := r.scan.lostEnd(body, r.form); i >= 0 {
		n = i
	}
	calls, used := r.read(string(body[:n]))
	rest := bytes.Clone(body[used:])
	if n < len(body) {
		rest = r.form.behind(body[n:])
	}
	if len(calls) == 0 || r.form.tail && len(bytes.TrimSpace(rest)) > 0 {
		return r.refuse(out)
	}
	out = r.done(out, calls)
	r.held = append(r.held[:0], rest...)
	return r.again(out, 0)
}

// Cut ends a reply that broke off, and returns the rest of its text. A call without an
// end stays as it came: what is missing is not made up. The beginning of one is no text.
func (r *Reader) Cut() string {
	if r.state != calling {
		if strings.HasPrefix(strings.TrimLeft(string(r.held), " \t"), "<use_tool") {
			r.held = nil
		}
		return string(r.finish(nil))
	}
	body := string(r.held[r.form.begin:])
	if calls, _ := r.read(body); len(calls) > 0 {
		calls[len(calls)-1].Arguments = strings.TrimSpace(body)
		r.takeTail()
		r.calls = append(r.calls, calls...)
	}
	r.held, r.state = nil, starting
	return string(r.finish(nil))
}

// finish lets the rest through, and makes calls of what stands at the end.
func (r *Reader) finish(out []byte) []byte {
	if len(r.held) > 0 && !(r.behind && strings.Trim(string(r.held), "` ") == "") {
		out = r.noTail(out)
		out = r.pass(out, r.held)
	}
	r.held = nil
	r.takeTail()
	return out
}
