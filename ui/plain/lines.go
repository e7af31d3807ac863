package plain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/ui/theme"
	"ibid/vault"
)

// Exit statuses of line mode and of one question.
const (
	ExitDone        = 0
	ExitFailed      = 1
	ExitUsage       = 2
	ExitUnasked     = 3 // a question had nobody to answer it
	ExitInterrupted = 130
)

// Ask runs one turn and returns the exit status. If savedPrompt names a saved prompt, that is sent with the
// question.
func Ask(ctx context.Context, d *desk.Place, out *Output, question, savedPrompt string) int {
	out.refusesUnread = true
	reportOpened(d, out, true)
	reportUnsaved(d, out, "`ibid chats recover`")
	if err := d.LookAround(); err != nil {
		out.Warn("workspace", err.Error())
	}
	if savedPrompt == "" {
		sendTurn(ctx, d, out, d.Input(question))
		return Status(ctx, out)
	}
	m, err := d.UsePrompt(ctx, `"`+savedPrompt+`" `+question)
	switch {
	case errors.Is(err, vault.ErrRules):
		out.refuseUnasked(err.Error() + "; nothing was sent")
	case err != nil:
		out.refuse(ctx, chains.ErrConfig, err.Error())
	default:
		sendMessage(ctx, d, out, &m)
	}
	return Status(ctx, out)
}

// Status returns the exit status after the output written to out.
func Status(ctx context.Context, out *Output) int {
	switch {
	case ctx.Err() != nil:
		return ExitInterrupted
	case out.misused:
		return ExitUsage
	case out.failed || out.Broken() != nil:
		return ExitFailed
	case out.unanswered:
		return ExitUnasked
	}
	return ExitDone
}

// sendMessage sends the message of a saved prompt.
func sendMessage(ctx context.Context, d *desk.Place, out *Output, m *desk.Message) {
	for _, n := range m.Notices {
		out.Warn(n.Kind, n.Text)
	}
	in, err := d.InputOf(ctx, m)
	if err != nil {
		out.refuse(ctx, chains.ErrConfig, err.Error())
		return
	}
	sendTurn(ctx, d, out, in)
}

// sendTurn runs a turn without asking: high costs give a warning, and a request over a limit is refused.
func sendTurn(ctx context.Context, d *desk.Place, out *Output, in chains.Input) {
	p, err := d.Session().Begin(ctx, in)
	out.WarnOfRules(d.RulesWarning())
	if err == nil && len(p.Unchecked()) > 0 {
		if !out.agreesToSend(ctx, d, p.Unchecked()) {
			return
		}
		p, err = d.Session().Begin(ctx, in)
	}
	if err == nil && out.answerPages(ctx, d, p.UnattachedPages()) {
		p, err = d.Session().Begin(ctx, in)
	}
	if err != nil {
		out.refuse(ctx, chains.ErrConfig, err.Error())
		return
	}
	if out.refusesUnread {
		if unread := p.Unread(ctx); len(unread) > 0 {
			out.misused = true
			out.refuse(ctx, chains.ErrConfig, joinReasons(unread)+"; nothing was sent")
			return
		}
	}
	if why := p.Refusal(); why != "" {
		out.refuse(ctx, chains.ErrContext, why+"; nothing was sent, --send-large sends it all the same")
		return
	}
	if tokens, dear := p.NeedsCostWarning(); dear {
		text, sep := fmt.Sprintf("this turn reads about %s new tokens", theme.Comma(tokens)), "; the heaviest: "
		for i, w := range chains.SortByWeight(p.Weights()) {
			if i < 3 {
				text += fmt.Sprintf("%s%s %s", sep, w.Ref.ID, theme.Comma(w.Tokens))
				sep = ", "
			}
		}
		out.Warn("large", text)
	}
	out.printAttached(p.Envelope.Attached, &in)
	printTurn(ctx, d, out, d.Counted(ctx, p.Send(ctx)))
}

// agreesToSend asks whether to send what the person chose although the rules for excluded files cannot be read, and
// records a yes. Without a person the answer is no.
func (o *Output) agreesToSend(ctx context.Context, d *desk.Place, chosen []prompt.MissingRef) bool {
	what := d.DescribeUnchecked(chosen)
	if !o.asksUser() {
		o.refuseUnasked(what + "; nothing was sent, because nobody was there to ask")
		return false
	}
	o.printLine("asks", what)
	decision, _ := o.confirm(ctx, "send it? [y/n] ")
	if decision.Yes {
		d.Agree(chosen)
	} else {
		o.Warn("rules", "nothing was sent")
	}
	return decision.Yes
}

// joinReasons returns the reasons why references are not sent, each once.
func joinReasons(all []prompt.MissingRef) string {
	var reasons []string
	for _, m := range all {
		reason := strings.TrimSuffix(m.Reason, ": it is not sent")
		if !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
	}
	return strings.Join(reasons, "; ")
}

// printTurn prints a turn. If the reader of the output goes away, the turn ends as if it was cancelled.
func printTurn(ctx context.Context, d *desk.Place, out *Output, turn iter.Seq2[chains.Event, error]) {
	out.beginTurn()
	for e, err := range turn {
		if err != nil {
			out.refuse(ctx, chains.ErrConfig, err.Error())
			return
		}
		out.Event(ctx, e)
		if out.Broken() != nil {
			break
		}
	}
	out.printSaved(d.Session().Snapshot().Path)
}

