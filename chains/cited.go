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
	use := history.ToolUse{
		Name: toolName(j.call.Name), Args: j.call.Arguments, State: string(j.shownState()),
		Took: j.took, Result: j.out.Note,
	}
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
	rounds, early := cite.StrikeEarly(a.shown.String(), p.tools.uses)
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
		s, ok := p.earlier.Source(n, len(p.earlier.Messages))
		return s.Link(), ok
	}
	e := Citations{Footer: a.footer, Struck: early}
	if len(early) > 0 {
		e.Rounds = rounds
	}
	if p.tools.next > 1 {
		e.Struck = append(e.Struck, cite.Draw(text, known).Struck...)
	}
	last := strings.TrimLeft(rounds[len(rounds)-1], "\n")
	if d := cite.Draw(last, known); len(d.Links) > 0 {
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
	if line := cite.DeadLine(e.Dead, len(all)); line != "" {
		t.notice("links", line)
	}
}

// Dead is those of the targets of wikilinks that lead nowhere. One that names a heading
// alone stands in a passage of one of the notes that the others, or the sources, lead to.
func (o *Options) Dead(links []string, sources ...string) []string {
	return slices.DeleteFunc(slices.Clone(links), func(link string) bool {
		return o.Gather.Leads(link) || link[0] == '#' &&
			slices.ContainsFunc(slices.Concat(links, sources), func(from string) bool {
				note, _, _ := strings.Cut(from, "#")
				return note != "" && o.Gather.Leads(note+link)
			})
	})
}

func numbers(all []int) string {
	var marks []string
	for _, n := range all {
		marks = append(marks, fmt.Sprintf("[^%d]", n))
	}
	return strings.Join(marks, ", ")
}
