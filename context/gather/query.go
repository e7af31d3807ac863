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
	known map[prompt.Ref]queried

	turned bool // a note that queries have read has become private since
}

// queried is the answer to a query, or why there is none.
type queried struct {
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

func (g *Gatherer) ask(ctx context.Context, b query.Block, from vault.Path) ([]query.Table, error) {
	ctx, cancel := context.WithTimeout(ctx, queryTime)
	defer cancel()
	return g.engine.Answer(ctx, b, query.Ask{Now: g.opts.Now(), Origin: from})
}

// blocks are the queries of a file: those in a note, or the base that it is.
func blocks(t *vault.Text) []query.Block {
	if strings.EqualFold(path.Ext(string(t.Note.Path)), ".base") {
		return []query.Block{{Base: true, Text: t.Content}}
	}
	if !t.Note.Path.IsNote() || t.Note.Chat {
		return nil
	}
	return query.Blocks(t.Content)
}

// queries are the items of the queries in a note. Of one without an answer it is said
// which word stopped it: it goes as it is written, in the text of the note.
func (g *Gatherer) queries(ctx context.Context, of prompt.Item) ([]prompt.Item, []prompt.Missing) {
	if of.Kind != prompt.Note {
		return nil, nil
	}
	t, err := g.vault.Read(vault.Path(of.ID))
	if err != nil {
		return nil, nil
	}
	var items []prompt.Item
	var missing []prompt.Missing
	for i, b := range blocks(&t) {
		if i == 0 && g.look(ctx) != nil {
			return nil, nil
		}
		it, miss := g.queryItem(ctx, &t, b)
		if miss != nil {
			missing = append(missing, *miss)
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
func (g *Gatherer) query(ctx context.Context, ref prompt.Ref) ([]prompt.Item, []prompt.Missing) {
	name, _ := prompt.QueryNote(ref.ID)
	t, miss := g.read(ref, name)
	if miss != nil {
		return nil, []prompt.Missing{*miss}
	}
	for _, b := range blocks(&t) {
		if prompt.QueryRef(name, b.Text) != ref {
			continue
		}
		if err := g.look(ctx); err != nil {
			return nil, []prompt.Missing{{Ref: ref, State: "unreadable", Reason: err.Error()}}
		}
		it, miss := g.queryItem(ctx, &t, b)
		if miss != nil {
			miss.State = "unreadable"
			return nil, []prompt.Missing{*miss}
		}
		return []prompt.Item{it}, nil
	}
	return nil, []prompt.Missing{{Ref: ref, State: "missing", Reason: name + " has a query no more that went with an earlier turn"}}
}

// queryItem is the item of a query in a note.
func (g *Gatherer) queryItem(ctx context.Context, t *vault.Text, b query.Block) (prompt.Item, *prompt.Missing) {
	from := t.Note.Path
	ref := prompt.QueryRef(string(from), b.Text)
	found := g.answered(ctx, ref, b, from)
	if found.err != nil {
		reason := strings.TrimPrefix(found.err.Error(), "query: ")
		return prompt.Item{}, &prompt.Missing{Ref: ref, State: "query", Reason: string(from) + ": a query goes as it is written, without its result: " + reason}
	}
	it := prompt.NewItem(ref, t.Note.Title, string(from), found.text)
	it.Query, it.QueryType = b.Text, "dataview"
	if b.Base {
		it.QueryType = "base"
	}
	return it, nil
}

// answered is the answer to a query, from memory if no note has changed since. Saved
// chats change with every turn, and no query reads them.
func (g *Gatherer) answered(ctx context.Context, ref prompt.Ref, b query.Block, from vault.Path) queried {
	notes := slices.DeleteFunc(slices.Clone(g.vault.Notes()), func(n *vault.Note) bool { return n.Chat || n.Private })
	files, today := g.vault.Files(), g.opts.Now().Format(time.DateOnly)
	g.mu.Lock()
	if a := &g.answers; a.known == nil || a.day != today || !slices.EqualFunc(a.notes, notes, sameNote) || !slices.Equal(a.files, files) {
		turned := a.turned || slices.ContainsFunc(a.notes, func(was *vault.Note) bool {
			n, ok := g.vault.Note(was.Path)
			return ok && n.Private
		})
		*a = answers{notes: notes, files: files, day: today, known: map[prompt.Ref]queried{}, turned: turned}
	}
	known := g.answers.known // of these notes, even if others come while the query runs
	found, ok := known[ref]
	g.mu.Unlock()
	if ok {
		return found
	}
	tables, err := g.ask(ctx, b, from)
	found = queried{query.Markdown(tables, queryRows), err}
	var said *query.Error
	if err == nil || errors.As(err, &said) {
		g.mu.Lock()
		known[ref] = found
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
