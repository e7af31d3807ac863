package prompt

import (
	"slices"
	"strings"
)

// Role says who speaks in a wire message.
type Role string

// The wire roles. A note-to-self has no wire role: it travels inside the reply
// that it ended, or in the system message.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool"
)

// Message is one message of a request, independent of any provider. Messages
// are never changed once made: a request shares them with earlier requests.
type Message struct {
	Role    Role   `json:"role"`
	Content string `json:"content"` // the text
	// how Content is cut for a provider that takes cache marks; empty for one piece
	Parts []Part `json:"-"`
	// user messages: travel before the text, so that the question stays last
	Images     []Image    `json:"-"`
	ToolCalls  []ToolCall `json:"tool_calls,omitempty"`   // assistant messages of an agent's loop
	ToolCallID string     `json:"tool_call_id,omitempty"` // tool messages: the call that this answers
	// assistant messages of a loop: what the provider wants back within the turn, opaque
	Echo string `json:"-"`
}

// Part is a piece of a message's text, up to the byte offset End.
type Part struct {
	End  int
	Mark bool // a cache mark stands at its end
}

// ToolCall is a model's request to run a tool.
type ToolCall struct {
	ID        string
	Name      string
	Arguments string // JSON
	TooLong   bool   `json:"-"` // there was more of the arguments than a reply may have; they are left out
}

// same reports whether two messages are the same to a provider.
func (m *Message) same(o *Message) bool {
	return m.Role == o.Role && m.Content == o.Content && m.ToolCallID == o.ToolCallID && m.Echo == o.Echo &&
		slices.Equal(m.ToolCalls, o.ToolCalls) && slices.EqualFunc(m.Images, o.Images, sameImage)
}

// sameImage tells images apart without looking at their bytes.
func sameImage(a, b Image) bool {
	return a.Name == b.Name && a.MIME == b.MIME && a.URL == b.URL && len(a.Data) == len(b.Data)
}

// size is the tokens of a message, but for its images.
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

// extra is what tells a message from another of the same role and text.
func (m *Message) extra() string {
	if len(m.ToolCalls) == 0 && m.ToolCallID == "" && m.Echo == "" {
		return ""
	}
	var b strings.Builder
	for _, c := range m.ToolCalls {
		b.WriteString("\x00call\x00" + c.ID + "\x00" + c.Name + "\x00" + c.Arguments)
	}
	b.WriteString("\x00answers\x00" + m.ToolCallID + "\x00echo\x00" + m.Echo)
	return b.String()
}

// ToolResult is what a tool found. It lives for one turn and never enters the
// library: one that was there before the request stands in front of the
// references of its turn, one of a loop is a message of its own.
type ToolResult struct {
	Call       string // id of the call that it answers, "" for a tool that ran before the request
	Name       string
	Attributes [][2]string // in the order in which they are written: {"timeRange", "last week"}
	Content    string      // text or JSON; with Documents the line that stands in front of them
	Documents  []Document
	Guidance   string   // how to cite, in a block of its own at the end; "" for none
	Sources    []Source // what may be cited: the catalogue in that block
	Stop       string   // what is said to the model behind the result: that this was the last
}

// Document is a passage that a tool found.
type Document struct {
	ID       int // what it is cited by
	Title    string
	Aliases  []string // other names of the note, which a request does not show
	Path     string
	Heading  string // of the section, "" for a whole note
	From, To int    // lines, 1-based and inclusive; 0 if they are not known
	Modified string // date
	State    string // instead of Content: where the model has the text already
	Content  string
}

// Source is what a document may be cited as.
type Source struct {
	ID       int    `json:"id"`
	Path     string `json:"path"`
	Heading  string `json:"heading,omitempty"`
	From     int    `json:"from"`
	To       int    `json:"to"`
	Revision string `json:"revision"`
}
