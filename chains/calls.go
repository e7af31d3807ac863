package chains

import (
	_ "embed"
	"encoding/json"
	"strings"

	"ibid/chains/toolcall"
)

// mostAsked bounds the characters of a call in a question about it.
const mostAsked = 2000

// Wants words the question and the call, each in a line.
func (a *Asked) Wants() (what, call string) {
	of := toolcall.Target(a.Call, mostAsked)
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

// shownState counts as failed, for people, a call whose result says that it did not
// succeed.
func (j *job) shownState() ToolState {
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
