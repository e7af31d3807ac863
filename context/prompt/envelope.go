package prompt

import (
	"cmp"
	"encoding/hex"
	"iter"
	"math"
	"strings"

	"ibid/vault/md"
)

// Envelope is one request, ready to send, with everything that a person may want to know about it. It is a value.
// Commit returns the conversation after the reply.
type Envelope struct {
	Turn   int // from 1
	Layout Layout
	// L1, L2, L4, L3, L5 in the order of the request, then, as far as they exist: "notes" (notes-to-self in the
	// system message), "guide" (to calls in text, also there), "list" (of tools) and "tools" (calls and results of
	// a loop)
	Layers    []Layer
	Attached  []Attachment
	Library   []LibraryItem // everything that the model knows, in the order of first appearance
	Epoch     EpochInfo
	Predicted Prediction
	NotSent   []NotSent
	Shortened []ShortenedPart
	Break     *Break   // set if the prefix changed without a cause: a bug, to be logged
	Images    []string // names of the images that are sent

	request        *request
	kept           keptTurn
	question       string
	tools          toolUse
	next           Conversation
	count          func(string) int
	budget         Budget
	cache          cacheUse
	repeatedTokens int // counted tokens of the part that the next request of the epoch repeats
}

// toolUse holds the tools of a request and their results.
type toolUse struct {
	found []ToolResult // in this turn
	names []string     // of all tools
}

// keptTurn is the part of a turn that the conversation keeps, where that differs from what was sent.
type keptTurn struct {
	message *wire  // the user message without the results of tools, nil if there are none
	context string // context line for the raw history

	trace Trace // what is known of the turn before the reply
}

// EpochInfo describes the epoch of a request.
type EpochInfo struct {
	N     int   `json:"n"`     // from 1
	Cause Cause `json:"cause"` // why it began
	Turn  int   `json:"turn"`  // turn that began it
	New   bool  `json:"new"`   // this request begins it
}

// Layer is one layer of a request.
type Layer struct {
	ID       string    `json:"id"` // L1 … L5, notes, guide, list, tools
	Tokens   int       `json:"tokens"`
	SHA256   string    `json:"sha256"` // hex, of the bytes; of L4 and of rounds, of the hashes of their messages
	Cached   int       `json:"cached"` // tokens that are predicted to be cached
	Segments []Segment `json:"-"`
}

// layerNames are the names of layers for a person.
var layerNames = map[string]string{
	"L1": "instructions", "L2": "notes", "L3": "this turn", "L4": "conversation", "L5": "question",
	"notes": "notes to self", "guide": "guide to tools", "list": "list of tools", "tools": "tool calls",
}

// Name returns the name of the layer for a person.
func (l Layer) Name() string { return cmp.Or(layerNames[l.ID], l.ID) }

// Segment is a part of a layer.
type Segment struct {
	ID string // an item's id, a role, a tool's name or a short description
	// "text", "item", "stub", "reference", "full", "update", "diff", "notice", "tool", "message", "notes",
	// "question"
	Kind   string
	Text   string // exact bytes; "" for a reference, which is one line of a list
	Tokens int
	// for a result of a tool: hex hash of its text with ids counted from 1, so that the same result has the same
	// hash in any turn
	SHA256 string
}

// Attachment is an item of this turn and the form in which it is sent.
type Attachment struct {
	Ref    Ref
	Title  string
	State  string // "new", "known", "updated", "muted"
	Tokens int    // tokens that it adds to this request
	Active bool
	Image  bool // it embeds images
}

// LibraryItem is an item that the model knows.
type LibraryItem struct {
	Ref      Ref
	Title    string
	Revision Revision
	Since    int // turn in which it was first attached, from 1
	Used     int // turn in which it was last attached
	Times    int // number of turns in which it was attached
	Tokens   int
	Place    string // "system" or "transcript", "" if its text is not in the request
	// "cached", "new", "changed", "deleted", "stub", "muted", "left" if its text is not in the request
	State string
}

// Room returns the counted tokens by which the request may grow until only the room for the reply is left.
func (e Envelope) Room() int {
	if e.budget.Window <= 0 {
		return math.MaxInt / 2
	}
	return e.budget.levels().limit - e.Predicted.Counted
}

// Prediction is the predicted size of a request, in the provider's tokens.
type Prediction struct {
	Prompt  int `json:"prompt"`
	Cached  int `json:"cached"`
	Counted int `json:"-"` // Prompt before it was multiplied by the provider's factor
	Bytes   int `json:"-"` // length of the common prefix with the previous request, in bytes
}

