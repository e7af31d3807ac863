package chatview

import (
	"strings"

	"ibid/ui/page"
	"ibid/ui/theme"
	"ibid/ui/transcript"
	"ibid/vault/md"
)

// CopyLast copies the last reply, even if notices follow it.
func (c *Chat) CopyLast() page.Request {
	msg, ok := transcript.LastReply(c.Transcript)
	if !ok {
		return page.Toast{Text: "there is no reply yet"}
	}
	return page.Copy{Text: msg.Text, What: "the last reply, " + theme.Plural(strings.Count(msg.Text, "\n")+1, "line")}
}

// Copy copies what /copy names: all of the chat, the last block of code in the last reply, or that
// reply.
func (c *Chat) Copy(what string) page.Request {
	msg, ok := transcript.LastReply(c.Transcript)
	switch what {
	case "", "last":
		return c.CopyLast()
	case "all":
		var b strings.Builder
		n := 0
		for m := range transcript.MessagesFrom(c.Transcript, 0) {
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

// CopyMessage copies the selected message.
func (c *Chat) CopyMessage() page.Request {
	msg, ok := c.Transcript.Selected()
	if !ok {
		return nil
	}
	return page.Copy{Text: msg.Text, What: "the message, " + theme.Plural(strings.Count(msg.Text, "\n")+1, "line")}
}

// CopyCode copies the last code block of the selected message.
func (c *Chat) CopyCode() page.Request {
	msg, ok := c.Transcript.Selected()
	if !ok {
		return nil
	}
	return codeIn(msg.Text)
}

// codeIn copies the last code block of a text.
func codeIn(text string) page.Request {
	all := md.CodeBlocks(text)
	if len(all) == 0 {
		return page.Toast{Text: "there is no code block in this message"}
	}
	code := all[len(all)-1].Text
	return page.Copy{Text: code, What: "the code block, " + theme.Plural(strings.Count(code, "\n"), "line")}
}
