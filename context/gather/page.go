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
	item   prompt.Item
	at     time.Time
	public bool // somebody else named it: see GatherPublic
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
		if _, miss := g.fetch(ctx, r, old.public); miss != nil && ctx.Err() == nil {
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

// GatherPublic is Gather for a page that no person named: it is fetched from a public address only.
func (g *Gatherer) GatherPublic(ctx context.Context, ref prompt.Ref) (it prompt.Item, missing []prompt.MissingRef) {
	defer recoverReference(ref, &it, &missing)
	return g.page(ctx, ref, true)
}

// page returns a page as markdown. It fetches a page once.
func (g *Gatherer) page(ctx context.Context, ref prompt.Ref, public bool) (prompt.Item, []prompt.MissingRef) {
	if p, ok := g.fetched(ref); ok {
		return p.item, nil
	}
	return g.fetch(ctx, ref, public)
}

func (g *Gatherer) fetch(ctx context.Context, ref prompt.Ref, public bool) (prompt.Item, []prompt.MissingRef) {
	got, err := Fetcher{Client: g.opts.HTTP, Most: g.opts.MaxPage, Public: public}.Fetch(ctx, ref.ID)
	if err != nil {
		state := "unreadable"
		if errors.Is(err, errLargePage) {
			state = "too_large"
		}
		return prompt.Item{}, missingRef(ref, state, fmt.Sprintf("%s could not be read: %v", ref.ID, err))
	}
	p := page{item: prompt.NewItem(ref, got.Title, ref.ID, legible.Text(got.Text)), at: g.opts.Now(), public: public}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pages[ref.ID] = p
	return p.item, nil
}
