package desk

import (
	"context"
	"slices"

	"ibid/history"
	"ibid/history/chatlist"
	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/routine"
)

// chatCache caches in the search index what was read of the chats.
type chatCache struct{ desk *Desk }

// Load calls each with the cached data of every chat.
func (c chatCache) Load(ctx context.Context, each func(data []byte)) {
	if x := c.desk.openIndex(ctx); x != nil {
		c.desk.logIndexError(x.Documents(ctx, each))
	}
}

// Keep replaces the cached data of some chats and removes that of others.
func (c chatCache) Keep(ctx context.Context, docs map[vault.Path][]byte, gone []vault.Path) {
	if x := c.desk.openIndex(ctx); x != nil {
		c.desk.logIndexError(x.Put(ctx, docs, gone))
	}
}

// SearchChats returns the saved chats, at most limit, that pass a filter and contain every word of its text in
// their title or messages, in the order of the list. A word matches the beginning of a longer one. Any goroutine
// may call it.
func (d *Desk) SearchChats(ctx context.Context, f chatlist.Filter, limit int) ([]history.Hit, error) {
	all, err := d.opts.Store.List(ctx)
	if err != nil {
		return nil, err
	}
	all = f.Select(d.opts.Store, all)
	words := index.ParseWords(f.Text)
	var hits []history.Hit
	switch {
	case words.None() && f.Text != "":
		return nil, nil
	case words.None():
		for _, s := range all[:min(len(all), limit)] {
			hits = append(hits, history.Hit{Summary: s})
		}
		return hits, nil
	}
	if x := d.openIndex(ctx); x != nil {
		changed := map[vault.Path]int64{}
		for _, s := range all {
			changed[s.Path] = s.Modified.UnixNano()
		}
		d.search.searchedWithout.Store(!x.Ready())
		if may, err := x.Holding(ctx, words, changed); err == nil {
			all = slices.DeleteFunc(all, func(s history.Summary) bool { return !may[s.Path] && !s.Unsaved })
		} else {
			d.logIndexError(err) // no chat is excluded then
		}
	}
	const atOnce = 32
	for some := range slices.Chunk(all, atOnce) {
		found := make([]history.Hit, len(some))
		var reading routine.Group
		for i := range some {
			reading.Go(func() { found[i] = d.matchChat(some[i], words) })
		}
		reading.Wait()
		hits = append(hits, slices.DeleteFunc(found, func(h history.Hit) bool { return h.Path == "" })...)
		if len(hits) >= limit {
			return hits[:limit], ctx.Err()
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return hits, nil
}

// matchChat searches one chat for words. It returns the zero Hit if any is missing.
func (d *Desk) matchChat(s history.Summary, words index.Words) history.Hit {
	texts, err := d.opts.Store.MessageTexts(s.Path, s.Unsaved)
	if err != nil {
		return history.Hit{} // the list says what is wrong with it
	}
	section, snippet, ok := words.Match(s.Title, texts)
	if !ok {
		return history.Hit{}
	}
	return history.Hit{Summary: s, Message: section + 1, Snippet: snippet}
}
