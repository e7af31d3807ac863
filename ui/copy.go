package ui

import (
	"strings"

	"ibid/ui/page"
	"ibid/ui/theme"
	"ibid/ui/transcript"
	"ibid/vault/md"
)

// copyLast copies the last reply, whatever the program has said since.
func copyLast(k *known) page.Request {
	msg, ok := transcript.LastReply(k.Turn.Transcript)
	if !ok {
		return page.Toast{Text: "there is no reply yet"}
	}
	return page.Copy{Text: msg.Text, What: "the last reply, " + theme.Plural(strings.Count(msg.Text, "\n")+1, "line")}
}

// copyOf copies what /copy names: all of the chat, the last block of code in the last
// reply, or that reply.
func copyOf(k *known, what string) page.Request {
	msg, ok := transcript.LastReply(k.Turn.Transcript)
	switch what {
	case "", "last":
		return copyLast(k)
	case "all":
		var b strings.Builder
		n := 0
		for m := range transcript.From(k.Turn.Transcript, 0) {
			role := map[transcript.Role]string{transcript.You: "user", transcript.Assistant: "assistant"}[m.Role]
			if role == "" || m.Text == "" {
				continue
			}
			n++
			b.WriteString("**" + role + "**: " + strings.TrimSpace(m.Text) + "\n\n")
		}
		if n == 0 {
			return page.Toast{Text: "nothing has been said yet"}
		}
		return page.Copy{Text: strings.TrimSpace(b.String()) + "\n", What: "the chat, " + theme.Plural(n, "message")}
	case "code":
		if ok {
			return codeIn(msg.Text)
		}
		return page.Toast{Text: "there is no reply yet"}
	}
	return page.Complain("/copy takes all, code or nothing, which is the last reply; not " + what)
}

// copyMessage copies the chosen message, or what is chosen of it.
func copyMessage(k *known) page.Request {
	if c, ok := k.Choice.Parts.Choice(); ok {
		return page.Copy{Text: c.Text, What: theme.Plural(c.To-c.From+1, "part") + " of the reply, " + theme.Plural(strings.Count(c.Text, "\n")+1, "line")}
	}
	msg, ok := k.Turn.Transcript.Selected()
	if !ok {
		return nil
	}
	return page.Copy{Text: msg.Text, What: "the message, " + theme.Plural(strings.Count(msg.Text, "\n")+1, "line")}
}

// copyCode copies the last code block of the chosen message, or of what is chosen of it.
func copyCode(k *known) page.Request {
	msg, ok := k.Turn.Transcript.Selected()
	if !ok {
		return nil
	}
	if c, ok := k.Choice.Parts.Choice(); ok {
		msg.Text = c.Text
	}
	return codeIn(msg.Text)
}

// codeIn copies the last code block of a message.
func codeIn(text string) page.Request {
	code, ok := md.LastCode(text)
	if !ok {
		return page.Toast{Text: "there is no code block in this message"}
	}
	return page.Copy{Text: code, What: "the code block, " + theme.Plural(strings.Count(code, "\n"), "line")}
}
