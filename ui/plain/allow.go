package plain

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"ibid/chains"
	"ibid/chains/desk"
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

// asksUser reports whether there is a user who can be asked.
func (o *Output) asksUser() bool { return o.Asks && !o.JSON }

// answerQuestion answers a question of a turn: by the permissions, else as the user at the terminal decides; without a
// user the answer is no.
func (o *Output) answerQuestion(ctx context.Context, e *chains.Asked) {
	o.approval(e, "pending", "")
	d := chains.Decision{}
	switch {
	case e.Kind == chains.AccessWrite:
		d = o.decide(ctx, e) // the event is written when the result of the change is known
	case slices.Contains(o.Approve.Kinds(), e.Kind):
		d.Yes = true
	case !o.asksUser():
		d.Reason, d.Nobody = fmt.Sprintf("nobody was there to ask; --approve @%s allows it", e.Kind), true
	default:
		what, call := e.Wants()
		o.printLine("asks", what+": "+call)
		d, _ = o.confirm(ctx, "allow? [y/n, a reason may follow n] ")
	}
	o.unanswered = o.unanswered || d.Nobody
	if decision := map[bool]string{true: "allowed", false: "refused"}[d.Yes]; e.Kind != chains.AccessWrite {
		o.approval(e, decision, d.Reason)
	}
	e.Answer(d)
}

// answerPages asks once whether to fetch the pages that only the chat names, and reports whether the answer is yes.
// Where nobody is asked, a notice has said that they are not fetched.
func (o *Output) answerPages(ctx context.Context, d *desk.Place, addresses []string) (fetch bool) {
	if len(addresses) == 0 {
		return false
	}
	switch {
	case slices.Contains(o.Approve.Kinds(), chains.AccessWeb):
		fetch = true
	case o.asksUser():
		o.printLine("asks", strings.Join(addresses, ", "))
		decision, _ := o.confirm(ctx, chains.PagesQuestion(addresses)+" [y/n] ")
		fetch = decision.Yes
	}
	d.Session().AnswerPages(addresses, fetch)
	return fetch
}

// approval writes the JSON event of a question, before or after its answer.
func (o *Output) approval(e *chains.Asked, decision, reason string) {
	if o.JSON {
		o.printJSON(approvalJSON(e, decision, reason))
	}
}

// approvalJSON returns the event of a question, with the change that it is about.
func approvalJSON(e *chains.Asked, decision, reason string) jsonObject {
	_, call := e.Wants()
	event := jsonObject{
		"type": "approval", "id": e.Call.ID, "tool": e.Call.Name, "kind": e.Kind, "call": call, "decision": decision,
	}
	if reason != "" {
		event["reason"] = reason
	}
	if p := e.Proposal; p != nil {
		added, removed := p.Change.Count()
		event["path"], event["new"], event["hunks"], event["added"], event["removed"] = p.Path, p.New,
			len(p.Change.Hunks), added, removed
		event["diff"] = p.Diff()
		if len(p.Warnings) > 0 {
			event["warnings"] = p.Warnings
		}
		if p.Conflict != nil {
			event["conflict"] = p.Conflict.Hunks
		}
	}
	if len(e.Batch) > 0 {
		var paths []string
		for _, p := range e.Batch {
			paths = append(paths, p.Path)
		}
		event["paths"] = paths
	}
	return event
}

// printToolResult writes the result of a tool if that failed or has a note.
func (o *Output) printToolResult(e *chains.ToolDone) {
	switch {
	case e.State == chains.ToolRefused:
		o.printLine("tool refused", e.Err)
	case e.Err != "":
		o.printLine("tool failed", md.Clip(e.Err, maxToolText))
	case e.Note != "":
		o.printLine("tool", md.Clip(e.Note, maxToolText))
	}
}
