package plain

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"ibid/chains"
	"ibid/ui/diff"
	"ibid/ui/theme"
	"ibid/vault"
)

// Covers reports whether the file at this path may be changed without a question: by "all", or by a pattern, in
// which * matches inside of a folder and ** across folders.
func (a Approvals) Covers(file string) bool {
	return slices.ContainsFunc(a, func(s string) bool {
		return s == "all" || s != "" && s[0] != '@' && matchesPattern(s, file)
	})
}

// wildcards turns the escaped wildcards of a pattern into those of regular expressions.
var wildcards = strings.NewReplacer(`\*\*/`, "(?:.*/)?", `\*\*`, ".*", `\*`, "[^/]*", `\?`, "[^/]")

// matchesPattern reports whether a pattern that Set accepts matches a path.
func matchesPattern(pattern, file string) bool {
	if !strings.Contains(pattern, "**") {
		ok, _ := path.Match(pattern, file) // Set has checked the pattern
		return ok
	}
	ok, err := regexp.MatchString("(?s)^(?:"+wildcards.Replace(regexp.QuoteMeta(pattern))+")$", file)
	return ok && err == nil
}

// decide answers a question about a change: by the permissions, else as the user at the terminal decides, if
// there is one.
func (o *Output) decide(ctx context.Context, e *chains.Asked) chains.Decision {
	if len(e.Batch) > 0 {
		return o.decideBatch(ctx, e)
	}
	p := e.Proposal
	covered := p.Conflict == nil && o.Approve.Covers(p.Path)
	if o.quit && !covered {
		return chains.Decision{Reason: "not now"}
	}
	o.showChange(p)
	switch {
	case covered:
		return chains.Decision{Yes: true}
	case !o.asksUser():
		return chains.Decision{
			Reason: fmt.Sprintf("nobody was there to ask; --approve %q or --approve all allows it", p.Path),
			Nobody: true,
		}
	}
	for {
		word, reason, ok := o.readAnswer(ctx, "apply? [y/n/h/q] ")
		switch {
		case !ok:
			return chains.Decision{Reason: reason, Nobody: true}
		case word == "y" || word == "yes":
			return chains.Decision{Yes: true}
		case word == "n" || word == "no":
			return chains.Decision{Reason: reason}
		case word == "q" || word == "quit":
			o.quit = true
			return chains.Decision{Reason: reason}
		case word == "h" || word == "hunk":
			return o.decideHunks(ctx, p)
		}
		o.printLine("note",
			"y applies it, n refuses it (a reason may follow), h goes hunk by hunk, q refuses it and all further changes of this turn")
	}
}

// decideHunks asks about each hunk.
func (o *Output) decideHunks(ctx context.Context, p *chains.Proposal) chains.Decision {
	d := chains.Decision{Hunks: []int{}}
	for i := range p.Change.Hunks {
		o.diff(p.Change.Hunks[i].Unified())
		one, ok := o.confirm(ctx, fmt.Sprintf("apply hunk %d of %d? [y/n] ", i+1, len(p.Change.Hunks)))
		switch {
		case !ok:
			return one
		case one.Yes:
			d.Hunks, d.Yes = append(d.Hunks, i), true
		default:
			d.Reason = one.Reason
		}
	}
	return d
}

