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

// numberSources renumbers the sources of a result, from 1 up in the whole chat, so that a footnote means one thing
// in the whole file. It returns the first number.
func (p *PendingTurn) numberSources(r *prompt.ToolResult) (first int) {
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

// recordCall records a call and its sources for the chat file, with its offset in the reply.
func (p *PendingTurn) recordCall(j *job, r *prompt.ToolResult, at int) {
	use := history.ToolUse{
		Name: toolName(j.call.Name), Args: j.call.Arguments, State: string(j.shownState()),
		Milliseconds: j.took.Milliseconds(), Result: j.out.Note, At: at,
	}
	if use.Result == "" && j.state != ToolFinished {
		use.Result = failure(j.out.Text)
	}
	if first := p.numberSources(r); p.tools.next > first {
		use.First, use.Count = first, p.tools.next-first
		for _, s := range r.Sources {
			if s.ID > 0 {
				use.Sources = append(use.Sources, s)
			}
		}
	}
	p.tools.uses = append(slices.Clip(p.tools.uses), use)
	p.tools.sentMarks.Add(r.Content)
	for _, d := range r.Documents {
		p.tools.sentMarks.Add(d.Content)
		if strings.Contains(d.Content, "\n#") {
			p.tools.withHeadings = append(p.tools.withHeadings, d)
		}
	}
}

// toolName returns a tool's name as the model wrote it, reduced to characters that mean nothing in a chat file, and
// cut to 64 bytes.
func toolName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-.", r)) {
			return r
		}
		return -1
	}, name)
	return name[:min(len(name), 64)]
}

// toolNames returns the entry of the context line that names the tools of the turn, nil if none ran.
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

// catalogue tells a [cite.Checker] which sources a turn can cite, and which marks are quotations: those of the
// question, of what is attached to it, and of the results.
type catalogue struct {
	p        *PendingTurn
	offered  bool // the model can call tools
	called   bool // it called some in this round
	question *cite.SentMarks
	attached *cite.SentMarks // nil until it is needed
}

// Any reports whether the chat has given numbers to sources, or will give some after this round.
func (c *catalogue) Any() bool { return c.p.tools.next > 1 || c.called }

// Later reports whether the round may end with calls.
func (c *catalogue) Later() bool { return c.offered }

// Given reports whether a number is that of a source. One that the question defines belongs to its text.
func (c *catalogue) Given(number int) bool {
	_, ok := c.p.link(number)
	return ok && !c.marksOfQuestion().Defines(number)
}

// Quoted reports whether a footnote with this number was sent.
func (c *catalogue) Quoted(number int) bool {
	return slices.ContainsFunc(c.sent(), func(s *cite.SentMarks) bool { return s.Footnote(number) })
}

// Defined reports whether a footnote with this number was sent with its definition.
func (c *catalogue) Defined(number int, words string) bool {
	return slices.ContainsFunc(c.sent(), func(s *cite.SentMarks) bool { return s.DefinesAs(number, words) })
}

// Bare reports whether a number in brackets was sent.
func (c *catalogue) Bare(number int) bool {
	return slices.ContainsFunc(c.sent(), func(s *cite.SentMarks) bool { return s.Bare(number) })
}

func (c *catalogue) sent() []*cite.SentMarks {
	if c.attached == nil {
		c.attached = &cite.SentMarks{}
		for i := range c.p.engine.Attached {
			c.attached.Add(c.p.engine.Attached[i].Content)
		}
	}
	return []*cite.SentMarks{c.marksOfQuestion(), c.attached, &c.p.tools.sentMarks}
}

func (c *catalogue) marksOfQuestion() *cite.SentMarks {
	if c.question == nil {
		c.question = &cite.SentMarks{}
		c.question.Add(c.p.in.Text)
	}
	return c.question
}

// link returns the source with this number as a link, among those of the turn and of earlier ones.
func (p *PendingTurn) link(number int) (link string, ok bool) {
	if s := p.findSource(number); s != nil {
		return s.Link(), true
	}
	s, ok := p.earlier.Source(number, len(p.earlier.Messages))
	return s.Link(), ok
}

// cite builds the list of sources below a complete reply, whose references were checked while it came, and emits
// Citations.
func (t *Turn) cite() {
	p, a := t.p, &t.answer
	text, found := a.shown.String(), a.references.Findings
	if strings.TrimSpace(text) == "" && len(found.Struck) == 0 {
		return
	}
	p.narrowSources(text, found.StruckAt)
	known := func(n int) (string, bool) {
		if slices.Contains(found.Kept, n) {
			return "", true
		}
		return p.link(n)
	}
	a.footer = cite.Footer(text, func(n int) (string, bool) {
		link, ok := known(n)
		return link, ok && p.findSource(n) != nil // the message of an earlier turn lists its own
	}, found.Listed...)
	e := Citations{Footer: a.footer, Struck: found.Struck}
	last := text
	for _, u := range p.tools.uses {
		last = text[max(len(text)-len(last), min(u.At, len(text))):]
	}
	last = strings.TrimLeft(last, "\n")
	if d := cite.Draw(last, known); len(d.Links) > 0 {
		e.Drawn = d.String()
	} else if len(found.Listed) > 0 && a.footer != "" {
		e.Drawn = last + a.footer
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
		t.notice("citations",
			fmt.Sprintf("The reply cites %s, which no search has found: taken out.", formatNumbers(e.Struck)))
	}
	if line := cite.DeadLine(e.Dead, len(all)); line != "" {
		t.notice("links", line)
	}
}

// Dead returns the links, targets of wikilinks, that lead nowhere. A target that is only a heading may be in a note
// of the other links or of the sources.
func (o *Options) Dead(links []string, sources ...string) []string {
	return slices.DeleteFunc(slices.Clone(links), func(link string) bool {
		return o.Gather.Leads(link) || link[0] == '#' &&
			slices.ContainsFunc(slices.Concat(links, sources), func(from string) bool {
				note, _, _ := strings.Cut(from, "#")
				return note != "" && o.Gather.Leads(note+link)
			})
	})
}

func formatNumbers(all []int) string {
	var marks []string
	for _, n := range all {
		marks = append(marks, fmt.Sprintf("[^%d]", n))
	}
	return strings.Join(marks, ", ")
}
