package chatview

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ibid/chains"
)

// footnotes draws a reply while it streams: the references to what this turn has
// found are numbered as they come, as they are once the reply is whole. What looks
// like one in code is too, until then.
type footnotes struct {
	links map[int]string // by the number that the model has for a source
	shown []string       // links, in the order of their numbers on screen
	raw   strings.Builder
	held  string // the end of raw, which may be the beginning of a reference
	drawn bool   // something was renumbered
}

var (
	footnoteForm  = regexp.MustCompile(`\[\^(\d{1,4})\]`)
	footnoteBegin = regexp.MustCompile(`\[(\^(\d{1,4})?)?$`)
)

// Found remembers the sources of a result.
func (f *footnotes) Found(sources []chains.Source) {
	for _, s := range sources {
		if f.links == nil {
			f.links = map[int]string{}
		}
		f.links[s.ID] = s.Link()
	}
}

// Add is what can be shown now that text has come.
func (f *footnotes) Add(text string) string {
	if f.links == nil {
		return text
	}
	f.raw.WriteString(text)
	text, f.held = f.held+text, ""
	if at := footnoteBegin.FindStringIndex(text); at != nil {
		text, f.held = text[:at[0]], text[at[0]:]
	}
	return footnoteForm.ReplaceAllStringFunc(text, f.number)
}

// number is a reference by its number on screen.
func (f *footnotes) number(mark string) string {
	n, _ := strconv.Atoi(mark[len("[^") : len(mark)-1]) // four digits at most
	link, ok := f.links[n]
	if !ok {
		return mark
	}
	at := slices.Index(f.shown, link)
	if at < 0 {
		at, f.shown = len(f.shown), append(f.shown, link)
	}
	f.drawn = true
	return "[" + strconv.Itoa(at+1) + "]"
}

// End begins with the next reply. It returns what was held back of this one, and if
// numbers were changed in it, its text without that.
func (f *footnotes) End() (held, raw string) {
	held = f.held
	if f.drawn {
		raw = f.raw.String()
	}
	f.raw.Reset()
	f.shown, f.held, f.drawn = nil, "", false
	return held, raw
}
