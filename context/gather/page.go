package gather

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ibid/context/prompt"
	"ibid/vault/legible"
)

// page is a page as it was last fetched.
type page struct {
	item prompt.Item
	at   time.Time
}

// Refetch fetches pages again that were fetched before in this process; it ignores other references. If a page
// cannot be reached, its old text stays valid, and the reason is returned.
func (g *Gatherer) Refetch(ctx context.Context, refs []prompt.Ref) []prompt.MissingRef {
	var failed []prompt.MissingRef
	for _, r := range refs {
		old, ok := g.fetched(r)
		if !ok {
			continue
		}
		if _, miss := g.page(ctx, r, true); miss != nil && ctx.Err() == nil {
			failed = append(failed, missingRef(r, "old_page",
				miss[0].Reason+"; its text of "+old.at.Format("2006-01-02 15:04")+" is kept")...)
		}
	}
	return failed
}

// Pages returns the times at which pages were fetched in this process, by URL.
func (g *Gatherer) Pages() map[string]time.Time {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := make(map[string]time.Time, len(g.pages))
	for url, p := range g.pages {
		all[url] = p.at
	}
	return all
}

func (g *Gatherer) fetched(ref prompt.Ref) (page, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	p, ok := g.pages[ref.ID]
	return p, ok && ref.Kind == prompt.URL
}

// page returns a page as markdown. It fetches a known page again only if anew is set.
func (g *Gatherer) page(ctx context.Context, ref prompt.Ref, anew bool) (prompt.Item, []prompt.MissingRef) {
	if p, ok := g.fetched(ref); ok && !anew {
		return p.item, nil
	}
	got, err := Fetcher{g.opts.HTTP, g.opts.MaxPage}.Fetch(ctx, ref.ID)
	if err != nil {
		state := "unreadable"
		if errors.Is(err, errLargePage) {
			state = "too_large"
		}
		return prompt.Item{}, missingRef(ref, state, fmt.Sprintf("%s could not be read: %v", ref.ID, err))
	}
	p := page{item: prompt.NewItem(ref, got.Title, ref.ID, legible.Text(got.Text)), at: g.opts.Now()}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pages[ref.ID] = p
	return p.item, nil
}
