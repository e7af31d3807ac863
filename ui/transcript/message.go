package transcript

import "time"

// Role says whose a message is.
type Role int

// The roles. Notice and Error lines are of the program, not of the conversation.
const (
	You       Role = iota // the user
	Assistant             // the model
	Tool                  // a tool call, folded to one line
	Notice                // the program says something
	Error                 // the program says what went wrong and what to do
)

// Status is how far an assistant's message came.
type Status int

// The states of a reply. The zero value is a complete one.
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
	Link   string // what a wikilink to it says, "" if none leads there
	Image  string // the target of an image, "" for anything else
}

// Variant is the place of an end of a turn among several; the zero Variant is that
// of a turn that has one.
type Variant struct {
	Turn  int // of the conversation, from 1
	N, Of int // from 1
}

// ToolState is how far a tool call came.
type ToolState int

// The states of a tool call.
const (
	ToolRunning ToolState = iota
	ToolWaiting           // for the user to allow it
	ToolDone
	ToolFailed
)

// Call describes the tool call of a Tool message; its output is Message.Text.
type Call struct {
	Words string // what it does or did, like "Searched for barn roof"
	Note  string // what came of it, like "3 notes: a.md, b.md", or why it failed
	State ToolState
	Took  time.Duration // 0 if unknown
	Notes []string      // paths of what was found
}

// Message is one entry of the transcript. Text is markdown for the Assistant
// and plain text for all other roles.
type Message struct {
	ID        string // identifies the message; unique within the transcript, or "" if nobody will ask for it
	Role      Role
	Text      string
	At        time.Time     // shown as hours and minutes; zero shows nothing
	Detail    string        // at the right of the header, like a model's name
	Status    Status        // of an Assistant message
	Reasoning string        // plain text, folded
	Thought   time.Duration // how long the reasoning took, 0 if unknown
	Tokens    int           // of the reasoning, 0 if unknown
	Chips     []Chip        // attachments, below the text
	Variant   Variant       // of the last message of a turn that has several ends
	Call      Call          // of a Tool message
	Markdown  bool          // of a Notice: its text is markdown
	Dead      []string      // of an Assistant message: targets of wikilinks that lead nowhere
	Sources   []string      // of an Assistant message: targets of what "[1]", "[2]" and so on refer to
	Turn      int           // of what Selected returns: how many messages of the user there are up to it
	Fix       string        // what to do next: of an Error, or of a reply that is not Complete
}
