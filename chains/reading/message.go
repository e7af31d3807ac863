package reading

import (
	"slices"
	"strings"

	"ibid/chains/calltext"
	"ibid/chains/cite"
	"ibid/context/prompt"
	"ibid/history"
)

// Message returns the message of a chat at this index in the form for a person: the references of a reply are
// numbered in their order, those that lead nowhere are removed, and the sources are listed below.
func Message(c *history.Chat, at int) cite.Drawing {
	m := &c.Messages[at]
	if m.Role != history.Assistant || !strings.Contains(m.Text, "[^") {
		return cite.Drawing{Text: m.Text}
	}
	spoken := m.TextWithoutSources()
	said := withoutEarlyReferences(spoken, m)
	if d := cite.Draw(said, links(c, at)); len(d.Links) > 0 {
		return d
	}
	return cite.Drawing{Text: said + m.Text[len(spoken):]} // it may be about footnotes
}

// ForNote returns the message of a chat at this index in the form for a note that contains this text: without
// reasoning and without proposed notes, with the sources as footnotes that follow those of the note.
func ForNote(c *history.Chat, at int, note string) string {
	m := &c.Messages[at]
	text := calltext.WithoutThinking(withoutEarlyReferences(m.Text, m))
	if hasProposals(m) {
		text = calltext.WithoutBlocks(text)
	}
	if m.Role != history.Assistant || !strings.Contains(text, "[^") {
		return text
	}
	return cite.Footnotes(text, links(c, at), cite.HighestNumber(note))
}

// Chat returns a chat in the form for a person, see Message. The calls of a reply keep their place in it.
func Chat(c *history.Chat) history.Chat {
	out := *c
	out.Messages = slices.Clone(c.Messages)
	for i := range out.Messages {
		d, m := Message(c, i), &out.Messages[i]
		text, spoken := d.String(), m.TextWithoutSources()
		m.Meta.Tools = slices.Clone(m.Meta.Tools)
		for k := range m.Meta.Tools {
			at := &m.Meta.Tools[k].At
			if *at = min(*at, len(spoken)); text != m.Text {
				before := cite.Draw(withoutEarlyReferences(spoken[:*at], &c.Messages[i]), links(c, i))
				*at = prompt.CommonPrefix(text, before.Text)
			}
		}
		m.Text = text
	}
	return out
}

// withoutEarlyReferences returns the beginning of a message without the references to sources that were found only
// later.
func withoutEarlyReferences(text string, m *history.Message) string {
	parts, _ := cite.StrikeEarly(text, m.Meta.Tools)
	return strings.Join(parts, "")
}

// links returns a lookup of the sources of the message at this index, as links.
func links(c *history.Chat, at int) cite.Lookup {
	return func(n int) (string, bool) {
		s, ok := c.Source(n, at)
		return s.Link(), ok
	}
}

// Page is Chat with the blocks of proposals drawn, see calltext.DrawBlocks.
func Page(c *history.Chat) history.Chat {
	out := Chat(c)
	for i := range out.Messages {
		if m := &out.Messages[i]; hasProposals(m) {
			m.Text = calltext.DrawBlocks(m.Text)
		}
	}
	return out
}

// hasProposals reports whether blocks of a message were proposals.
func hasProposals(m *history.Message) bool {
	return slices.ContainsFunc(m.Meta.Tools, func(u history.ToolUse) bool { return u.Name == calltext.BlockTool })
}
