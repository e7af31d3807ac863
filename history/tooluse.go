package history

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"ibid/context/prompt"
	"ibid/vault/md"
)

// ToolUse is a call of a tool as a chat stores it, without the found text.
type ToolUse struct {
	Name   string
	Args   string // the beginning of the arguments
	State  string // how it ended: done, error, cached or refused
	Took   time.Duration
	Result string // the beginning of a description of the result for people
	At     int    // position of the call in the text of the reply, in bytes; 0 is before it

	First   int // number of the first source, 0 if there is none
	Count   int // number of sources, which are numbered consecutively
	Sources []prompt.Source
}

// Found returns the position in the reply and the range of source numbers.
func (u ToolUse) Found() (at, first, count int) { return u.At, u.First, u.Count }

const (
	maxToolText  = 120  // characters of arguments or result
	maxToolBytes = 1000 // bytes in the block, of all calls of a turn

	maxSourceDigits = 5 // digits of the number of a source

	// maxToolTags follows from maxToolBytes: a call or a source takes at least as much as this.
	maxToolTags = maxToolBytes / len(`{"n":""},`)
)

// toolTag is a call in the block. It has those of the sources that the reply mentions, by number: later turns
// can refer to no others.
type toolTag struct {
	N   string         `json:"n"`
	A   string         `json:"a,omitempty"`
	S   string         `json:"s,omitempty"`
	MS  int64          `json:"ms,omitempty"`
	R   string         `json:"r,omitempty"`
	At  int            `json:"at,omitempty"`
	F   int            `json:"f,omitempty"`
	K   int            `json:"k,omitempty"`
	Src map[int]string `json:"src,omitempty"`
}

// toolTags returns the calls for a reply in the form of the block. If they do not fit, it drops from the end:
// first the texts, then the calls, whose sources go to the call before, then sources.
func (m *Message) toolTags() []toolTag {
	if len(m.Meta.Tools) == 0 {
		return nil
	}
	mentioned := map[string]bool{}
	for n := range strings.FieldsFuncSeq(m.Text, func(r rune) bool { return r < '0' || r > '9' }) {
		if len(n) <= maxSourceDigits {
			mentioned[n] = true
		}
	}
	var tags []toolTag
	for _, u := range m.Meta.Tools {
		t := toolTag{
			N: u.Name, A: firstWords(u.Args), S: u.State, MS: u.Took.Milliseconds(), R: firstWords(u.Result), At: u.At,
			F: u.First, K: u.Count,
		}
		for _, s := range u.Sources {
			if mentioned[strconv.Itoa(s.ID)] {
				if t.Src == nil {
					t.Src = map[int]string{}
				}
				t.Src[s.ID] = sourceTag(s)
			}
		}
		if n := len(tags); n == maxToolTags {
			tags[n-1].addSources(&t)
		} else {
			tags = append(tags, t)
		}
	}
	room := maxToolBytes - len(marshal(m.keptWrites()))
	full := func() bool { return len(marshal(tags)) > room }
	for i := len(tags) - 1; i >= 0 && full(); i-- {
		tags[i].A, tags[i].R = "", ""
	}
	for n := len(tags) - 1; n > 0 && full(); n-- {
		tags[n-1].addSources(&tags[n])
		tags = tags[:n]
	}
	for i, n := range slices.Backward(slices.Sorted(maps.Keys(tags[0].Src))) {
		if i >= maxToolTags || full() {
			delete(tags[0].Src, n)
		}
	}
	return tags
}

// addSources adds the sources of the next call to t.
func (t *toolTag) addSources(next *toolTag) {
	if t.Src == nil {
		t.Src = map[int]string{}
	}
	maps.Copy(t.Src, next.Src)
	switch {
	case next.F == 0:
	case t.F == 0:
		t.F, t.K = next.F, next.K
	default:
		t.K = next.F + next.K - t.F
	}
}

// firstWords returns the beginning of text on one line.
func firstWords(text string) string {
	return md.Clip(md.OneLine(text), maxToolText)
}

// toolUses converts tags that toolTags wrote.
func toolUses(tags []toolTag) []ToolUse {
	var uses []ToolUse
	for _, t := range tags {
		u := ToolUse{
			Name: t.N, Args: t.A, State: t.S, Took: time.Duration(t.MS) * time.Millisecond, Result: t.R,
			At: max(t.At, 0), First: t.F, Count: t.K,
		}
		for n, text := range t.Src {
			s := readSource(text)
			s.ID = n
			u.Sources = append(u.Sources, s)
		}
		slices.SortFunc(u.Sources, func(a, b prompt.Source) int { return a.ID - b.ID })
		uses = append(uses, u)
	}
	return uses
}

// sourceTag returns a source as "a.md#Roof:12-31@0123abcd".
func sourceTag(s prompt.Source) string {
	text := s.Path
	if s.Heading != "" {
		text += "#" + s.Heading
	}
	text += ":" + strconv.Itoa(s.From) + "-" + strconv.Itoa(s.To) + "@"
	return text + s.Revision[:min(len(s.Revision), 8)]
}

var sourceForm = regexp.MustCompile(`^(.*?)(?:(\.md)#(.*)|(\.md))?:(\d{1,9})-(\d{1,9})@([0-9a-f]{0,8})$`)

// readSource parses the result of sourceTag; other text becomes the path.
func readSource(text string) prompt.Source {
	m := sourceForm.FindStringSubmatch(text)
	if m == nil {
		return prompt.Source{Path: text}
	}
	from, _ := strconv.Atoi(m[5]) // nine digits at most
	to, _ := strconv.Atoi(m[6])
	return prompt.Source{Path: m[1] + m[2] + m[4], Heading: m[3], From: from, To: to, Revision: m[7]}
}

// Source returns the source with this number, from the message at index upTo or the last one before it that has
// it.
func (c *Chat) Source(number, upTo int) (prompt.Source, bool) {
	for i := min(upTo, len(c.Messages)-1); i >= 0; i-- {
		for _, u := range c.Messages[i].Meta.Tools {
			if at := slices.IndexFunc(u.Sources, func(s prompt.Source) bool { return s.ID == number }); at >= 0 {
				return u.Sources[at], true
			}
		}
	}
	return prompt.Source{}, false
}

// NextSource returns the number of the next source: one more than the highest in the chat, which begins with 1.
func (c *Chat) NextSource() int {
	next := 1
	for i := range c.Messages {
		for _, u := range c.Messages[i].Meta.Tools {
			next = max(next, u.First+u.Count)
		}
	}
	return next
}

// TextWithoutSources returns the text of the message without the list of sources that was added below it.
func (m *Message) TextWithoutSources() string {
	return m.Text[:len(m.Text)-min(max(m.Meta.Footer, 0), len(m.Text))]
}
