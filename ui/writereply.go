package ui

import (
	tea "charm.land/bubbletea/v2"

	"ibid/ui/browse"
	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/ui/transcript"
)

// beginWrite begins to write the chosen reply to a note.
func (k *screenState) beginWrite(appends bool) tea.Cmd {
	msg, ok := k.Turn.Transcript.Selected()
	switch {
	case k.Turn.Running():
		return k.Ask(chatview.Busy)
	case k.Marked != "": // the mouse may select of any message
	// a call belongs to a reply
	case !ok || msg.Turn == 0 || msg.Role != transcript.Assistant && msg.Role != transcript.Tool:
		return k.Say("choose a reply: a click does, or [ and ] and k and j")
	}
	return k.Do(findReply(msg.Turn, appends, k.Marked))
}

func (r replyMsg) carryOut(k *screenState) tea.Cmd {
	return k.Ask(page.Show{Page: k.OpenWrite(browse.Reply(r))})
}
