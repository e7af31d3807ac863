package prompt

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
)

// Role is the author of a message.
type Role string

// The roles. A note-to-self has no role: it is part of the reply that it ended, or of the system message.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool"
)

// Message is one message of a request, independent of any provider. Messages are never changed, because requests
// share them with earlier ones.
type Message struct {
	Role    Role   `json:"role"`
	Content string `json:"content"`
	// cuts of Content for a provider that takes cache marks; empty for one piece
	Parts []Part `json:"-"`
	// for user messages: sent before the text, so that the question stays last
	Images     []Image    `json:"-"`
	ToolCalls  []ToolCall `json:"tool_calls,omitempty"`   // for assistant messages of a loop
	ToolCallID string     `json:"tool_call_id,omitempty"` // for tool messages: the call that this answers
	// for assistant messages of a loop: opaque data that the provider needs back within the turn
	Echo string `json:"-"`
}

// Part is a piece of a message's text, up to the byte offset End.
type Part struct {
	End  int
	Mark bool // a cache mark is at its end
}

// ToolCall is a model's request to run a tool.
type ToolCall struct {
	ID        string
	Name      string
	Arguments string // JSON
	TooLong   bool   `json:"-"` // the arguments exceeded the limit of a reply and are left out
}

// same reports whether two messages are the same for a provider.
func (m *Message) same(o *Message) bool {
	return m.Role == o.Role && m.Content == o.Content && m.ToolCallID == o.ToolCallID && m.Echo == o.Echo &&
		slices.Equal(m.ToolCalls, o.ToolCalls) && slices.EqualFunc(m.Images, o.Images, sameImage)
}

// sameImage compares images without looking at their bytes.
func sameImage(a, b Image) bool {
	return a.Name == b.Name && a.MIME == b.MIME && a.URL == b.URL && len(a.Data) == len(b.Data)
}

// size returns the tokens of a message without its images.
func (m *Message) size(count func(string) int) int {
	n := count(m.Content)
	for _, c := range m.ToolCalls {
		n += count(c.ID) + count(c.Name) + count(c.Arguments)
	}
	if m.ToolCallID != "" {
		n += count(m.ToolCallID)
	}
	if m.Echo != "" {
		n += count(m.Echo)
	}
	return n
}

// extra returns what distinguishes a message from others of the same role and text.
func (m *Message) extra() string {
	var b strings.Builder
	for _, im := range m.Images {
		_, _ = fmt.Fprintf(&b, "\x00image\x00%s\x00%s\x00%s\x00%x", im.Name, im.MIME, im.URL, sha256.Sum256(im.Data))
	}
	if len(m.ToolCalls) == 0 && m.ToolCallID == "" && m.Echo == "" {
		return b.String()
	}
	for _, c := range m.ToolCalls {
		b.WriteString("\x00call\x00" + c.ID + "\x00" + c.Name + "\x00" + c.Arguments)
	}
	b.WriteString("\x00answers\x00" + m.ToolCallID + "\x00echo\x00" + m.Echo)
	return b.String()
}

// ToolResult is the result of a tool. It belongs to one turn and never enters the library: a result from before the
// request is in front of the references of its turn, one of a loop is a message of its own.
type ToolResult struct {
	Call       string // id of the call that it answers, "" for a tool that ran before the request
	Name       string
	Attributes [][2]string // in the order in which they are written: {"timeRange", "last week"}
	Content    string      // text or JSON; a heading line if there are Documents
	Documents  []Document
	Guidance   string   // how to cite, in a separate block at the end; "" for none
	Sources    []Source // list of sources in that block
	Stop       string   // instruction to the model after the result, for instance that this was the last call
}

// Document is a passage that a tool found.
type Document struct {
	ID       int // number by which it is cited
	Title    string
	Aliases  []string // other names of the note, which requests do not contain
	Path     string
	Heading  string // of the section, "" for a whole note
	From, To int    // lines, 1-based and inclusive; 0 if unknown
	Modified string // date
	State    string // replaces Content: where the model has the text already
	Content  string
}

// Source is a source that can be cited.
type Source struct {
	ID       int    `json:"id"`
	Path     string `json:"path"`
	Heading  string `json:"heading,omitempty"`
	From     int    `json:"from"`
	To       int    `json:"to"`
	Revision string `json:"revision"`
}
