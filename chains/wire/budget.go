package wire

import (
	"bytes"
	"encoding/json"
	"iter"
	"strings"
	"unicode"

	"ibid/chains"
	"ibid/vault/md"
)

// tally counts what was handed out of a reply, on which the error about an incomplete one depends, and its bytes and
// calls against its limits, see chains.MaxText.
type tally struct {
	Shown    bool // anything was handed out
	Said     bool // text was
	Thought  bool // reasoning was
	Thinking int  // bytes of reasoning; a protocol that keeps more of it than it hands out adds that
	Usage    *chains.Usage
	Alien    string // beginning of the first thing that is no part of a reply

	words  int
	inWord bool

	text, arguments, calls int

	kept int    // bytes counted after the previous chunk
	full string // limit that was exceeded, in words: the reply ends after this chunk
}

// Call counts a call and reports whether it is within the limit.
func (t *tally) Call() bool {
	t.calls++
	return t.calls <= chains.MaxCalls
}

// Argument counts bytes of the arguments of a call. If they exceed the limit, it returns true, and the reply ends
// after this chunk.
func (t *tally) Argument(bytes int) (long bool) {
	if t.arguments += bytes; t.arguments > chains.MaxArguments {
		t.full, long = "1 MB of arguments", true
	}
	return long
}

// takeDelta counts a piece of a reply and cuts it to the limits. It reports whether the chunk brought anything of the
// reply.
func (t *tally) takeDelta(d *chains.Delta) (some bool) {
	within := func(piece string, had *int, what string) string {
		*had += len(piece)
		over := *had - chains.MaxText
		if over <= 0 {
			return piece
		}
		t.full = "4 MB of " + what
		return strings.ToValidUTF8(piece[:max(0, len(piece)-over)], "")
	}
	d.Text, d.Reasoning = within(d.Text, &t.text, "text"), within(d.Reasoning, &t.Thinking, "thinking")
	t.Said, t.Thought = t.Said || d.Text != "", t.Thought || d.Reasoning != ""
	t.Shown = t.Shown || t.Said || t.Thought
	for _, c := range d.Text {
		space := unicode.IsSpace(c)
		if !space && !t.inWord {
			t.words++
		}
		t.inWord = !space
	}
	kept := t.text + t.Thinking + t.arguments
	some, t.kept = kept > t.kept, kept
	return some
}

// describeDropped returns a notice about the part of the reply that was not read, "" if there is none.
func (t *tally) describeDropped() (said string) {
	if t.full != "" {
		said = "The reply was ended after " + t.full + ". "
	}
	if n := t.calls - chains.MaxCalls; n > 0 {
		said += md.Thousands(n) + " more calls were not read."
	}
	return strings.TrimSpace(said)
}

// KeepAlien keeps the beginning of the first thing that is no part of a reply.
func (t *tally) KeepAlien(b []byte) {
	if t.Alien == "" {
		t.Alien = plainMessage(string(b[:min(len(b), maxHead)]))
	}
}

// Elements iterates over the elements of the JSON array in raw, each valid until the next, so that a long array
// needs no memory. Any other value counts as an array of that one element.
func Elements(raw []byte) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		if len(raw) == 0 {
			return
		}
		if one := bytes.TrimSpace(raw[1:max(1, len(raw)-1)]); len(one) > 0 && raw[0] == '[' && one[0] == '{' &&
			json.Valid(one) {
			yield(one) // the usual frame
			return
		}
		d := json.NewDecoder(bytes.NewReader(raw))
		if raw[0] == '[' {
			_, _ = d.Token() // the bracket is there
		}
		for e := json.RawMessage(nil); d.More() && d.Decode(&e) == nil && yield(e); {
		}
	}
}

// Decode decodes the fields of raw that fit into v, and reports whether raw is an object.
func Decode(raw []byte, v any) bool {
	if len(raw) == 0 || raw[0] != '{' {
		return false
	}
	err := json.Unmarshal(raw, v)
	_, misfit := err.(*json.UnmarshalTypeError)
	return err == nil || misfit
}

// IsPresent reports whether raw holds something other than null.
func IsPresent(raw []byte) bool { return len(raw) > 0 && string(raw) != "null" }
