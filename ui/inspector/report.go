package inspector

import (
	"cmp"
	"fmt"

	"ibid/ui/theme"
)

// Report is one request, taken apart. Counts are tokens.
type Report struct {
	Turn    int    // 1-based turn of the request; 0 for the one that enter would send
	Past    []int  // turns that can be looked at, ascending
	Window  int    // context window of the model, 0 if unknown
	Learned string // how the window came to be known, such as "learned on 12 Nov", "" if it needs no word
	Prompt  int    // weight of the request
	Cached  int    // how much of it is predicted to be in the provider's cache

	Layers   []Layer // in the order they are sent
	Boundary string  // ID of the last layer with cached bytes, "" if nothing is cached
	Library  []Item  // first-seen order
	Parts    []Part  // what this turn adds, in the order it is sent
	NotSent  []NotSent

	Arranged []string // when the library was made, and the ones before it, newest first
	Last     LastTurn
	Saved    string            // what the library has saved so far, such as "≈ 141k tokens · ≈ $0.35"
	Spent    string            // what the chat has cost, such as "$0.041", "" if that is not known
	Warm     string            // how long the cache is likely to live, such as "4:10 left"
	Remarks  []string          // anything else worth a line: what was shortened, a prefix that broke
	Ages     map[string]string // of pages: how long ago they were fetched, such as "3 min ago", by URL
}

// Layer is one of L1 to L5, what stands in the system message behind L2, or what
// concerns tools.
type Layer struct {
	ID     string // "L1" … "L5", "notes", "guide", "list", "tools"
	Name   string // in words, such as "instructions"
	Tokens int
	Cached int    // how much of it is predicted to be cached
	Hash   string // of its bytes, hex
	Note   string // such as "3 notes"
}

// State says how the copy of an item that the model has relates to the file.
type State string

// The states of an item.
const (
	Cached  State = "cached"  // the model has the current text
	Fresh   State = "new"     // sent in full by this request
	Changed State = "changed" // the file changed since
	Muted   State = "muted"   // the bytes stay, but are not referred to
	Deleted State = "deleted" // the file is gone
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
	Past    bool   // its text stands in the history (L4), not in the library
	Note    string // such as "2 h ago (+84)", behind the state in words
	Evict   int    // tokens that are read again, once, if it is forgotten
	Refresh int    // and if it is replaced by the current text
}

// Part is a piece of what this turn adds, or of what its tools did.
type Part struct {
	ID     string
	Layer  string // "" is L3
	Kind   string // "refs", "full", "diff", "notice", "image", "call", "result"
	Text   string // what it is about
	Tokens int
	Note   string
}

// NotSent is something that was attached and stays here.
type NotSent struct {
	ID  string
	Why string
}

// NotReported stands for a number of Last that the provider did not report.
const NotReported = -1

// LastTurn is what the provider reported about the turn before. A negative number
// was not reported.
type LastTurn struct {
	Turn       int // 0 if there was none
	Sent       int
	Cached     int
	Predicted  int
	Counted    int // tokens that were sent as ibid counts them, 0 if it is not known
	New        int
	Completion int
	Cost       string
}

// silent reports whether the provider reported nothing at all.
func (l LastTurn) silent() bool { return l.Sent < 0 && l.Cached < 0 && l.Completion < 0 }

// estimated words what was sent when the provider reports nothing.
func (l LastTurn) estimated() string {
	if l.Counted == 0 {
		return "nothing reported"
	}
	return "≈ " + theme.ShortCount(l.Counted) + " sent, estimated"
}

// cost is what the last turn has cost, and all of the chat.
func (r *Report) cost() string {
	if r.Last.Cost == "" || r.Spent == "" {
		return r.Last.Cost
	}
	return r.Last.Cost + " of " + r.Spent
}

// asPredicted reports whether the provider found what was promised, give or
// take a tenth. It is for numbers that were reported.
func (l LastTurn) asPredicted() bool {
	d := l.Cached - l.Predicted
	return 10*max(d, -d) <= max(l.Predicted, l.Cached, 1)
}

// better reports whether the provider found more than was promised, as it does
// when another conversation began with the same bytes.
func (l LastTurn) better() bool { return l.Cached > l.Predicted }

// NearlyFull reports whether the request takes more than four fifths of the
// window.
func (r *Report) NearlyFull() bool { return r.Window > 0 && r.Prompt*5 > r.Window*4 }

// noneSent says why there are no numbers of a last turn.
func (r *Report) noneSent() string {
	if r.Turn > 0 {
		return "No numbers are known of this turn"
	}
	for _, l := range r.Layers {
		if l.ID == "L4" && l.Tokens > 0 {
			return "Nothing was sent since this chat was opened"
		}
	}
	return "Nothing has been sent yet"
}

// formatNumber is a number with its thousands apart, in words if there is none.
func formatNumber(n int) string {
	if n < 0 {
		return "not reported"
	}
	return theme.Comma(n)
}

// name is what a layer is called where codes are known: its ID, if that is a code, and
// its name.
func (l *Layer) name() string {
	if len(l.ID) == 2 && l.ID[0] == 'L' {
		return l.ID + " " + l.Name
	}
	return cmp.Or(l.Name, l.ID)
}

// part is what a layer is to someone who asks what weighs most: what stands in the
// system message beside the notes counts with them.
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

// parts joins the layers that stand side by side and are one part, those of no weight
// left out. boundary is the one behind which nothing is cached, -1 if that is all.
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

// percent of a whole, rounded; only all of it is 100 %.
func percent(part, whole int) string {
	if whole <= 0 || part <= 0 {
		return "0%"
	}
	if part >= whole {
		return "100%"
	}
	return fmt.Sprintf("%d%%", min((200*part+whole)/(2*whole), 99))
}

// hit reports whether the cache is predicted to find the bytes of item i: all of
// the history's, or as much of the library's as stands before it, is cached.
func (r *Report) hit(i int) bool {
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
