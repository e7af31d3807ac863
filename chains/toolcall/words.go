package toolcall

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"strings"

	"ibid/context/prompt"
	"ibid/vault/md"
)

// How many characters of an argument stand in the words for a call, and how many bytes of
// arguments are read for them.
const (
	mostCallText = 120
	mostRead     = 8000
)

// callTargets are the arguments that say what a call is about.
var callTargets = []string{"query", "path", "notePath", "reference", "url", "expression", "folder"}

// Text is a call in words for people: its name, what it looks for and of when.
// Arguments that were cut off are read as far as they go.
func Text(c prompt.ToolCall) string {
	text := c.Name
	if of := argument(c.Arguments, mostCallText, callTargets...); of != "" {
		text += fmt.Sprintf(" %q", of)
	}
	return text + alsoSought(c)
}

// callTable is a line for each tool: its name, and what it does and did in words.
//
//go:embed callwords.txt
var callTable string

// unsaidObject goes from the words for a call that names nothing: "Searched for".
var unsaidObject = regexp.MustCompile(`( (for|about|of|to|near))? ?%s$`)

// Words is a call as a sentence, of what it does or did: "Searched for barn roof". The
// text of a call whose tool is not known is Text.
func Words(c prompt.ToolCall, done bool) string {
	for line := range strings.Lines(callTable) {
		words := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if words[0] != c.Name {
			continue
		}
		said := words[1]
		if done {
			said = words[2]
		}
		of := argument(c.Arguments, mostCallText, append([]string{"statement"}, callTargets...)...)
		if strings.HasSuffix(of, ".md") {
			of = strings.TrimSuffix(path.Base(of), ".md")
		}
		if of == "" {
			return unsaidObject.ReplaceAllString(said, "") + alsoSought(c)
		}
		return strings.Replace(said, "%s", of, 1) + alsoSought(c)
	}
	return Text(c)
}

// alsoSought goes behind the words for a call: " · last week · also slates, gutter".
func alsoSought(c prompt.ToolCall) (text string) {
	if when := argument(c.Arguments, mostCallText, "timeRange"); when != "" {
		text += " · " + when
	}
	var also []string
	for _, list := range searchedLists.FindAllStringSubmatch(c.Arguments, -1) {
		for _, m := range listedText.FindAllString(list[1], -1) {
			also = append(also, strings.Trim(m, `"`))
		}
	}
	if len(also) > 0 {
		text += " · also " + md.Clip(md.OneLine(strings.Join(also, ", ")), mostCallText)
	}
	return text
}

// Arguments may be cut off anywhere, so that no reader of JSON takes them.
var (
	searchedLists = regexp.MustCompile(`[{,]\s*"(?:salientTerms|phrasings)"\s*:\s*\[([^\]]*)`)
	listedText    = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
)

// Target names the thing that a call is about, in up to so many characters; "" if that is not said.
func Target(c prompt.ToolCall, most int) string { return argument(c.Arguments, most, callTargets...) }

// textArgument is an argument of a call that is a text; its end may be missing.
var textArgument = regexp.MustCompile(`[{,]\s*"(\w+)"\s*:\s*"((?:[^"\\]|\\.)*)`)

// argument is the first of these arguments that is a text, in one line and cut to
// what fits in one; "" if there is none.
func argument(args string, most int, names ...string) string {
	found := map[string]string{}
	for _, m := range textArgument.FindAllStringSubmatch(args[:min(len(args), mostRead)], 20) {
		var text string
		if json.Unmarshal([]byte(`"`+m[2]+`"`), &text) == nil {
			found[m[1]] = md.OneLine(text)
		}
	}
	for _, name := range names {
		if text := found[name]; text != "" {
			return md.Clip(text, most)
		}
	}
	return ""
}
