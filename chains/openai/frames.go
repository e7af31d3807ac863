package openai

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// The normaliser writes one line per frame, "data: " and then a mark that says
// what the rest is. The mark keeps the payload from ever looking like [DONE]
// or like an error object, which go-openai's reader would act upon by itself.
const (
	frameChunk  = '+' // a JSON object, on one line
	frameError  = '!' // what a server sent as an error, JSON or words
	frameNotice = ':' // the words of a keep-alive comment
	frameBad    = '?' // the beginning of something that is not a reply at all
	frameEnd    = '.' // the last frame: one of the end words, a space, the cause
)

// The ways in which the bytes of a reply end.
const (
	endDone    = "done"    // the server said [DONE], or sent one whole JSON object
	endEOF     = "eof"     // the server closed the stream properly
	endBroken  = "broken"  // the connection failed
	endTimeout = "timeout" // nothing came for too long
	endTooLong = "toolong" // one event exceeded maxEvent
)

const (
	maxEvent = 16 << 20 // bytes of one line, of one event, and of a reply that is not a stream
	maxHead  = 4 << 10  // bytes kept of something that is no reply
)

// mode is what the normaliser takes the body for.
type mode int

const (
	modeUnknown mode = iota // too few bytes to tell
	modeEvents              // server-sent events
	modeWhole               // one JSON document
	modeAlien               // anything else
)

// normaliser turns the bytes of a reply, cut anywhere, into frames. How the
// bytes are cut never changes the frames.
type normaliser struct {
	declaredEvents bool // the Content-Type says event stream
	mode           mode
	head           []byte // modeUnknown, modeWhole and modeAlien: what came so far
	line           []byte // modeEvents: the unfinished line
	skipLF         bool   // the last byte was a CR that already ended a line
	event          string // the event field of the unfinished event
	data           []byte // its data
	out            []byte // finished frames, not yet taken
	started        bool   // a chunk or an error was written
	ended          bool   // the end frame was written
}

// feed takes the next bytes of the body.
func (n *normaliser) feed(p []byte) {
	if n.ended || len(p) == 0 {
		return
	}
	switch n.mode {
	case modeEvents:
		n.feedEvents(p)
	case modeUnknown:
		n.head = append(n.head, p...)
		n.mode = sniff(n.head, n.declaredEvents)
		if n.mode == modeEvents {
			head := n.head
			n.head = nil
			n.feedEvents(trimStart(head))
		}
	default:
		n.head = append(n.head, p...)
	}
	switch {
	case n.mode == modeAlien && len(n.head) >= maxHead:
		n.finish(endEOF, "")
	case len(n.head) > maxEvent:
		n.end(endTooLong, "")
	}
}

// bom is the UTF-8 byte order mark, which some servers on Windows send.
const bom = "\xef\xbb\xbf"

// trimStart cuts what may stand before the first field or brace.
func trimStart(b []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(b, []byte(bom)), " \t\r\n")
}

// sniff decides what a body is by its first bytes. The declared type only
// breaks ties: servers behind proxies declare anything.
func sniff(head []byte, declaredEvents bool) mode {
	if len(head) < len(bom) && strings.HasPrefix(bom, string(head)) {
		return modeUnknown
	}
	b := trimStart(head)
	if len(b) == 0 {
		return modeUnknown
	}
	switch b[0] {
	case '{', '[':
		return modeWhole
	case '<':
		return modeAlien
	case ':':
		return modeEvents
	}
	if declaredEvents {
		return modeEvents
	}
	for _, field := range []string{"data:", "event:", "id:", "retry:", "error:"} {
		if strings.HasPrefix(string(b[:min(len(b), len(field))]), field) {
			return modeEvents
		}
		if len(b) < len(field) && strings.HasPrefix(field, string(b)) {
			return modeUnknown
		}
	}
	return modeAlien
}

// feedEvents splits p into lines that end with LF, CR or CRLF.
func (n *normaliser) feedEvents(p []byte) {
	for len(p) > 0 && !n.ended {
		if n.skipLF {
			n.skipLF = false
			if p[0] == '\n' {
				p = p[1:]
				continue
			}
		}
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			i = bytes.IndexByte(p, '\r')
		} else if j := bytes.IndexByte(p[:i], '\r'); j >= 0 {
			i = j
		}
		if i < 0 {
			n.line = append(n.line, p...)
			if len(n.line) > maxEvent {
				n.end(endTooLong, "")
			}
			return
		}
		n.skipLF = p[i] == '\r'
		line := p[:i]
		if len(n.line) > 0 {
			n.line = append(n.line, line...)
			line = n.line
		}
		p = p[i+1:]
		n.oneLine(line)
		n.line = n.line[:0]
	}
}

