package chains

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"ibid/context/prompt"
)

// weigh is about how many tokens a result adds to a request.
func weigh(r *prompt.ToolResult, count func(string) int) int {
	n := count(r.Content) + count(r.Guidance)
	for _, d := range r.Documents {
		n += count(d.Title) + count(d.Path) + count(d.Heading) + count(d.Content) + count(d.State)
	}
	for _, s := range r.Sources {
		n += count(s.Path) + count(s.Heading)
	}
	return n
}

// fairShare is how many tokens each of results with these weights may have at most, so
// that all have room: what one does not use, the others may.
func fairShare(weights []int, room int) int {
	left := room
	for i, w := range slices.Sorted(slices.Values(weights)) {
		if share := left / (len(weights) - i); w > share {
			return max(share, 0)
		}
		left -= w
	}
	return room
}

// length is the characters of a result.
func length(r *prompt.ToolResult) int {
	n := utf8.RuneCountInString(r.Content)
	for _, d := range r.Documents {
		n += utf8.RuneCountInString(d.Content)
	}
	return n
}

// cutting brings results under a number of characters and of tokens.
type cutting struct {
	most, tokens int
	turn         int                    // tokens of all results of the turn
	rest         func(shown int) string // see ToolOutput
	count        func(string) int
}

// shorten cuts a result and says so. Whole documents go first, from the last, then the
// longest text, at the end of a paragraph; in JSON also the last elements of lists.
func (c *cutting) shorten(r *prompt.ToolResult) {
	fits := func() bool { return length(r) <= c.most && weigh(r, c.count) <= max(c.tokens, 0) }
	if fits() {
		return
	}
	why := fmt.Sprintf("the results of a turn have %s tokens in all, and each of a reply its share", prompt.Thousands(c.turn))
	if n := len(r.Documents); n > 0 {
		for len(r.Documents) > 1 && !fits() {
			r.Documents = r.Documents[:len(r.Documents)-1]
			r.Sources = r.Sources[:min(len(r.Sources), len(r.Documents))]
		}
		r.Guidance = strings.TrimPrefix(fmt.Sprintf("%s\n%d of %d passages: %s.", r.Guidance, len(r.Documents), n, why), "\n")
		r.Documents = slices.Clone(r.Documents)
		d := &r.Documents[0]
		c.cut(d.Content, fits, func(text string) { d.Content = text })
		return
	}
	r.Stop = strings.TrimPrefix(r.Stop+"\n(cut: "+why+")", "\n")
	var doc any
	if text := strings.TrimSpace(r.Content); text != "" && (text[0] == '{' || text[0] == '[') && json.Unmarshal([]byte(text), &doc) == nil {
		c.shortenJSON(r, doc, fits)
		return
	}
	c.cut(r.Content, fits, func(text string) { r.Content = text })
}

// leastText is how many bytes a text has at least that is cut within JSON.
const leastText = 200

// shortenJSON cuts the longest text of a document, or the longest list, until it fits.
func (c *cutting) shortenJSON(r *prompt.ToolResult, doc any, fits func() bool) {
	for !fits() {
		var text string
		var list []any
		var setText, setList func(any)
		walkJSON(doc, func(v any) { doc = v }, func(v any, set func(any)) {
			if s, ok := v.(string); ok && len(s) > max(len(text), leastText) {
				text, setText = s, set
			} else if l, ok := v.([]any); ok && len(l) > len(list) {
				list, setList = l, set
			}
		})
		write := func() {
			var b bytes.Buffer
			e := json.NewEncoder(&b)
			e.SetEscapeHTML(false)
			_ = e.Encode(doc) // what was read can be written
			r.Content = strings.TrimSpace(b.String())
		}
		switch {
		case setText != nil:
			c.cut(text, fits, func(text string) {
				setText(text)
				write()
			})
		case setList != nil:
			setList(list[:len(list)*3/4])
			write()
		default:
			r.Content = "The result does not fit."
			return
		}
	}
}

// walkJSON visits a value and all in it, in an order that is always the same.
func walkJSON(v any, set func(any), visit func(v any, set func(any))) {
	visit(v, set)
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			walkJSON(v[name], func(e any) { v[name] = e }, visit)
		}
	case []any:
		for i := range v {
			walkJSON(v[i], func(e any) { v[i] = e }, visit)
		}
	}
}

// cut gives set the longest beginning of text, to within a tenth, that fits, with a mark
// that says what is missing and how to get it.
func (c *cutting) cut(text string, fits func() bool, set func(string)) {
	text = strings.ToValidUTF8(text, "")
	all := utf8.RuneCountInString(text)
	for size := min(len(text), utf8.UTFMax*c.most); ; size -= size/10 + 1 {
		if size == len(text) {
			set(text)
		} else {
			kept := lastParagraph(strings.ToValidUTF8(text[:max(size, 0)], ""))
			shown := utf8.RuneCountInString(kept)
			mark := "[… " + prompt.Thousands(all-shown) + " more characters"
			if c.rest != nil {
				mark += ": " + c.rest(shown)
			}
			set(strings.TrimPrefix(kept+"\n\n"+mark+"]", "\n\n"))
		}
		if size <= 0 || fits() {
			return
		}
	}
}

// lastParagraph is the beginning of a text up to the last end of a paragraph, a line, a
// sentence or a word in its second half.
func lastParagraph(text string) string {
	for _, end := range []string{"\n\n", "\n", ". ", " "} {
		if at := strings.LastIndex(text, end); at > len(text)/2 {
			return text[:at+len(strings.TrimRight(end, " \n"))]
		}
	}
	return text
}
