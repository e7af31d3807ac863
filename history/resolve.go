package history

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ibid/context/prompt"
	"ibid/vault"
)

// ResolvedPath is a path in a chat and its present path in the vault.
type ResolvedPath struct {
	Message    int          `json:"-"`    // number of the message from 1
	Ref        string       `json:"ref"`  // the path as the file spells it
	Path       vault.Path   `json:"path"` // present path, "" if missing or ambiguous
	State      vault.State  `json:"state"`
	Candidates []vault.Path `json:"-"` // possible paths, if it is ambiguous
}

// Warning returns a warning for a person that the path has changed; ok is false if it is still right.
func (r ResolvedPath) Warning() (Warning, bool) {
	w := Warning{Kind: string(r.State) + "_note"}
	switch r.State {
	case vault.Moved:
		w.Text = fmt.Sprintf("%s is now %s", displayText(r.Ref), displayText(r.Path))
	case vault.Missing:
		w.Text = fmt.Sprintf("%s is gone: left out; the chat keeps the reference", displayText(r.Ref))
	case vault.Ambiguous:
		w.Text = fmt.Sprintf("%s could be %s: left out; attach the one that is meant", displayText(r.Ref),
			displayPaths(r.Candidates, " or "))
	default:
		return Warning{}, false
	}
	return w, true
}

// displayText returns s for display on the screen: quoted if it has control characters.
func displayText[T ~string](s T) string {
	if strings.ContainsFunc(string(s), func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 }) {
		return fmt.Sprintf("%q", s)
	}
	return string(s)
}

func displayPaths(paths []vault.Path, sep string) string {
	names := make([]string, len(paths))
	for i, p := range paths {
		names[i] = displayText(p)
	}
	return strings.Join(names, sep)
}

// Resolve finds the present path of every path in c: the path itself, else a note with the content that was
// sent, else the target of a link that Obsidian has updated, else the only note with the name, with or without
// ".md", or with it as an alias.
//
// It returns a copy of c with the present paths, and the result for each path, by message, in the order of the
// line. Missing and ambiguous paths stay in the copy unchanged, in case the note comes back. A name that was
// split at its commas is joined again: the longest join that exists is used.
//
// revision returns the revision that the present content of a note would have when sent to a model, 16 hex
// digits, or "" if the note may not be sent.
func Resolve(c *Chat, v *vault.Vault, revision func(vault.Path) string) (Chat, []ResolvedPath) {
	out := *c
	out.Messages = slices.Clone(c.Messages)
	r := resolution{
		lookup: lookup{vault: v, revision: revision}, cache: map[string]ResolvedPath{},
		revisions: map[string]string{}, hints: c.linkHints(),
		joins: slices.ContainsFunc(c.Messages, func(m Message) bool { return m.Foreign() }),
	}
	for i := range c.Messages {
		for _, it := range c.Messages[i].Meta.Items {
			if it.Ref.Kind == prompt.Note && it.Revision != "" {
				r.revisions[it.Ref.ID] = it.Revision
			}
		}
	}
	for i := range out.Messages {
		m := &out.Messages[i]
		r.message = i + 1
		at := len(r.found)
		m.Context = r.context(m.Context)
		m.Meta = r.meta(m.Meta)
		found := r.found
		m.Variants = mapQuestions(m.Variants, func(q Message) Message {
			q.Context, q.Meta = r.context(q.Context), r.meta(q.Meta)
			return q
		})
		r.found = found
		if m.src != nil && !slices.ContainsFunc(r.found[at:], func(res ResolvedPath) bool {
			return res.State != vault.OK
		}) {
			p := *m.src // all paths are unchanged: the line stays as it is
			p.parsedContext = &m.Context
			m.src = &p
		}
	}
	out.Choices.Active = r.choice(c.Choices.Active)
	out.Muted, out.Forgotten = r.refs(c.Muted), r.refs(c.Forgotten)
	return out, r.found
}

// linkHints maps each used path to its present link target in the property "notes". Obsidian updates links when
// a note moves, and keeps their order; links that a person added follow.
func (c *Chat) linkHints() map[string]string {
	if c.file.src == nil || c.file.src.front.links == nil {
		return nil
	}
	hints, _ := pairLinks(usedLinks(c), c.file.src.front.links)
	return hints
}

// pairLinks matches the links in a file with the used notes: a link either names a used note, or is at the
// index of one that is not named any more, which hints maps to it. The other links were added.
func pairLinks(used, links []string) (hints map[string]string, added []string) {
	named, known := set(links), set(used)
	hints = map[string]string{}
	for i, l := range links {
		switch {
		case known[l]:
		case i < len(used) && !named[used[i]]:
			hints[used[i]] = l
		default:
			added = append(added, l)
		}
	}
	return hints, added
}

// resolution holds the state of one call of Resolve.
type resolution struct {
	lookup    lookup
	cache     map[string]ResolvedPath
	revisions map[string]string // last recorded revision of each path
	hints     map[string]string
	joins     bool // the file does not escape its separators
	message   int
	found     []ResolvedPath
}

// path resolves one path, and caches the result for the chat.
func (r *resolution) path(ref string) ResolvedPath {
	res, ok := r.cache[ref]
	if !ok {
		res = r.find(ref)
		r.cache[ref] = res
	}
	res.Message = r.message
	return res
}

