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

// Engine answers queries over a vault. It caches the fields in the texts of notes as long as the notes do not
// change.
type Engine struct {
	vault *vault.Vault

	mu     sync.Mutex
	inline map[*vault.Note][]rawField // fields in the texts of notes, nil for a note without any
}

// New returns an engine for a vault.
func New(v *vault.Vault) *Engine {
	return &Engine{vault: v, inline: map[*vault.Note][]rawField{}}
}

// Ask is the context of a query.
type Ask struct {
	Now    time.Time  // value of date(now); its zone is the zone of all dates
	Origin vault.Path // note with the query: this, [[]] and links are relative to it; "" for none
}

// run is the evaluation of one query.
type run struct {
	ended         func() error // error of the context
	engine        *Engine
	reader        *vault.BulkReader
	now           time.Time
	origin        vault.Path
	this          object
	pages         map[vault.Path]*page
	list          []*page // sorted by path
	inlinksByPath map[vault.Path][]any
	linked        map[linkedPages]map[vault.Path]bool
	patterns      map[string]*regexp.Regexp
	base          bool // a base: && and || evaluate the right side only if needed, missing values are not ordered
	formulas      map[string]expr
	open          []openFormula // the formulas in evaluation, each of which refers to the next
	steps         int
	depth         int
	err           error // first error in the row that is being evaluated
}

// start begins a run over all notes but private ones and saved chats; with files set, over other files too.
func (e *Engine) start(ctx context.Context, ask Ask, files bool) *run {
	notes := e.vault.Notes()
	r := &run{
		ended: ctx.Err, engine: e, reader: e.vault.BulkReader(), now: ask.Now, origin: ask.Origin,
		pages:  make(map[vault.Path]*page, len(notes)),
		linked: map[linkedPages]map[vault.Path]bool{}, patterns: map[string]*regexp.Regexp{},
	}
	all := make([]page, len(notes))
	for i, n := range notes {
		if !n.Ordinary() {
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

// stopped returns the reason why the query has to end, nil if it may continue.
func (r *run) stopped() error {
	if err := r.ended(); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			return &Error{Reason: "it takes too long"}
		}
		return err
	}
	return nil
}

// body parses the text of a note if it contains mark. A note that cannot be read, or has become private, counts as
// empty.
func (r *run) body(p *page, mark string) (b body) {
	t, err := r.reader.Read(p.path)
	if err != nil {
		return b
	}
	if strings.Contains(t.Content, mark) {
		b = readBody(t.Content, t.Note.BodyLine)
	}
	r.engine.cacheFields(p.note, b.fields)
	return b
}

// inline returns the fields in the text of a note.
func (r *run) inline(p *page) []rawField {
	if found, known := r.engine.cachedFields(p.note); known {
		return found
	}
	if r.stopped() != nil { // the next row reports it
		return nil
	}
	return r.body(p, "::").fields
}

func (e *Engine) cachedFields(n *vault.Note) ([]rawField, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	found, known := e.inline[n]
	return found, known
}

// cacheFields caches the fields of a note as copies, so that they do not keep the text in memory.
func (e *Engine) cacheFields(n *vault.Note, found []rawField) {
	kept := slices.Clone(found)
	for i := range kept {
		kept[i].key, kept[i].value = strings.Clone(kept[i].key), strings.Clone(kept[i].value)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.inline) > 2*len(e.vault.Notes())+1000 { // most entries are of notes that have changed
		clear(e.inline)
	}
	e.inline[n] = kept
}

// stat returns the size of a file and the time of its last change.
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

// createdAt returns the time when a file was created, or that of its last change if the system does not record
// it.
func (r *run) createdAt(p *page) time.Time {
	return vault.CreatedAt(r.engine.vault, p.path).In(r.now.Location())
}

// resolve finds the target of a link in the note from. Files that must not be named are not found.
func (r *run) resolve(l link, from vault.Path) link {
	if l.found {
		return l
	}
	if to := r.engine.vault.Resolve(string(l.path), from).Path; to != "" && r.mayName(to) {
		l.path, l.found = to, true
	}
	return l
}

// mayName reports whether a result may name a file.
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

// noteLink converts and resolves a link in a note.
func (r *run) noteLink(l vault.Link, from vault.Path) link {
	path := vault.Path(l.Target)
	return r.resolve(link{path: path, sub: l.Subpath, display: l.Display, embed: l.Kind == vault.Embed}, from)
}

// outlinks returns the links of a note, with duplicates; embeds come last.
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

// inlinks returns links to the notes that link to a file, ordered by path.
func (r *run) inlinks(p vault.Path) []any {
	if r.inlinksByPath == nil {
		r.inlinksByPath = map[vault.Path][]any{}
		for i, from := range r.list {
			if from.note == nil || i%checkEach == 0 && r.stopped() != nil {
				continue
			}
			for l := range from.note.Links() {
				to := r.noteLink(l, from.path)
				if known := r.inlinksByPath[to.path]; to.found &&
					(len(known) == 0 || known[len(known)-1].(link).path != from.path) {
					r.inlinksByPath[to.path] = append(known, from.link())
				}
			}
		}
	}
	return slices.Clip(r.inlinksByPath[p])
}