// oneLine takes a whole line of an event stream.
func (n *normaliser) oneLine(line []byte) {
	if len(line) == 0 {
		n.dispatch()
		return
	}
	switch line[0] {
	case ':':
		if text := bytes.TrimSpace(line[1:]); len(text) > 0 {
			n.frame(frameNotice, text)
		}
		return
	case '{':
		// A server that fails in the middle may forget that it was speaking in events.
		if json.Valid(line) {
			n.dispatch()
			n.frame(frameError, line)
		}
		return
	}
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "data":
		n.addData(value)
	case "event":
		n.event = string(bytes.TrimSpace(value))
	case "error":
		if value = bytes.TrimSpace(value); len(value) > 0 {
			n.dispatch()
			n.frame(frameError, value)
		}
	}
}

// addData adds a data line to the event. Lines of one event belong together,
// but some servers forget the blank line between two events: a line that could
// start something new after something complete ends the event before it.
func (n *normaliser) addData(value []byte) {
	if len(n.data) > 0 {
		starts := len(value) > 0 && (value[0] == '{' || value[0] == '[')
		if starts && (isDone(n.data) || json.Valid(n.data)) {
			n.dispatch()
		} else {
			n.data = append(n.data, ' ')
		}
	}
	n.data = append(n.data, value...)
	if len(n.data) > maxEvent {
		n.end(endTooLong, "")
	}
}

func isDone(data []byte) bool { return string(bytes.TrimSpace(data)) == "[DONE]" }

// dispatch ends the event that is being read.
func (n *normaliser) dispatch() {
	data, event := bytes.TrimSpace(n.data), n.event
	n.data, n.event = n.data[:0], ""
	switch {
	case len(data) == 0:
	case isDone(data):
		n.end(endDone, "")
	case event == "error":
		n.frame(frameError, data)
	default:
		n.frame(frameChunk, data)
	}
}

// finish is called once, when the body has no more bytes; how is an end word.
func (n *normaliser) finish(how, cause string) {
	if n.ended {
		return
	}
	switch n.mode {
	case modeEvents:
		n.finishEvents(how, cause)
		return
	case modeWhole:
		var line bytes.Buffer
		if json.Compact(&line, trimStart(n.head)) == nil {
			n.frame(frameChunk, line.Bytes())
			n.end(endDone, "")
			return
		}
	}
	if how == endEOF && len(bytes.TrimSpace(n.head)) > 0 {
		n.frame(frameBad, strconv.AppendQuote(nil, string(n.head[:min(len(n.head), maxHead)])))
	}
	n.end(how, cause)
}

// finishEvents hands out what the last event holds, if it is whole: servers
// leave out the blank line at the end, and even the end of the last line.
func (n *normaliser) finishEvents(how, cause string) {
	if len(n.line) > 0 {
		n.oneLine(n.line)
		n.line = nil
	}
	if isDone(n.data) || json.Valid(n.data) || n.event == "error" {
		n.dispatch()
	}
	n.end(how, cause)
}

// frame writes one frame. The payload loses its line breaks, which carry no
// meaning in JSON or in words.
func (n *normaliser) frame(mark byte, payload []byte) {
	if n.ended {
		return
	}
	n.started = n.started || mark == frameChunk || mark == frameError
	n.out = append(n.out, "data: "...)
	n.out = append(n.out, mark)
	at := len(n.out)
	n.out = append(n.out, payload...)
	for i, b := range n.out[at:] {
		if b == '\r' || b == '\n' {
			n.out[at+i] = ' '
		}
	}
	n.out = append(n.out, '\n')
}

// end writes the last frame.
func (n *normaliser) end(how, cause string) {
	if n.ended {
		return
	}
	n.frame(frameEnd, []byte(strings.TrimSpace(how+" "+cause)))
	n.ended = true
	n.line, n.data, n.head = nil, nil, nil
}
