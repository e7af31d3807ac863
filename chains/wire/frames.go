package wire

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Frame is one part of a reply.
type Frame struct {
	Kind Kind
	Data []byte // valid until the next frame
}

// Kind is the kind of a frame.
type Kind byte

// The kinds of frames. Those from EndDone on end a reply.
const (
	FrameChunk  Kind = iota // JSON of the protocol
	FrameError              // error that the server sent, as JSON or text
	FrameNotice             // text of a keep-alive comment
	FrameAlien              // beginning of something that is no reply at all

	EndDone    // the server sent [DONE], or one whole JSON document
	EndEOF     // the server closed the stream properly
	EndBroken  // the connection failed; Data is the cause
	EndTimeout // nothing came for too long; Data says how long
	EndTooLong // one event exceeded maxEvent, or maxIdle bytes brought nothing
	EndFull    // the reply reached a limit, see chains.MaxText
)

const (
	maxEvent = 8 << 20   // bytes of one line, of one event, and of a reply that is not a stream
	maxIdle  = 256 << 20 // bytes without any part of a reply
	maxHead  = 4 << 10   // bytes kept of something that is no reply
	readSize = 16 << 10
)

// mode is the format of a body.
type mode int

const (
	modeUnknown mode = iota // too few bytes to tell
	modeEvents              // server-sent events
	modeLines               // JSON documents, one a line
	modeWhole               // one JSON document
	modeAlien               // anything else
)

// frames splits the bytes of a reply, cut anywhere, into frames. The frames do not depend on how the bytes are cut.
type frames struct {
	read     func(p []byte) (int, error)
	ending   func(err error) Frame // returns the last frame for an error of read
	declared bool                  // the Content-Type is event-stream
	lines    bool                  // the protocol sends one JSON document a line

	mode    mode
	store   []byte // array of buf
	buf     []byte // bytes that were read and not used yet
	idle    int    // bytes since the last part of the reply
	err     error  // error that came with the last bytes
	scanned int    // bytes of buf that were searched for the end of a line
	skipLF  bool   // the last byte used was a CR that ended a line
	event   string // event field of the incomplete event
	data    []byte // data of the incomplete event
	queue   []Frame
	started bool // a chunk or an error came
	ended   bool // the last frame is in the queue or was returned
}

// next returns the next frame, and a zero EndEOF after the last.
func (f *frames) next() Frame {
	for !f.ready() {
		if f.ended {
			return Frame{Kind: EndEOF}
		}
		f.readMore()
	}
	first := f.queue[0]
	f.queue = f.queue[:copy(f.queue, f.queue[1:])]
	return first
}

// ready reports whether the next frame needs no further read.
func (f *frames) ready() bool {
	for len(f.queue) == 0 && !f.ended && f.streams() {
		line, ok := f.line()
		if !ok {
			break
		}
		f.handleLine(line)
	}
	return len(f.queue) > 0
}

// streams reports whether the body is read line by line.
func (f *frames) streams() bool { return f.mode == modeEvents || f.mode == modeLines }

// readMore reads once, and finds out the format of the body.
func (f *frames) readMore() {
	n, err := 0, f.err
	if err == nil {
		f.makeRoom()
		at := len(f.buf)
		n, err = f.read(f.buf[at : at+readSize])
		f.buf = f.buf[:at+n]
		f.idle += n
	}
	if n > 0 { // the error counts only after these bytes
		f.err, err = err, nil
	}
	if f.mode == modeUnknown {
		f.buf = trimStart(f.buf)
		if f.mode = detectMode(f.buf, f.declared); f.mode == modeWhole && f.lines {
			f.mode = modeLines
		}
	}
	switch {
	case err != nil:
		f.finish(f.ending(err))
	case f.mode == modeAlien && len(f.buf) >= maxHead:
		f.finish(Frame{Kind: EndEOF})
	case !f.streams() && len(f.buf) > maxEvent, f.idle > maxIdle:
		f.addLastFrame(Frame{Kind: EndTooLong})
	}
}

// makeRoom makes room for readSize bytes after buf.
func (f *frames) makeRoom() {
	n := len(f.buf)
	if cap(f.buf)-n >= readSize {
		return
	}
	if cap(f.store)-n < readSize {
		f.store = make([]byte, 2*(n+readSize))
	}
	f.buf = f.store[:copy(f.store, f.buf)]
}

// bom is the UTF-8 byte order mark, which some servers on Windows send.
const bom = "\xef\xbb\xbf"

// trimStart removes what may precede the first field or brace.
func trimStart(b []byte) []byte { return bytes.TrimLeft(b, bom+blank) }

