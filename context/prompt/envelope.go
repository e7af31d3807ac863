package prompt

import (
	"encoding/hex"
	"iter"
	"math"
	"strings"
)

// Envelope is one request, ready to send, with everything that a person may
// want to know about it. It is a value; Commit turns it into the next state of
// the conversation once the reply is there.
type Envelope struct {
	Turn   int // 1-based
	Layout Layout
	// L1, L2, L4, L3, L5 in wire order, then those of "notes" (notes-to-self in the system message), "guide" (to
	// calls in text, there too), "list" (of tools) and "tools" (calls and results of a loop) that there are
	Layers    []Layer
	Attached  []Attachment
	Library   []LibraryItem // everything the model knows, first-seen order
	Epoch     EpochInfo
	Predicted Prediction
	NotSent   []NotSent
	Shortened []ShortenedPart
	Break     *Break   // set when the prefix changed without a cause: a bug, to be logged
	Images    []string // names of the images that travel

	request  *request
	kept     keptTurn
	question string
	tools    toolUse
	next     Conversation
	count    func(string) int
	budget   Budget
	cache    cacheUse
	lasting  int // counted tokens of what the next request of the epoch begins with
}

// toolUse is what tools have to do with a request.
type toolUse struct {
	found []ToolResult // for this turn
	names []string     // of all tools
}

// keptTurn is what the conversation keeps of a turn, where that is not what was sent.
type keptTurn struct {
	message *wire  // the user message without what tools found, nil if that is as it was sent
	context string // what was attached, in front of the question in the raw history
}

// EpochInfo says which epoch a request belongs to.
type EpochInfo struct {
	N     int   `json:"n"`     // 1-based
	Cause Cause `json:"cause"` // why it began
	Turn  int   `json:"turn"`  // the turn that began it
	New   bool  `json:"new"`   // this request begins it
}

// Layer is one layer of a request.
type Layer struct {
	ID       string    `json:"id"` // L1 … L5, notes, guide, list, tools
	Tokens   int       `json:"tokens"`
	SHA256   string    `json:"sha256"` // hex, of the layer's bytes
	Cached   int       `json:"cached"` // tokens of it that are predicted to be cached
	Segments []Segment `json:"-"`
}

// Name is what people call the layer.
func (l Layer) Name() string {
	switch l.ID {
	case "L1":
		return "instructions"
	case "L2":
		return "notes"
	case "L3":
		return "this turn"
	case "L4":
		return "conversation"
	case "L5":
		return "question"
	case "notes":
		return "notes to self"
	case "guide":
		return "guide to tools"
	case "list":
		return "list of tools"
	case "tools":
		return "tool calls"
	}
	return l.ID
}

// Segment is a part of a layer.
type Segment struct {
	ID string // an item's id, a role, a tool's name or a short description
	// "text", "item", "stub", "reference", "full", "update", "diff", "notice", "tool", "message", "notes",
	// "question"
	Kind   string
	Text   string // exact bytes; "" for a reference, which is one line of a list
	Tokens int
	// hex, of a tool's result: of its text with ids counted from 1, so that the same result has the same hash in
	// any turn
	SHA256 string
}

// Attachment is one item of this turn and how it travels.
type Attachment struct {
	Ref    Ref
	Title  string
	State  string // "new", "known", "updated", "muted"
	Tokens int    // tokens that it adds to this request
	Active bool
	Image  bool // it embeds images
}

// LibraryItem is one item that the model knows.
type LibraryItem struct {
	Ref      Ref
	Title    string
	Revision Revision
	Since    int // 1-based turn
	Used     int // turn in which it was attached last
	Times    int // turns in which it was attached
	Tokens   int
	Place    string // "system" or "transcript", "" if its text is not in the request
	State    string // "cached", "new", "changed", "deleted", "stub", "muted", "left" if its text is not in the request
}

// Room is how many tokens, as they are counted, the request may grow by until it fills what
// the window has beside the reply.
func (e Envelope) Room() int {
	if e.budget.Window <= 0 {
		return math.MaxInt / 2
	}
	return e.budget.levels().limit - e.Predicted.Counted
}

// Prediction is what the request will weigh, in the provider's tokens.
type Prediction struct {
	Prompt  int `json:"prompt"`
	Cached  int `json:"cached"`
	Counted int `json:"-"` // Prompt as it was counted, before the provider's factor
	Bytes   int `json:"-"` // length of the longest common prefix with the request before, in bytes
}

// NotSent is an item that stays here, and why.
type NotSent struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
	Left   bool   `json:"left,omitempty"` // the request before had its text
}

// ShortenedPart is something that had to make room.
type ShortenedPart struct {
	What   string // "turns 1–8", an item's id, or other words
	How    string // "in a summary", "left out", "only the outline" or "only head and tail"
	Tokens int    // tokens that it gave back
}

// Break is a change of the prefix that nothing explains.
type Break struct {
	Layer  string
	Offset int // byte offset in the first message that differs
}

// request is the messages of one request, shared with its neighbours.
type request struct {
	system [1]wire
	fold   []wire // what stands in for folded turns: two messages or none
	past   []wire
	sent   []wire
	user   [1]wire
	loop   []wire // calls and results, after the user message
	once   bool   // the user message is not sent again as it is
	list   int    // tokens of the list of tools
}

// parts are the messages in wire order.
func (r *request) parts() [6][]wire {
	system := r.system[:]
	if r.system[0].Content == "" {
		system = nil
	}
	return [6][]wire{system, r.fold, r.past, r.sent, r.user[:], r.loop}
}

// lasting is the number of messages that a later request of the epoch begins with.
func (r *request) lasting() int {
	if r == nil {
		return 0
	}
	n := 0
	for i, part := range r.parts() {
		if i < 4 || i == 4 && !r.once {
			n += len(part)
		}
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

// at is the i-th message, nil if there is none.
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

// all yields the messages in wire order; they must not be changed.
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

// Messages is the request as it goes to the model.
func (e Envelope) Messages() []Message {
	out := make([]Message, 0, len(e.request.past)+len(e.request.sent)+len(e.request.loop)+4)
	marks := e.request.marked()
	for w := range e.request.all() {
		m := w.Message
		m.Parts = marks.of(len(out), &m)
		out = append(out, m)
	}
	return out
}

// Question is what the person typed.
func (e Envelope) Question() string { return e.question }

// Documents is the content that the request carries, as data: every known item
// as it was shown last, those of this turn included, but for muted ones, each with
// what it embeds, and behind them what tools found for this turn, each with its
// Source. One without content stands in a known item.
func (e Envelope) Documents() []Item {
	out := make([]Item, 0, len(e.next.known)+len(e.tools.found))
	for _, k := range e.next.known {
		if e.next.muted[k.ID] || k.stub || k.absent || k.Kind == Picture {
			continue
		}
		out = append(out, k.shown)
		for _, part := range k.shown.Embedded {
			path, sub, _ := strings.Cut(part.Path, "#")
			ref := Ref{Kind: Note, ID: part.Path}
			if sub != "" {
				ref.Kind = Selection
			}
			out = append(out, NewItem(ref, noteName(path), path, part.Content))
		}
	}
	for _, t := range e.tools.found {
		for _, d := range t.Documents {
			ref := Lines(d.Path, d.From, d.To)
			if isAddress(d.Path) {
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

// Unfound is what the tools say that ran before the request and found nothing, a
// line each.
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
