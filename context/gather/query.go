package gather

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/query"
	"ibid/vault/routine"
)

const (
	queryTime = 5 * time.Second // that one query may take
	queryRows = 200             // of one table that go with a turn
)

// answers keeps what queries gave, as long as no note changes and the day is the same.
type answers struct {
	notes []*vault.Note // of which they are
	files []vault.Path
	day   string
	known map[noteQuery]queryResult

	turned bool // a note that queries have read has become private since
}

// noteQuery is a query as a note states it.
type noteQuery struct {
	query.Block
	text string // in the note: what the query is known by
	of   vault.Path
}

// ref is what the result of the query is known by.
func (s *noteQuery) ref() prompt.Ref { return prompt.QueryRef(string(s.of), s.text) }

// queryResult is the answer to a query, or why there is none.
type queryResult struct {
	text string
	err  error
}

// Ask answers a query as if it stood in the note from, "" for none.
func (g *Gatherer) Ask(ctx context.Context, b query.Block, from vault.Path) ([]query.Table, error) {
	if err := g.look(ctx); err != nil {
		return nil, err
	}
	return g.ask(ctx, b, from)
}

// Result is Ask for a query of the dataview language, as a list or table of markdown.
func (g *Gatherer) Result(ctx context.Context, text string, from vault.Path) (string, error) {
	tables, err := g.Ask(ctx, query.Block{Text: text}, from)
	return query.Markdown(tables, queryRows), err
}

func (g *Gatherer) ask(ctx context.Context, b query.Block, from vault.Path) (_ []query.Table, err error) {
	defer routine.Catch(&err)
	ctx, cancel := context.WithTimeout(ctx, queryTime)
	defer cancel()
	return g.engine.Answer(ctx, b, query.Ask{Now: g.opts.Now(), Origin: from})
}

// blocks are the queries of a file: those in a note and of the bases that it embeds, or
// the base that it is.
func blocks(v *vault.Vault, t *vault.Text) []noteQuery {
	from := t.Note.Path
	if isBase(from) {
		return []noteQuery{{query.Block{Base: true, Text: t.Content}, t.Content, from}}
	}
	if !from.IsNote() || t.Note.Chat {
		return nil
	}
	var all []noteQuery
	for _, b := range query.Blocks(t.Content) {
		all = append(all, noteQuery{b, b.Text, from})
	}
	return append(all, bases(v, t)...)
}

// bases are those that a note embeds, each with the view that is named, else its first
// one, as Obsidian shows it.
func bases(v *vault.Vault, t *vault.Text) []noteQuery {
	var all []noteQuery
	for l := range t.Note.Links() {
		f := vault.FoundNote{}
		if l.Kind == vault.Embed && strings.Contains(strings.ToLower(l.Target), ".base") {
			f = v.Resolve(l.Target, t.Note.Path)
		}
		if f.State != vault.OK || !isBase(f.Path) {
			continue
		}
		base, err := v.Read(f.Path)
		if err != nil {
			continue // it stays a link in the text
		}
		view, text := l.Subpath, "![["+l.Target
		if view != "" {
			text += "#" + view
		} else if parsed, err := query.ParseBase(base.Content); err == nil && len(parsed.Views) > 0 {
			view = parsed.Views[0].Name
		}
		all = append(all, noteQuery{query.Block{Base: true, Text: base.Content, View: view}, text + "]]", t.Note.Path})
	}
	return all
}

func isBase(p vault.Path) bool { return strings.EqualFold(path.Ext(string(p)), ".base") }

// queries are the items of the queries in a note. Of one without an answer it is said
// which word stopped it: it goes as it is written, in the text of the note.
func (g *Gatherer) queries(ctx context.Context, of prompt.Item) (items []prompt.Item, missing []prompt.MissingRef) {
	defer recoverReference(of.Ref, &items, &missing)
	if of.Kind != prompt.Note {
		return nil, nil
	}
	t, err := g.vault.Read(vault.Path(of.ID))
	if err != nil {
		return nil, nil
	}
	for i, b := range blocks(g.vault, &t) {
		if i == 0 && g.look(ctx) != nil {
			return nil, nil
		}
		it, miss := g.queryItem(ctx, &t, b)
		if miss != nil {
			missing = append(missing, miss...)
		} else {
			items = append(items, it)
		}
	}
	return items, missing
}

