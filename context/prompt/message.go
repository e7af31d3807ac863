package prompt

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
	Role       Role
	Content    string     // the text
	Breaks     []int      // system message: byte offsets in Content at which a cache mark may stand, ascending
	Images     []Image    // user messages: travel before the text, so that the question stays last
	ToolCalls  []ToolCall // assistant messages of an agent's loop
	ToolCallID string     // tool messages: the call that this answers
	Echo       string     // assistant messages of a loop: what the provider wants back within the turn, opaque
}

// ToolCall is a model's request to run a tool.
type ToolCall struct {
	ID        string
	Name      string
	Arguments string // JSON
}

// ToolResult is the output of a tool that ran before the request was made; it
// stands in front of the references of its turn and never enters the library.
type ToolResult struct {
	Name       string
	Attributes [][2]string // in the order in which they are written: {"timeRange", "last week"}
	Content    string
	Guidance   string // how to cite and the catalogue of sources, in a block of its own at the end; "" for none
}
