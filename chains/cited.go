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
	p.recordBareNumbers(r.Content)
	for _, d := range r.Documents {
		p.recordBareNumbers(d.Content)
		if strings.Contains(d.Content, "\n#") {
			p.tools.withHeadings = append(p.tools.withHeadings, d)
		}
	}
}

// recordBareNumbers records the numbers in brackets in a text. A reply that repeats one quotes the text, and cites
// nothing.
func (p *PendingTurn) recordBareNumbers(text string) {
	for _, n := range cite.BareNumbers(text) {
		p.tools.bareNumbers[n] = true
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

// cite finds the references in a complete reply, builds the list of sources below it, and emits Citations.
func (t *Turn) cite() {
	p, a := t.p, &t.answer
	if strings.TrimSpace(a.shown.String()) == "" {
		return
	}
	rounds, early := cite.StrikeEarly(a.shown.String(), p.tools.uses)
	text := strings.Join(rounds, "")
	p.narrowSources(text)
	given := func(n int) (string, bool) {
		if s := p.findSource(n); s != nil {
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
		t.notice("citations",
			fmt.Sprintf("The reply cites %s, which no search has found: not shown.", formatNumbers(e.Struck)))
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
