package history

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"ibid/context/prompt"
)

// LastRequest describes the last request of a chat, so that the next one can continue it after the chat was reopened.
// The zero value says nothing.
type LastRequest struct {
	At          time.Time // when it was sent, in whole seconds
	Arrangement prompt.Arrangement
}

// sentTag is a LastRequest in the hidden block. It takes at most maxSent bytes; what needs more is not written, and the
// chat begins anew for the provider when it is reopened.
type sentTag struct {
	At     int64        `json:"at"`
	Turn   int          `json:"t"`
	Epoch  int          `json:"n"`
	Cause  prompt.Cause `json:"c"`
	Strict bool         `json:"strict,omitempty"`
	Size   int          `json:"z,omitempty"`
	Hashes string       `json:"l"` // of L1, of L2, and of the other settings
	// the library, as numbers of items; the items of More follow those of the lines
	Order   runs       `json:"o,omitempty"`
	Outline runs       `json:"s,omitempty"` // places in Order
	Left    runs       `json:"g,omitempty"` // items that are told to be gone, as numbers of items
	More    []Item     `json:"i,omitempty"`
	Fold    []int      `json:"fold,omitempty"` // turns, notes to self, turns of the summary
	Summary string     `json:"sum,omitempty"`
	Traces  []traceTag `json:"x,omitempty"`
	Places  runs       `json:"p,omitempty"`
	Turns   int        `json:"m"`
	Sums    string     `json:"w"` // the base, then those of the turns
}

// traceTag has the turns with the same trace.
type traceTag struct {
	Flags  string `json:"f,omitempty"` // letters of traceFlags
	Edited string `json:"n,omitempty"`
	Day    string `json:"d,omitempty"`
	Cut    int    `json:"c,omitempty"`
	Tail   string `json:"e,omitempty"`
	Turns  runs   `json:"t"`
}

const (
	maxSent    = 1000 // bytes of a sentTag, without the summary
	maxSummary = 1500 // bytes of the summary

	hashLen = 8 // characters of the hash of a layer
	sumLen  = 4 // characters of the sum of a turn
)

// tag returns the request as it stands in a block with the lines of w, nil if there is none or if it would be too long.
func (r *LastRequest) tag(w *blockWriter) json.RawMessage {
	a := &r.Arrangement
	if a.Turn == 0 {
		return nil
	}
	t := sentTag{
		At: r.At.Unix(), Turn: a.Turn, Epoch: a.Epoch, Cause: a.Cause, Strict: a.Layout == prompt.Strict, Size: a.Size,
		Hashes: a.L1 + a.L2 + a.Settings, Places: a.Places, Turns: a.Turns, Sums: a.Base + strings.Join(a.Sums, ""),
	}
	for i, h := range a.Library {
		it := Item{Ref: h.Ref, Revision: h.Revision}
		n, written := w.numbers[it]
		if !written {
			n = t.more(it, w)
		}
		t.Order = append(t.Order, n)
		if h.Outline {
			t.Outline = append(t.Outline, i)
		}
	}
	for _, r := range a.Left {
		n, written := w.refs[r]
		if !written {
			n = t.more(Item{Ref: r}, w)
		}
		t.Left = append(t.Left, n)
	}
	if a.Folded > 0 || a.Dropped > 0 {
		t.Fold = []int{a.Folded, a.Dropped, a.Covered}
	}
	for _, trace := range a.Traces {
		t.addTrace(trace)
	}
	if len(marshal(t)) > maxSent || len(a.Summary) > maxSummary {
		return nil
	}
	t.Summary = a.Summary
	return marshal(t)
}

// more adds an item that no line of the block has, and returns its number.
func (t *sentTag) more(it Item, w *blockWriter) int {
	t.More = append(t.More, it)
	return len(w.numbers) + len(t.More) - 1
}

// addTrace adds a trace to those of the same kind.
func (t *sentTag) addTrace(trace prompt.Trace) {
	tag := traceTag{Edited: trace.Edited, Day: trace.Day, Cut: trace.Cut, Tail: trace.Tail}
	for _, f := range traceFlags {
		if *f.of(&trace) {
			tag.Flags += f.letter
		}
	}
	i := slices.IndexFunc(t.Traces, func(o traceTag) bool {
		return o.Flags == tag.Flags && o.Edited == tag.Edited && o.Day == tag.Day && o.Cut == tag.Cut && o.Tail == tag.Tail
	})
	if i < 0 {
		i = len(t.Traces)
		t.Traces = append(t.Traces, tag)
	}
	t.Traces[i].Turns = append(t.Traces[i].Turns, trace.Turn)
}

