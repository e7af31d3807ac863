package history

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"ibid/context/prompt"
	"ibid/vault"
)

// ErrNotChat is returned for a file that is not a saved chat: it has neither
// messages nor the properties of a chat.
var ErrNotChat = errors.New("not a saved chat")

// version is the format that this package writes, in the property "ibid".
const version = 1

// Role says whose record a message is.
type Role string

// The roles. A NoteToSelf stands after the reply that it ended and is never
// displayed.
const (
	User       Role = "user"
	Assistant  Role = "assistant"
	NoteToSelf Role = "assistant_note"
)

// Status says how a reply ended; "" is a reply that ended well.
type Status string

// The ways a reply can end early. A reply that is still being streamed is saved
// as StatusCut, so that a crash leaves the truth behind.
const (
	StatusCut       Status = "cut"
	StatusCancelled Status = "cancelled"
)

// The ways a reply can end that the model was not done with, and that is an answer all
// the same: at the greatest length, and by the provider's filter.
const (
	StatusLength Status = "length"
	StatusFilter Status = "filter"
)

// Whole reports whether the reply is an answer: it goes to the model with later turns.
func (s Status) Whole() bool { return s == "" || s == StatusLength || s == StatusFilter }

// StatusError is the status of a reply that ended with an error of this kind
// ("rate", "network", …).
func StatusError(kind string) Status { return Status("error:" + kind) }

// ErrorKind is the kind of error that ended the reply, "" if none did.
func (s Status) ErrorKind() string {
	kind, ok := strings.CutPrefix(string(s), "error:")
	if !ok {
		return ""
	}
	return kind
}

// Message is one record of a chat.
type Message struct {
	Role    Role
	Text    string    // what is displayed, to the byte; for a NoteToSelf the note
	Time    time.Time // whole seconds, written as wall time of its own location; zero if unknown
	Context Context   // user messages: what the context line names
	Status  Status    // replies only
	Thought string    // replies only: what the model thought before it, if that is saved
	After   string    // what a person wrote below the message in an editor; kept, never sent
	Meta    Meta      // what the hidden block knows about the message

	// Variants are the ends of the turn that begins with this message of the
	// person, oldest first, if there are several: see Chat.Ends. A slice of them
	// is shared by the copies of the message and never changed.
	Variants []Variant

	src *messageSource // where the message stands in the file that it was read from, nil if nowhere
}

// Foreign reports whether another program wrote the message.
func (m *Message) Foreign() bool { return m.src != nil && m.src.foreign }

// Chat is a saved conversation.
type Chat struct {
	Path     vault.Path // "" until it is saved
	Epoch    int64      // milliseconds since 1970 of the first message: the identity of the chat
	Title    string     // "" until someone gave one; see Name
	Model    string
	ModelKey string // Copilot's name of the model, "name|provider"; Model where it is ""
	Layout   string // cache layout, "" for the default
	Chain    string // how turns are answered, "" if the file does not say
	Project  string // folder of the project that the chat works in, "" for none
	Tags     []string
	Pinned   bool  // stands first in lists
	Accessed int64 // when Copilot opened the chat last, milliseconds since 1970, 0 if unknown
	Messages []Message

	Choices   Choices      // what the person has chosen for the chat
	Muted     []prompt.Ref // known to the model, no longer referenced
	Forgotten []prompt.Ref // withdrawn: not in the library until they are taken off this list
	Origin    Origin       // where the chat was branched off
	Totals    []Total      // what it has cost so far

	// Undone is what was taken back behind the last turn: the ends of each turn,
	// in the order of the turns. They wait for turns in their place.
	Undone [][]Variant

	ReadOnly bool // another process has the chat open, or a newer ibid wrote it

	file onDisk
}

// Choices are what a person chooses for a chat. The zero value leaves everything to
// the configuration.
type Choices struct {
	Active   string   `json:"active,omitempty"` // how the active note goes with turns: "", "off", "follow" or a path
	ToolsOff []string `json:"off,omitzero"`     // names of the tools that are not offered; not nil if that was chosen
}

// onDisk is what a chat keeps of its file.
type onDisk struct {
	version  int      // format that the file was written in; 0 for files that ibid did not write
	saved    []byte   // the file that the chat was read from or written to last, nil if none
	src      *source  // the text around its messages as it was read, nil for a chat that was not
	compat   bool     // see Compat
	restored bool     // what another program left out of it is in the chat, see backup
	journals []string // what of the chat is on disk elsewhere, until it is saved
}

// Origin names the message at which a chat was branched off another one. The
// zero value is a chat of its own.
type Origin struct {
	Epoch   int64 `json:"epoch"`   // of the other chat
	Message int   `json:"message"` // 1-based, as Display counts
}

