package inspector

import (
	"cmp"
	"fmt"

	"ibid/ui/theme"
)

// Report describes one request for drawing. Counts are tokens.
type Report struct {
	Turn   int   // 1-based turn of the request; 0 for the one that enter would send
	Past   []int // turns that can be shown, ascending
	Window int   // context window of the model, 0 if unknown
	Prompt int   // weight of the request
	Cached int   // of these, tokens predicted to be in the provider's cache

	Layers   []Layer // in the order they are sent
	Boundary string  // ID of the last layer with cached bytes, "" if nothing is cached
	Library  []Item  // first-seen order
	Parts    []Part  // additions of this turn, in the order they are sent
	NotSent  []NotSent

	Arranged []string // when the library was made, and the ones before it, newest first
	Last     LastTurn
	Saved    string            // savings of the library so far, such as "≈ 141k tokens · ≈ $0.35"
	Spent    string            // cost of the chat, such as "$0.041", "" if unknown
	Warm     string            // likely remaining lifetime of the cache, such as "4:10 left"
	Remarks  []string          // further lines: shortened parts, a changed prefix
	Ages     map[string]string // of pages, by URL: time since they were fetched, such as "3 min ago"
}

// Layer is one of L1 to L5, a part of the system message after L2, or the tools.
type Layer struct {
	ID     string // "L1" … "L5", "notes", "guide", "list", "tools"
	Name   string // in words, such as "instructions"
	Tokens int
	Cached int    // of these, tokens predicted to be cached
	Hash   string // of its bytes, hex
	Note   string // such as "3 notes"
}

// State is the relation of the model's copy of an item to the file.
type State string

// The states of an item.
const (
	Cached  State = "cached"  // the model has the current text
	Fresh   State = "new"     // sent in full by this request
	Changed State = "changed" // the file changed since
	Muted   State = "muted"   // the bytes stay, but are not referred to
	Deleted State = "deleted" // the file was deleted
	Stub    State = "stub"    // shortened to its outline to make room
	Left    State = "left"    // its text is no longer in the prompt
)

// Item is one item of the library.
type Item struct {
	ID      string
	Title   string
	Detail  string // its folder
	Since   int    // turn in which it was sent first
	Times   int    // turns that referred to it
	Tokens  int
	State   State
	Active  bool
	Past    bool   // its text is in the history (L4), not in the library
	Note    string // such as "2 h ago (+84)", after the words of the state
	Evict   int    // tokens that are read again, once, if it is forgotten
	Refresh int    // the same if it is replaced by the current text
}

// Part is an addition of this turn, or a part of the work of its tools.
type Part struct {
	ID     string
	Layer  string // "" is L3
	Kind   string // "refs", "full", "diff", "notice", "image", "call", "result"
	Text   string // its subject
	Tokens int
	Note   string
}

// NotSent is an attachment that is not sent.
type NotSent struct {
	ID  string
	Why string
}

// NotReported is a number of Last that the provider did not report.
const NotReported = -1

// LastTurn holds the provider's numbers of the turn before. A negative number was not reported.
type LastTurn struct {
	Turn       int // 0 if there was none
	Sent       int
	Cached     int
	Predicted  int
	Counted    int // sent tokens as counted by ibid, 0 if unknown
	New        int
	Completion int
	Cost       string
}

// silent reports whether the provider reported nothing at all.
func (l LastTurn) silent() bool { return l.Sent < 0 && l.Cached < 0 && l.Completion < 0 }

// estimated describes what was sent when the provider reports nothing.
func (l LastTurn) estimated() string {
	if l.Counted == 0 {
		return "nothing reported"
	}
	return "≈ " + theme.ShortCount(l.Counted) + " sent, estimated"
}

// cost returns the cost of the last turn, and of the whole chat.
func (r *Report) cost() string {
	if r.Last.Cost == "" || r.Spent == "" {
		return r.Last.Cost
	}
	return r.Last.Cost + " of " + r.Spent
}

// asPredicted reports whether the provider found the predicted tokens, within a tenth. It is for
// numbers that were reported.
func (l LastTurn) asPredicted() bool {
	d := l.Cached - l.Predicted
	return 10*max(d, -d) <= max(l.Predicted, l.Cached, 1)
}

// better reports whether the provider found more than predicted, which happens when another
// conversation began with the same bytes.
func (l LastTurn) better() bool { return l.Cached > l.Predicted }

// NearlyFull reports whether the request takes more than four fifths of the
// window.
func (r *Report) NearlyFull() bool { return r.Window > 0 && r.Prompt*5 > r.Window*4 }

// formatNumber returns a number with separated thousands, or "not reported".
func formatNumber(n int) string {
	if n < 0 {
		return "not reported"
	}
	return theme.Comma(n)
}

// name returns the name of a layer for the page: its ID, if that is a code, and its name.
func (l *Layer) name() string {
	if len(l.ID) == 2 && l.ID[0] == 'L' {
		return l.ID + " " + l.Name
	}
	return cmp.Or(l.Name, l.ID)
}

// part returns the name of a layer for the ribbon and the rail: parts of the system message beside the
// notes count with them.
func (l *Layer) part() string {
	switch l.ID {
	case "list":
		return "instructions"
	case "notes", "guide":
		return "notes"
	case "tools":
		return "question"
	}
	return l.Name
}

// parts joins adjacent layers of the same part, without those of no weight. boundary is the index of
// the last part with cached bytes, -1 if there is none.
func (r *Report) parts() (parts []Layer, boundary int) {
	boundary = -1
	for _, l := range r.Layers {
		if n := len(parts); l.Tokens > 0 && n > 0 && parts[n-1].Name == l.part() {
			parts[n-1].Tokens += l.Tokens
			parts[n-1].Cached += l.Cached
		} else if l.Tokens > 0 {
			parts = append(parts, Layer{Name: l.part(), Tokens: l.Tokens, Cached: l.Cached})
		}
		if l.ID == r.Boundary {
			boundary = len(parts) - 1
		}
	}
	return parts, boundary
}

// percent formats a share, rounded; only the whole is 100 %.
func percent(part, whole int) string {
	if whole <= 0 || part <= 0 {
		return "0%"
	}
	if part >= whole {
		return "100%"
	}
	return fmt.Sprintf("%d%%", min((200*part+whole)/(2*whole), 99))
}

// isCached reports whether the cache is predicted to find the bytes of item i: the whole history is cached,
// or the library up to this item.
func (r *Report) isCached(i int) bool {
	if s := r.Library[i].State; s == Fresh || s == Left {
		return false
	}
	for _, l := range r.Layers {
		switch {
		case l.ID == "L4" && r.Library[i].Past:
			return l.Tokens > 0 && l.Cached >= l.Tokens
		case l.ID == "L2" && !r.Library[i].Past:
			if l.Cached >= l.Tokens {
				return l.Tokens > 0
			}
			n := 0
			for j := range r.Library[:i+1] {
				if it := &r.Library[j]; !it.Past && it.State != Fresh {
					n += it.Tokens
				}
			}
			return n <= l.Cached
		}
	}
	return false
}
