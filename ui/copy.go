package ui

import (
	"strings"

	"ibid/ui/theme"
	"ibid/ui/transcript"
	"ibid/vault/md"
)

// copyLast copies the last reply, whatever the program has said since.
func copyLast(k *known) intent {
	msg, ok := transcript.LastReply(k.turn.transcript)
	if !ok {
		return say{text: "there is no reply yet"}
	}
	return copyText{msg.Text, "the last reply, " + theme.Plural(strings.Count(msg.Text, "\n")+1, "line")}
}

// copyOf copies what /copy names: all of the chat, the last block of code in the last
// reply, or that reply.
func copyOf(k *known, what string) intent {
	msg, ok := transcript.LastReply(k.turn.transcript)
	switch what {
	case "", "last":
		return copyLast(k)
	case "all":
		var b strings.Builder
		n := 0
		for m := range transcript.From(k.turn.transcript, 0) {
			role := map[transcript.Role]string{transcript.You: "user", transcript.Assistant: "assistant"}[m.Role]
			if role == "" || m.Text == "" {
				continue
			}
			n++
			b.WriteString("**" + role + "**: " + strings.TrimSpace(m.Text) + "\n\n")
		}
		if n == 0 {
			return say{text: "nothing has been said yet"}
		}
		return copyText{strings.TrimSpace(b.String()) + "\n", "the chat, " + theme.Plural(n, "message")}
	case "code":
		if ok {
			return codeIn(msg.Text)
		}
		return say{text: "there is no reply yet"}
	}
	return say{"/copy takes all, code or nothing, which is the last reply; not " + what, true}
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
	return codeIn(msg.Text)
}

// codeIn copies the last code block of a message.
func codeIn(text string) intent {
	code, ok := md.LastCode(text)
	if !ok {
		return say{text: "there is no code block in this message"}
	}
	return copyText{code, "the code block, " + theme.Plural(strings.Count(code, "\n"), "line")}
}
