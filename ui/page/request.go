package page

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/term"
)

// Request asks the screen for something. The types below are all there are. nil asks for nothing.
type Request interface{ request() }

type (
	// Steps are carried out in order.
	Steps []Request

	// Open opens a page over the conversation by its ID.
	Open struct {
		ID  ID
		Arg string // subject of the page: a query, a path
	}

	// Show opens a given page over the conversation.
	Show struct{ Page Page }
	// Make opens a page that is made when the request is carried out. Background work uses it: it knows
	// the subject of the page but may not read the Env.
	Make func(Env) Page

	// Close closes the page.
	Close struct{}
	// Dismiss closes a list over the prompt and keeps the typed text.
	Dismiss struct{}

	// Toast shows a line for a while.
	Toast struct {
		Text string
		Bad  bool
	}

	// Act carries out an action by its name in the table of keys.
	Act string

	// Run runs a command line, in the chat at a path if that is open, else in the one on the screen.
	Run struct{ Line, Chat string }

	// Do runs slow work in the background; the screen gets its message.
	Do struct {
		Work   term.Work
		Latest bool // this work replaces the last one with Latest, which is canceled; nil only cancels
	}

	// Post sends the screen a message, after a delay if In is not 0.
	Post struct {
		Msg tea.Msg
		In  time.Duration
	}

	// Insert puts a text into the prompt, in place of the typed query, and closes the list.
	Insert struct {
		Text string
		Chip string // thing that the text stands for, "" for plain text
		More bool   // the user goes on typing: the list stays open
	}

	// EditFile opens a file of the vault in the editor.
	EditFile struct {
		Path  string
		Line  int    // line of the cursor, 0 for none
		Via   string // way to the file as the workspace records it; "" for no link
		Aside bool   // the active note does not change
	}
	// EditText lets the user edit a text in the editor.
	EditText struct{ term.EditText }

	// Copy puts a text on the clipboard; What names it in the message.
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
func (Insert) request()   {}
func (EditFile) request() {}
func (EditText) request() {}
func (Copy) request()     {}

// CloseThen returns the request to close the page and then to do the rest.
func CloseThen(wants ...Request) Request { return append(Steps{Close{}}, wants...) }

// Complain returns a Toast for an error.
func Complain(text string) Toast { return Toast{text, true} }

// ID identifies a page that Open can open.
type ID int

// The pages.
const (
	Mentions  ID = iota // after @ and [[ in the prompt
	Commands            // after / in the prompt
	Arguments           // after a command in the prompt; Arg: the line
	Palette
	Notes
	Chats
	Rename // Arg: path of the chat
	Models
	Providers
	Settings // Arg: a query
	Vaults   // Arg: a query
	Prompts  // saved prompts
	Links    // Arg: the link to read, "" lists those of the message
	History
	Rewind
	Context
	Help
	Themes
	Retry // asks before a message is sent again
)
