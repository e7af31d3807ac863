package ui

import (
	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/ui/transcript"
)

// editSelected takes the selected message of the user back into the prompt, or the one that the
// selected reply answers.
func editSelected(k *screenState) page.Request {
	t := &k.Turn
	if t.Running() {
		return chatview.Busy
	}
	msg, ok := t.Transcript.Selected()
	if n := msg.Turn; ok && msg.Role != transcript.You && n > 0 && n <= len(t.Prompts) {
		msg, ok = t.Transcript.Message(t.Prompts[n-1])
	}
	if !ok || msg.Role != transcript.You {
		return page.Toast{Text: "choose a message of yours: [ and ] go from one to the next"}
	}
	for n, id := range t.Prompts {
		if id == msg.ID {
			return page.Post{Msg: chatview.GoBack(n, msg.Text, n == len(t.Prompts)-1)}
		}
	}
	return nil
}