// Warning is something a person should know about a file: Kind is a stable word,
// Text one line for the screen.
type Warning struct {
	Kind    string // frontmatter, metadata, appended, newer, locked, merged, conflict, moved, recreated, restored, copy, copies, state, moved_note, missing_note, ambiguous_note
	Text    string
	Message int // 1-based, as Display counts; 0 for the whole file
}

// warning is one about a whole file.
func warning(kind, format string, args ...any) []Warning {
	return []Warning{{Kind: kind, Text: fmt.Sprintf(format, args...)}}
}

// Newer reports whether a newer ibid wrote the chat, which makes it ReadOnly.
func (c *Chat) Newer() bool { return c.file.version > version }

// Compat reports whether the chat was saved before contexts were: see
// Message.Inlined.
func (c *Chat) Compat() bool { return c.file.compat }

// Display yields what a transcript shows, in order, numbered from 1. Notes to
// self are not among it, and neither is anything that Message does not hold.
func (c *Chat) Display() iter.Seq2[int, Message] {
	return func(yield func(int, Message) bool) {
		n := 0
		for i := range c.Messages {
			if c.Messages[i].Role == NoteToSelf {
				continue
			}
			n++
			if !yield(n, c.Messages[i]) {
				return
			}
		}
	}
}

// Size is how many bytes the file of the chat had when it was read or written last.
func (c *Chat) Size() int { return len(c.file.saved) }

// Turns is how many messages the person has sent.
func (c *Chat) Turns() int {
	n := 0
	for range c.Questions() {
		n++
	}
	return n
}

// Questions are the messages of the person: the number of the turn, from 1, and
// their place in Messages.
func (c *Chat) Questions() iter.Seq2[int, int] {
	return func(yield func(turn, at int) bool) {
		turn := 0
		for at := range c.Messages {
			if c.Messages[at].Role != User {
				continue
			}
			if turn++; !yield(turn, at) {
				return
			}
		}
	}
}

// NotesToSelf is what the model left to itself, oldest first.
func (c *Chat) NotesToSelf() []string {
	var notes []string
	for i := range c.Messages {
		if c.Messages[i].Role == NoteToSelf {
			notes = append(notes, c.Messages[i].Text)
		}
	}
	return notes
}

// KnownItem is a thing that the model was shown in a chat.
type KnownItem struct {
	Ref      prompt.Ref
	Revision string // the revision shown last, 16 hex digits, "" if the file does not say
	Since    int    // 1-based turn in which it was attached first
	Used     int    // turn in which it was attached last
	Times    int    // turns in which it was attached
	Muted    bool
}

// Library lists what was ever attached, in the order of first appearance,
// without what was forgotten. Folders and tags stand for themselves where the
// file does not say which notes they came to.
func (c *Chat) Library() []KnownItem {
	var lib []KnownItem
	at := map[prompt.Ref]int{}
	for turn, i := range c.Questions() {
		for _, item := range c.Messages[i].items() {
			k, ok := at[item.Ref]
			if !ok {
				if slices.Contains(c.Forgotten, item.Ref) {
					continue
				}
				k = len(lib)
				at[item.Ref] = k
				lib = append(lib, KnownItem{Ref: item.Ref, Since: turn, Muted: slices.Contains(c.Muted, item.Ref)})
			}
			known := &lib[k]
			if known.Used != turn {
				known.Used = turn
				known.Times++
			}
			if item.Revision != "" {
				known.Revision = item.Revision
			}
		}
	}
	return lib
}

// cut is the index in Messages behind the n-th displayed message and the notes
// to self that follow it, and how many displayed ones are before it.
func (c *Chat) cut(n int) (end, shown int) {
	for i := range c.Messages {
		if c.Messages[i].Role == NoteToSelf {
			continue
		}
		if shown == n {
			return i, shown
		}
		shown++
	}
	return len(c.Messages), shown
}

// Branch copies c up to and including its n-th displayed message into a chat of
// its own that is not saved yet, and that begins a second later, or now if the
// messages do not say when c began. n beyond the end copies everything.
func Branch(c *Chat, n int, now time.Time) Chat {
	b := *c
	end, shown := c.cut(max(n, 0))
	b.Messages = slices.Clone(c.Messages[:end])
	b.Path, b.file.saved, b.file.journals = "", nil, nil
	b.Epoch = second(now.UnixMilli())
	for _, m := range b.Display() {
		if !m.Time.IsZero() {
			b.Epoch = second(m.Time.UnixMilli()) + 1000
		}
		break
	}
	b.Origin = Origin{Epoch: c.Epoch, Message: shown}
	b.Accessed, b.Pinned, b.ReadOnly = 0, false, false
	b.Totals, b.Undone = nil, nil // what was spent before stands in c
	b.Tags = slices.Clone(c.Tags)
	return b
}
