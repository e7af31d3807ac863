package chains

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"ibid/chains/toolcall"
	"ibid/context/prompt"
	"ibid/history"
)

// SearchTool names the tool that finds passages of notes for a question.
const SearchTool = "localSearch"

// Vault is the chain that searches the vault before it asks. It makes one search, and at most one small request
// more than Chat, for other words of the question, see [Background]. A message without words to search for, such as
// "thanks", searches nothing.
type Vault struct{}

// Name returns "vault".
func (Vault) Name() string { return "vault" }

// Open searches the vault.
func (Vault) Open(ctx context.Context, t *Turn) error { return t.search(ctx) }

// Run sends one request.
func (Vault) Run(ctx context.Context, t *Turn) error { return Chat{}.Run(ctx, t) }

const (
	maxFollowUpWords    = 12  // words up to which a question is searched with those of the question before it
	maxTerms            = 8   // words added to a search
	maxTermLength       = 60  // characters of an added word
	maxQuery            = 500 // characters of a query
	maxEarlierQuestions = 4   // questions before this one that are looked at for words
)

// nothingToFind is the result for a message without words to search for.
const nothingToFind = "There is nothing to look up in that message."

// search searches passages for the question and for other words of it that the model gives, and adds them in front
// of the question. It runs once a turn.
func (t *Turn) search(ctx context.Context) error {
	p := t.p
	if p.tools.searched {
		return nil
	}
	p.tools.searched = true
	if p.s.opts.Gather.Withheld() != nil {
		return nil // the person knows it
	}
	tool := p.s.opts.Tools.toolNamed(SearchTool)
	if tool == nil {
		p.notice("search", "The notes cannot be searched here: the question goes as it is.")
		return nil
	}
	args := p.searchArguments()
	if args == nil {
		p.tools.idle = true
		return nil
	}
	if err := p.widen(ctx, args); err != nil {
		return err
	}
	data, _ := json.Marshal(args) // strings always marshal
	return p.lookUp(ctx, tool, data)
}

// SearchArguments are the arguments of [SearchTool]. A model gives the first two, a chain the others.
type SearchArguments struct {
	Query     string   `json:"query"`
	Terms     []string `json:"salientTerms,omitempty"`
	Phrasings []string `json:"phrasings,omitempty"`   // the question in other words
	Before    []string `json:"wordsBefore,omitempty"` // words of the question before
}

// lookUp runs a tool before the request, and adds its result in front of the question.
func (p *PendingTurn) lookUp(ctx context.Context, tool Tool, args json.RawMessage) error {
	j := newJob(tool, args)
	j.run(ctx, p.s.opts.limits().Tool)
	p.addResult(j)
	return ctx.Err()
}

// searchArguments returns the arguments of the search for the question, nil if it has no words to search for.
func (p *PendingTurn) searchArguments() *SearchArguments {
	words, query := p.s.opts.Tools.Words, typedText(p.in)
	about := words(query)
	if len(about) == 0 {
		return nil
	}
	args := SearchArguments{Query: toolcall.CutWords(query, maxQuery)}
	if len(strings.Fields(query)) <= maxFollowUpWords {
		args.Before = p.termsBefore(about, words)
	}
	return &args
}

// termsBefore returns words that the question before has and this one does not, and the titles that the reply
// before cites.
func (p *PendingTurn) termsBefore(about []string, words func(string) []string) []string {
	questions := 0
	var titles []string
	for i, m := range slices.Backward(p.earlier.Messages) {
		if m.Role == history.Assistant && titles == nil {
			titles = p.citedTitles(i)
		}
		if m.Role != history.User {
			continue
		}
		terms := slices.DeleteFunc(slices.Clone(words(m.Text)), func(w string) bool {
			return slices.Contains(about, w) || utf8.RuneCountInString(w) > maxTermLength
		})
		if questions++; len(terms) > 0 || questions == maxEarlierQuestions {
			terms = append(terms[:min(len(terms), maxTerms-len(titles))], titles...)
			return terms
		}
	}
	return nil
}

