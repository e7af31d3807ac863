package chains

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"ibid/chains/cite"
	"ibid/context/prompt"
	"ibid/history"
	"ibid/vault/md"
)

// number gives the sources of a result the numbers that follow those of the chat,
// so that a footnote means one thing in the whole file.
func (p *PendingTurn) number(r *prompt.ToolResult) (first int) {
	now := map[int]int{}
	first = p.tools.next
	r.Sources, r.Documents = slices.Clone(r.Sources), slices.Clone(r.Documents)
	for i := range r.Sources {
		if s := &r.Sources[i]; s.ID > 0 {
			now[s.ID] = p.tools.next
			s.ID = p.tools.next
			p.tools.next++
		}
	}
	for i := range r.Documents {
		if d := &r.Documents[i]; now[d.ID] > 0 {
			d.ID = now[d.ID]
		}
	}
	return first
}

// note writes down a call for the chat.
func (p *PendingTurn) note(j *job, r *prompt.ToolResult) {
	use := history.ToolUse{Name: toolName(j.call.Name), Args: j.call.Arguments, State: string(j.seen()), Took: j.took, Result: j.out.Note}
	if use.Result == "" && j.state != ToolFinished {
		use.Result = failure(j.out.Text)
	}
	if first := p.number(r); p.tools.next > first {
		use.First, use.Count = first, p.tools.next-first
		for _, s := range r.Sources {
			if s.ID > 0 {
				use.Sources = append(use.Sources, s)
			}
		}
	}
	p.tools.uses = append(slices.Clip(p.tools.uses), use)
	p.noteBare(r.Content)
	for _, d := range r.Documents {
		p.noteBare(d.Content)
		if strings.Contains(d.Content, "\n#") {
			p.tools.parted = append(p.tools.parted, d)
		}
	}
}

// noteBare takes in that the numbers in brackets in a text may be quoted.
func (p *PendingTurn) noteBare(text string) {
	for _, n := range cite.BareNumbers(text) {
		p.tools.bare[n] = true
	}
}

// noteCall is PendingTurn.note for a call of a round, which stands where the reply is now.
func noteCall(t *Turn, j *job, r *prompt.ToolResult) {
	t.p.note(j, r)
	uses := t.p.tools.uses
	uses[len(uses)-1].At = t.answer.shown.Len()
}

// toolName is the name of a tool as a model wrote it, without what a file could
// take for something else.
func toolName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-.", r)) {
			return r
		}
		return -1
	}, name)
	return name[:min(len(name), 64)]
}

// toolNames is the tools that ran, as a context line names them.
func (p *PendingTurn) toolNames() []string {
	var names []string
	for _, u := range p.tools.uses {
		if u.Name != "" && !slices.Contains(names, u.Name) {
			names = append(names, u.Name)
		}
	}
	if names == nil {
		return nil
	}
	return []string{"Tools: " + strings.Join(names, ", ")}
}

// cite looks at what a reply that has ended refers to, and says it.
func (t *Turn) cite() {
	p, a := t.p, &t.answer
	if strings.TrimSpace(a.shown.String()) == "" {
		return
	}
	rounds, early := strike(a.shown.String(), p.tools.uses)
	text := strings.Join(rounds, "")
	p.narrow(text)
	given := func(n int) (string, bool) {
		if s := p.citable(n); s != nil {
			return s.Link(), true
		}
		return "", false
	}
	a.footer = cite.Footer(text, given)
	known := func(n int) (string, bool) {
		if link, ok := given(n); ok {
			return link, true
		}
		return links(func(n int) (Source, bool) { return p.earlier.Source(n, len(p.earlier.Messages)) })(n)
	}
	e := Citations{Footer: a.footer, Struck: early}
	if len(early) > 0 {
		e.Rounds = rounds
	}
	if p.tools.next > 1 {
		e.Struck = append(e.Struck, cite.Draw(text, known).Struck...)
	}
	last := strings.TrimLeft(rounds[len(rounds)-1], "\n")
	if d := draw(last, last, known); len(d.Links) > 0 {
		e.Drawn = d.String()
	}
	for _, u := range p.tools.uses {
		for _, s := range u.Sources {
			if strings.Contains(a.footer, fmt.Sprintf("\n[^%d]: ", s.ID)) {
				e.Sources = append(e.Sources, s)
			}
		}
	}
	all := md.Wikilinks(text)
	e.Dead = t.s.opts.Dead(all, md.Wikilinks(e.Drawn)...)
	if e.Drawn != "" || len(e.Sources)+len(e.Struck)+len(e.Dead) > 0 {
		t.emit(e)
	}
	if n := len(e.Struck); n > 0 {
		t.notice("citations", fmt.Sprintf("The reply cites %s, which no search has found: not shown.", numbers(e.Struck)))
	}
	if line := DeadLine(e.Dead, len(all)); line != "" {
		t.notice("links", line)
	}
}

