package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"ibid/chains/wire"
	"ibid/context/prompt"
)

// callSet assembles tool calls from their pieces, in the order in which they first appear.
type callSet struct {
	calls []*partialCall
}

type partialCall struct {
	index     int // the server's number, -1 if it gives none
	id        string
	name      string
	arguments []byte
	extra     json.RawMessage // data that the server needs back with the call
	dropped   bool            // beyond the limit of calls
	tooLong   bool            // its arguments exceeded the limit
}

// maxName limits the name of a call, in bytes.
const maxName = 200

// add adds a piece of a call.
func (s *callSet) add(in *wire.IncomingReply, d callDelta) {
	c := s.find(&d)
	if c == nil {
		c = s.begin(in, d.Index.Count())
	}
	if c.id == "" {
		c.id = string(d.ID)
	}
	switch name := string(d.Function.Name); {
	case c.name == "":
		c.name = name
	case name != "" && name != c.name && d.ID == "" && len(c.arguments) == 0 && len(c.name) < maxName:
		c.name += name // some servers stream names
	}
	piece := d.Function.arguments()
	switch {
	case c.dropped:
		c.arguments = piece // shows whether another call begins
	// some servers repeat the whole call at the end of the stream
	case len(piece) > 0 && bytes.Equal(c.arguments, piece) && json.Valid(piece):
	case in.Argument(len(piece) + len(d.ID) + len(d.Function.Name)):
		c.tooLong, c.arguments = true, nil
	default:
		c.arguments = append(c.arguments, piece...)
	}
	if wire.IsPresent(d.Extra) && !c.dropped {
		in.Thinking += len(d.Extra)
		c.extra = bytes.Clone(d.Extra)
	}
}

// isWholeObject reports whether arguments are a complete object.
func isWholeObject(arguments []byte) bool {
	arguments = bytes.TrimSpace(arguments)
	n := len(arguments)
	return n > 1 && arguments[0] == '{' && arguments[n-1] == '}' && json.Valid(arguments)
}

// arguments returns the arguments in a piece, which may be a JSON string or JSON itself.
func (f *callFunction) arguments() []byte {
	switch {
	case !wire.IsPresent(f.Arguments):
		return nil
	case f.Arguments[0] == '"':
		return []byte(text(f.Arguments))
	}
	return f.Arguments
}

// find returns the call that a piece belongs to, nil if it begins another. A number decides, unless two ids have the
// same number, which happens at some servers; then the id decides. Without either, a name begins a call and anything
// else continues the last one. A complete call after a complete call is another one, whatever their numbers are.
func (s *callSet) find(d *callDelta) *partialCall {
	index, id := d.Index.Count(), string(d.ID)
	for _, c := range slices.Backward(s.calls) {
		same := false
		switch {
		case index >= 0 && c.index == index, index < 0 && id != "" && c.id == id:
			same = (id == "" || c.id == "" || id == c.id) && !c.followedBy(&d.Function)
		case index < 0 && id == "":
			same = c.continuedBy(&d.Function)
		default:
			continue
		}
		if same {
			return c
		}
		return nil
	}
	return nil
}

// followedBy reports whether a piece is a complete call and no repetition of c, which is complete, too.
func (c *partialCall) followedBy(f *callFunction) bool {
	piece := f.arguments()
	return f.Name != "" && isWholeObject(piece) && isWholeObject(c.arguments) &&
		!(string(f.Name) == c.name && bytes.Equal(c.arguments, piece))
}

// continuedBy reports whether a piece without number and id belongs to c.
func (c *partialCall) continuedBy(f *callFunction) bool {
	return f.Name == "" || string(f.Name) == c.name && !isWholeObject(f.arguments()) && !isWholeObject(c.arguments)
}

// begin begins a call. It replaces a last call beyond the limit.
func (s *callSet) begin(in *wire.IncomingReply, index int) *partialCall {
	c := &partialCall{index: index, dropped: !in.Call()}
	if n := len(s.calls); n > 0 && s.calls[n-1].dropped {
		s.calls = s.calls[:n-1]
	}
	s.calls = append(s.calls, c)
	return c
}

// complete returns the calls. The caller gives ids to those without. Pieces that never got a name are dropped.
func (s *callSet) complete() (out []prompt.ToolCall) {
	s.calls = slices.DeleteFunc(s.calls, func(c *partialCall) bool { return c.name == "" || c.dropped })
	for _, c := range s.calls {
		args := cmp.Or(string(bytes.TrimSpace(c.arguments)), "{}")
		out = append(out, prompt.ToolCall{ID: c.id, Name: c.name, Arguments: args, TooLong: c.tooLong})
	}
	return out
}
