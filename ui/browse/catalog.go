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

// Catalog is what there is to list, as the screen knows it. Only the screen writes to it.
type Catalog struct {
	*chatview.Setup
	Finder Finder
	Notes  Notes
	Chats  Chats
	Asked  AskedPrompts

	Commands []Command // of the desk, then those that only the screen has
	Models   []string  // that lists have named in this run
	Themes   []string
	Recent   []string // what was done last from the palette, the last first
	Edits    bool     // there is an editor
	Opener   []string // the command that opens an address; empty for that of the system
}

// Finder looks for notes and chats. It is used in the background.
type Finder interface {
	SearchChats(ctx context.Context, f chatlist.Filter, limit int) ([]history.Hit, error)
	Search(ctx context.Context, q index.Query) ([]index.Hit, error)
	Around(h index.Hit, before, after int) (lines []string, first int)
	Indexing(ctx context.Context) Indexing
}

// Indexing is how far the search index is.
type Indexing struct {
	Done, All int
	Ready     bool   // it held the whole vault once
	Trouble   string // why it cannot be used, "" if it can or will be
}

// Names are the names of the vault at one moment.
type Names struct {
	Names    *index.Names
	Links    *index.Links
	Twins    map[string]int // how many notes share a file name, in lower case, where several do
	Count    int            // of notes, without saved chats
	Folders  int
	Recent   []*vault.Note // the five that changed last, newest first, without private ones
	Projects []vault.Path
}

// Notes is what is known of the notes.
type Notes struct {
	All     *Names // nil until the first scan is done
	Done    int    // of the scan that runs
	Total   int
	Trouble string // why the vault cannot be read, or changes are seen late

	Changed vault.Path // what changed last while the screen was up
	When    time.Time
}

// State is what goes on in the vault, "" if nothing does.
func (n *Notes) State() string {
	switch {
	case n.All == nil && n.Total > 0:
		return fmt.Sprintf("indexing %s of %s", theme.Comma(n.Done), theme.Comma(n.Total))
	case n.All == nil && n.Trouble == "":
		return "reading the vault"
	}
	return ""
}

// Chats is the saved chats, as the last listing found them.
type Chats struct {
	All    []history.Summary
	Kept   []history.Summary // those that are not in the archive
	Last   history.Summary   // of Kept, that was written last
	Listed bool
	Gone   string // the one that was deleted last, "" if none can be brought back
}

// SetChats takes a listing over.
func (c *Catalog) SetChats(all []history.Summary) {
	kept := withoutArchived(c.Store, all, func(s history.Summary) vault.Path { return s.Path })
	c.Chats = Chats{All: all, Kept: kept, Listed: true, Gone: c.Chats.Gone}
	for i := range kept { // pinned ones come first
		if last := &c.Chats.Last; kept[i].Copy == "" && kept[i].Modified.After(last.Modified) {
			*last = kept[i]
		}
	}
}

// AskedPrompts is the prompts of all chats, read when they are wanted.
type AskedPrompts struct {
	ID      int                   // of the newest reading
	Reading bool                  // it runs
	Known   []history.AskedPrompt // newest first
}

// Command is a command that can be typed behind a slash.
type Command struct {
	Group, Name, Args, Help string
	Words                   string // other words that people look for
	Names                   string // kinds of what the argument names
	Aliases, Choices        []string
	Screen                  bool // only the screen has it
}

// Usage is the command as it is typed, with its arguments.
func (c *Command) Usage() string { return strings.TrimSpace("/" + c.Name + " " + c.Args) }

// command is the command of a name or an alias, or the one of the desk that begins so.
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

// What lists ask the screen for, in a page.Post.
type (
	// ListChats asks for another listing of the chats.
	ListChats struct{}
	// OpenSaved opens a saved chat: at its end, or at words in a message, 1-based.
	OpenSaved struct {
		Path    string
		Message int
		Words   string
	}
	// UsePrompt puts what a saved prompt says into the prompt, or its name where it
	// needs a text.
	UsePrompt struct {
		Name  string
		Typed bool // to find it, something was typed into the prompt
	}
	// Choose runs a command, or puts it into the prompt if it needs something to work on.
	Choose struct{ Command string }
	// Used notes that something was done from the palette.
	Used struct{ ID string }
	// RunTyped does what enter does without a list.
	RunTyped struct{}
	// WriteAgain puts an earlier prompt into the prompt.
	WriteAgain struct{ Draft composer.Draft }
	// Propose asks what writing a piece of the chat would change.
	Propose struct {
		Reply Reply
		Where string
	}
)

func post(msg any) page.Request { return page.Post{Msg: msg} }
