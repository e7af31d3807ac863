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
	said := checked(c, at, spoken)
	if d := cite.Draw(said, links(c, at)); len(d.Links) > 0 {
		return d
	}
	return cite.Drawing{Text: said + m.Text[len(spoken):]} // it may be about footnotes
}

// ForNote returns the message of a chat at this index in the form for a note that contains this text: without
// reasoning and without proposed notes, with the sources as footnotes that follow those of the note.
func ForNote(c *history.Chat, at int, note string) string {
	m := &c.Messages[at]
	text := calltext.WithoutThinking(checked(c, at, m.Text))
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
				before := cite.Draw(checked(c, i, spoken[:*at]), links(c, i))
				*at = prompt.CommonPrefix(text, before.Text)
			}
		}
		m.Text = text
	}
	return out
}

// checked returns the beginning of a reply without references to sources that were never sent, and without a list of
// sources of its own. New replies were checked as they came; those of earlier versions are only when they are shown.
func checked(c *history.Chat, at int, text string) string {
	m := &c.Messages[at]
	sources := &savedSources{chat: c, at: at}
	checker := cite.Checker{Catalogue: sources}
	var out strings.Builder
	for _, u := range m.Meta.Tools {
		to := min(u.At, len(text))
		if to > sources.from {
			out.WriteString(checker.Write(text[sources.from:to]) + checker.Close())
			sources.from = to
		}
	}
	out.WriteString(checker.Write(text[sources.from:]) + checker.Close())
	return out.String()
}

// savedSources are the sources of a reply in a saved chat. From an offset on, the reply can cite what was found before.
type savedSources struct {
	chat *history.Chat
	at   int // index of the reply
	from int
}

// Any reports whether something was found for the reply. One that was edited elsewhere has lost that, and is taken as
// it is.
func (s *savedSources) Any() bool {
	return slices.ContainsFunc(s.tools(), func(u history.ToolUse) bool { return u.First > 0 })
}

// Later is false: everything was found.
func (s *savedSources) Later() bool { return false }

// Given reports whether a source with this number was found before.
func (s *savedSources) Given(number int) bool {
	_, ok := s.chat.Source(number, s.at)
	return ok && !s.Quoted(number) && !slices.ContainsFunc(s.tools(), func(u history.ToolUse) bool {
		return u.At > s.from && u.First <= number && number < u.First+u.Count
	})
}

// Quoted reports whether the reply quotes a footnote with this number.
func (s *savedSources) Quoted(number int) bool {
	return slices.Contains(s.chat.Messages[s.at].Meta.Footnotes, number)
}

// Defined is Quoted.
func (s *savedSources) Defined(number int, _ string) bool { return s.Quoted(number) }

// Bare is true: marks without their sign were read when the reply came.
func (s *savedSources) Bare(int) bool { return true }

func (s *savedSources) tools() []history.ToolUse { return s.chat.Messages[s.at].Meta.Tools }

// links returns a lookup of the sources of the message at this index, as links.
func links(c *history.Chat, at int) cite.Lookup {
	return func(n int) (string, bool) {
		if slices.Contains(c.Messages[at].Meta.Footnotes, n) {
			return "", true
		}
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
