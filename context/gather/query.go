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
	queryTime = 5 * time.Second // time limit of one query
	queryRows = 200             // rows of one table that are sent
)

// answers remembers the results of queries while the notes and the day are the same.
type answers struct {
	notes []*vault.Note // the notes that they are about
	files []vault.Path
	day   string
	known map[noteQuery]queryResult

	turnedPrivate bool // a note that queries have read has become private since
}

// noteQuery is a query in a note.
type noteQuery struct {
	query.Block
	of vault.Path
}

// ref returns the reference of the query's result.
func (s *noteQuery) ref() prompt.Ref { return prompt.QueryRef(string(s.of), s.Text) }

// queryResult is the result of a query, or its error.
type queryResult struct {
	text string
	err  error
}

// Ask runs a dataview query as if it were in the note from, "" for none.
func (g *Gatherer) Ask(ctx context.Context, text string, from vault.Path) (*query.Result, error) {
	if err := g.updateVault(ctx); err != nil {
		return nil, err
	}
	tables, err := g.ask(ctx, query.Block{Text: text}, from)
	if err != nil {
		return nil, err
	}
	return tables[0].Result, nil
}

func (g *Gatherer) ask(ctx context.Context, b query.Block, from vault.Path) (_ []query.Table, err error) {
	defer routine.Catch(&err)
	ctx, cancel := context.WithTimeout(ctx, queryTime)
	defer cancel()
	return g.engine.Answer(ctx, b, query.Ask{Now: g.opts.Now(), Origin: from})
}

// blocks returns the queries of a file: those in a note, or the base that it is.
func blocks(t *vault.Text) []noteQuery {
	from := t.Note.Path
	if isBase(from) {
		return []noteQuery{{query.Block{Base: true, Text: t.Content}, from}}
	}
	if !from.IsNote() || t.Note.Chat {
		return nil
	}
	var all []noteQuery
	for _, b := range query.Blocks(t.Content) {
		all = append(all, noteQuery{b, from})
	}
	return all
}

func isBase(p vault.Path) bool { return strings.EqualFold(path.Ext(string(p)), ".base") }

// queries returns the items of the queries in a note, and of the bases that it embeds. A query that cannot be run is
// reported, with the word that prevented it; it is sent as it is written, in the text of the note.
func (g *Gatherer) queries(ctx context.Context, of prompt.Item) (items []prompt.Item, missing []prompt.MissingRef) {
	defer recoverReference(of.Ref, &items, &missing)
	if of.Kind != prompt.Note {
		return nil, nil
	}
	t, err := g.vault.Read(vault.Path(of.ID))
	if err != nil {
		return nil, nil
	}
	for i, b := range blocks(&t) {
		if i == 0 && g.updateVault(ctx) != nil {
			return nil, nil
		}
		it, miss := g.queryItem(ctx, &t, b)
		if miss != nil {
			missing = append(missing, miss...)
		} else {
			items = append(items, it)
		}
	}
	if !t.Note.Path.IsNote() || t.Note.Chat {
		return items, missing
	}
	var bases []vault.Path
	for l := range t.Note.Links() {
		f := vault.FoundNote{}
		if l.Kind == vault.Embed && isBase(vault.Path(l.Target)) {
			f = g.vault.Resolve(l.Target, t.Note.Path)
		}
		if f.State == vault.OK && !slices.Contains(bases, f.Path) {
			bases = append(bases, f.Path)
			more, miss := g.queries(ctx, prompt.Item{Ref: prompt.NoteRef(string(f.Path))})
			items, missing = append(items, more...), append(missing, miss...)
		}
	}
	return items, missing
}

// updateVault updates the notes that the vault knows.
func (g *Gatherer) updateVault(ctx context.Context) error {
	if _, err := g.vault.Revalidate(ctx); err != nil {
		return fmt.Errorf("look at the vault: %w", err)
	}
	return nil
}

// query returns the item of a query that was gathered before, if its note still contains it.
func (g *Gatherer) query(ctx context.Context, ref prompt.Ref) ([]prompt.Item, []prompt.MissingRef) {
	name, _ := prompt.QueryNote(ref.ID)
	t, miss := g.read(ref, name)
	if miss != nil {
		return nil, miss
	}
	for _, b := range blocks(&t) {
		if b.ref() != ref {
			continue
		}
		if err := g.updateVault(ctx); err != nil {
			return nil, missingRef(ref, "unreadable", err.Error())
		}
		it, miss := g.queryItem(ctx, &t, b)
		if miss != nil && miss[0].State == prompt.UncheckedRef {
			return nil, miss
		}
		if miss != nil {
			return nil, missingRef(ref, "unreadable", miss[0].Reason)
		}
		return []prompt.Item{it}, nil
	}
	return nil, missingRef(ref, "missing", name+" has a query no more that went with an earlier turn")
}

// queryItem returns the item of a query in a note.
func (g *Gatherer) queryItem(ctx context.Context, t *vault.Text, b noteQuery) (prompt.Item, []prompt.MissingRef) {
	from, ref := t.Note.Path, b.ref()
	found := g.cachedResult(ctx, b)
	if err := g.Withheld(); err != nil { // what it found may be excluded
		reason := string(from) + ": a query goes as it is written, without its result: " + rulesFault(err)
		return prompt.Item{}, missingRef(ref, prompt.UncheckedRef, reason)
	}
	if found.err != nil {
		reason := strings.TrimPrefix(found.err.Error(), "query: ")
		return prompt.Item{},
			missingRef(ref, "query", string(from)+": a query goes as it is written, without its result: "+reason)
	}
	it := prompt.NewItem(ref, t.Note.Title, string(from), found.text)
	it.Query, it.QueryType = b.Text, "dataview"
	if b.Base {
		it.QueryType = "base"
	}
	return it, nil
}

// cachedResult returns the result of a query, from memory if no note has changed since. Saved chats do not count: they
// change with every turn, and no query reads them.
func (g *Gatherer) cachedResult(ctx context.Context, b noteQuery) queryResult {
	notes := slices.DeleteFunc(slices.Clone(g.vault.Notes()), func(n *vault.Note) bool { return !n.Ordinary() })
	files, today := g.vault.Files(), g.opts.Now().Format(time.DateOnly)
	g.mu.Lock()
	if a := &g.answers; a.known == nil || a.day != today || !slices.EqualFunc(a.notes, notes, sameNote) ||
		!slices.Equal(a.files, files) {
		turned := a.turnedPrivate || slices.ContainsFunc(a.notes, func(was *vault.Note) bool {
			n, ok := g.vault.Note(was.Path)
			return ok && n.Private
		})
		*a = answers{notes: notes, files: files, day: today, known: map[noteQuery]queryResult{}, turnedPrivate: turned}
	}
	known := g.answers.known // for these notes, even if others replace them while the query runs
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

// sameNote reports whether a note is unchanged. A recently changed file is read again, which gives another Note.
func sameNote(a, b *vault.Note) bool { return a == b || a.Equal(b) }

// mayExpose reports whether a result that was sent may contain something of a note that is private now.
func (g *Gatherer) mayExpose(result string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.answers.turnedPrivate || slices.ContainsFunc(g.vault.Notes(), func(n *vault.Note) bool {
		return n.Private && strings.Contains(result, "[["+strings.TrimSuffix(string(n.Path), ".md"))
	})
}
