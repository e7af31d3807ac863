package prompt

import (
	"fmt"
	"time"
)

// Layout decides when items move into the library.
type Layout string

// The layouts.
const (
	Auto   Layout = "auto"   // move them while that is cheap, the default
	Strict Layout = "strict" // move them in every turn: system = L1 + library + notes, then the raw history
	Append Layout = "append" // never move them between rebuilds
)

// Cause is the reason for a new epoch, in which the system message changes.
type Cause string

// The causes. The system message changes for no other reason.
const (
	CauseFirst   Cause = "first"   // the first turn
	CauseReload  Cause = "reload"  // a saved chat was reopened
	CauseL1      Cause = "L1"      // instructions, memory, model or tools changed
	CauseCold    Cause = "cold"    // the provider's cache has surely expired
	CauseBudget  Cause = "budget"  // the prompt exceeded its share of the window
	CausePromote Cause = "promote" // items moved from the messages into the library
	CauseRefresh Cause = "refresh" // the person asked for current content
	CauseForget  Cause = "forget"  // the person withdrew an item
)

// causeWords are the times at which libraries are made, as ends of a sentence for the person: notes were arranged
// "when the window was nearly full".
var causeWords = map[Cause]string{
	CauseFirst:   "with the first message",
	CauseReload:  "when the chat was opened again",
	CauseL1:      "when the instructions, the memory, the model or the tools changed",
	CauseCold:    "when the provider's cache had expired",
	CauseBudget:  "when the window was nearly full",
	CausePromote: "when some moved up from the conversation",
	CauseRefresh: "when they were read again",
	CauseForget:  "when one was forgotten",
}

// Words returns the turn and the cause for which the library of the request was made, as a clause for the person.
func (e EpochInfo) Words() string {
	return fmt.Sprintf("notes arranged in turn %d, %s", e.Turn, causeWords[e.Cause])
}

// Settings are the text of L1, and what else a provider's cache depends on.
type Settings struct {
	L1    string // from SystemText
	Model string
	Tools string // hash of the list of tools
	Guide string // end of the system message for a model that takes no list: how to call tools in text
}

// Budget is the size of the model's window in tokens. Zero or less means unknown: then nothing is shortened.
type Budget struct {
	Window  int
	Reserve int     // kept free for the reply, at most half of the window
	Factor  float64 // the provider's tokens per counted token, 0 means 1
}

// State is the change to a known item since it was shown.
type State int

// The states.
const (
	Changed State = iota + 1
	Deleted
	Private   // it must not leave the machine any more: it is forgotten at once
	Withdrawn // something that it embeds must not leave the machine any more: that is forgotten, and Item is the rest
)

// Current is the current state of a known item. Item is its content if it is Changed or Withdrawn.
type Current struct {
	State State
	Item  Item
	Like  []string // for Deleted: paths of notes that it may have become
}

// Move is the new id of a known item. To is its current content there.
type Move struct {
	From Ref
	To   Item
}

// Turn is the input of the engine for one turn.
type Turn struct {
	Text     string             // typed text, unchanged
	Context  string             // context line for the raw history of later epochs; "" for none
	Now      time.Time          // in the person's time zone, for the date; zero leaves the date out
	Asked    time.Time          // when the question was asked, if it is sent again; else zero
	Attached []Item             // active note, pins, then the rest, with current content; duplicates count once
	Active   string             // id of the active note, "" if there is none
	Project  []Ref              // notes that count as attached without being listed: only their changes are sent
	Current  map[string]Current // known items that changed, by id; attached items need no entry unless they are muted
	Moves    []Move
	Tools    []ToolResult // results of tools that ran before the request
	Settings Settings
	// The size of the list of tools in the request, and their names, which no text in a result may use as a tag.
	ToolTokens int
	ToolNames  []string
	Directive  string // instruction for this turn, from a word such as @composer; "" for none
	Layout     Layout // "" is Auto
	Budget     Budget
	Cache      Cache
	Vision     bool             // the model takes images
	Count      func(string) int // counts the tokens of a text; nil counts one per four bytes
}

// ApproximateTokens returns the tokens of a text as its size tells.
func ApproximateTokens(text string) int { return TokensOfSize(len(text)) }

// TokensOfSize returns one token per four bytes, rounded up.
func TokensOfSize[T int | int64](bytes T) int { return int(bytes+3) / 4 }

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
