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
	"ibid/vault/dates"
	"ibid/vault/index"
	"ibid/vault/legible"
	"ibid/vault/obsidian"
)

// syncTimeout limits how long a search waits for the update of the index.
const syncTimeout = time.Second

// Sync updates the search index from the vault, which must have been read, and reports whether it is up to date.
// Searches work without an index, but take longer.
func (d *Desk) Sync(ctx context.Context) (current bool) {
	x := d.openIndex(ctx)
	if x == nil {
		return false
	}
	err := x.Sync(ctx, d.opts.Vault.Local())
	d.search.mu.Lock()
	defer d.search.mu.Unlock()
	d.search.trouble = d.logIndexError(err)
	return err == nil
}

// Current updates an index that once held the whole vault, for a second at most, and reports whether it is up to
// date. If nothing else updates the index and it is not, search with Scan.
func (d *Desk) Current(ctx context.Context) bool {
	if x := d.openIndex(ctx); x == nil || !x.Ready() {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, syncTimeout)
	defer cancel()
	return d.Sync(ctx)
}

// CatchUp works on the index for a second if a search had to do without it; the next call goes on. Commands that
// end after one turn call it at the end, because nothing else updates the index there.
func (d *Desk) CatchUp(ctx context.Context) {
	if d.search.searchedWithout.Load() && (d.opts.Vault.Scanned() || d.opts.Vault.Scan(ctx) == nil) {
		ctx, cancel := context.WithTimeout(ctx, syncTimeout)
		defer cancel()
		d.Sync(ctx)
	}
}

// Indexing is the progress of the search index.
type Indexing struct {
	Done, All int    // notes that the running Sync has indexed, and their total
	Ready     bool   // the index once held the whole vault: Search uses it, else it reads the notes
	Trouble   string // why the index cannot be used or updated, "" if it can
}

// Indexing returns the progress of the search index.
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

// Around returns the lines of a note from before lines above a hit to after lines below it, without the hidden
// parts of a saved chat, and the number of the first line. It returns nil if the note is gone.
func (d *Desk) Around(h index.Hit, before, after int) (lines []string, first int) {
	text, err := d.opts.Vault.Local().Read(h.Path)
	if err != nil {
		return nil, 0 // the note is gone
	}
	text.Content, first = legible.Lines(text.Content), max(h.Line-before, 1)
	return strings.Split(text.Lines(first, h.Line+after), "\n"), first
}

// sourceNotes returns the active note, unless that is off, and the notes of this chat.
func sourceNotes(c *Chat) (notes []vault.Path) {
	if note, _ := c.ActiveNote(); c.active != Off && note.Path != "" {
		notes = append(notes, note.Path)
	}
	if chat, err := c.session.Chat(); err == nil { // fails while a turn runs
		for _, k := range chat.Library() {
			if k.Ref.Kind == prompt.Note {
				notes = append(notes, vault.Path(k.Ref.ID))
			}
		}
	}
	return notes
}

// maxRelated limits the list of related notes, and maxRelatedSources the notes to which they are related.
const maxRelated, maxRelatedSources = 30, 5

// Related finds notes that are related to the named one, or else to the open one, or else to the notes of the chat.
// The most related come first.
func Related(ctx context.Context, c *Place, name string) (found []chains.RelatedNote, err error) {
	d, of := c.Desk, sourceNotes(c.Chat)
	if note, _ := c.ActiveNote(); name != "" {
		p, err := c.noteNamed(ctx, name)
		if err != nil {
			return nil, err
		}
		of = []vault.Path{p}
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
	found, err = find(ctx, c.session.Snapshot().Path, vault.PathStrings(of[:min(len(of), maxRelatedSources)])...)
	return found[:min(len(found), maxRelated)], err
}

func related(ctx context.Context, c *Place, arg string) (Result, error) {
	found, err := Related(ctx, c, arg)
	if len(found) == 0 {
		left := c.Desk.opts.Vault.LeftOut("")
		return Result{Text: strings.TrimSuffix("no note is related to it; "+left.ForPerson(), "; ")}, err
	}
	lines := make([]string, len(found))
	for i, n := range found {
		lines[i] = fmt.Sprintf("- [[%s]]: %s", n.ID, strings.Join(n.Why, "; "))
	}
	return Result{Text: strings.Join(lines, "\n"), Table: true}, err
}

// linkCache caches the links between notes until the notes change.
type linkCache struct {
	mu    sync.Mutex
	links *vault.Links
	at    uint64 // version of the vault that has these links
}

// Links returns the links between notes and reads them again if notes changed. Any goroutine may call it.
func (d *Desk) Links() *vault.Links {
	v, c := d.opts.Vault, &d.links
	c.mu.Lock()
	defer c.mu.Unlock()
	if version := v.Version(); c.links == nil || c.at != version {
		c.links, c.at = vault.NewLinks(v.Notes(), v.Resolve), version
	}
	return c.links
}

// Tools returns the tools of chats that begin here.
func (d *Desk) Tools() []chains.Tool { return sessionOptions(d).Tools.List }

// Searcher returns a searcher for the notes as they were last found. It has the index if that is up to date, or is
// within a second. Any goroutine may call it.
func (d *Desk) Searcher(ctx context.Context) index.Searcher {
	s := d.searcherWith(nil)
	if d.Current(ctx) {
		s.Index = d.openIndex(ctx)
		if m := d.search.meaning; m != nil && !chains.CallerOf(ctx).Preview {
			s.Like = m.Like
		}
	} else {
		d.search.searchedWithout.Store(true)
	}
	return s
}

// Search searches the notes. Any goroutine may call it, also while Run runs.
func (d *Desk) Search(ctx context.Context, q index.Query) ([]index.Hit, error) {
	return d.searcherWith(d.openIndex(ctx)).Search(ctx, q)
}

// searcherWith returns a searcher with an index, which may be nil.
func (d *Desk) searcherWith(x *index.Index) index.Searcher {
	return index.Searcher{Source: d.opts.Vault.Local(), Index: x, DateNames: d.DateNames}
}

// DateNames returns how notes of days, weeks and months are named in the vault, by its settings as they are now. Any
// goroutine may call it.
func (d *Desk) DateNames() dates.Names {
	return dates.NewNames(obsidian.ReadNameFormats(d.opts.Vault.FS())...)
}

// search runs /search. It looks at the disk first, and reads the notes if no index is ready.
func search(ctx context.Context, c *Place, arg string) (Result, error) {
	d := c.Desk
	q, told, err := index.ParseQuery(arg, time.Now())
	if err != nil {
		return Result{}, err
	}
	if _, err := d.opts.Vault.Revalidate(ctx); err != nil {
		return Result{}, err
	}
	q.Hide = vault.Path(c.session.Snapshot().Path)
	hits, err := d.Searcher(ctx).Search(ctx, q)
	if err != nil {
		return Result{}, err
	}
	switch {
	case len(hits) == 0:
		told = append(told, fmt.Sprintf("no note holds %q", briefLine(arg)))
		left := d.opts.Vault.LeftOut(q.Folder)
		if text := left.ForPerson(); text != "" {
			told = append(told, text)
		}
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
