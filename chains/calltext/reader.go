package calltext

import (
	"bytes"
	"regexp"
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
	behind bool   // only white space and closing marks have come since a call
	over   bool   // the rest of the reply is dropped
	held   []byte // text that may become a call, or is one
	call   call   // the call that is being read
	tail   []byte // text of calls that count if nothing follows, with what belongs to them
	ends   []Call // the calls in tail

	out    []byte    // text to return
	passed []byte    // text that code has not seen
	code   md.Fences // fences up to passed
}

// call is a call that is being read.
type call struct {
	form
	value mender
	at    int  // offset of the value in the body, the length of the body before the value begins
	tags  bool // its arguments are tags
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

// blanks is the white space in calls.
const blanks = " \t\r\n"

// step processes one byte that may belong to a call.
func (r *Reader) step(c byte) {
	if r.state == calling {
		r.inCall(c)
		return
	}
	r.held = append(r.held, c)
	if r.behind && len(r.held) == 1 && strings.IndexByte(blanks+",;]", c) >= 0 {
		r.skip(1)
		return
	}
	f, v, used := r.names.open(r.held, r.behind)
	if v > mayOpen && v != closes && r.inCode() {
		v = isText
	}
	switch v {
	case results:
		r.takeTail()
		r.held, r.over = nil, true
	case closes:
		r.skip(used)
	case wraps:
		r.behind, r.tail = true, append(r.tail, r.held[:f.begin]...)
		r.reprocess(0, f.begin)
	case opens:
		r.begin(f)
	case isText:
		r.passFirstLine()
	}
}

// skip drops the first n bytes of held, which belong to the call before them. Those of a call that may still become
// text are kept with it.
func (r *Reader) skip(n int) {
	if r.tail != nil {
		r.tail = append(r.tail, r.held[:n]...)
	}
	r.reprocess(0, n)
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
	r.call, r.state = call{form: f}, calling
	r.reprocess(f.begin, f.begin)
}

// takeTail accepts the calls at the end of the reply.
func (r *Reader) takeTail() {
	r.calls = append(r.calls, r.ends...)
	r.tail, r.ends = nil, nil
}

// body returns the text of the call after its opening.
func (r *Reader) body() []byte { return r.held[r.call.begin:] }

// inCall processes one byte of a call.
func (r *Reader) inCall(c byte) {
	r.held = append(r.held, c)
	call, body := &r.call, r.body()
	before := body[:len(body)-1]
	switch {
	case call.at < len(before) || beginsValue(before, c) && !call.tags:
		call.value.write(c)
	default:
		call.at = len(body)
		call.tags = call.tags || c == '>' && call.word != "" && r.names.endsWithArgument(body)
	}
	end := len(body) - len("</>") - len(call.word)
	switch {
	case call.value.done:
		r.end(len(body), len(body))
	case call.single && c == '>':
		r.end(len(body)-len("/>"), len(body))
	case call.word != "" && c == '>' && end >= 0 && strings.EqualFold(string(body[end:]), "</"+call.word+">") &&
		(call.value.ends == "" || atLineStart(body[:end])):
		r.end(end, len(body))
	case call.word == "" && call.at == len(body) && !isLead(body):
		r.passFirstLine()
	}
}

// beginsValue reports whether a character after a text begins a value: a bracket, but not after a name, as in
// localSearch[ARGS]{…}, or the parenthesis after a name in Python's syntax.
func beginsValue(before []byte, c byte) bool {
	named := len(before) > 0 && isWord(rune(before[len(before)-1]))
	return c == '{' || c == '[' && !named || c == '(' && named
}

// atLineStart reports whether only blanks follow the last line end.
func atLineStart(before []byte) bool {
	before = bytes.TrimRight(before, " \t")
	return len(before) == 0 || before[len(before)-1] == '\n'
}

// isLead reports whether a text may be between a token and its value, where a name and other tokens can be, but no
// prose.
func isLead(text []byte) bool { return len(text) <= maxLead && len(bytes.Fields(text)) < 5 }

// lastTag matches an opening tag at the end of a text.
var lastTag = regexp.MustCompile(`<([\w.]+)[^<>]*>$`)

// endsWithArgument reports whether a text ends with a tag that begins an argument, and no call.
func (n *names) endsWithArgument(text []byte) bool {
	m := lastTag.FindSubmatch(text[max(0, len(text)-maxTag):])
	return m != nil && !slices.Contains(n.tags, FoldName(string(m[1])))
}

// end finishes a call with a body of n bytes. The text after it begins at next.
func (r *Reader) end(n, next int) {
	calls := r.read(n)
	if len(calls) == 0 {
		r.passText(len(r.held))
		return
	}
	next += r.call.begin
	r.state, r.behind = starting, true
	if r.call.tail {
		r.tail, r.ends = append(r.tail, r.held[:next]...), append(r.ends, calls...)
	} else {
		r.calls = append(r.calls, calls...)
	}
	r.reprocess(0, next)
}

// read parses the first n bytes of the body.
func (r *Reader) read(n int) (calls []Call) {
	body := string(r.body()[:n])
	if r.call.tags {
		calls = r.names.readTags(r.call.name, body)
	} else {
		calls = r.names.readBody(r.call.name, body, min(r.call.at, n))
	}
	return slices.DeleteFunc(calls, func(c Call) bool {
		return !r.names.has(c.Name) && (!r.names.text || r.call.tail || c.Name == "")
	})
}

// Close ends a complete reply and returns the rest of its text. A call without an end is parsed as far as it goes,
// unless it ends within a string, for instance because the string contains a stop sequence of the server.
func (r *Reader) Close() string {
	for r.state == calling {
		body, mark := string(r.body()), "</"+r.call.word+">"
		at := strings.Index(body, mark)
		inString := r.call.value.ends != "" && r.call.value.mark == nil
		switch {
		case at >= 0:
			r.end(at, at+len(mark))
		case inString && !strings.HasSuffix(strings.TrimRight(body, blanks), "}"):
			return r.Cut()
		default:
			r.end(len(body), len(body))
		}
	}
	return r.finish()
}

// Cut ends a reply that broke off and returns the rest of its text. A call without an end keeps its text and is not
// completed. The beginning of a call is dropped.
func (r *Reader) Cut() string {
	if r.state == calling {
		body := string(r.body())
		if calls := r.read(len(body)); len(calls) > 0 {
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
