package ui

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/history"
	"ibid/ui/browse"
	"ibid/ui/chatview"
	"ibid/ui/review"
	"ibid/ui/transcript"
	"ibid/vault/md"
)

// findReply finds the last reply of a turn in the chat, and what of it can be written.
type findReply struct {
	turn    int
	appends bool
	chosen  browse.Piece // what of it, the zero value if that is to be asked
}

// writeReply asks where the chosen reply is to be written: into a new note, or at the
// end of one.
func writeReply(appends bool) action {
	return func(m *Model) tea.Cmd { return beginWrite(m, appends) }
}

// beginWrite begins to write the chosen reply.
func beginWrite(m *Model, appends bool) tea.Cmd {
	k := &m.k
	chosen, turn := k.Choice.Piece()
	what := browse.Piece(chosen)
	msg, ok := k.Turn.Transcript.Selected()
	switch {
	case k.Turn.Running():
		return m.carryOut(chatview.Busy)
	case what.From > 0:
		return m.work(findReply{turn, appends, what})
	case what.Text != "": // with the mouse, of any message
	case !ok || msg.Turn == 0 || msg.Role != transcript.Assistant && msg.Role != transcript.Tool: // a call belongs to a reply
		return m.say("choose a reply: a click does, or [ and ] and k and j")
	}
	return m.work(findReply{msg.Turn, appends, what})
}

func (j findReply) run(_ context.Context, d *desk.Desk) (tea.Msg, error) {
	chat, err := d.Session().Chat()
	if err != nil {
		return nil, err
	}
	turn := 0
	msg := replyMsg{Appends: j.appends, Name: d.Writer().NoteName()}
	for n, m := range chat.Display() {
		switch {
		case m.Role == history.User:
			turn++
		case turn == j.turn:
			msg.Piece = browse.Piece{Message: n}
			msg.Code, msg.Lines = md.CodeBlocks(m.Text), strings.Count(strings.Trim(m.Text, "\n"), "\n")+1
			if c := j.chosen; c.Text != "" {
				msg.Code = nil
				msg.Piece.From, msg.Piece.To, msg.Piece.Text = c.From, c.To, c.Text
				if c.From > 0 && (strings.Contains(c.Text, "[") || strings.Contains(m.Text, c.Text)) {
					msg.Piece.Text = "" // it is found by its place, with what it refers to
				}
			}
		}
	}
	if msg.Piece.Message == 0 {
		return nil, errors.New("this turn has no reply that is kept")
	}
	return msg, nil
}

// proposeReply computes what writing a piece of the chat would change.
type proposeReply browse.Propose

func (j proposeReply) run(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
	piece := desk.Piece(j.Reply.Piece)
	if j.Reply.Appends {
		p, err := d.Writer().Append(ctx, piece, j.Where)
		return ownOf(p, "the reply goes into this note", err)
	}
	p, err := d.Writer().New(piece, j.Where)
	return ownOf(p, "the reply goes into a new note", err)
}

func ownOf(p *chains.Proposal, what string, err error) (tea.Msg, error) {
	if err != nil {
		return nil, err
	}
	return ownMsg{review.Own{Proposal: p, What: what}}, nil
}

// replyMsg is a reply that is to be written.
type replyMsg browse.Reply

func (r replyMsg) carryOut(m *Model) tea.Cmd {
	return m.setPage(m.k.OpenWrite(browse.Reply(r)))
}
