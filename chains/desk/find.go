package desk

import (
	"context"
	"fmt"
	"strings"
	"time"

	"ibid/chains"
	"ibid/vault/index"
)

// patience is how long a search waits for the index to be brought up to date.
const patience = time.Second

// Sync brings the search index up to date with the vault, which must have been
// read, and reports whether it is. Searches work without it, and take longer.
func (d *Desk) Sync(ctx context.Context) (current bool) {
	x := d.openIndex(ctx)
	if x == nil {
		return false
	}
	err := x.Sync(ctx, d.opts.Vault)
	d.indexed(err)
	return err == nil
}

// Current brings an index that held the whole vault before up to date, if that
// takes a second at most, and reports whether it is. Where nothing keeps the index
// up to date, Scan answers if it is not.
func (d *Desk) Current(ctx context.Context) bool {
	if x := d.openIndex(ctx); x == nil || !x.Ready() {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return d.Sync(ctx)
}

// Continue works on the index for a second; the next call goes on.
func (d *Desk) Continue(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	d.Sync(ctx)
}

// Indexing is how many notes the Sync that runs has brought into the index, and of
// how many.
func (d *Desk) Indexing(ctx context.Context) (done, all int) {
	if x := d.openIndex(ctx); x != nil {
		done, all = x.Progress()
	}
	return done, all
}

// Tools are what a model may call in chats that begin here.
func (d *Desk) Tools() []chains.Tool { return d.opts.Session.Tools.List }

// Searcher searches the notes as they were found last, with the index if that is
// up to date, or is within a second. It may be called from any goroutine.
func (d *Desk) Searcher(ctx context.Context) index.Searcher {
	s := index.Searcher{Source: d.opts.Vault}
	if d.Current(ctx) {
		s.Index = d.openIndex(ctx)
	}
	return s
}

// Search looks for notes. It may be called from any goroutine, also while Run
// runs.
func (d *Desk) Search(ctx context.Context, q index.Query) ([]index.Hit, error) {
	return index.Searcher{Source: d.opts.Vault, Index: d.openIndex(ctx)}.Search(ctx, q)
}

// Meant is the text of q without slips, "" if there are none: what Search looked for.
func (d *Desk) Meant(ctx context.Context, q index.Query) (string, error) {
	return index.Searcher{Source: d.opts.Vault, Index: d.openIndex(ctx)}.Meant(ctx, q)
}

// Scan is Search without the index: it reads the notes.
func (d *Desk) Scan(ctx context.Context, q index.Query) ([]index.Hit, error) {
	return index.Searcher{Source: d.opts.Vault}.Search(ctx, q)
}

// Headings are hits of a query in titles and headings, for which nothing is read.
func (d *Desk) Headings(q index.Query) []index.Hit {
	return index.Searcher{Source: d.opts.Vault}.Headings(q)
}

// search is /search. The notes are as they are now; where no index is ready they
// are read.
func search(ctx context.Context, c *Chat, arg string) (Result, error) {
	d := c.desk
	q, told, err := index.ParseQuery(arg, time.Now())
	if err != nil {
		return Result{}, err
	}
	if _, err := d.opts.Vault.Revalidate(ctx); err != nil {
		return Result{}, err
	}
	look := d.Scan
	if d.Current(ctx) {
		look = d.Search
	}
	hits, err := look(ctx, q)
	if err != nil {
		return Result{}, err
	}
	if len(hits) == 0 {
		told = append(told, fmt.Sprintf("no note holds %q", arg))
	}
	for _, h := range hits {
		told = append(told, fmt.Sprintf("%s:%d  %s\n    %s", h.Path, h.Line, h.Title, h.Snippet))
	}
	return Result{Text: strings.Join(told, "\n")}, nil
}
