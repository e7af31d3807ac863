package page

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/term"
)

// Request asks the screen for something. The set is closed: the types below. nil asks for
// nothing.
type Request interface{ request() }

type (
	// Steps are carried out in order.
	Steps []Request

	// Open opens a page over the conversation.
	Open struct {
		ID  ID
		Arg string // what it is about: a query, a path
		At  string // the row to begin at
	}

	// Show shows a page over the conversation.
	Show struct{ Page Page }
	// Make shows a page that is made then: work in the background knows what the page is
	// about, and reads nothing of the screen.
	Make func(Env) Page

	// Close closes the page.
	Close struct{}
	// Dismiss closes a list over the prompt, and leaves what was typed alone.
	Dismiss struct{}

	// Toast shows a line for a while.
	Toast struct {
		Text string
		Bad  bool
	}

	// Act does what an action of the keys does, by its name.
	Act string

	// Run runs a line that is a command at the desk, for the chat at a path if that is
	// open, else for the one on the screen.
	Run struct{ Line, Chat string }

	// Do makes a message in the background, since that takes long.
	Do struct {
		Work   term.Work
		Latest bool // only the last such answer counts: what was begun before is ended; nil only ends
	}

	// Post brings the screen a message: at once, or in a while.
	Post struct {
		Msg tea.Msg
		In  time.Duration
	}

	// Type puts a text into the line that is typed into.
	Type struct{ Text string }

	// Insert puts a text into the prompt, in place of what was typed to find it, and
	// closes the list.
	Insert struct {
		Text string
		Chip string // what the text stands for, "" for nothing but itself
		More bool   // the text is typed on: the list stays
	}

	// EditFile opens a file of the vault in the editor.
	EditFile struct {
		Path  string
		Line  int    // to begin at, 0 for none
		Via   string // how the user came there, as the workspace notes it; "" is by no link
		Aside bool   // it is not what the user works on: the active note stays
	}
	// EditText lets the user edit a text in the editor.
	EditText struct{ term.EditText }

	// Copy puts text on the clipboard; What says so.
	Copy struct{ Text, What string }
)

func (Steps) request()    {}
func (Open) request()     {}
func (Show) request()     {}
func (Make) request()     {}
func (Close) request()    {}
func (Dismiss) request()  {}
func (Toast) request()    {}
func (Act) request()      {}
func (Run) request()      {}
func (Do) request()       {}
func (Post) request()     {}
func (Type) request()     {}
func (Insert) request()   {}
func (EditFile) request() {}
func (EditText) request() {}
func (Copy) request()     {}

// Complain shows what went wrong for a while.
func Complain(text string) Toast { return Toast{text, true} }

// Opener opens a page.
type Opener func(Open) Request

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
