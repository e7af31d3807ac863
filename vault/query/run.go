package query

import (
	"cmp"
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"ibid/vault"
)

// Engine answers queries over a vault. It keeps what it read of the texts of notes as
// long as these stay the same.
type Engine struct {
	vault *vault.Vault

	mu     sync.Mutex
	inline map[*vault.Note][]rawField // the fields in the texts of notes that have some; nil of those that have none
}

// New is an engine for a vault.
func New(v *vault.Vault) *Engine {
	return &Engine{vault: v, inline: map[*vault.Note][]rawField{}}
}

// Ask is how a query is to be answered.
type Ask struct {
	Now    time.Time  // what date(now) is; its zone is that of all dates
	Origin vault.Path // the note in which the query stands: this, [[]] and links are relative to it; "" for none
}

// run is one query while it is answered.
type run struct {
	ended    func() error // why the query has to end
	engine   *Engine
	reader   *vault.BulkReader
	now      time.Time
	origin   vault.Path
	this     object
	pages    map[vault.Path]*page
	list     []*page // by path
	byTarget map[target]link
	back     map[vault.Path][]any
	linked   map[linkedPages]map[vault.Path]bool
	patterns map[string]*regexp.Regexp
	base     bool // a base: && and || do not look at both sides, what is missing is not ordered
	formulas map[string]expr
	steps    int
	depth    int
	wrong    error // what went wrong first in the row that is evaluated
}

// target is a link by what it says and where.
type target struct {
	path   vault.Path
	folder vault.Path
}

// start begins a run over all notes that may be shown: not over private notes and saved
// chats.
func (e *Engine) start(ctx context.Context, ask Ask, files bool) *run {
	notes := e.vault.Notes()
	r := &run{
		ended: ctx.Err, engine: e, reader: e.vault.BulkReader(), now: ask.Now, origin: ask.Origin,
		pages: make(map[vault.Path]*page, len(notes)), byTarget: map[target]link{}, linked: map[linkedPages]map[vault.Path]bool{}, patterns: map[string]*regexp.Regexp{},
	}
	all := make([]page, len(notes))
	for i, n := range notes {
		if n.Private || n.Chat {
			continue
		}
		p := &all[i]
		*p = page{run: r, path: n.Path, note: n}
		r.pages[n.Path] = p
		r.list = append(r.list, p)
	}
	if files {
		for _, f := range e.vault.Files() {
			p := &page{run: r, path: f}
			r.pages[f] = p
			r.list = append(r.list, p)
		}
		slices.SortFunc(r.list, func(a, b *page) int { return cmp.Compare(a.path, b.path) })
	}
	if p := r.pages[ask.Origin]; p != nil {
		r.this = p
	}
	return r
}

func (r *run) end() { r.reader.Close() }

// stopped is why the query has to end.
func (r *run) stopped() error {
	if err := r.ended(); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			return &Error{Reason: "it takes too long"}
		}
		return err
	}
	return nil
}

// text reads the text of a note. One that cannot be read, or has become private, has
// nothing in it.
func (r *run) text(p *page) *body {
	if p.body != nil {
		return p.body
	}
	p.body = &body{}
	t, err := r.reader.Read(p.path)
	if err != nil {
		return p.body
	}
	*p.body = readBody(t.Content, t.Note.BodyLine)
	r.engine.cacheFields(p.note, p.body.fields)
	return p.body
}

// inline are the fields in the text of a note.
func (r *run) inline(p *page) []rawField {
	if found, known := r.engine.cachedFields(p.note); known {
		return found
	}
	if r.stopped() != nil { // which the next row says
		return nil
	}
	t, err := r.reader.Read(p.path)
	if err != nil {
		return nil
	}
	var found []rawField
	if strings.Contains(t.Content, "::") {
		found = readBody(t.Content, t.Note.BodyLine).fields
	}
	r.engine.cacheFields(p.note, found)
	return found
}

func (e *Engine) cachedFields(n *vault.Note) ([]rawField, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	found, known := e.inline[n]
	return found, known
}

// cacheFields keeps the fields of a note, without the text of which they are parts.
func (e *Engine) cacheFields(n *vault.Note, found []rawField) {
	kept := slices.Clone(found)
	for i := range kept {
		kept[i].key, kept[i].value = strings.Clone(kept[i].key), strings.Clone(kept[i].value)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.inline) > 2*len(e.vault.Notes())+1000 { // most are of notes as they were
		clear(e.inline)
	}
	e.inline[n] = kept
}

// stat is the size of a file and when it was changed.
func (r *run) stat(p *page) (int64, time.Time) {
	if p.note != nil {
		return p.note.Size, p.note.ModTime.In(r.now.Location())
	}
	info, err := r.engine.vault.Stat(p.path)
	if err != nil {
		return 0, time.Time{}.In(r.now.Location())
	}
	return info.Size(), info.ModTime().In(r.now.Location())
}

// createdAt is when a file was made, where the system knows that, else when it was changed.
func (r *run) createdAt(p *page) time.Time {
	at, err := vault.CreatedAt(r.engine.vault, p.path)
	if err != nil {
		_, at = r.stat(p)
	}
	return at.In(r.now.Location())
}

// resolve finds the file that a link in a note leads to. What may not be shown is not
// found.
func (r *run) resolve(l link, from vault.Path) link {
	if l.found {
		return l
	}
	key := target{l.path, from.Dir()}
	if l.path == "" {
		key = target{"", from}
	}
	to, known := r.byTarget[key]
	if !known {
		to = link{path: l.path}
		if found := r.engine.vault.Resolve(string(l.path), from); found.Path != "" && r.mayName(found.Path) {
			to = link{path: found.Path, found: true}
		}
		r.byTarget[key] = to
	}
	l.path, l.found = to.path, to.found
	return l
}

// mayName reports whether a file may be named.
func (r *run) mayName(p vault.Path) bool {
	if r.pages[p] != nil {
		return true
	}
	if p.IsNote() {
		return false
	}
	_, ok := slices.BinarySearch(r.engine.vault.Files(), p)
	return ok
}

// noteLink is a link of a note.
func (r *run) noteLink(l vault.Link, from vault.Path) link {
	path := vault.Path(l.Target)
	return r.resolve(link{path: path, sub: l.Subpath, display: l.Display, embed: l.Kind == vault.Embed}, from)
}

// outlinks are the links of a note, as often as they stand in it; what it embeds comes last.
func (r *run) outlinks(p *page) []any {
	out := []any{}
	if p.note == nil {
		return out
	}
	for l := range p.note.Links() {
		if !strings.Contains(l.Target, "://") {
			out = append(out, r.noteLink(l, p.path))
		}
	}
	return embedsLast(out)
}

func embedsLast(links []any) []any {
	slices.SortStableFunc(links, func(a, b any) int { return btoi(a.(link).embed) - btoi(b.(link).embed) })
	return links
}

// inlinks are the notes that link to a file, by their paths.
func (r *run) inlinks(p vault.Path) []any {
	if r.back == nil {
		r.back = map[vault.Path][]any{}
		for i, from := range r.list {
			if from.note == nil || i%checkEach == 0 && r.stopped() != nil {
				continue
			}
			for l := range from.note.Links() {
				to := r.noteLink(l, from.path)
				if known := r.back[to.path]; to.found && (len(known) == 0 || known[len(known)-1].(link).path != from.path) {
					r.back[to.path] = append(known, from.link())
				}
			}
		}
	}
	return slices.Clip(r.back[p])
}
