package desk

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/md"
)

// syncTimeout is how long a search waits for the index to be brought up to date.
const syncTimeout = time.Second

// Sync brings the search index up to date with the vault, which must have been
// read, and reports whether it is. Searches work without it, and take longer.
func (d *Desk) Sync(ctx context.Context) (current bool) {
	x := d.openIndex(ctx)
	if x == nil {
		return false
	}
	err := x.Sync(ctx, d.opts.Vault)
	d.unusable(err)
	return err == nil
}

// Current brings an index that held the whole vault before up to date, if that
// takes a second at most, and reports whether it is. Where nothing keeps the index
// up to date, Scan answers if it is not.
func (d *Desk) Current(ctx context.Context) bool {
	if x := d.openIndex(ctx); x == nil || !x.Ready() {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, syncTimeout)
	defer cancel()
	return d.Sync(ctx)
}

// Continue works on the index for a second; the next call goes on.
func (d *Desk) Continue(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, syncTimeout)
	defer cancel()
	d.Sync(ctx)
}

// CatchUp is Continue if a search had to do without the index. Commands that end
// after one turn call it when all is said: nothing else brings the index further there.
func (d *Desk) CatchUp(ctx context.Context) {
	if d.search.without.Load() && (d.opts.Vault.Scanned() || d.opts.Vault.Scan(ctx) == nil) {
		d.Continue(ctx)
	}
}

// Indexing reports the progress of the search index.
type Indexing struct {
	Done, All int    // notes that the Sync that runs has brought into it, and of how many
	Ready     bool   // it held the whole vault once: Search uses it, else it reads the notes
	Trouble   string // why it cannot be used, or brought up to date, "" if it can or will be
}

// Indexing says how far the search index is.
func (d *Desk) Indexing(ctx context.Context) Indexing {
	var i Indexing
	if x := d.openIndex(ctx); x != nil {
		i.Done, i.All = x.Progress()
		i.Ready = x.Ready()
	}
	d.search.mu.Lock()
	defer d.search.mu.Unlock()
	if i.Trouble = d.search.trouble; d.opts.IndexDir == "" {
		i.Trouble = "there is none"
	}
	return i
}

// Around is the lines of a note from some before a hit to some after it, without
// what is hidden in a saved chat, and the number of the first.
func (d *Desk) Around(h index.Hit, before, after int) (lines []string, first int) {
	text, err := d.opts.Vault.Read(h.Path)
	if err != nil {
		return nil, 0 // it went away since
	}
	first = max(h.Line-before, 1)
	n := 0
	for line := range strings.Lines(md.BlankHidden(text.Content)) {
		if n++; n >= first {
			lines = append(lines, strings.TrimRight(line, "\r\n"))
		}
		if n == h.Line+after {
			break
		}
	}
	return lines, first
}

// linkDistances is the link distance of notes from the active one, if it counts, and from
// those of this chat.
func (c *Chat) linkDistances() map[vault.Path]int {
	var from []vault.Path
	for _, id := range sources(c) {
		from = append(from, vault.Path(id))
	}
	if from == nil {
		return nil
	}
	return c.desk.Links().Near(from...)
}

// sources are the active note, if it counts, and those of this chat.
func sources(c *Chat) (ids []string) {
	if note, _ := c.ActiveNote(); c.active != Off && note.Path != "" {
		ids = append(ids, string(note.Path))
	}
	if chat, err := c.session.Chat(); err == nil { // else a turn runs
		for _, k := range chat.Library() {
			if k.Ref.Kind == prompt.Note {
				ids = append(ids, k.Ref.ID)
			}
		}
	}
	return ids
}

// mostRelated is how many notes are listed as related, and mostSources to how many.
const mostRelated, mostSources = 30, 5

// Related finds notes that have to do with one: that is named, that is open, or that the
// chat knows. Those come first that have most.
func Related(ctx context.Context, c *Place, name string) (found []chains.RelatedNote, err error) {
	d, of := c.Desk, sources(c.Chat)
	if note, _ := c.ActiveNote(); name != "" {
		p, err := c.note(ctx, name)
		if err != nil {
			return nil, err
		}
		of = []string{string(p)}
	} else if c.active != Off && note.Path != "" {
		of = of[:1]
	}
	if len(of) == 0 {
		return nil, errors.New("no note is open, and none went with this chat: /related NOTE")
	}
	find := sessionOptions(d).Tools.Related
	if _, err := d.opts.Vault.Revalidate(ctx); err != nil || find == nil {
		return nil, err
	}
	found, err = find(ctx, c.session.Snapshot().Path, of[:min(len(of), mostSources)]...)
	return found[:min(len(found), mostRelated)], err
}

func related(ctx context.Context, c *Place, arg string) (Result, error) {
	found, err := Related(ctx, c, arg)
	if len(found) == 0 {
		return Result{Text: "no note is related to it"}, err
	}
	lines := make([]string, len(found))
	for i, n := range found {
		lines[i] = fmt.Sprintf("- [[%s]]: %s", n.ID, strings.Join(n.Why, "; "))
	}
	return Result{Text: strings.Join(lines, "\n"), Table: true}, err
}

// linkCache keeps the links between notes for as long as the notes are the same.
type linkCache struct {
	mu    sync.Mutex
	links *index.Links
	at    uint64 // version of the vault that they are of
}

// Links reads the links of notes again if they changed. It may be called from any goroutine.
func (d *Desk) Links() *index.Links {
	v, c := d.opts.Vault, &d.links
	c.mu.Lock()
	defer c.mu.Unlock()
	if version := v.Version(); c.links == nil || c.at != version {
		c.links, c.at = index.NewLinks(v.Notes(), v.Resolve), version
	}
	return c.links
}

// Tools go with the chats that begin here.
func (d *Desk) Tools() []chains.Tool { return sessionOptions(d).Tools.List }

// Searcher searches the notes as they were found last, with the index if that is
// up to date, or is within a second. It may be called from any goroutine.
func (d *Desk) Searcher(ctx context.Context) index.Searcher {
	s := index.Searcher{Source: d.opts.Vault}
	if d.Current(ctx) {
		s.Index = d.openIndex(ctx)
	} else {
		d.search.without.Store(true)
	}
	return s
}

// Search looks for notes. It may be called from any goroutine, also while Run
// runs.
func (d *Desk) Search(ctx context.Context, q index.Query) ([]index.Hit, error) {
	return index.Searcher{Source: d.opts.Vault, Index: d.openIndex(ctx)}.Search(ctx, q)
}

// search is /search. The notes are as they are now; where no index is ready they
// are read.
func search(ctx context.Context, c *Place, arg string) (Result, error) {
	d := c.desk
	q, told, err := index.ParseQuery(arg, time.Now())
	if err != nil {
		return Result{}, err
	}
	if _, err := d.opts.Vault.Revalidate(ctx); err != nil {
		return Result{}, err
	}
	q.Near, q.Hide = c.linkDistances(), vault.Path(c.session.Snapshot().Path)
	hits, err := d.Searcher(ctx).Search(ctx, q)
	if err != nil {
		return Result{}, err
	}
	switch {
	case len(hits) == 0:
		told = append(told, fmt.Sprintf("no note holds %q", briefLine(arg)))
	case hits[0].Meant() != "":
		told = append(told, fmt.Sprintf("this is what fits %q", briefLine(hits[0].Meant())))
	}
	for _, h := range hits {
		told = append(told, fmt.Sprintf("%s:%d  %s", h.Path, h.Line, h.Title))
		if h.Snippet != "" {
			told = append(told, "    "+h.Snippet)
		}
	}
	return Result{Text: strings.Join(told, "\n")}, nil
}
