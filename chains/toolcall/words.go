package toolcall

import (
	_ "embed"
	"fmt"
	"path"
	"regexp"
	"strings"

	"ibid/chains/calltext"
	"ibid/context/prompt"
	"ibid/vault/md"
)

// Limits of the words for a call: characters of an argument, and bytes of arguments that are read.
const (
	maxCallText      = 120
	maxArgumentBytes = 8000
)

// callTargets are the arguments that name the target of a call.
var callTargets = []string{"query", "path", "notePath", "reference", "url", "expression", "folder", "statement"}

// Text describes a call: its tool, its target and its time. Arguments that were cut off are read as far as they go.
func Text(c prompt.ToolCall) string {
	text := c.Name
	if of := Target(c, maxCallText); of != "" {
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
		of := Target(c, maxCallText)
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
	args := arguments(c)
	if when := firstText(args, maxCallText, "timeRange"); when != "" {
		text += " · " + when
	}
	var also []string
	for _, name := range []string{"salientTerms", "phrasings"} {
		list, _ := args[name].([]any)
		for _, term := range list {
			also = append(also, fmt.Sprint(term))
		}
	}
	if len(also) > 0 {
		text += " · also " + md.Clip(md.OneLine(strings.Join(also, ", ")), maxCallText)
	}
	return text
}

// Target returns the target of a call, cut to most characters, "" if it names none.
func Target(c prompt.ToolCall, most int) string { return firstText(arguments(c), most, callTargets...) }

// arguments returns the arguments of a call as far as they go, since they may be cut off anywhere.
func arguments(c prompt.ToolCall) map[string]any {
	return calltext.Object(c.Arguments[:min(len(c.Arguments), maxArgumentBytes)])
}

// firstText returns the first of the named arguments that is a string, on one line and cut to most characters, "" if
// there is none.
func firstText(args map[string]any, most int, names ...string) string {
	for _, name := range names {
		if text, _ := args[name].(string); strings.TrimSpace(text) != "" {
			return md.Clip(md.OneLine(text), most)
		}
	}
	return ""
}