// decideBatch lists changes of many notes, and asks whether to make all of them as they are listed, or to go on to
// the single changes. If the permissions cover all of them, they are shown and made at once.
func (o *Output) decideBatch(ctx context.Context, e *chains.Asked) chains.Decision {
	covered := true
	for _, p := range e.Batch {
		covered = covered && o.Approve.Covers(p.Path)
		o.printLine("change", strings.TrimSuffix(theme.ShowHidden(p.Path)+": "+p.Summary()+", "+
			vault.Path(p.Path).MixedScripts(), ", "))
		for _, w := range p.Warnings {
			o.printLine("note", theme.ShowHidden(p.Path)+": "+w)
		}
	}
	for _, u := range e.Unfit {
		_, call := (&chains.Asked{Call: u.Call}).Wants()
		o.printLine("cannot be made", theme.ShowHidden(call)+": "+u.Reason)
	}
	switch {
	case covered:
		for i, p := range e.Batch {
			o.approval(&chains.Asked{Kind: e.Kind, Call: e.Calls[i], Proposal: p}, "pending", "")
			o.showChange(p)
		}
		return chains.Decision{Yes: true, All: true}
	case !o.asksUser(): // each change is decided separately
		return chains.Decision{Yes: true}
	}
	sum := chains.TotalsOf(e.Batch)
	question := fmt.Sprintf("change these %s (%s, +%d −%d)? [A/y/n] ", theme.Plural(sum.Notes, "note"),
		theme.Plural(sum.Hunks, "hunk"), sum.Added, sum.Removed)
	for {
		word, reason, ok := o.readAnswer(ctx, question)
		switch {
		case !ok, word == "n", word == "no":
			return chains.Decision{Reason: reason, Nobody: !ok}
		case word == "a", word == "all":
			return chains.Decision{Yes: true, All: true}
		case word == "y", word == "yes":
			return chains.Decision{Yes: true}
		}
		o.printLine("note", "A makes all of these as they are listed, y goes through them, "+
			"n refuses them (a reason may follow)")
	}
}

// showChange shows a proposal with its warnings and its diff.
func (o *Output) showChange(p *chains.Proposal) {
	if o.JSON {
		return
	}
	if c := p.Conflict; c != nil {
		o.printLine("note", fmt.Sprintf("%s was changed meanwhile: %d of %d hunks fit no longer and are left out",
			p.Path, len(c.Hunks), len(c.Was.Hunks)))
	}
	for _, w := range p.Warnings {
		o.printLine("note", w)
	}
	o.diff(p.Diff())
}

// diff writes a unified diff to standard error.
func (o *Output) diff(text string) {
	if o.reply.midLine {
		o.endReply()
		o.reply.noticeInside = true
	}
	_, _ = fmt.Fprint(o.Err, diff.Text(text)) // there is no other place to report an error
}

// confirm asks at the terminal until the answer is yes or no. If there is none, ok is false and the decision is no.
func (o *Output) confirm(ctx context.Context, prompt string) (d chains.Decision, ok bool) {
	for {
		word, reason, ok := o.readAnswer(ctx, prompt)
		switch {
		case !ok, word == "n", word == "no":
			return chains.Decision{Reason: reason, Nobody: !ok}, ok
		case word == "y", word == "yes":
			return chains.Decision{Yes: true}, true
		}
	}
}

// readAnswer asks at the terminal and returns the first word of the answer in lower case, and the rest of it as reason.
// ok is false if the input or ctx ends; then reason says why, and is empty for ctx.
func (o *Output) readAnswer(ctx context.Context, prompt string) (word, reason string, ok bool) {
	l, end := o.readLine(ctx, prompt, true)
	if end == wholeMessage {
		word, reason, _ := strings.Cut(strings.TrimSpace(l.text), " ")
		return strings.ToLower(strings.TrimRight(word, ",:")), strings.TrimSpace(reason), true
	}
	if _, _ = fmt.Fprintln(o.Err); end != ctxEnded {
		reason = "nobody was there to ask: the input ended"
	}
	return "", reason, false
}

// printWriteResult writes the event of a change after it was decided.
func (o *Output) printWriteResult(e *chains.WriteResult) {
	event := approvalJSON(&chains.Asked{Kind: chains.AccessWrite, Call: e.Call}, e.Decision(), e.Err)
	event["path"], event["hunks"], event["applied"] = e.Path, e.Hunks, e.Applied
	if e.Undo > 0 {
		event["undo"] = e.Undo
	}
	o.printJSON(event)
}
