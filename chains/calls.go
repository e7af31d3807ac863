package chains

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

// How many characters of an argument stand in the words for a call, and in those
// for a question about it.
const (
	mostCallText = 120
	mostAsked    = 2000
)

// callTargets are the arguments that say what a call is about.
var callTargets = []string{"query", "path", "notePath", "reference", "url", "expression", "folder"}

// CallText is a call in words for people: its name, what it looks for and of when.
// Arguments that were cut off are read as far as they go.
func CallText(c prompt.ToolCall) string {
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

// CallWords is a call as a sentence, of what it does or did: "Searched for barn roof". The
// text of a call whose tool is not known is CallText.
func CallWords(c prompt.ToolCall, done bool) string {
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
	return CallText(c)
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

// Wants is what is asked for, and by which call exactly, each in a line.
func (a *Asked) Wants() (what, call string) {
	of := argument(a.Call.Arguments, mostAsked, callTargets...)
	call = strings.TrimSpace(a.Call.Name + " " + of)
	switch {
	case a.Host != "" && strings.Contains(of, "?"):
		return "fetch this page of " + a.Host, call
	case a.Host != "":
		return "fetch pages of " + a.Host, call
	case a.Kind == AccessWeb:
		return "use the network", call
	case a.Kind == AccessWrite:
		return "change a note", call
	default:
		return "read notes that you did not attach", call
	}
}

// seen is how a call ended for people: one whose result says that it did not succeed
// has failed.
func (j *job) seen() ToolState {
	if j.state == ToolFinished && strings.HasPrefix(j.out.Text, `{"success":false,`) {
		return ToolFailed
	}
	return j.state
}

// failure is why a call failed, in words: that of a result which says so in JSON.
func failure(text string) string {
	var said struct{ Error, Message string }
	if json.Unmarshal([]byte(text), &said) != nil || said.Error == "" {
		return text
	}
	return strings.TrimSuffix(said.Error+": "+said.Message, ": ")
}

// textArgument is an argument of a call that is a text; its end may be missing.
var textArgument = regexp.MustCompile(`[{,]\s*"(\w+)"\s*:\s*"((?:[^"\\]|\\.)*)`)

// argument is the first of these arguments that is a text, in one line and cut to
// what fits in one; "" if there is none.
func argument(args string, most int, names ...string) string {
	found := map[string]string{}
	for _, m := range textArgument.FindAllStringSubmatch(args[:min(len(args), 4*mostAsked)], 20) {
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