// strike is a reply in the parts between the calls of these uses, without the references
// to what was found only later, and their numbers.
func strike(text string, uses []history.ToolUse) (parts []string, early []int) {
	from := 0
	for _, end := range append(slices.Clip(uses), history.ToolUse{At: len(text)}) {
		to := min(end.At, len(text))
		if to <= from {
			continue
		}
		part, struck := cite.Strike(text[from:to], func(n, at int) bool {
			return slices.ContainsFunc(uses, func(u history.ToolUse) bool { return u.At > from+at && u.First <= n && n < u.First+u.Count })
		})
		parts, early, from = append(parts, part), append(early, struck...), to
	}
	return parts, early
}

// struckOf is the beginning of a message without the references to what was found only
// later.
func struckOf(text string, m *history.Message) string {
	parts, _ := strike(text, m.Meta.Tools)
	return strings.Join(parts, "")
}

// DeadLine says which of so many links of a reply lead nowhere, "" if none does.
func DeadLine(dead []string, of int) string {
	n, leads := len(dead), "lead"
	if n == 0 {
		return ""
	}
	if n == 1 {
		leads = "leads"
	}
	return fmt.Sprintf("links: %d of %d %s nowhere: [[%s]]", n, of, leads, strings.Join(dead[:min(n, 3)], "]], [["))
}

// Dead is those of the targets of wikilinks that lead nowhere. One that names a heading
// alone stands in a passage of one of the notes that the others, or the sources, lead to.
func (o *Options) Dead(links []string, sources ...string) []string {
	return slices.DeleteFunc(slices.Clone(links), func(link string) bool {
		return o.Gather.Leads(link) || link[0] == '#' && slices.ContainsFunc(slices.Concat(links, sources), func(from string) bool {
			note, _, _ := strings.Cut(from, "#")
			return note != "" && o.Gather.Leads(note+link)
		})
	})
}

// links gives sources as links.
func links(source func(int) (Source, bool)) cite.Lookup {
	return func(n int) (string, bool) {
		s, ok := source(n)
		return s.Link(), ok
	}
}

func numbers(all []int) string {
	var marks []string
	for _, n := range all {
		marks = append(marks, fmt.Sprintf("[^%d]", n))
	}
	return strings.Join(marks, ", ")
}

// DrawMessage is the message of a chat with this index as a person reads it: the
// references of a reply are numbered as they come and those to nothing left out,
// and the sources are listed below.
func DrawMessage(c *history.Chat, at int) cite.Drawing {
	m := &c.Messages[at]
	if m.Role != history.Assistant || !strings.Contains(m.Text, "[^") {
		return cite.Drawing{Text: m.Text}
	}
	spoken := m.TextWithoutSources()
	said := struckOf(spoken, m)
	return draw(said+m.Text[len(spoken):], said, links(func(n int) (Source, bool) { return c.Source(n, at) }))
}

// MessageForNote is the message of a chat with this index as it goes into a note that holds
// this: without what a model thought and without the notes that it proposed to write, its
// sources as footnotes that follow those of the note. part is what of its text is wanted,
// with blocks as DrawActions draws them; nil wants all of it.
func MessageForNote(c *history.Chat, at int, note string, part func(text string) string) string {
	m := &c.Messages[at]
	text := withoutThinking(struckOf(m.Text, m))
	sources := links(func(n int) (Source, bool) { return c.Source(n, at) })
	switch {
	case part != nil:
		sources = cite.Sources(text, sources)
		if hasProposals(m) {
			text = DrawActions(text)
		}
		text = part(text)
	case hasProposals(m):
		text = withoutActions(text)
	}
	if m.Role != history.Assistant || !strings.Contains(text, "[^") {
		return text
	}
	return cite.Footnotes(text, sources, cite.HighestNumber(note))
}

// DrawnChat is a chat as a person reads it, see Drawn. The calls of a reply stand
// where they stood in it.
func DrawnChat(c *history.Chat) history.Chat {
	out := *c
	out.Messages = slices.Clone(c.Messages)
	for i := range out.Messages {
		d, m := DrawMessage(c, i), &out.Messages[i]
		text, spoken := d.String(), m.TextWithoutSources()
		m.Meta.Tools = slices.Clone(m.Meta.Tools)
		for k := range m.Meta.Tools {
			at := &m.Meta.Tools[k].At
			if *at = min(*at, len(spoken)); text != m.Text {
				before := cite.Draw(struckOf(spoken[:*at], &c.Messages[i]), links(func(n int) (Source, bool) { return c.Source(n, i) }))
				*at = commonPrefix(text, before.Text)
			}
		}
		m.Text = text
	}
	return out
}

// commonPrefix is how many bytes two texts begin with in common.
func commonPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// SourcesOf is the links to the sources that are listed below a reply as a person
// reads it, see Drawn: the first is number 1.
func SourcesOf(drawn string) []string { return cite.ListedSources(drawn) }

// draw draws a reply. One that refers to nothing that is known keeps its text: it
// may be about footnotes.
func draw(text, spoken string, known cite.Lookup) cite.Drawing {
	if d := cite.Draw(spoken, known); len(d.Links) > 0 {
		return d
	}
	return cite.Drawing{Text: text}
}