// detectMode returns the format of a body by its first bytes, after trimStart. The declared type only breaks ties,
// because servers behind proxies declare anything.
func detectMode(b []byte, declaredEvents bool) mode {
	if bytes.HasPrefix([]byte(bom), b) {
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

// line returns the next line, which ends with LF, CR or CRLF, if it was read completely.
func (f *frames) line() ([]byte, bool) {
	if f.skipLF && len(f.buf) > 0 {
		f.skipLF = false
		if f.buf[0] == '\n' {
			f.buf = f.buf[1:]
		}
	}
	i := bytes.IndexByte(f.buf[f.scanned:], '\n')
	rest := f.buf[f.scanned:]
	if i >= 0 {
		rest = rest[:i]
	}
	if j := bytes.IndexByte(rest, '\r'); j >= 0 {
		i = j
	}
	if i += f.scanned; i < f.scanned || i > maxEvent {
		if f.scanned = len(f.buf); f.scanned > maxEvent {
			f.addLastFrame(Frame{Kind: EndTooLong})
		}
		return nil, false
	}
	line := f.buf[:i]
	f.skipLF = f.buf[i] == '\r'
	f.buf, f.scanned = f.buf[i+1:], 0
	return line, true
}

// handleLine handles a complete line of an event stream, or of JSON documents.
func (f *frames) handleLine(line []byte) {
	if f.mode == modeLines {
		f.document(line)
		return
	}
	if len(line) == 0 {
		f.dispatch()
		return
	}
	switch line[0] {
	case ':':
		if text := bytes.TrimSpace(line[1:]); len(text) > 0 {
			f.addFrame(FrameNotice, text[:min(len(text), maxHead)])
		}
		return
	case '{':
		// A server that fails in the middle may send its error without the form of an event.
		if json.Valid(line) {
			f.dispatch()
			f.addFrame(FrameError, line)
		}
		return
	}
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "data":
		f.addData(value)
	case "event":
		f.event = string(bytes.TrimSpace(value))
	case "error":
		if value = bytes.TrimSpace(value); len(value) > 0 {
			f.dispatch()
			f.addFrame(FrameError, value)
		}
	}
}

// document handles a line of JSON documents.
func (f *frames) document(line []byte) {
	switch line = bytes.TrimSpace(line); {
	case len(line) == 0:
	case json.Valid(line):
		f.addFrame(FrameChunk, line)
	default:
		f.addFrame(FrameAlien, line[:min(len(line), maxHead)])
	}
}

// addData adds a data line to the event. Lines of one event belong together, but some servers forget the blank line
// between two events: a line that may begin a document after a complete document ends the event before it.
func (f *frames) addData(value []byte) {
	if len(f.data) > 0 {
		starts := len(value) > 0 && (value[0] == '{' || value[0] == '[')
		if starts && (isDone(f.data) || json.Valid(f.data)) {
			f.dispatch()
			f.data = nil // the frame holds the bytes
		} else {
			f.data = append(f.data, ' ')
		}
	}
	f.data = append(f.data, value...)
	if len(f.data) > maxEvent {
		f.addLastFrame(Frame{Kind: EndTooLong})
	}
}

// isDone reports whether an event is the last. Some servers encode the word as JSON.
func isDone(data []byte) bool { return string(bytes.Trim(data, "\" \t\r\n")) == "[DONE]" }

// dispatch ends the current event.
func (f *frames) dispatch() {
	data, event := bytes.TrimSpace(f.data), f.event
	f.data, f.event = f.data[:0], ""
	switch {
	case len(data) == 0:
	case isDone(data):
		f.addLastFrame(Frame{Kind: EndDone})
	case event == "error":
		f.addFrame(FrameError, data)
	default:
		f.addFrame(FrameChunk, data)
	}
}

// finish handles the end of the body. It is called once.
func (f *frames) finish(how Frame) {
	switch f.mode {
	case modeEvents:
		// Servers leave out the final blank line, and even the end of the last line.
		if len(f.buf) > 0 {
			f.handleLine(f.buf)
		}
		if isDone(f.data) || json.Valid(f.data) || f.event == "error" {
			f.dispatch()
		}
	case modeLines: // half a line is dropped
		if json.Valid(f.buf) {
			f.document(f.buf)
		}
	case modeWhole:
		if json.Valid(f.buf) {
			f.addFrame(FrameChunk, f.buf)
			f.addLastFrame(Frame{Kind: EndDone})
			return
		}
		fallthrough
	default:
		if how.Kind == EndEOF && len(f.buf) > 0 {
			f.addFrame(FrameAlien, f.buf[:min(len(f.buf), maxHead)])
		}
	}
	f.addLastFrame(how)
}

// addFrame adds a frame to the queue.
func (f *frames) addFrame(kind Kind, data []byte) {
	if !f.ended {
		f.started = f.started || kind == FrameChunk || kind == FrameError
		f.queue = append(f.queue, Frame{kind, data})
	}
}

// addLastFrame adds the last frame to the queue.
func (f *frames) addLastFrame(how Frame) {
	if !f.ended {
		f.queue = append(f.queue, how)
		f.ended = true
	}
}
