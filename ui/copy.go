package ui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/theme"
	"ibid/ui/transcript"
	"ibid/vault/md"
)

// copyLast copies the last reply, whatever the program has said since.
func copyLast(t *turn) intent {
	msg, ok := transcript.LastReply(t.transcript)
	if !ok {
		return say{text: "there is no reply yet"}
	}
	return copyText{msg.Text, "the last reply, " + theme.Plural(strings.Count(msg.Text, "\n")+1, "line")}
}

// copyMessage copies the chosen message, or what is chosen of it.
func copyMessage(k *known) intent {
	if c, ok := k.choice.parts.Choice(); ok {
		return copyText{c.Text, theme.Plural(c.To-c.From+1, "part") + " of the reply, " + theme.Plural(strings.Count(c.Text, "\n")+1, "line")}
	}
	msg, ok := k.turn.transcript.Selected()
	if !ok {
		return nil
	}
	return copyText{msg.Text, "the message, " + theme.Plural(strings.Count(msg.Text, "\n")+1, "line")}
}

// copyCode copies the last code block of the chosen message, or of what is chosen of it.
func copyCode(k *known) intent {
	msg, ok := k.turn.transcript.Selected()
	if !ok {
		return nil
	}
	if c, ok := k.choice.parts.Choice(); ok {
		msg.Text = c.Text
	}
	code, ok := md.LastCode(msg.Text)
	if !ok {
		return say{text: "there is no code block in this message"}
	}
	return copyText{code, "the code block, " + theme.Plural(strings.Count(code, "\n"), "line")}
}

// copyHere puts a text on the clipboard of this machine. The terminal was told too, so
// that nobody needs to know if that fails.
func copyHere(t *tasks, put func(context.Context, string) error, text string) tea.Cmd {
	if put == nil {
		return nil
	}
	return t.start(func(ctx context.Context) tea.Msg {
		_ = put(ctx, text)
		return nil
	})
}
