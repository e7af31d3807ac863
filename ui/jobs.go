package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/history"
	"ibid/ui/browse"
	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/ui/review"
	"ibid/vault"
	"ibid/vault/md"
	"ibid/vault/state"
)

// runLine returns the work that runs a slash command. spans are the parts of line that were pasted or
// picked. chat is the path of the saved chat to run it for, "" for the current one.
func runLine(line, chat string, spans ...chains.Span) chatview.Work {
	return chatview.Work{Job: func(ctx context.Context, d *desk.Place) (tea.Msg, error) {
		return runCommand(ctx, d, line, chat, spans)
	}}
}

// runCommand runs a command and converts its result to a message for the screen.
func runCommand(ctx context.Context, d *desk.Place, line, chat string, spans []chains.Span) (tea.Msg, error) {
	before := d.Session()
	r, err := d.CommandFor(ctx, chat, line, spans...)
	switch {
	case r.Ask != nil:
		return askMsg{r.Ask}, nil
	case err != nil:
		return nil, err
	case r.Undone != nil:
		return chatview.JobMessage(review.DescribeTakenBack(r.Undone)), nil
	case r.Changed != nil && r.Changed.Gone:
		return nil, r.Changed
	case r.Changed != nil:
		back := d.ProposeUndo(r.Changed)
		return page.Make(func(env page.Env) page.Page { return review.NewTakeBack(env, r.Changed, back) }), nil
	case r.Message != nil:
		return *r.Message, nil
	case r.Edit != "" && r.IsNote:
		return page.EditFile{Path: string(r.Edit), Via: string(state.Navigation)}, nil
	case r.Edit != "": // of a prompt, which does not become the active note
		return page.EditFile{Path: string(r.Edit), Aside: true}, nil
	case r.Quit:
		return tea.QuitMsg{}, nil
	case r.Gone:
		said := "the chat that was open here is " + r.Text
		if r.Saved == desk.LastDeleted(d) {
			said += ", later `ibid chats restore`"
		}
		msg := chatview.ReadChat(d, chatview.ConversationChanged{Say: r.Text}, true, said)
		return keptMsg{r, &msg}, nil
	case r.Opened:
		return chatview.ReadChat(d, chatview.ConversationChanged{
			Say: r.Text, Prompt: r.Prompt,
		}, d.Session() != before), nil
	case r.Saved != "":
		return keptMsg{r, nil}, nil
	case r.Naming != nil:
		return chatview.RequestTitle(before, r.Naming, r.Text), nil
	case r.Pull != nil:
		return pullMsg{r.Pull}, nil
	case r.Table:
		return chatview.Table(r.Text), nil
	}
	return chatview.JobMessage(r.Text), nil
}

// askMsg asks for confirmation before a command runs.
type askMsg struct{ *desk.Ask }

// keptMsg reports that a saved chat was changed.
type keptMsg struct {
	desk.Result
	read *chatview.ConversationChanged // the chat that replaces a deleted open one, nil if it was not open
}

// openChat returns the work that makes a saved chat the current one and shows its end, or the words in
// a message, counted from 1.
func openChat(chat browse.OpenSaved) chatview.Work {
	open := func(ctx context.Context, d *desk.Place) (tea.Msg, error) {
		if err := d.Open(ctx, chat.Path); err != nil {
			return nil, err
		}
		return chatview.ReadChat(d, chatview.ConversationChanged{At: chat.Message, Words: chat.Words}, true), nil
	}
	return chatview.Work{Job: open, Leaves: true}
}

// reopen reads a released chat again and shows it.
func reopen(_ context.Context, d *desk.Place) (tea.Msg, error) {
	msg := chatview.ConversationChanged{Again: true}
	locked := d.Session().Snapshot().ReadOnly
	if locked {
		msg.Say = "another window has this chat open: what you wrote stays in the prompt"
	}
	return chatview.ReadChat(d, msg, locked), nil
}

// setPolicy returns the job that has the model's changes refused, or asked about.
func setPolicy(readOnly bool) chatview.Job {
	return func(_ context.Context, d *desk.Place) (tea.Msg, error) {
		d.Session().Policy().Set(readOnly)
		if readOnly {
			return chatview.JobMessage("changes that the model proposes are refused in this chat"), nil
		}
		return chatview.JobMessage("you are asked about each change that the model proposes"), nil
	}
}