// traceFlags are the flags of a trace.
var traceFlags = []struct {
	letter string
	of     func(*prompt.Trace) *bool
}{
	{"l", func(t *prompt.Trace) *bool { return &t.LookedUp }},
	{"c", func(t *prompt.Trace) *bool { return &t.Called }},
	{"d", func(t *prompt.Trace) *bool { return &t.Directive }},
}

// readSent returns the request that a tag describes, the zero value if the tag is not valid. items are those of the
// lines of the block.
func readSent(tag json.RawMessage, items []Item) LastRequest {
	var t sentTag
	if len(tag) > 2*(maxSent+maxSummary) || json.Unmarshal(tag, &t) != nil { // escapes take more than one byte each
		return LastRequest{}
	}
	wellFormed := len(t.Hashes) == 3*hashLen && len(t.Sums) >= sumLen && len(t.Sums)%sumLen == 0 &&
		t.Turn > 0 && t.At > 0 && len(t.Summary) <= maxSummary
	if !wellFormed || t.Fold != nil && len(t.Fold) != 3 {
		return LastRequest{}
	}
	a := prompt.Arrangement{
		Turn: t.Turn, Epoch: t.Epoch, Cause: t.Cause, Layout: prompt.Auto, Size: t.Size,
		L1: t.Hashes[:hashLen], L2: t.Hashes[hashLen : 2*hashLen], Settings: t.Hashes[2*hashLen:],
		Summary: t.Summary, Base: t.Sums[:sumLen], Places: t.Places, Turns: t.Turns,
	}
	if t.Strict {
		a.Layout = prompt.Strict
	}
	all := slices.Concat(items, t.More)
	outline := make(map[int]bool, len(t.Outline))
	for _, i := range t.Outline {
		outline[i] = true
	}
	for i, n := range t.Order {
		if n >= len(all) {
			return LastRequest{}
		}
		a.Library = append(a.Library, prompt.ArrangedCopy{
			Ref: all[n].Ref, Revision: all[n].Revision, Outline: outline[i],
		})
	}
	for _, n := range t.Left {
		if n >= len(all) {
			return LastRequest{}
		}
		a.Left = append(a.Left, all[n].Ref)
	}
	if t.Fold != nil {
		a.Folded, a.Dropped, a.Covered = t.Fold[0], t.Fold[1], t.Fold[2]
	}
	for _, tag := range t.Traces {
		for _, turn := range tag.Turns {
			trace := prompt.Trace{Turn: turn, Edited: tag.Edited, Day: tag.Day, Cut: tag.Cut, Tail: tag.Tail}
			for _, f := range traceFlags {
				*f.of(&trace) = strings.Contains(tag.Flags, f.letter)
			}
			a.Traces = append(a.Traces, trace)
		}
	}
	for rest := t.Sums[sumLen:]; rest != ""; rest = rest[sumLen:] {
		a.Sums = append(a.Sums, rest[:sumLen])
	}
	return LastRequest{At: time.Unix(t.At, 0), Arrangement: a}
}

// runs is a list of numbers, written with ranges: "0-3,7,5".
type runs []int

// maxRun limits the numbers in runs, which a few bytes could otherwise make endless.
const maxRun = 10_000

// maxNumber limits each number: the largest are offsets in bytes.
const maxNumber = 1 << 40

// MarshalJSON writes the numbers.
func (r runs) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	for i := 0; i < len(r); {
		n := 1
		for i+n < len(r) && r[i+n] == r[i]+n {
			n++
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(r[i]))
		if n > 1 {
			b.WriteString("-" + strconv.Itoa(r[i]+n-1))
		}
		i += n
	}
	return marshal(b.String()), nil
}

// UnmarshalJSON reads the numbers. Of a list that is not valid it reads nothing.
func (r *runs) UnmarshalJSON(data []byte) error {
	*r = nil
	var text string
	if json.Unmarshal(data, &text) != nil {
		return nil
	}
	var all runs
	for part := range strings.SplitSeq(text, ",") {
		from, to, ranged := strings.Cut(part, "-")
		if !ranged {
			to = from
		}
		first, err := strconv.Atoi(from)
		last, failed := strconv.Atoi(to)
		valid := err == nil && failed == nil && 0 <= first && first <= last && last <= maxNumber
		if !valid || last-first >= maxRun-len(all) {
			return nil
		}
		for n := first; n <= last; n++ {
			all = append(all, n)
		}
	}
	*r = all
	return nil
}
