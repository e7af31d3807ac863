package plain

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"ibid/chains"
	"ibid/chains/toolcall"
	"ibid/vault/md"
)

// Approvals are the permissions that need no question: "@read" and "@web", and for changes of notes "all" or
// patterns of paths.
type Approvals []string

// Set adds a permission; it implements a flag that may be repeated.
func (a *Approvals) Set(s string) error {
	if _, err := path.Match(s, ""); err != nil || s == "" || s[0] == '@' && s != "@read" && s != "@web" {
		return errors.New("it takes @read, @web, all or a pattern of paths such as Journal/*.md or Journal/**")
	}
	*a = append(*a, s)
	return nil
}

// Kinds returns the kinds of access among the permissions.
func (a Approvals) Kinds() (kinds []chains.Access) {
	for _, s := range a {
		if kind, ok := strings.CutPrefix(s, "@"); ok {
			kinds = append(kinds, chains.Access(kind))
		}
	}
	return kinds
}

// String returns the permissions, separated by spaces.
func (a *Approvals) String() string { return strings.Join(*a, " ") }

// Type returns the name of a value in the help.
func (a *Approvals) Type() string { return "WHAT" }

// answerQuestion answers a question of a turn: by the permissions, else as the user at the terminal decides; without a
// user the answer is no.
func (o *Output) answerQuestion(e chains.Asked, ask asker) {
	o.approval(&e, "pending", "")
	d := chains.Decision{}
	switch {
	case e.Kind == chains.AccessWrite:
		d = o.decide(&e, ask) // the event is written when the result of the change is known
	case slices.Contains(o.Approve.Kinds(), e.Kind):
		d.Yes = true
	case ask == nil:
		d.Reason, d.Nobody = fmt.Sprintf("nobody was there to ask; --approve @%s allows it", e.Kind), true
	default:
		d = o.ask(&e, ask)
	}
	o.unanswered = o.unanswered || d.Nobody
	if decision := map[bool]string{true: "allowed", false: "refused"}[d.Yes]; e.Kind != chains.AccessWrite {
		o.approval(&e, decision, d.Reason)
	}
	e.Answer(d)
}

// ask asks at the terminal until the answer is yes or no, or the input or ctx ends.
func (o *Output) ask(e *chains.Asked, ask asker) chains.Decision {
	what, call := e.Wants()
	o.printLine("asks", what+": "+call)
	d, _ := ask.confirm("allow? [y/n, a reason may follow n] ")
	return d
}

// approval writes the JSON event of a question, before or after its answer.
func (o *Output) approval(e *chains.Asked, decision, reason string) {
	if !o.JSON {
		return
	}
	event := approvalJSON(e, decision, reason)
	changeJSON(e, event)
	o.printJSON(event)
}

// approvalJSON returns the fields that all events of a question have.
func approvalJSON(e *chains.Asked, decision, reason string) map[string]any {
	_, call := e.Wants()
	event := map[string]any{
		"type": "approval", "id": e.Call.ID, "tool": e.Call.Name, "kind": e.Kind, "call": call, "decision": decision,
	}
	if reason != "" {
		event["reason"] = reason
	}
	return event
}

// toolLines writes the call of a tool, and its result if that failed or has a note.
func (o *Output) toolLines(e chains.Event) {
	switch e := e.(type) {
	case chains.ToolStarted:
		o.printLine("tool", toolcall.Words(e.Call, false))
	case chains.ToolDone:
		switch {
		case e.State == chains.ToolRefused:
			o.printLine("tool refused", e.Err)
		case e.Err != "":
			o.printLine("tool failed", md.Clip(e.Err, maxToolText))
		case e.Note != "":
			o.printLine("tool", md.Clip(e.Note, maxToolText))
		}
	}
}

// toolJSON returns the event of the beginning or the end of a tool call.
func toolJSON(e chains.Event) map[string]any {
	switch e := e.(type) {
	case chains.ToolStarted:
		return map[string]any{
			"type": "tool", "id": e.Call.ID, "name": e.Call.Name, "round": e.Round, "state": "start",
			"args": argsJSON(e.Call.Arguments),
		}
	case chains.ToolDone:
		return map[string]any{
			"type": "tool", "id": e.Call.ID, "name": e.Call.Name, "round": e.Round, "state": e.State,
			"ms": e.Took.Milliseconds(), "tokens": e.Tokens,
			"sources": sourcesJSON(e.Sources), "note": e.Note, "text": md.Clip(cmp.Or(e.Err, e.Result), maxToolText),
		}
	}
	return nil
}