// NotSent is an item that is not sent, with the reason.
type NotSent struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
	Left   bool   `json:"left,omitempty"` // the previous request had its text
}

// ShortenedPart is a part of the prompt that was shortened.
type ShortenedPart struct {
	What   string // "turns 1–8", an item's id, or other words
	How    string // "in a summary", "left out", "only the outline" or "only head and tail"
	Tokens int    // tokens that it freed
}

// Break is a change of the prefix without a cause.
type Break struct {
	Layer  string
	Offset int // byte offset in the first message that differs
}

// request holds the messages of one request. It shares memory with the previous ones.
type request struct {
	system [1]wire
	fold   []wire // messages that replace folded turns: two or none
	past   []wire
	sent   []wire
	user   [1]wire
	loop   []wire // calls and results, after the user message
	once   bool   // later requests do not repeat the user message unchanged
	list   int    // tokens of the list of tools
}

// parts returns the messages in the order of the request.
func (r *request) parts() [6][]wire {
	system := r.system[:]
	if r.system[0].Content == "" {
		system = nil
	}
	return [6][]wire{system, r.fold, r.past, r.sent, r.user[:], r.loop}
}

// repeatedMessages returns the number of messages that later requests of the epoch repeat.
func (r *request) repeatedMessages() int {
	if r == nil {
		return 0
	}
	n := r.len() - len(r.loop)
	if r.once {
		n -= len(r.user)
	}
	return n
}

func (r *request) len() int {
	n := 0
	for _, part := range r.parts() {
		n += len(part)
	}
	return n
}

// at returns the i-th message, nil if there is none.
func (r *request) at(i int) *wire {
	if r == nil {
		return nil
	}
	for _, part := range r.parts() {
		if i < len(part) {
			return &part[i]
		}
		i -= len(part)
	}
	return nil
}

// all yields the messages in the order of the request. They must not be changed.
func (r *request) all() iter.Seq[*wire] {
	return func(yield func(*wire) bool) {
		for _, part := range r.parts() {
			for i := range part {
				if !yield(&part[i]) {
					return
				}
			}
		}
	}
}

// Messages returns the messages for the model.
func (e Envelope) Messages() []Message {
	out := make([]Message, 0, len(e.request.past)+len(e.request.sent)+len(e.request.loop)+4)
	marks := e.request.marked()
	for w := range e.request.all() {
		m := w.Message
		m.Parts = marks.partsOf(len(out), &m)
		out = append(out, m)
	}
	return out
}

// Documents returns the content of the request as data: every known item with the content that was shown last and
// the texts it embeds, without muted ones, followed by the passages that tools found for this turn, each with its
// Source. A passage without content is part of a known item.
func (e Envelope) Documents() []Item {
	out := make([]Item, 0, len(e.next.known)+len(e.tools.found))
	for _, k := range e.next.known {
		if e.next.muted[k.ID] || k.stub || k.absent || k.Kind == Picture {
			continue
		}
		out = append(out, k.shown)
		for _, part := range k.shown.Embedded {
			path, sub, _ := strings.Cut(part.Path, "#")
			ref := NoteRef(part.Path)
			if sub != "" {
				ref.Kind = Selection
			}
			out = append(out, NewItem(ref, noteName(path), path, part.Content))
		}
	}
	for _, t := range e.tools.found {
		for _, d := range t.Documents {
			ref := Lines(d.Path, d.From, d.To)
			if md.StartsURL(d.Path) {
				ref = Ref{Kind: URL, ID: d.Path}
			}
			it := NewItem(ref, d.Title, d.Path, d.Content)
			it.Aliases, it.StartLine, it.EndLine = d.Aliases, d.From, d.To
			it.Source = &Source{ID: d.ID, Path: d.Path, Heading: d.Heading, From: d.From, To: d.To}
			out = append(out, it)
		}
	}
	return out
}

// Unfound returns the texts of tools that ran before the request and found nothing, one a line.
func (e Envelope) Unfound() string {
	var lines []string
	for _, t := range e.tools.found {
		if t.Call == "" && len(t.Documents) == 0 && t.Content != "" {
			lines = append(lines, t.Content)
		}
	}
	return strings.Join(lines, "\n")
}

func hexSum(sum [32]byte) string { return hex.EncodeToString(sum[:]) }
