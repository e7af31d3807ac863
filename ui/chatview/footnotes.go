package chatview

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ibid/chains"
)

// footnotes draws the references of a reply while it streams. They are numbered in the order in which
// they appear, as in the complete reply. A reference in code is numbered, too, until the reply is
// complete.
type footnotes struct {
	links      map[int]string // by the model's number of a source
	numbered   []string       // links, in the order of their numbers on screen
	raw        strings.Builder
	pending    string // the end of raw that may be the beginning of a reference
	renumbered bool   // a reference was renumbered
}

var (
	footnoteForm  = regexp.MustCompile(`\[\^(\d{1,4})\]`)
	footnoteBegin = regexp.MustCompile(`\[(\^(\d{1,4})?)?$`)
)

// AddSources records the sources of a result.
func (f *footnotes) AddSources(sources []chains.Source) {
	for _, s := range sources {
		if f.links == nil {
			f.links = map[int]string{}
		}
		f.links[s.ID] = s.Link()
	}
}

// Add returns the text that can be shown after text has arrived.
func (f *footnotes) Add(text string) string {
	if f.links == nil {
		return text
	}
	f.raw.WriteString(text)
	text, f.pending = f.pending+text, ""
	if at := footnoteBegin.FindStringIndex(text); at != nil {
		text, f.pending = text[:at[0]], text[at[0]:]
	}
	return footnoteForm.ReplaceAllStringFunc(text, f.number)
}

// number returns a reference with its number on screen.
func (f *footnotes) number(mark string) string {
	n, _ := strconv.Atoi(mark[len("[^") : len(mark)-1]) // at most four digits
	link, ok := f.links[n]
	if !ok {
		return mark
	}
	at := slices.Index(f.numbered, link)
	if at < 0 {
		at, f.numbered = len(f.numbered), append(f.numbered, link)
	}
	f.renumbered = true
	return "[" + strconv.Itoa(at+1) + "]"
}

// End prepares for the next reply. It returns the text that was held back, and if references of this
// reply were renumbered, its text as it came, else "".
func (f *footnotes) End() (held, raw string) {
	held = f.pending
	if f.renumbered {
		raw = f.raw.String()
	}
	f.raw.Reset()
	f.numbered, f.pending, f.renumbered = nil, "", false
	return held, raw
}