// compareReplies shows the replies of the last turn.
func compareReplies(_ context.Context, d *desk.Place) (tea.Msg, error) {
	all, err := d.ComparedReplies()
	if err != nil {
		return nil, err
	}
	return page.Make(func(env page.Env) page.Page { return browse.NewComparison(env, all) }), nil
}

// findRelated returns the job that finds notes related to the named note, or with "" to the notes at
// hand.
func findRelated(name string) chatview.Job {
	return func(ctx context.Context, d *desk.Place) (tea.Msg, error) {
		found, err := desk.Related(ctx, d, name)
		return relatedListMsg(found), err
	}
}

// relatedListMsg holds the notes for the list of related notes.
type relatedListMsg []chains.RelatedNote

func (msg relatedListMsg) carryOut(k *screenState) tea.Cmd { return k.Ask(k.OpenRelated(msg)) }

// propose shows a change that the user asked for before it is made.
func propose(p *chains.Proposal, what string) tea.Msg {
	return page.Make(func(env page.Env) page.Page {
		return review.NewPage(env, review.OwnChange{Proposal: p, What: what})
	})
}

// makeChange returns the job that makes a change that the user agreed to.
func makeChange(agreed review.AgreedChange) chatview.Job {
	return func(ctx context.Context, d *desk.Place) (tea.Msg, error) {
		done, err := agreed.Apply(ctx, agreed.Decision)
		switch {
		case err != nil:
			return nil, err
		case done.Again != nil:
			return propose(done.Again, agreed.What), nil
		}
		d.Settle(ctx, vault.Path(agreed.Path))
		text := "written: " + agreed.Path
		if done.Undo > 0 {
			text += fmt.Sprintf("; /undo-write %d takes it back", done.Undo)
		}
		return chatview.JobMessage(text), nil
	}
}

// replyMsg is a reply for the page that writes it to a note.
type replyMsg browse.Reply

// findReply returns the job that finds the last reply of a turn and the parts of it that can be
// written. marked is the text to write; with "" the page asks for a part.
func findReply(turn int, appends bool, marked string) chatview.Job {
	return func(_ context.Context, d *desk.Place) (tea.Msg, error) {
		chat, err := d.Session().Chat()
		if err != nil {
			return nil, err
		}
		at := 0
		msg := replyMsg{Appends: appends, Name: d.NoteName()}
		for i, m := range chat.Messages {
			if m.Role == history.User {
				at++
			} else if at == turn {
				msg.Piece = chatview.Piece{Message: i + 1}
				msg.Code, msg.Lines = md.CodeBlocks(m.Text), strings.Count(strings.Trim(m.Text, "\n"), "\n")+1
				if marked != "" {
					msg.Code, msg.Piece.Text = nil, marked
				}
			}
		}
		if msg.Piece.Message == 0 {
			return nil, errors.New("this turn has no reply that is kept")
		}
		return msg, nil
	}
}

// proposeReply returns the job that computes the change of writing a piece of the chat to a note.
func proposeReply(j browse.Propose) chatview.Job {
	return func(ctx context.Context, d *desk.Place) (tea.Msg, error) {
		what := "the reply goes into a new note"
		p, err := (*chains.Proposal)(nil), error(nil)
		if j.Reply.Appends {
			what = "the reply goes into this note"
			p, err = d.ProposeAppend(ctx, j.Reply.Piece, j.Where)
		} else {
			p, err = d.ProposeNote(j.Reply.Piece, j.Where)
		}
		if err != nil {
			return nil, err
		}
		return propose(p, what), nil
	}
}

// usePrompt returns the job that reads a saved prompt.
func usePrompt(name string) chatview.Job {
	return func(ctx context.Context, d *desk.Place) (tea.Msg, error) {
		r, err := d.Command(ctx, `/prompt "`+name+`"`)
		if err != nil && (r.Message == nil || r.Message.Lacks == "") {
			return nil, err
		}
		return *r.Message, nil
	}
}

// unsavedMsg lists replies that a crash or a full disk kept out of the chats.
type unsavedMsg struct{ all []history.UnsavedChat }

// findUnsaved looks for replies that were not saved.
func findUnsaved(_ context.Context, d *desk.Place) (tea.Msg, error) {
	all, err := d.Unsaved()
	if len(all) == 0 || err != nil {
		return nil, err
	}
	return unsavedMsg{all}, nil
}
