package calltext

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"ibid/vault/md"
)

// Reader splits a reply into text and calls while it streams. The result does not depend on how the reply is cut.
// Text is held back only as long as it may still become a call, and the text of a call is never returned. The text
// ends with the calls: anything that the model writes after them, or as their results, is invented. NewReader
// returns a reader for one reply.
type Reader struct {
	names names
	calls []Call

	state  state
	behind bool   // only white space has come since a call
	over   bool   // the rest of the reply is dropped
	held   []byte // text that may become a call, or is one
	form   form   // of the call that is being read
	scan   scan
	tail   []byte // text of calls that count if nothing follows, with the white space after it
	ends   []Call // the calls in tail

	out    []byte    // text to return
	passed []byte    // text that code has not seen
	code   md.Fences // fences up to passed
}

type state uint8

const (
	starting state = iota // at the beginning of a line, or after what may be one
	passing               // in the rest of a line
	calling               // in a call
)

// NewReader returns a Reader for the reply to a request that offers these tools. With textOnly, calls of unknown
// tools count, too.
func NewReader(tools []string, textOnly bool) *Reader {
	return &Reader{names: newNames(tools, textOnly)}
}

// Calls returns the calls so far, in order.
func (r *Reader) Calls() []Call { return r.calls }

// Over reports whether the rest of the reply is to be dropped: its calls are complete and something else follows,
// or the model has begun to write their results.
func (r *Reader) Over() bool { return r.over }

// Write takes the next piece of the reply and returns the text that can be shown.
func (r *Reader) Write(piece string) string {
	r.take(piece)
	return r.shown(piece)
}

// shown returns the text to show since the last call. It mostly is a prefix of the last piece, which needs no copy.
func (r *Reader) shown(piece string) string {
	n := len(r.out)
	if n > len(piece) || string(r.out) != piece[:n] {
		piece = string(r.out)
	}
	r.out = r.out[:0]
	return piece[:n]
}

// take processes text: the rest of a line at once, anything else by the byte.
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

// reprocess keeps the first keep bytes of held and processes those after from again.
func (r *Reader) reprocess(keep, from int) {
	rest := string(r.held[from:])
	r.held = r.held[:keep]
	r.take(rest)
}

// pass returns text to the caller, unless calls precede it. Calls that would have counted only at the end of the
// reply become text, too.
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

// inCode reports whether held, at the beginning of a line, is in a code block.
func (r *Reader) inCode() bool {
	for line := range strings.Lines(string(r.passed)) {
		r.code.Line(strings.TrimSuffix(line, "\n"))
	}
	r.passed = r.passed[:0]
	return r.code.Inside(string(r.held[:len(r.held)-len(bytes.TrimLeft(r.held, " "))]))
}

// step processes one byte that may belong to a call.
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
		r.reprocess(0, used)
	case opens:
		r.begin(f)
	case isText:
		r.passFirstLine()
	}
}

// passFirstLine passes the first line of held and processes the rest again.
func (r *Reader) passFirstLine() {
	n := bytes.IndexByte(r.held, '\n') + 1
	if n == 0 {
		n = len(r.held)
	}
	r.passText(n)
}

// passText passes the first n bytes of held and processes the rest again.
func (r *Reader) passText(n int) {
	r.pass(string(r.held[:n]))
	r.reprocess(0, n)
}

// begin starts a call whose opening is in held, perhaps with more.
func (r *Reader) begin(f form) {
	if !f.tail {
		r.takeTail()
	}
	r.form, r.scan, r.state = f, scan{value: f.value}, calling
	if f.whole != "" {
		r.addCalls([]Call{{f.name, f.whole}}, f.begin)
		return
	}
	r.reprocess(f.begin, f.begin)
}

// takeTail accepts the calls at the end of the reply.
func (r *Reader) takeTail() {
	r.calls = append(r.calls, r.ends...)
	r.tail, r.ends = nil, nil
}

// inCall processes one byte of a call.
func (r *Reader) inCall(c byte) {
	r.held = append(r.held, c)
	body := r.held[r.form.begin:]
	r.scan.step(c)
	n := -1 // length of the call's body, -1 while unknown
	switch {
	case r.form.value && r.scan.balanced:
		n = len(body)
	case r.form.value:
		if r.scan.began == 0 && (len(body) > maxLead || !r.scan.lead(c)) {
			r.passFirstLine()
			return
		}
	case r.form.fence.Len > 0:
		n = r.scan.fenceEnd(body, r.form.fence)
	default:
		if n = r.scan.tagEnd(c, body, r.form.word); n < 0 && r.hasLostEnd(body) {
			r.end(r.form.lostEnd(string(body)))
			return
		}
	}
	if n >= 0 {
		r.end(n, len(body))
	}
}

// hasLostEnd reports whether the last byte of body begins something else, after everything that the call needs: then
// its end will not come.
func (r *Reader) hasLostEnd(body []byte) bool {
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

// end finishes a call with a body of n bytes. The text after it begins at next; if next is negative, at the end of
// the parsed part. Another call within the body is processed again.
func (r *Reader) end(n, next int) {
	body := string(r.held[r.form.begin:])
	calls, used := r.read(body[:n])
	if next < 0 {
		next = used
	} else if r.form.word != "" && used < n {
		next = r.names.nextTag(body, used, next)
	}
	if len(calls) == 0 || r.form.tail && strings.TrimSpace(body[next:]) != "" {
		r.passText(len(r.held))
		return
	}
	r.addCalls(calls, r.form.begin+next)
}

// nextTag returns the offset, from from on, of the next tag in text that opens a call; end if there is none.
func (n *names) nextTag(text string, from, end int) int {
	for at, t := range tagsIn(text[from:]) {
		if _, ok := n.callTag(t); ok {
			return from + at
		}
	}
	return end
}

// read parses the body of a call; used is the length of the parsed part.
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

// addCalls adds calls, and processes the bytes of held after from again.
func (r *Reader) addCalls(calls []Call, from int) {
	r.state, r.behind = starting, !r.form.tail
	if r.form.tail {
		r.tail, r.ends = append(r.tail, r.held[:from]...), append(r.ends, calls...)
	} else {
		r.calls = append(r.calls, calls...)
	}
	r.reprocess(0, from)
}

// Close ends a complete reply and returns the rest of its text. A call without an end is parsed as far as it goes,
// unless it ends within a string, for instance because the string contains a stop sequence of the server.
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

// Cut ends a reply that broke off and returns the rest of its text. A call without an end keeps its text and is not
// completed. The beginning of a call is dropped.
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

// finish passes the rest and accepts the calls at the end.
func (r *Reader) finish() string {
	if len(r.held) > 0 && !(r.behind && strings.Trim(string(r.held), "` ") == "") {
		r.pass(string(r.held))
	}
	r.held = nil
	r.takeTail()
	return r.shown("")
}
