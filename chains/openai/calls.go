package openai

import (
	"bytes"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"strconv"
	"strings"

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
	if len(piece) > 0 && bytes.Equal(c.arguments, piece) && json.Valid(piece) {
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
// either, a name begins a call and anything else continues the last one. A whole
// call behind a whole call is another one, whatever both are numbered.
func (s *callSet) find(d callDelta, name string, arguments json.RawMessage) *partialCall {
	index, id := d.Index.count(), string(d.ID)
	for i := len(s.calls) - 1; i >= 0; i-- {
		c := s.calls[i]
		switch {
		case index >= 0 && c.index == index:
			if (id == "" || c.id == "" || id == c.id) && !c.followedBy(name, arguments) {
				return c
			}
			return s.begin(index)
		case index >= 0:
			continue
		case id != "" && c.id == id:
			if c.followedBy(name, arguments) {
				return s.begin(index)
			}
			return c
		case id == "" && i == len(s.calls)-1 && continues(c, name, arguments):
			return c
		}
	}
	return s.begin(index)
}

// followedBy says that a piece is a whole call and no repetition of c, which is
// whole already.
func (c *partialCall) followedBy(name string, arguments json.RawMessage) bool {
	piece := argumentBytes(arguments)
	return name != "" && json.Valid(c.arguments) && json.Valid(piece) && !(name == c.name && bytes.Equal(c.arguments, piece))
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

// complete is the calls for the caller. Each gets an id that no other has, those
// in used among them, which the servers that number from 0 in every reply would
// repeat. Pieces that never got a name are no calls.
func (s *callSet) complete(replyID string, used map[string]bool) []prompt.ToolCall {
	var out []prompt.ToolCall
	seen := map[string]bool{"": true}
	for i, c := range s.calls {
		if c.name == "" {
			continue
		}
		args := string(bytes.TrimSpace(c.arguments))
		if args == "" {
			args = "{}"
		}
		for n := i; seen[c.id] || used[c.id]; n += len(s.calls) {
			c.id = makeCallID(replyID, n, c.name, args)
		}
		seen[c.id] = true
		out = append(out, prompt.ToolCall{ID: c.id, Name: c.name, Arguments: args})
	}
	return out
}

// usedIDs is the ids of the calls in a conversation.
func usedIDs(messages []prompt.Message) map[string]bool {
	used := map[string]bool{}
	for _, m := range messages {
		for _, c := range m.ToolCalls {
			used[c.ID] = true
		}
	}
	return used
}

// makeCallID names a call that the server left without an id of its own. Nine
// letters and digits is the one form that every server takes back.
func makeCallID(replyID string, i int, name, args string) string {
	sum := sha256.Sum256([]byte(replyID + "\x00" + strconv.Itoa(i) + "\x00" + name + "\x00" + args))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:9])
}