// Lines runs line mode: each line of in, which may be an Editor, is a message or a command; a trailing
// backslash continues it. prompt is written before each line, and the line behind it if nobody types; "" writes
// neither. An interrupt stops the current line; at the prompt, the second one ends line mode. Lines returns the
// exit status when in ends, at /quit, or when ctx ends. The goroutine that reads in ends with in, at the latest
// with the process.
func Lines(ctx context.Context, d *desk.Place, in io.Reader, out *Output, prompt string) int {
	reportOpened(d, out, false)
	reportUnsaved(d, out, "/recover")
	if editor, ok := in.(*Editor); ok {
		out.input.editor = editor
	} else {
		out.input.lines = readLines(in)
	}
	last := false // the next interrupt ends line mode
	for {
		text, end := readMessage(ctx, out, prompt)
		switch end {
		case interrupted:
			out.endPromptLine(prompt)
			if last {
				return ExitInterrupted
			}
			last = true
			out.Warn("interrupt", interruptHint)
			continue
		case ctxEnded:
			out.endPromptLine(prompt)
			return ExitInterrupted
		case inputEnded:
			out.endPromptLine(prompt)
			return Status(ctx, out)
		case inputFailed:
			out.Fail(chains.ErrConfig, text)
			return ExitFailed
		case wholeMessage:
		}
		if prompt != "" && !out.Typed {
			out.Say(text) // nobody sees it otherwise
		}
		if done := Line(ctx, d, out, text); done || out.Broken() != nil {
			return Status(ctx, out)
		}
		last = out.stopped
	}
}

// interruptHint is the message after an interrupt at the prompt.
const interruptHint = "ctrl+c again, ctrl+d or /quit ends ibid"

// Line runs one line of line mode, and reports whether it was the last one. An interrupt stops this line only.
func Line(ctx context.Context, d *desk.Place, out *Output, text string) (done bool) {
	if out.stopped = false; strings.TrimSpace(text) == "" {
		return false
	}
	if err := d.LookAround(); err != nil {
		out.Warn("workspace", err.Error())
	}
	within, end := out.interruptible(ctx)
	turn, done := runLine(within, d, out, text)
	if end(); ctx.Err() != nil {
		return true
	}
	if turn {
		reattach(d, out)
	}
	if out.stopped {
		out.Warn("interrupt", interruptHint)
		return false
	}
	return done
}

// runLine runs a line that is not blank. It reports whether the line was a turn, and whether it was the last line.
func runLine(ctx context.Context, d *desk.Place, out *Output, text string) (turn, done bool) {
	switch taken, err := d.TakeOver(ctx); {
	case err != nil:
		out.Warn("locked", err.Error())
	case taken:
		out.Warn("unlocked", desk.TakenOver)
	}
	if !desk.IsCommand(text) {
		sendTurn(ctx, d, out, d.Input(text))
		return true, false
	}
	before := d.Session()
	r, err := d.Command(ctx, text)
	switch {
	case ctx.Err() != nil:
		out.endKeyLine()
		return false, true
	case err != nil:
		out.Fail(chains.ErrConfig, err.Error())
		return false, false
	case r.Turn != nil:
		printTurn(ctx, d, out, r.Turn)
		return true, false
	case r.Message != nil:
		sendMessage(ctx, d, out, r.Message)
		return true, false
	case r.Pull != nil && r.Pull.Name != "":
		out.Say("ibid models pull " + r.Pull.Name + " downloads it.")
		return false, false
	case r.Report != nil && out.JSON:
		out.printJSON(desk.NewContextEvent(*r.Report, r.Missing, true))
	case r.Text != "":
		out.Say(r.Text)
	}
	if d.Session() != before {
		d.CloseOthers()
		reportOpened(d, out, false)
	}
	return false, r.Quit
}

// reattach attaches again the attachments of an aborted turn, and says so.
func reattach(d *desk.Place, out *Output) {
	if again := d.Carry(); len(again) > 0 {
		n := desk.CarriedNotice(again)
		out.Warn(n.Kind, n.Text)
	}
}

// reportOpened prints the notices about the current chat and, with labels, its last two messages. With asked
// set, it leaves out that the last message has no reply, since the next message is there already.
func reportOpened(d *desk.Place, out *Output, asked bool) {
	for _, n := range d.Notices() {
		if !asked || n.Kind != desk.NoticeUnanswered {
			out.Warn(n.Kind, n.Text)
		}
	}
	if !out.Labels {
		return
	}
	chat, err := d.Session().Chat()
	if err != nil {
		return // a reply is being written, so the user knows the chat
	}
	for _, m := range chat.Messages[max(0, len(chat.Messages)-2):] { // /add ^N takes the numbers of these messages
		out.sayMessage(m.Role, m.Text)
	}
}

// reportUnsaved warns that replies were not saved; how is the way to recover them.
func reportUnsaved(d *desk.Place, out *Output, how string) {
	if n, ok := d.UnsavedNotice(how); ok {
		out.Warn(n.Kind, n.Text)
	}
}
