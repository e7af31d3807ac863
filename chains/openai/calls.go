package openai

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"strconv"

	"ibid/context/prompt"
)

// callSet puts tool calls together from their pieces, in the order in which
// they first appear.
type callSet struct {
	calls []*partialCall
}

type partialCall struct {
	index     int // the server's number, -1 if it gives none
	id        string
	name      string
	arguments []byte
	extra     json.RawMessage // what the server wants back with the call
}

// add takes one piece.
func (s *callSet) add(d callDelta) {
	f := d.Function
	if f == nil {
		f = &callFunction{}
	}
	c := s.find(d, string(f.Name), f.Arguments)
	if c.id == "" {
		c.id = string(d.ID)
	}
	switch name := string(f.Name); {
	case c.name == "":
		c.name = name
	case name != "" && name != c.name && d.ID == "" && len(c.arguments) == 0:
		c.name += name // a server that streams names
	}
	if present(d.Extra) {
		c.extra = bytes.Clone(d.Extra)
	}
	piece := argumentBytes(f.Arguments)
	if len(piece) > 0 && json.Valid(c.arguments) && bytes.Equal(c.arguments, piece) {
		return // the whole call again, at the end of the stream
	}
	c.arguments = append(c.arguments, piece...)
}

// argumentBytes reads arguments as a string of JSON, or as JSON itself.
func argumentBytes(raw json.RawMessage) []byte {
	switch {
	case !present(raw):
		return nil
	case raw[0] == '"':
		return []byte(text(raw))
	}
	return raw
}

// find is the call that a piece belongs to. A number decides unless it is
// used for two ids, which some servers do; then the id decides. Without
// either, a name begins a call and anything else continues the last one.
func (s *callSet) find(d callDelta, name string, arguments json.RawMessage) *partialCall {
	index, id := d.Index.count(), string(d.ID)
	for i := len(s.calls) - 1; i >= 0; i-- {
		c := s.calls[i]
		switch {
		case index >= 0 && c.index == index:
			if id == "" || c.id == "" || id == c.id {
				return c
			}
			return s.begin(index)
		case index >= 0:
			continue
		case id != "" && c.id == id:
			return c
		case id == "" && i == len(s.calls)-1 && continues(c, name, arguments):
			return c
		}
	}
	return s.begin(index)
}

// continues says whether a piece without number and id belongs to c.
func continues(c *partialCall, name string, arguments json.RawMessage) bool {
	if name == "" {
		return true
	}
	whole := len(arguments) > 0 && json.Valid(argumentBytes(arguments))
	return name == c.name && !json.Valid(c.arguments) && !whole
}

func (s *callSet) begin(index int) *partialCall {
	c := &partialCall{index: index}
	s.calls = append(s.calls, c)
	return c
}

// complete is the calls for the caller, with an id each. Pieces that never got
// a name are no calls.
func (s *callSet) complete(replyID string) []prompt.ToolCall {
	var out []prompt.ToolCall
	for i, c := range s.calls {
		if c.name == "" {
			continue
		}
		args := string(bytes.TrimSpace(c.arguments))
		if args == "" {
			args = "{}"
		}
		if c.id == "" {
			c.id = makeCallID(replyID, i, c.name, args)
		}
		out = append(out, prompt.ToolCall{ID: c.id, Name: c.name, Arguments: args})
	}
	return out
}

// makeCallID names a call that the server left without an id. Nine letters and
// digits is the one form that every server takes back.
func makeCallID(replyID string, i int, name, args string) string {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789"
	sum := sha256.Sum256([]byte(replyID + "\x00" + strconv.Itoa(i) + "\x00" + name + "\x00" + args))
	id := make([]byte, 9)
	for k := range id {
		id[k] = letters[int(sum[k])%len(letters)]
	}
	return string(id)
}
