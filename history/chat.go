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

// version is the format of the files that this package writes, in the property "ibid".
const version = 1

// Role names the author of a message.
type Role string

// The roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Status is the way in which a reply ended; "" means that it is complete.
type Status string

// The ways a reply can break off. A reply that still streams is saved as StatusCut, so that the file is right
// if the program crashes.
const (
	StatusCut       Status = "cut"
	StatusCancelled Status = "cancelled"
)

// The ways a reply can end before the model was done and still count as an answer: at the maximum length, and
// by the provider's filter.
const (
	StatusLength Status = "length"
	StatusFilter Status = "filter"
)

// Whole reports whether the reply counts as an answer, which later turns send to the model.
func (s Status) Whole() bool { return s == "" || s == StatusLength || s == StatusFilter }

// StatusError returns the status of a reply that ended with an error of this kind ("rate", "network", …).
func StatusError(kind string) Status { return Status("error:" + kind) }

// ErrorKind returns the kind of error that ended the reply, "" if none did.
func (s Status) ErrorKind() string {
	kind, ok := strings.CutPrefix(string(s), "error:")
	if !ok {
		return ""
	}
	return kind
}

// Message is one message of a chat.
type Message struct {
	Role    Role
	Text    string    // the displayed text, byte for byte
	Time    time.Time // whole seconds, written as wall time of its own location; zero if unknown
	Context Context   // user messages only: the context line
	Status  Status    // replies only
	Thought string    // replies only: the model's thinking before it, if it is saved
	After   string    // text that a person wrote below the message in an editor; kept, never sent
	Meta    Meta      // data from the hidden block

	// Notes are those that the model left to itself with the reply, or instead of one to this question. They are
	// never displayed.
	Notes []string

	// Variants are the alternative ends of the turn that begins with this question, oldest first: see
	// Chat.Ends. Copies of the message share the slice, which must not be changed.
	Variants []Variant

	src *messageSource // position of the message in the file that it was read from, nil if it is new
}

// Foreign reports whether another program wrote the message.
func (m *Message) Foreign() bool { return m.src != nil && m.src.foreign }

// Chat is a saved conversation.
type Chat struct {
	Path     vault.Path // "" until it is saved
	Epoch    int64      // time of the first message in milliseconds since 1970: the identity of the chat
	Title    string     // "" until somebody gave one; see Name
	Model    string
	ModelKey string // Copilot's name of the model, "name|provider"; Model where it is ""
	Layout   string // cache layout, "" for the default
	Chain    string // the way turns are answered, "" if the file does not say
	Project  string // folder of the project that the chat works in, "" for none
	Tags     []string
	Pinned   bool  // listed before the other chats
	Accessed int64 // time when Copilot opened the chat last, in milliseconds since 1970, 0 if unknown
	Messages []Message

	Choices   Choices      // the person's choices for the chat
	Muted     []prompt.Ref // known to the model, but no longer referenced
	Forgotten []prompt.Ref // withdrawn: left out of the library as long as they are on this list
	Origin    Origin       // the chat and message that this chat was branched off
	Totals    []Total      // what the chat has cost so far
	Sent      LastRequest  // the last request, as far as the next one can continue it

	// Undone holds the turns that were taken back behind the last turn: the ends of each turn, in the order of
	// the turns. A new turn in the place of one takes its ends over.
	Undone [][]Variant

	ReadOnly bool // another process has the chat open, or a newer ibid wrote it

	file onDisk
}

// Choices are the person's choices for a chat. The zero value leaves everything to the configuration.
type Choices struct {
	// whether the active note goes with turns: "", "off", "follow" or the path of another note
	Active   string   `json:"active,omitempty"`
	ToolsOff []string `json:"off,omitzero"` // names of tools that are not offered; nil if nothing was chosen
}

// onDisk is the state of a chat's file.
type onDisk struct {
	version  int      // format of the file; 0 if ibid did not write it
	saved    []byte   // content of the file when it was last read or written, nil if there is none
	src      *source  // text around the messages as it was read, nil if the chat was not read from a file
	compat   bool     // see Compat
	restored bool     // the chat has data from its backup that the file lacks, see backup.go
	journals []string // journals that hold parts of the chat until it is saved
}

// Origin names the message at which a chat was branched off another one. The zero value means that it was not.
type Origin struct {
	Epoch   int64 `json:"epoch"`   // epoch of the other chat
	Message int   `json:"message"` // number of the message from 1
}

// Warning tells a person about a problem of a file: Kind is a stable word, Text one line for the screen.
type Warning struct {
	// Kind is one of frontmatter, metadata, appended, newer, locked, merged, conflict, moved, recreated, restored,
	// copy, copies, state, moved_note, missing_note and ambiguous_note.
	Kind string
	Text string
}

// warning returns a warning about a whole file.
func warning(kind, format string, args ...any) []Warning {
	return []Warning{{Kind: kind, Text: fmt.Sprintf(format, args...)}}
}

// Newer reports whether a newer ibid wrote the chat, which makes it ReadOnly.
func (c *Chat) Newer() bool { return c.file.version > version }

// Compat reports whether the chat was saved before context lines existed: see Message.Inlined.
func (c *Chat) Compat() bool { return c.file.compat }

// Size returns the size in bytes that the chat's file had when it was last read or written.
func (c *Chat) Size() int { return len(c.file.saved) }

// Turns returns the number of messages that the person has sent.
func (c *Chat) Turns() int {
	n := 0
	for range c.Questions() {
		n++
	}
	return n
}

// Questions yields, for each message of the person, the number of the turn from 1 and the message's index in
// Messages.
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

// NotesToSelf returns the notes that the model left to itself, oldest first.
func (c *Chat) NotesToSelf() []string {
	var notes []string
	for i := range c.Messages {
		notes = append(notes, c.Messages[i].Notes...)
	}
	return notes
}

// KnownItem is an item that the model was shown in a chat.
type KnownItem struct {
	Ref      prompt.Ref
	Revision string // the revision shown last, 16 hex digits, "" if the file does not say
	Since    int    // turn in which it was attached first, from 1
	Used     int    // turn in which it was attached last
	Times    int    // number of turns in which it was attached
	Muted    bool
}

// Library returns every item that was ever attached, in the order of first appearance, without those in
// Forgotten. Folders and tags stand for themselves where the file does not say which notes they expanded to.
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

// Branch returns a new unsaved chat with the messages of c up to and including its n-th one; an n beyond the end
// copies all. The new epoch is a second after that of c's first message, or after now if that has
// no time.
func Branch(c *Chat, n int, now time.Time) Chat {
	b := *c
	n = min(max(n, 0), len(c.Messages))
	b.Messages = slices.Clone(c.Messages[:n])
	b.Path, b.file.saved, b.file.journals = "", nil, nil
	b.Epoch = wholeSecond(b.began(now).UnixMilli()) + 1000
	b.Origin = Origin{Epoch: c.Epoch, Message: n}
	b.Accessed, b.Pinned, b.ReadOnly = 0, false, false
	b.Totals, b.Undone = nil, nil // earlier costs stand in c
	b.Tags = slices.Clone(c.Tags)
	return b
}
