package toolcall

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"ibid/chains/calltext"
	"ibid/context/prompt"
	"ibid/vault/md"
)

// Weight returns the tokens that a result adds to a request.
func Weight(r *prompt.ToolResult, count func(string) int) int { return count(r.Text(nil)) }

// countRunes returns the characters of a result.
func countRunes(r *prompt.ToolResult) int {
	n := utf8.RuneCountInString(r.Content)
	for _, d := range r.Documents {
		n += utf8.RuneCountInString(d.Content)
	}
	return n
}

// Shorten cuts a result to so many characters and tokens, and says so in it, with the tokens that all results of a
// turn may have. It drops whole documents first, from the last; then it cuts texts at the end of a paragraph, and
// in JSON lists, too. rest says how to get the text after so many characters; it may be nil.
func Shorten(r *prompt.ToolResult, most, tokens, turn int, rest func(shown int) string, count func(string) int) {
	tokens = max(tokens, 0)
	fits := func() bool { return countRunes(r) <= most && Weight(r, count) <= tokens }
	if fits() {
		return
	}
	why := fmt.Sprintf("the results of a turn have %s tokens in all, and each of a reply its share", md.Thousands(turn))
	text := &r.Content
	if n := len(r.Documents); n > 0 {
		for len(r.Documents) > 1 && !fits() {
			r.Documents = r.Documents[:len(r.Documents)-1]
			r.Sources = r.Sources[:min(len(r.Sources), len(r.Documents))]
		}
		r.Guidance = strings.TrimPrefix(fmt.Sprintf("%s\n%d of %d passages: %s.",
			r.Guidance, len(r.Documents), n, why), "\n")
		r.Documents = slices.Clone(r.Documents)
		text = &r.Documents[0].Content
	} else {
		r.Stop = strings.TrimPrefix(r.Stop+"\n(cut: "+why+")", "\n")
	}
	whole := *text
	var doc any
	if json.Unmarshal([]byte(whole), &doc) != nil || !strings.ContainsAny(whole[:1], "{[") {
		doc = nil
	}
	about := 2 * len(whole) * tokens / max(Weight(r, count), 1) // a little more than what fits
	for size := min(len(whole), utf8.UTFMax*most, about); size >= 0 && !fits(); size -= size/10 + 1 {
		if doc == nil {
			*text = beginning(whole, size, rest)
		} else {
			*text = calltext.JSON(limited(doc, size, rest))
		}
	}
}

const (
	minText    = 200 // minimum bytes of each text in JSON
	minElement = 100 // estimated bytes of an element of a list
)

// limited returns a value of JSON with texts of at most size bytes, and with as many elements of its lists as fit
// into size bytes.
func limited(v any, size int, rest func(shown int) string) any {
	switch v := v.(type) {
	case string:
		return beginning(v, max(size, minText), rest)
	case []any:
		list := make([]any, min(len(v), size/minElement))
		for i := range list {
			list[i] = limited(v[i], size, rest)
		}
		return list
	case map[string]any:
		object := map[string]any{}
		for name, e := range v {
			object[name] = limited(e, size, rest)
		}
		return object
	}
	return v
}

// beginning cuts text at the end of a paragraph within size bytes, and adds a mark that says how much is missing
// and how to get it.
func beginning(text string, size int, rest func(shown int) string) string {
	text = strings.ToValidUTF8(text, "")
	if len(text) <= size {
		return text
	}
	kept := lastParagraph(strings.ToValidUTF8(text[:size], ""))
	shown := utf8.RuneCountInString(kept)
	mark := "[… " + md.Thousands(utf8.RuneCountInString(text)-shown) + " more characters"
	if rest != nil {
		mark += ": " + rest(shown)
	}
	return strings.TrimPrefix(kept+"\n\n"+mark+"]", "\n\n")
}

// lastParagraph cuts a text at the last end of a paragraph, a line, a sentence or a word in its second half.
func lastParagraph(text string) string {
	for _, end := range []string{"\n\n", "\n", ". ", " "} {
		if at := strings.LastIndex(text, end); at > len(text)/2 {
			return text[:at+len(strings.TrimRight(end, " \n"))]
		}
	}
	return text
}
