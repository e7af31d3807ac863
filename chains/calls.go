package chains

import (
	_ "embed"
	"encoding/json"
	"strings"

	"ibid/chains/toolcall"
)

// maxCallText limits the length of a call in a question to the person, in characters.
const maxCallText = 2000

// Wants returns what the call wants to do, and the call itself, each as one line.
func (a *Asked) Wants() (what, call string) {
	of := toolcall.Target(a.Call, maxCallText)
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

// shownState returns the state of the call for the person: a call that ran, but whose result reports that it did
// not succeed, has failed.
func (j *job) shownState() ToolState {
	if j.state == ToolFinished && strings.HasPrefix(j.out.Text, `{"success":false,`) {
		return ToolFailed
	}
	return j.state
}

// failure returns the error of a result that reports one as JSON, and any other text as it is.
func failure(text string) string {
	var said struct{ Error, Message string }
	if json.Unmarshal([]byte(text), &said) != nil || said.Error == "" {
		return text
	}
	return strings.TrimSuffix(said.Error+": "+said.Message, ": ")
}