// citedTitles returns the titles of the notes that a reply cites.
func (p *PendingTurn) citedTitles(at int) []string {
	titles := []string{}
	for _, u := range p.earlier.Messages[at].Meta.Tools {
		for _, s := range u.Sources {
			title := strings.TrimSuffix(path.Base(s.Path), ".md")
			cited := strings.Contains(p.earlier.Messages[at].Text, fmt.Sprintf("[^%d]", s.ID))
			if cited && !slices.Contains(titles, title) && len(titles) < maxTerms/2 &&
				utf8.RuneCountInString(title) <= maxTermLength {
				titles = append(titles, title)
			}
		}
	}
	return titles
}

// typedText returns the typed part of a turn's text, without words such as "@vault"; the whole text if everything
// was pasted.
func typedText(in Input) string {
	var b strings.Builder
	from := 0
	for _, s := range in.Spans {
		if s.Ref.ID == "" && from <= s.From && s.From <= s.To && s.To <= len(in.Text) {
			b.WriteString(in.Text[from:s.From] + " ")
			from = s.To
		}
	}
	b.WriteString(in.Text[from:])
	for _, text := range []string{b.String(), in.Text} {
		for _, wish := range wishes {
			text = strings.ReplaceAll(text, wish.ID, "")
		}
		if strings.TrimSpace(text) != "" {
			return strings.TrimSpace(text)
		}
	}
	return ""
}

// addResult adds the result of a tool in front of the question, within the limits of a turn.
func (p *PendingTurn) addResult(j *job) {
	p.tools.ran = append(p.tools.ran, j)
	if j.state != ToolFinished {
		p.recordCall(j, &prompt.ToolResult{}, 0)
		return
	}
	res := j.out.Result(j.call.Name)
	limits := p.s.opts.limits()
	toolcall.Shorten(&res, limits.Result, limits.Tokens, limits.Tokens, j.out.Rest, p.s.opts.Count)
	p.recordCall(j, &res, 0)
	j.out.Sources, j.out.Documents, j.out.Guidance = res.Sources, res.Documents, res.Guidance
	p.tools.used = append(slices.Clip(p.tools.used), res)
}

// shortenedResults returns the results of the lookups, with a reference in place of each passage that the request
// contains anyway, in the library or as an attachment. any reports whether there are such passages.
func (p *PendingTurn) shortenedResults() (found []prompt.ToolResult, any bool) {
	known := slices.DeleteFunc(p.conv.Known(), func(it prompt.Item) bool {
		_, changed := p.engine.Current[it.ID]
		return changed
	})
	found = slices.Clone(p.tools.used)
	for i := range found {
		docs := slices.Clone(found[i].Documents)
		for j := range docs {
			switch d := &docs[j]; {
			case containsPassage(known, d, found[i].Sources):
				d.State = "in the Context Library above"
			case containsPassage(p.engine.Attached, d, found[i].Sources):
				d.State = "attached to this message"
			default:
				continue
			}
			docs[j].Content, any = "", true
		}
		found[i].Documents = docs
	}
	return found, any
}

// containsPassage reports whether one of the items contains a passage: as the whole note at that revision, or as text.
func containsPassage(items []prompt.Item, d *Document, from []Source) bool {
	at := slices.IndexFunc(from, func(s Source) bool { return s.ID == d.ID })
	return d.Content != "" && slices.ContainsFunc(items, func(it prompt.Item) bool {
		switch {
		case it.Path != d.Path:
			return false
		case at >= 0 && it.Kind == prompt.Note && it.Revision.Short() == from[at].Revision:
			return true
		}
		return strings.Contains(it.Content, strings.TrimSpace(prompt.CanonicalText(d.Content)))
	})
}

// containsReferred reports whether the request really contains the passages that it refers to. Shortening may have
// removed them.
func (p *PendingTurn) containsReferred() bool {
	sent := slices.DeleteFunc(p.Envelope.Documents(), func(it prompt.Item) bool {
		return slices.ContainsFunc(p.Envelope.Shortened, func(s prompt.ShortenedPart) bool { return s.What == it.ID })
	})
	for i, r := range p.engine.Tools {
		for j := range r.Documents {
			if r.Documents[j].State != "" && !containsPassage(sent, &p.tools.used[i].Documents[j], r.Sources) {
				return false
			}
		}
	}
	return true
}
