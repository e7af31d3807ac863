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

// Limits of the words for a call: characters of an argument, and bytes of arguments that are read.
const (
	maxCallText      = 120
	maxArgumentBytes = 8000
)

// callTargets are the arguments that name the target of a call.
var callTargets = []string{"query", "path", "notePath", "reference", "url", "expression", "folder"}

// Text describes a call: its tool, its target and its time. Arguments that were cut off are read as far as they go.
func Text(c prompt.ToolCall) string {
	text := c.Name
	if of := argument(c.Arguments, maxCallText, callTargets...); of != "" {
		text += fmt.Sprintf(" %q", of)
	}
	return text + alsoSought(c)
}

// callTable has a line for each tool: its name, and two phrases, for a running and a finished call.
//
//go:embed callwords.txt
var callTable string

// unsaidObject matches the end of a phrase that is removed if a call names no target: "Searched for".
var unsaidObject = regexp.MustCompile(`( (for|about|of|to|near))? ?%s$`)

// Words describes a running or finished call as a sentence: "Searched for barn roof". For an unknown tool it
// returns Text.
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
		of := argument(c.Arguments, maxCallText, append([]string{"statement"}, callTargets...)...)
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

// alsoSought returns the end of the words for a call: " · last week · also slates, gutter".
func alsoSought(c prompt.ToolCall) (text string) {
	if when := argument(c.Arguments, maxCallText, "timeRange"); when != "" {
		text += " · " + when
	}
	var also []string
	for _, list := range searchedLists.FindAllStringSubmatch(c.Arguments, -1) {
		for _, m := range listedText.FindAllString(list[1], -1) {
			also = append(also, strings.Trim(m, `"`))
		}
	}
	if len(also) > 0 {
		text += " · also " + md.Clip(md.OneLine(strings.Join(also, ", ")), maxCallText)
	}
	return text
}

// Patterns, because arguments may be cut off anywhere, which no JSON parser accepts.
var (
	searchedLists = regexp.MustCompile(`[{,]\s*"(?:salientTerms|phrasings)"\s*:\s*\[([^\]]*)`)
	listedText    = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
)

// Target returns the target of a call, cut to most characters, "" if it names none.
func Target(c prompt.ToolCall, most int) string { return argument(c.Arguments, most, callTargets...) }

// textArgument matches a string argument of a call, whose end may be missing.
var textArgument = regexp.MustCompile(`[{,]\s*"(\w+)"\s*:\s*"((?:[^"\\]|\\.)*)`)

// argument returns the first of the named arguments that is a string, on one line and cut to most characters, "" if
// there is none.
func argument(args string, most int, names ...string) string {
	found := map[string]string{}
	for _, m := range textArgument.FindAllStringSubmatch(args[:min(len(args), maxArgumentBytes)], 20) {
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