// look brings what the vault knows of its notes up to date: they are what queries read.
func (g *Gatherer) look(ctx context.Context) error {
	if _, err := g.vault.Revalidate(ctx); err != nil {
		return fmt.Errorf("look at the vault: %w", err)
	}
	return nil
}

// query is the item of a query that was gathered before, if its note has it still.
func (g *Gatherer) query(ctx context.Context, ref prompt.Ref) ([]prompt.Item, []prompt.MissingRef) {
	name, _ := prompt.QueryNote(ref.ID)
	t, miss := g.read(ref, name)
	if miss != nil {
		return nil, miss
	}
	for _, b := range blocks(g.vault, &t) {
		if b.ref() != ref {
			continue
		}
		if err := g.look(ctx); err != nil {
			return nil, missingRef(ref, "unreadable", err.Error())
		}
		it, miss := g.queryItem(ctx, &t, b)
		if miss != nil {
			return nil, missingRef(ref, "unreadable", miss[0].Reason)
		}
		return []prompt.Item{it}, nil
	}
	return nil, missingRef(ref, "missing", name+" has a query no more that went with an earlier turn")
}

// queryItem is the item of a query in a note.
func (g *Gatherer) queryItem(ctx context.Context, t *vault.Text, b noteQuery) (prompt.Item, []prompt.MissingRef) {
	from, ref := t.Note.Path, b.ref()
	found := g.answered(ctx, b)
	if found.err != nil {
		reason := strings.TrimPrefix(found.err.Error(), "query: ")
		return prompt.Item{},
			missingRef(ref, "query", string(from)+": a query goes as it is written, without its result: "+reason)
	}
	it := prompt.NewItem(ref, t.Note.Title, string(from), found.text)
	it.Query, it.QueryType = b.text, "dataview"
	if b.Base {
		it.QueryType = "base"
	}
	return it, nil
}

// answered is the answer to a query, from memory if no note has changed since. Saved
// chats change with every turn, and no query reads them.
func (g *Gatherer) answered(ctx context.Context, b noteQuery) queryResult {
	notes := slices.DeleteFunc(slices.Clone(g.vault.Notes()), func(n *vault.Note) bool { return n.Chat || n.Private })
	files, today := g.vault.Files(), g.opts.Now().Format(time.DateOnly)
	g.mu.Lock()
	if a := &g.answers; a.known == nil || a.day != today || !slices.EqualFunc(a.notes, notes, sameNote) ||
		!slices.Equal(a.files, files) {
		turned := a.turned || slices.ContainsFunc(a.notes, func(was *vault.Note) bool {
			n, ok := g.vault.Note(was.Path)
			return ok && n.Private
		})
		*a = answers{notes: notes, files: files, day: today, known: map[noteQuery]queryResult{}, turned: turned}
	}
	known := g.answers.known // of these notes, even if others come while the query runs
	found, ok := known[b]
	g.mu.Unlock()
	if ok {
		return found
	}
	tables, err := g.ask(ctx, b.Block, b.of)
	found = queryResult{query.Markdown(tables, queryRows), err}
	var said *query.Error
	if err == nil || errors.As(err, &said) {
		g.mu.Lock()
		known[b] = found
		g.mu.Unlock()
	}
	return found
}

// sameNote reports whether a note did not change. A young file is read again even if it
// did not, which gives another Note.
func sameNote(a, b *vault.Note) bool { return a == b || a.Equal(b) }

// exposes reports whether a result that was sent may have something of a note that is
// private now.
func (g *Gatherer) exposes(result string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.answers.turned || slices.ContainsFunc(g.vault.Notes(), func(n *vault.Note) bool {
		return n.Private && strings.Contains(result, "[["+strings.TrimSuffix(string(n.Path), ".md"))
	})
}