func (r *resolution) find(ref string) ResolvedPath {
	at := func(p vault.Path, state vault.State) ResolvedPath {
		return ResolvedPath{Ref: ref, Path: p, State: state}
	}
	if p, err := vault.ParsePath(ref); err == nil && p != "" && r.lookup.exists(p) {
		return at(p, vault.OK)
	}
	if plain := unescapeItem(ref, r.joins); plain != ref { // ibid has rewritten a line of another program
		if p, err := vault.ParsePath(plain); err == nil && r.lookup.exists(p) {
			return at(p, vault.OK)
		}
	}
	if rev := r.revisions[ref]; rev != "" {
		// If several notes have the same text, the name may still decide.
		if found := r.lookup.withRevision(rev); len(found) == 1 {
			return at(found[0], vault.Moved)
		}
	}
	if hint := r.hints[linkTarget(ref)]; hint != "" {
		for _, p := range []vault.Path{vault.Path(hint + ".md"), vault.Path(hint)} {
			if r.lookup.exists(p) {
				return at(p, vault.Moved)
			}
		}
	}
	found := r.lookup.byName(ref)
	return ResolvedPath{Ref: ref, Path: found.Path, State: found.State, Candidates: found.Candidates}
}

// resolveAndRecord resolves ref, records the result, and returns the path for the context line.
func (r *resolution) resolveAndRecord(ref string) string {
	res := r.path(ref)
	r.found = append(r.found, res)
	return res.currentPath()
}

// currentPath returns the present path, or the saved one if there is none.
func (r ResolvedPath) currentPath() string {
	return cmp.Or(string(r.Path), r.Ref)
}

func (r *resolution) context(c Context) Context {
	if c.Active != "" {
		c.Active = r.resolveAndRecord(c.Active)
	}
	c.Pins = r.list(c.Pins)
	c.Notes = r.list(c.Notes)
	c.Images = r.list(c.Images)
	c.Selections = slices.Clone(c.Selections)
	for i, s := range c.Selections {
		if path, sub := splitSelection(s); sub != "" {
			c.Selections[i] = r.resolveAndRecord(path) + sub
		}
	}
	return c
}

// list resolves paths, joining pieces of names that were split at commas.
func (r *resolution) list(refs []string) []string {
	var out []string
	for len(refs) > 0 {
		n := r.longestJoin(refs)
		out = append(out, r.resolveAndRecord(strings.Join(refs[:n], ", ")))
		refs = refs[n:]
	}
	return out
}

// maxPieces limits the joins that are tried: names with more commas do not occur.
const maxPieces = 12

// longestJoin returns the number of pieces that make up the longest existing path.
func (r *resolution) longestJoin(pieces []string) int {
	if !r.joins && r.path(pieces[0]).Path != "" {
		return 1
	}
	for n := min(len(pieces), maxPieces); n > 1; n-- {
		joined := strings.Join(pieces[:n], ", ")
		if r.lookup.exists(vault.Path(joined)) {
			return n
		}
		// A moved note is found by its name, which begins in the first piece.
		torn := !slices.ContainsFunc(pieces[1:n], func(s string) bool { return strings.Contains(s, "/") })
		if torn && r.lookup.byName(vault.Path(joined).Name()).Path != "" {
			return n
		}
	}
	return 1
}

// meta resolves the paths in the hidden data.
func (r *resolution) meta(m Meta) Meta {
	m.Refs = r.refs(m.Refs)
	m.Items = slices.Clone(m.Items)
	for i := range m.Items {
		m.Items[i].Ref = r.ref(m.Items[i].Ref)
	}
	return m
}

func (r *resolution) refs(refs []prompt.Ref) []prompt.Ref {
	refs = slices.Clone(refs)
	for i := range refs {
		refs[i] = r.ref(refs[i])
	}
	return refs
}

func (r *resolution) ref(ref prompt.Ref) prompt.Ref {
	switch {
	case ref.Kind == prompt.Note:
		ref.ID = r.path(ref.ID).currentPath()
	case ref.Kind.Info().InFile:
		if path, sub := splitSelection(ref.ID); sub != "" || ref.Kind != prompt.Selection {
			ref.ID = r.path(path).currentPath() + sub
		}
	}
	return ref
}

// choice resolves the path in the person's choice of the active note.
func (r *resolution) choice(active string) string {
	if active == "" || active == "off" || active == "follow" {
		return active
	}
	return r.path(active).currentPath()
}

// lookup finds paths and names in the present vault.
type lookup struct {
	vault     *vault.Vault
	revision  func(vault.Path) string // see Resolve
	revisions map[string][]vault.Path // built when first needed
}

// exists reports whether there is a note, file or folder at p.
func (l *lookup) exists(p vault.Path) bool {
	if _, ok := l.vault.Note(p); ok {
		return true
	}
	if _, ok := slices.BinarySearch(l.vault.Files(), p); ok {
		return true
	}
	_, ok := slices.BinarySearch(l.vault.Folders(), p)
	return ok
}

// withRevision returns the notes whose content has this revision, 16 hex digits.
func (l *lookup) withRevision(rev string) []vault.Path {
	if l.revisions == nil {
		l.revisions = map[string][]vault.Path{}
		for _, n := range l.vault.Notes() {
			r := l.revision(n.Path)
			l.revisions[r] = append(l.revisions[r], n.Path)
		}
	}
	return l.revisions[rev]
}

// byName returns the file that has the name now, for which an old chat need not have known the folder or the ending.
func (l *lookup) byName(name string) vault.FoundNote {
	f := l.vault.Lookup(name, vault.ToReadOldChat)
	isPart := f.Subpath != "" // of another note: the name itself leads nowhere
	isExcluded := f.Path != "" && !l.exists(f.Path)
	if f.State == vault.Missing || isPart || isExcluded {
		return vault.FoundNote{State: vault.Missing}
	}
	return f
}
