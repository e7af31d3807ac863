package chatview

import (
	"slices"
	"strings"

	"ibid/ui/page"
	"ibid/ui/theme"
	"ibid/ui/transcript"
	"ibid/vault/md"
)

// Copy copies what /copy names: all of the chat, the last block of code in the last reply, or with "" that
// reply, even if notices follow it.
func (c *Chat) Copy(what string) page.Request {
	msg, ok := transcript.LastReply(c.Transcript)
	switch {
	case !slices.Contains([]string{"", "last", "code", "all"}, what):
		return page.Complain("/copy takes all, code or nothing, which is the last reply; not " + what)
	case !ok:
		return page.Toast{Text: "there is no reply yet"}
	case what == "code":
		return codeIn(msg.Text)
	case what != "all":
		return copied("the last reply", msg.Text)
	}
	var b strings.Builder
	for m := range transcript.MessagesFrom(c.Transcript, 0) {
		role := map[transcript.Role]string{transcript.You: "user", transcript.Assistant: "assistant"}[m.Role]
		if role != "" && m.Text != "" {
			b.WriteString("**" + role + "**: " + strings.TrimSpace(m.Text) + "\n\n")
		}
	}
	return copied("the chat", strings.TrimSpace(b.String())+"\n")
}

// copied copies a text; what names it.
func copied(what, text string) page.Request {
	lines := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
	return page.Copy{Text: text, What: what + ", " + theme.Plural(lines, "line")}
}

// CopyMessage copies the selected message.
func (c *Chat) CopyMessage() page.Request {
	msg, ok := c.Transcript.Selected()
	if !ok {
		return nil
	}
	return copied("the message", msg.Text)
}

// CopyCode copies the last code block of the selected message.
func (c *Chat) CopyCode() page.Request {
	msg, _ := c.Transcript.Selected()
	return codeIn(msg.Text)
}

// codeIn copies the last code block of a text.
func codeIn(text string) page.Request {
	all := md.CodeBlocks(text)
	if len(all) == 0 {
		return page.Toast{Text: "there is no code block in this message"}
	}
	return copied("the code block", all[len(all)-1].Text)
}
