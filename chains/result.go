package chains

import (
	"encoding/json"
	"fmt"
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

// length is the characters of a result.
func length(r *prompt.ToolResult) int {
	n := utf8.RuneCountInString(r.Content)
	for _, d := range r.Documents {
		n += utf8.RuneCountInString(d.Content)
	}
	return n
}

// shorten brings a result under so many characters and tokens, and says that it
// did. Whole documents go first, from the last; JSON is never cut inside.
func shorten(r *prompt.ToolResult, most, tokens int, count func(string) int) {
	fits := func() bool { return length(r) <= most && weigh(r, count) <= max(tokens, 0) }
	if fits() {
		return
	}
	before := length(r)
	if n := len(r.Documents); n > 0 {
		for len(r.Documents) > 1 && !fits() {
			r.Documents = r.Documents[:len(r.Documents)-1]
			r.Sources = r.Sources[:min(len(r.Sources), len(r.Documents))]
		}
		said := fmt.Sprintf("%d of %d passages: the others do not fit.", len(r.Documents), n)
		if r.Guidance != "" {
			said = r.Guidance + "\n" + said
		}
		r.Guidance = said
		docs := append([]Document(nil), r.Documents...)
		r.Documents = docs
		docs[0].Content = cutTo(docs[0].Content, fits, func(text string) { docs[0].Content = text })
		return
	}
	if text := strings.TrimSpace(r.Content); text != "" && (text[0] == '{' || text[0] == '[') && json.Valid([]byte(text)) {
		r.Content = failed("too_large", fmt.Sprintf("the result has %d characters, which do not fit: ask for less", before)).Text
		return
	}
	near := r.Content[:min(len(r.Content), utf8.UTFMax*most)] // a text of megabytes is not counted again and again
	r.Content = cutTo(near, fits, func(text string) { r.Content = text })
	r.Content += fmt.Sprintf("\n[cut: %d of %d characters]", utf8.RuneCountInString(r.Content), before)
}

// cutTo is the longest beginning of text, to within a sixteenth, with which fits
// holds once set has taken it.
func cutTo(text string, fits func() bool, set func(string)) string {
	text = strings.ToValidUTF8(text, "")
	for size := len(text); ; size -= size/16 + 1 {
		for size > 0 && size < len(text) && !utf8.RuneStart(text[size]) {
			size--
		}
		if set(text[:max(size, 0)]); size <= 0 || fits() {
			return text[:max(size, 0)]
		}
	}
}
