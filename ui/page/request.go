package page

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/term"
)

// Request is what a page or a key asks of the screen, as a value: one of the types below,
// or a message that the screen knows and this package does not. nil asks for nothing.
type Request any

type (
	// Steps are carried out in order.
	Steps []Request

	// Open opens a page over the conversation.
	Open struct {
		ID  ID
		Arg string // what it is about: a query, a path
	}

	// Show shows a page over the conversation.
	Show struct{ Page Page }

	// Toast shows a line for a while.
	Toast struct {
		Text string
		Bad  bool
	}

	// Run runs a line that is a command at the desk.
	Run struct{ Line string }

	// Copy puts text on the clipboard; what says so.
	Copy struct{ Text, What string }

	// Later brings a message back in a while.
	Later struct {
		In  time.Duration
		Msg tea.Msg
	}

	// Do makes a message in the background, since that takes long.
	Do struct {
		Work   term.Work
		Latest bool // only the last such answer counts: what was begun before is ended; nil only ends
	}

	// Type puts a text into the line that is typed into.
	Type struct{ Text string }

	// Close closes the page.
	Close struct{}
	// Dismiss closes a list over the prompt, and leaves what was typed alone.
	Dismiss struct{}

	// Act does what an action of the keys does, by its name.
	Act string
)

// Complain shows what went wrong for a while.
func Complain(text string) Toast { return Toast{text, true} }

// ID says which page is wanted.
type ID int

// The pages that there are.
const (
	Mentions  ID = iota // behind @ and [[ in the prompt
	Commands            // behind / in the prompt
	Arguments           // behind a command there; arg: the line
	Palette
	Notes
	Chats
	Rename // arg: path of the chat
	Models
	Providers
	Settings // arg: a query
	Vaults   // arg: a query
	Prompts  // the saved ones
	Links    // arg: the link that is read, "" lists those of the message
	History
	Rewind
	Context
	Help
	Themes
	Retry   // asks before a message is sent again
	Variant // asks before a chat goes on in one of its own; arg: turn and variant
)
