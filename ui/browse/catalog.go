package browse

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"ibid/history"
	"ibid/history/chatlist"
	"ibid/ui/chatview"
	"ibid/ui/composer"
	"ibid/ui/page"
	"ibid/ui/theme"
	"ibid/vault"
	"ibid/vault/index"
)

// Catalog holds the data of the lists, as the screen has it. Only the screen writes to it.
type Catalog struct {
	*chatview.Setup
	Finder Finder
	Notes  Notes
	Chats  Chats
	Asked  AskedPrompts

	Commands []Command // those of the desk, followed by those that only the screen has
	Models   []string  // names that providers have listed in this run
	Themes   []string
	Recent   []string // recent actions of the palette, the last first
	Edits    bool     // there is an editor
	Opener   []string // command that opens an address; empty for the one of the system
}

// Finder searches notes and chats. It is used in the background.
type Finder interface {
	SearchChats(ctx context.Context, f chatlist.Filter, limit int) ([]history.Hit, error)
	Search(ctx context.Context, q index.Query) ([]index.Hit, error)
	Around(h index.Hit, before, after int) (lines []string, first int)
	Indexing(ctx context.Context) chatview.Indexing
}

// Names holds the names of the vault at one moment.
type Names = chatview.Names

// Notes holds the data of the notes of the vault.
type Notes struct {
	All     *Names // nil until the first scan has ended
	Done    int    // progress of the running scan
	Total   int
	Trouble string // why the vault cannot be read, or changes are seen late
	Rules   string // the last shown warning about rules for excluded files that cannot be read

	Changed vault.Path // the note that changed last while the screen was up
	When    time.Time
}

// State describes the running scan, "" if none runs.
func (n *Notes) State() string {
	switch {
	case n.All == nil && n.Total > 0:
		return fmt.Sprintf("indexing %s of %s", theme.Comma(n.Done), theme.Comma(n.Total))
	case n.All == nil && n.Trouble == "":
		return "reading the vault"
	}
	return ""
}

// Chats holds the saved chats of the last listing.
type Chats struct {
	All    []history.Summary
	Kept   []history.Summary // without those in the archive
	Last   history.Summary   // of Kept, the last written
	Listed bool
	Gone   string // path of the last deleted chat, "" if none can be restored
}

// SetChats stores a listing of the chats.
func (c *Catalog) SetChats(all []history.Summary) {
	kept := slices.DeleteFunc(slices.Clone(all), func(s history.Summary) bool { return c.Store.Archived(s.Path) })
	c.Chats = Chats{All: all, Kept: kept, Listed: true, Gone: c.Chats.Gone}
	for i := range kept { // pinned ones come first
		if last := &c.Chats.Last; kept[i].Copy == "" && kept[i].Modified.After(last.Modified) {
			*last = kept[i]
		}
	}
}

// AskedPrompts holds the prompts of all chats, which are read when they are needed.
type AskedPrompts struct {
	ID      int                   // of the newest reading
	Reading bool                  // the reading runs
	Known   []history.AskedPrompt // newest first
}

// Command is a slash command.
type Command struct {
	Group, Name, Args, Help string
	Words                   string // further words to find it by
	Names                   string // kinds of names that the argument takes
	Aliases, Choices        []string
	Screen                  bool // only the screen has it
}

// Usage returns the command with its arguments, as it is typed.
func (c *Command) Usage() string { return strings.TrimSpace("/" + c.Name + " " + c.Args) }

// command returns the command with a name or an alias, or the only one of the desk that begins with
// name.
func (c *Catalog) command(name string) (found Command, ok bool) {
	begin := 0
	for _, cmd := range c.Commands {
		switch {
		case name == "":
		case cmd.Name == name, slices.Contains(cmd.Aliases, name):
			return cmd, true
		case !cmd.Screen && strings.HasPrefix(cmd.Name, name):
			found, begin = cmd, begin+1
		}
	}
	return found, begin == 1
}

// Messages of lists for the screen, sent in a page.Post.
type (
	// ListChats asks for another listing of the chats.
	ListChats struct{}
	// OpenSaved opens a saved chat and shows its end, or the words in a message, counted from 1.
	OpenSaved struct {
		Path    string
		Message int
		Words   string
	}
	// UsePrompt puts the text of a saved prompt into the prompt, or its command if it needs a text.
	UsePrompt struct {
		Name  string
		Typed bool // a query in the prompt led to it
	}
	// Choose runs a command, or puts it into the prompt if it requires an argument.
	Choose struct{ Command string }
	// Used records an action of the palette as the most recent.
	Used struct{ ID string }
	// RunTyped handles enter as without a list.
	RunTyped struct{}
	// WriteAgain puts an earlier prompt into the prompt.
	WriteAgain struct{ Draft composer.Draft }
	// Propose asks for the change of writing a piece of the chat to a note.
	Propose struct {
		Reply Reply
		Where string
	}
)

func post(msg any) page.Request { return page.Post{Msg: msg} }
