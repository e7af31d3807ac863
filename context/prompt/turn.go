package prompt

import (
	"fmt"
	"time"
)

// Layout decides when items move into the library.
type Layout string

// The layouts: three positions of one gate.
const (
	Auto   Layout = "auto"   // move while that is cheap, the default
	Strict Layout = "strict" // move on every turn: system = L1 + library + notes, then the raw history
	Append Layout = "append" // never move between rebuilds
)

// Cause says why the system message changed.
type Cause string

// The causes. Nothing else ever changes the system message.
const (
	CauseFirst   Cause = "first"   // the first turn
	CauseReload  Cause = "reload"  // a saved chat was reopened
	CauseL1      Cause = "L1"      // instructions, memory, model or tools changed
	CauseCold    Cause = "cold"    // the provider's cache has surely expired
	CauseBudget  Cause = "budget"  // the prompt outgrew its share of the window
	CausePromote Cause = "promote" // items moved from the messages into the library
	CauseRefresh Cause = "refresh" // the person asked for current content
	CauseForget  Cause = "forget"  // the person withdrew an item
)

// Words say when the library was made, for people: notes were arranged "when the
// window was nearly full".
func (c Cause) Words() string {
	switch c {
	case CauseFirst:
		return "with the first message"
	case CauseReload:
		return "when the chat was opened again"
	case CauseL1:
		return "when the instructions, the memory, the model or the tools changed"
	case CauseCold:
		return "when the provider's cache had expired"
	case CauseBudget:
		return "when the window was nearly full"
	case CausePromote:
		return "when some moved up from the conversation"
	case CauseRefresh:
		return "when they were read again"
	case CauseForget:
		return "when one was forgotten"
	}
	return string(c)
}

// Words say when the library was made that the request has.
func (e EpochInfo) Words() string {
	return fmt.Sprintf("notes arranged in turn %d, %s", e.Turn, e.Cause.Words())
}

// Settings is what L1 is made of, and what else a provider's cache depends on.
type Settings struct {
	L1    string // the text, from SystemText
	Model string
	Tools string // hash of the tool list
	Guide string // how tools are called in text, for a model that takes no list; it ends the system message
}

// Budget is the size of the model's window in tokens. Zero or less means unknown:
// then nothing is ever shortened.
type Budget struct {
	Window  int
	Reserve int     // kept free for the reply, at most half of the window
	Factor  float64 // the provider's tokens per counted token, 0 means 1
}

// State is what became of a known item since it was shown.
type State int

// The states.
const (
	Changed State = iota + 1
	Deleted
	Private   // may no longer leave the machine: it is forgotten at once
	Withdrawn // something that it embeds may no longer leave the machine: that is forgotten, and Item is the rest
)

// Current is how a known item is now. Item is its content if it is Changed or Withdrawn.
type Current struct {
	State State
	Item  Item
	Like  []string // Deleted: paths of notes that it may have become
}

// Move is a known item that has a new id: To is its current content there.
type Move struct {
	From Ref
	To   Item
}

// Turn is what one send brings to the engine.
type Turn struct {
	Text     string             // what the person typed, to the byte
	Context  string             // what is attached, in one line, for the raw history of later epochs; "" for nothing
	Now      time.Time          // in the person's time zone, for the date; zero says none
	Attached []Item             // active note, pins, then the rest, with current content; duplicates count once
	Active   string             // id of the active note, "" if there is none
	Project  []Ref              // notes that count as attached and are not named: of them only what changed travels
	Current  map[string]Current // known items, by id; absent means unchanged, or attached and not muted
	Moves    []Move
	Tools    []ToolResult // results of tools that ran before the request
	Settings Settings
	// The list of tools that goes with the request: its size, and the names in it,
	// which no text in a result may use as a tag.
	ToolTokens int
	ToolNames  []string
	Directive  string // what the person asks for with a word such as @composer, for this turn; "" for nothing
	Layout     Layout // "" is Auto
	Budget     Budget
	Cache      Cache
	Vision     bool             // the model takes images
	Count      func(string) int // tokens of a text; nil counts a token per four bytes
}

// quarter counts a token per four bytes, rounded up.
func quarter(s string) int { return (len(s) + 3) / 4 }

func (b Budget) scale(tokens int) int {
	if b.Factor == 0 {
		return tokens
	}
	return int(float64(tokens)*b.Factor + 0.5)
}

// counted is the inverse of scale.
func (b Budget) counted(tokens int) int {
	if b.Factor == 0 {
		return tokens
	}
	return int(float64(tokens) / b.Factor)
}
