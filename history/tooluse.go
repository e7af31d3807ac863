package history

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ibid/context/prompt"
	"ibid/vault/md"
)

// ToolUse is a call of a tool as a chat stores it, without the found text. In the block it has those of the sources
// that the reply mentions: later turns can refer to no others.
type ToolUse struct {
	Name         string `json:"n"`
	Args         string `json:"a,omitempty"` // the beginning of the arguments
	State        string `json:"s,omitempty"` // how it ended: done, error, cached or refused
	Milliseconds int64  `json:"ms,omitempty"`
	Result       string `json:"r,omitempty"`  // the beginning of a description of the result for people
	At           int    `json:"at,omitempty"` // position in the text of the reply, in bytes; 0 is before it

	First   int        `json:"f,omitempty"` // number of the first source, 0 if there is none
	Count   int        `json:"k,omitempty"` // number of sources, which are numbered consecutively
	Sources sourceList `json:"src,omitempty"`
}

// sourceList is a list of sources, written as a map from their numbers to the results of sourceTag.
type sourceList []prompt.Source

// MarshalJSON writes the sources by number.
func (l sourceList) MarshalJSON() ([]byte, error) {
	tags := map[int]string{}
	for _, s := range l {
		tags[s.ID] = sourceTag(s)
	}
	return marshal(tags), nil
}

// UnmarshalJSON reads the sources in the order of their numbers.
func (l *sourceList) UnmarshalJSON(data []byte) error {
	var tags map[int]string
	err := json.Unmarshal(data, &tags)
	for _, n := range slices.Sorted(maps.Keys(tags)) {
		s := readSource(tags[n])
		s.ID = n
		*l = append(*l, s)
	}
	return err
}

// Found returns the position in the reply and the range of source numbers.
func (u ToolUse) Found() (at, first, count int) { return u.At, u.First, u.Count }

const (
	maxToolText  = 120  // characters of arguments or result
	maxToolBytes = 1000 // bytes in the block, of all calls of a turn

	maxSourceDigits = 5 // digits of the number of a source

	// maxTools follows from maxToolBytes: a call or a source takes at least as much as this.
	maxTools = maxToolBytes / len(`{"n":""},`)
)

// keptTools returns the calls for a reply that the block stores. If they do not fit, it drops from the end: first the
// texts, then the calls, whose sources go to the call before, then sources.
func (m *Message) keptTools() []ToolUse {
	if len(m.Meta.Tools) == 0 {
		return nil
	}
	mentioned := map[string]bool{}
	for n := range strings.FieldsFuncSeq(m.Text, func(r rune) bool { return r < '0' || r > '9' }) {
		if len(n) <= maxSourceDigits {
			mentioned[n] = true
		}
	}
	var uses []ToolUse
	for _, u := range m.Meta.Tools {
		u.Args, u.Result = firstWords(u.Args), firstWords(u.Result)
		u.Sources = slices.DeleteFunc(slices.Clone(u.Sources), func(s prompt.Source) bool {
			return !mentioned[strconv.Itoa(s.ID)]
		})
		if n := len(uses); n == maxTools {
			uses[n-1].addSources(&u)
		} else {
			uses = append(uses, u)
		}
	}
	room := maxToolBytes - len(marshal(m.keptWrites()))
	full := func() bool { return len(marshal(uses)) > room }
	for i := len(uses) - 1; i >= 0 && full(); i-- {
		uses[i].Args, uses[i].Result = "", ""
	}
	for n := len(uses) - 1; n > 0 && full(); n-- {
		uses[n-1].addSources(&uses[n])
		uses = uses[:n]
	}
	for n := len(uses[0].Sources); n > 0 && (n > maxTools || full()); n-- {
		uses[0].Sources = uses[0].Sources[:n-1]
	}
	return uses
}

// addSources adds the sources of the next call to u.
func (u *ToolUse) addSources(next *ToolUse) {
	u.Sources = append(u.Sources, next.Sources...)
	switch {
	case next.First == 0:
	case u.First == 0:
		u.First, u.Count = next.First, next.Count
	default:
		u.Count = next.First + next.Count - u.First
	}
}

// firstWords returns the beginning of text on one line.
func firstWords(text string) string {
	return md.Clip(md.OneLine(text), maxToolText)
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
