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

// SearchTool is the name of the tool that finds passages of notes for a question.
const SearchTool = "localSearch"

// Vault is the chain that looks for passages of the vault before it asks: one
// search, and at most a small request for other words of the question more than
// Chat, see [Background]. A message without words to look for, such as
// "thanks", searches nothing.
type Vault struct{}

// Name is "vault".
func (Vault) Name() string { return "vault" }

// Open searches.
func (Vault) Open(ctx context.Context, t *Turn) error { return t.search(ctx) }

// Run asks once.
func (Vault) Run(ctx context.Context, t *Turn) error { return Chat{}.Run(ctx, t) }

// VaultRef stands for a search of the vault before the request, in references as
// a person writes them.
func VaultRef() prompt.Ref { return prompt.Ref{Kind: prompt.Workspace, ID: "@vault"} }

const (
	fewWords    = 12  // of a question that takes the words of the one before along
	mostTerms   = 8   // that go along with a question
	longestTerm = 60  // in characters
	mostQuery   = 500 // characters of a query
	lookBehind  = 4   // questions that are looked at for words
)

// nothingToFind stands for the result where a message is about nothing.
const nothingToFind = "There is nothing to look up in that message."

// search looks for passages for the question, and for other words of it that the model
// gives, and puts them in front of it.
func (t *Turn) search(ctx context.Context) error {
	p := t.p
	if p.tools.searched {
		return nil
	}
	p.tools.searched = true
	tool := p.s.opts.Tools.toolNamed(SearchTool)
	if tool == nil {
		p.notices = append(p.notices,
			Notice{Kind: "search", Text: "The notes cannot be searched here: the question goes as it is."})
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

// SearchArguments go to [SearchTool]: the first two are a model's to give,
// the others a chain's.
type SearchArguments struct {
	Query     string   `json:"query"`
	Terms     []string `json:"salientTerms,omitempty"`
	Phrasings []string `json:"phrasings,omitempty"`   // the question in other words
	Before    []string `json:"wordsBefore,omitempty"` // what the question before was about
}

// add adds other words.
func (a *SearchArguments) add(other SearchArguments) {
	a.Terms, a.Phrasings = other.Terms, other.Phrasings
}

// lookUp runs a tool before the request, and puts what it finds in front of the question.
func (p *PendingTurn) lookUp(ctx context.Context, tool Tool, args json.RawMessage) error {
	j := newJob(tool, args)
	j.run(ctx, p.s.opts.limits().Tool)
	p.use(j)
	return ctx.Err()
}

// searchArguments are those of the search for the question; nil if there is
// nothing to look for.
func (p *PendingTurn) searchArguments() *SearchArguments {
	words, query := p.s.opts.Tools.Words, typedText(p.in)
	about := words(query)
	if len(about) == 0 {
		return nil
	}
	args := SearchArguments{Query: cutWords(query, mostQuery)}
	if len(strings.Fields(query)) <= fewWords {
		args.Before = p.termsBefore(about, words)
	}
	return &args
}

// termsBefore are the words of the question before this one, but for those that it
// has too, and the titles of what the reply before cites.
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
			return slices.Contains(about, w) || utf8.RuneCountInString(w) > longestTerm
		})
		if questions++; len(terms) > 0 || questions == lookBehind {
			terms = append(terms[:min(len(terms), mostTerms-len(titles))], titles...)
			return terms
		}
	}
	return nil
}

// citedTitles are the titles of notes that a reply cites.
func (p *PendingTurn) citedTitles(at int) []string {
	titles := []string{}
	for _, u := range p.earlier.Messages[at].Meta.Tools {
		for _, s := range u.Sources {
			title := strings.TrimSuffix(path.Base(s.Path), ".md")
			cited := strings.Contains(p.earlier.Messages[at].Text, fmt.Sprintf("[^%d]", s.ID))
			if cited && !slices.Contains(titles, title) && len(titles) < mostTerms/2 &&
				utf8.RuneCountInString(title) <= longestTerm {
				titles = append(titles, title)
			}
		}
	}
	return titles
}

// typedText leaves of the text of a turn what was typed, without the words that ask for the
// search; the whole text if everything was pasted.
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
		text = strings.NewReplacer(VaultRef().ID, "", WebRef().ID, "", ComposerRef().ID, "", MemoryRef().ID, "").Replace(text)
		if strings.TrimSpace(text) != "" {
			return strings.TrimSpace(text)
		}
	}
	return ""
}

// cutWords is the beginning of a text, up to the end of a word.
func cutWords(text string, most int) string {
	r := []rune(text)
	if len(r) <= most {
		return text
	}
	text = string(r[:most])
	if i := strings.LastIndexAny(text, " \t\n"); i > 0 {
		text = text[:i]
	}
	return text
}

// use puts what a tool found in front of the question, within the limits of a turn.
func (p *PendingTurn) use(j *job) {
	p.tools.ran = append(p.tools.ran, j)
	if j.state != ToolFinished {
		p.note(j, &prompt.ToolResult{})
		return
	}
	res := j.out.result("", j.call.Name)
	limits := p.s.opts.limits()
	toolcall.Shorten(&res, limits.Result, limits.Tokens, limits.Tokens, j.out.Rest, p.s.opts.Count)
	p.note(j, &res)
	j.out.Sources, j.out.Documents, j.out.Guidance = res.Sources, res.Documents, res.Guidance
	p.tools.used = append(slices.Clip(p.tools.used), res)
}

// shortenedResults refer to passages that tools found and the request has anyway: those of
// notes that the library holds, or that go with this turn, as they are now. any reports
// whether there are some.
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
			case holds(known, d, found[i].Sources):
				d.State = "in the Context Library above"
			case holds(p.engine.Attached, d, found[i].Sources):
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

// holds reports whether one of the items has the text of a passage: it is the
// whole note at that revision, or has the same text in it.
func holds(items []prompt.Item, d *Document, from []Source) bool {
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

// hasReferred reports whether the request has the text of the passages that it
// refers to: what of it had to make room is not there.
func (p *PendingTurn) hasReferred() bool {
	sent := slices.DeleteFunc(p.Envelope.Documents(), func(it prompt.Item) bool {
		return slices.ContainsFunc(p.Envelope.Shortened, func(s prompt.ShortenedPart) bool { return s.What == it.ID })
	})
	for i, r := range p.engine.Tools {
		for j := range r.Documents {
			if r.Documents[j].State != "" && !holds(sent, &p.tools.used[i].Documents[j], r.Sources) {
				return false
			}
		}
	}
	return true
}
