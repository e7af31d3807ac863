package transcript

import "time"

// Role is the author of a message.
type Role int

// The roles. Notice and Error messages are from the program and not part of the conversation.
const (
	You       Role = iota // the user
	Assistant             // the model
	Tool                  // a tool call, folded to one line
	Notice                // a message of the program
	Error                 // an error of the program, with advice
)

// Status is the state of an assistant's message.
type Status int

// The states of a reply; the zero value is a complete one.
const (
	Complete  Status = iota
	Streaming        // still arriving
	Cancelled        // the user stopped it; what had arrived stays
	CutOff           // the model stopped at its length limit
	Filtered         // a filter of the provider ended it
	Failed           // the connection or the provider failed midway
)

// ChipState is the state of an attached note.
type ChipState int

// The states of a chip, each with the glyph of the same name in package theme.
const (
	ChipLibrary ChipState = iota // already in the library
	ChipAdded                    // new this turn
	ChipActive                   // the active note
	ChipDrifted                  // changed since it was sent
	ChipImage                    // an image
	ChipMissing                  // could not be attached
)

// Chip is an attachment of a message.
type Chip struct {
	State  ChipState
	Label  string // the note's title
	Detail string // like "+1.2k" or "moved", may be empty
	Link   string // target of a wikilink to it, "" if it has none
}

// Variant is the number of one of several replies to a question. The zero Variant is for a turn with
// only one.
type Variant struct {
	Turn  int // of the conversation, from 1
	N, Of int // from 1
}

// ToolState is the state of a tool call.
type ToolState int

// The states of a tool call.
const (
	ToolRunning ToolState = iota
	ToolWaiting           // for the permission of the user
	ToolDone
	ToolFailed
)

// Call describes the tool call of a Tool message; its output is Message.Text.
type Call struct {
	Words string // description, like "Searched for barn roof"
	Note  string // result, like "3 notes: a.md, b.md", or why it failed
	State ToolState
	Took  time.Duration // 0 if unknown
	Notes []string      // paths of the notes found
}

// Message is one entry of the transcript. Text is markdown for the Assistant, and plain text for all
// other roles.
type Message struct {
	ID        string // unique within the transcript, or "" for a message that is not looked up
	Role      Role
	Text      string
	At        time.Time     // shown as hours and minutes; zero shows nothing
	Detail    string        // at the right of the header, like a model's name
	Status    Status        // of an Assistant message
	Reasoning string        // plain text, folded
	Thought   time.Duration // how long the reasoning took, 0 if unknown
	Tokens    int           // of the reasoning, 0 if unknown
	Chips     []Chip        // attachments, below the text
	Variant   Variant       // of the last message of a turn with several variants
	Call      Call          // of a Tool message
	Markdown  bool          // of a Notice: its text is markdown
	Dead      []string      // of an Assistant message: targets of wikilinks without a note
	Sources   []string      // of an Assistant message: targets of its sources "[1]", "[2]" and so on
	Turn      int           // set by Selected: number of messages of the user up to this one
	Fix       string        // what to do next, for an Error or an incomplete reply
}
