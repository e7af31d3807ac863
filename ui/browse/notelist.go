package browse

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/ui/theme"
	"ibid/vault"
	"ibid/vault/names"
)

// maxRows limits the rows of a list of notes; nobody reads further.
const maxRows = 60

// noteList lists notes, tags and folders, for @ and [[ in the prompt.
type noteList struct {
	*Catalog

	finder names.Finder // its list is nil before the first search
	note   *vault.Note  // note whose headings are listed, nil for names

	matches  []names.Match // listed names, nil for headings
	unpriced []prompt.Ref  // rows whose price was not asked for
	shown    string        // row with the preview
	text     noteText      // last note read for a preview
}

func (n *noteList) Options() picker.Options {
	return picker.Options{
		Title: "notes", Popup: true,
		Note: notesRemark,
	}
}

// notesRemark is a remark about all rows.
const notesRemark = "excluded notes are not offered; private ones never leave this machine"

// empty returns the text of an empty list.
func (n *noteList) empty() string {
	switch s := &n.Notes; {
	case s.All != nil:
	case s.Trouble != "":
		return s.Trouble
	case s.Total > 0:
		return fmt.Sprintf("the vault is being read: %s of %s notes", theme.Comma(s.Done), theme.Comma(s.Total))
	default:
		return "the vault is being read"
	}
	if n.Notes.All.Names.Len() == 0 {
		return "the vault has no notes yet: /note writes a reply into one"
	}
	return "no note, tag or folder matches" + page.BackspaceShows
}

func (n *noteList) Actions() []page.Action {
	return []page.Action{
		page.On("enter", "attach", n.choose), page.On("tab", "headings, as #", n.refine),
		page.On("alt+o", "Obsidian", n.show),
		page.On("ctrl+t", "pin or unpin", n.pinRow),
	}
}

// Rows lists matching names, or after a # the headings of a note.
func (n *noteList) Rows(query string) page.Listing {
	shown := page.Listing{Rows: picker.Rows{Empty: n.empty()}}
	if !n.open() {
		return shown
	}
	if i := strings.LastIndexByte(query, '#'); i > 0 {
		if n.note = n.noteBeforeHash(query, i); n.note != nil {
			shown.Title, shown.Total = "headings of "+n.note.Title, len(n.note.Headings)
			shown.Items, shown.Empty = headingItems(n.note, query[i+1:]),
				"no heading of it holds that"+page.BackspaceShows
			if strings.HasPrefix(query[i+1:], "^") {
				shown.Title, shown.Total, shown.Empty = "blocks of "+n.note.Title, len(n.note.Blocks()),
					"no block of it is called that"+page.BackspaceShows
				return shown
			}
			return shown
		}
	}
	n.matches, shown.Found = n.finder.Find(query, maxRows)
	shown.Items = make([]picker.Item, len(n.matches))
	for i, f := range n.matches {
		shown.Items[i] = n.item(f)
	}
	shown.Total = n.finder.Len()
	if said := n.directives(query); len(said) > 0 {
		shown.Found, shown.Total = shown.Found+len(said), shown.Total+len(said)
		// a note comes first, unless a directive is nearly typed
		at := min(len(shown.Items), 1)
		if len(query) > 1 {
			at = 0
		}
		shown.Items = slices.Insert(shown.Items, at, said...)
	}
	return shown
}

// directives returns the rows of the directives that begin with the query.
func (n *noteList) directives(query string) (items []picker.Item) {
	noWeb := ""
	if !slices.Contains(n.Current.Desk.Tools, chains.WebTool) {
		noWeb = "set tools.web.search to use it"
	}
	for i, it := range []picker.Item{
		{State: "search", Detail: "searches the vault for this message, and sends what it finds"},
		{State: "search", Detail: "searches the web for this message, and sends what it finds", Disabled: noWeb},
		{
			State: "write", Detail: "proposes a note: the reply holds it, and you see the change and agree or not",
			Disabled: n.Current.Desk.NoBlocks,
		},
		{
			State: "write", Detail: "changes the memory note: you see the change and agree or not",
			Disabled: n.Current.Desk.NoMemory,
		},
	} {
		it.ID = directiveRefs()[i].ID
		it.Label, it.Glyph = it.ID, n.Theme.Glyphs.Context.Added
		if it.Disabled != "" {
			it.Detail = ""
		}
		if strings.HasPrefix(it.ID, "@"+strings.ToLower(query)) {
			items = append(items, it)
		}
	}
	return items
}

// directiveRefs returns the references of the directives that a message can contain.
func directiveRefs() []prompt.Ref {
	return []prompt.Ref{chains.VaultRef, chains.WebRef, chains.ComposerRef, chains.MemoryRef}
}

// open prepares a search in the current names. It reports whether there are any yet.
func (n *noteList) open() bool {
	n.note, n.unpriced, n.matches = nil, nil, nil
	all := n.Notes.All
	if all != nil && n.finder.List != all.Names {
		n.finder = names.Finder{
			List: all.Names,
			Hide: vault.Path(n.Current.Desk.Chat.Path), Near: n.distances(),
			Used: n.Current.Estimate.CountUses(),
		}
	}
	return all != nil
}

// distances returns the link distance of notes from the active note, if it may go along, and from the
// notes of this chat.
func (n *noteList) distances() map[vault.Path]int {
	var from []vault.Path
	if n.Current.Desk.Follows() {
		from = append(from, n.Current.Desk.Note.Path)
	}
	for id := range n.Current.Estimate.CountUses() {
		from = append(from, vault.Path(id)) // an id that is no note has no links
	}
	return n.Notes.All.Links.Near(from...)
}

// noteBeforeHash returns the note whose headings a query with a # at i asks for, nil if the # is part of a
// name.
func (n *noteList) noteBeforeHash(query string, i int) *vault.Note {
	name := query[:i]
	if note := n.noteAt(name); note != nil {
		return note
	}
	found, _ := n.finder.Find(name, 3)
	if len(found) > 0 && !strings.EqualFold(found[0].Title, name) {
		whole, _ := n.finder.Find(query, 3)
		for _, f := range whole {
			if f.Note != nil && strings.Contains(strings.ToLower(f.Title), strings.ToLower(query)) {
				return nil
			}
		}
	}
	for _, f := range found {
		if f.Note != nil {
			return f.Note
		}
	}
	return nil
}

// noteAt returns the note of a row, nil if the row is something else.
func (n *noteList) noteAt(id string) *vault.Note {
	if n.finder.List == nil || n.note != nil {
		return nil
	}
	e, _ := n.finder.Entry(id)
	return e.Note
}

// kindOf returns the kind of reference for a name of the vault, and whether it can be attached. Files
// that are not notes are read as text, unless their extension is in textlessTypes.
func kindOf(e *names.Entry) (prompt.KindInfo, bool) {
	if e.Kind == names.Attachment {
		if prompt.IsPicture(e.ID) {
			return prompt.Picture.Info(), true
		}
		return prompt.Note.Info(), !slices.Contains(textlessTypes, strings.ToLower(path.Ext(e.ID)))
	}
	i := slices.IndexFunc(prompt.Kinds[:], func(k prompt.KindInfo) bool { return string(k.Kind) == e.Kind.String() })
	return prompt.Kinds[i], true
}

// textlessTypes lists the extensions of files without text, and of pictures that no model takes.
var textlessTypes = []string{
	".pdf", ".svg", ".bmp", ".avif", ".heic", ".tif", ".tiff", ".ico", ".psd", ".flac", ".m4a", ".mp3", ".ogg", ".wav",
	".webm", ".3gp", ".mkv", ".mov", ".mp4", ".ogv",
	".zip", ".gz", ".7z", ".rar", ".tar", ".docx", ".xlsx", ".pptx", ".odt", ".ods", ".odp", ".epub", ".mobi", ".ttf",
	".otf", ".woff", ".woff2", ".exe", ".db", ".sqlite",
}

// item returns the row of a match.
func (n *noteList) item(f names.Match) picker.Item {
	g := &n.Theme.Glyphs
	it := picker.Item{ID: f.ID, Label: f.Title, Glyph: g.Context.Added, State: "new"}
	if f.Field == names.InTitle && f.Text == f.Title {
		it.Match = f.Runes
	}
	if d := f.Path.Dir(); d != "" {
		it.Detail = string(d) + "/"
	}
	if f.Field == names.InAlias {
		it.Why = "alias " + f.Text
	}
	switch {
	case f.Distance == 0 && f.Path == n.Current.Desk.Note.Path:
		it.Why = "active note"
	case f.Used > 0:
		it.Why = "in this chat"
	case f.Distance > 0:
		it.Why = fmt.Sprintf("linked %s%d", g.Dot, f.Distance)
	}
	switch kind, ok := kindOf(&f.Entry); {
	case !ok:
		it.Glyph, it.State = g.Image, "file"
		it.Disabled = "this kind of file cannot be attached"
	case kind.Kind == prompt.Picture:
		it.Glyph, it.State = g.Image, "image"
	case kind.Expands:
		it.Detail = g.Dotted(string(kind.Kind), theme.Plural(f.Count, "note"))
		n.price(&it, prompt.Ref{Kind: kind.Kind, ID: f.ID}, 0)
	default:
		ref := prompt.NoteRef(f.Path)
		if f.Note == nil {
			it.State = "file"
			n.price(&it, ref, 0)
			break
		}
		n.price(&it, ref, f.Note.Size)
		if f.Note.Private {
			it.Disabled = "private: it stays on this machine"
		}
	}
	return it
}

func (n *noteList) pinRow(r page.Row) page.Request {
	note := cmp.Or(n.note, n.noteAt(r.ID))
	if note == nil {
		return page.Complain("only a note can be pinned")
	}
	return n.pin(note.Path)
}

// pin adds a note to every turn, or removes it from them.
func (n *noteList) pin(p vault.Path) page.Request {
	if n.Current.Desk.Pinned(p) {
		return page.Run{Line: "/unpin " + quoted(string(p))}
	}
	return page.Run{Line: "/pin " + quoted(string(p))}
}

// headingItems returns rows for the headings of a note that contain the query, and for the lines that
// it names; after a ^ rows for matching block ids.
func headingItems(n *vault.Note, query string) []picker.Item {
	var items []picker.Item
	if id, ok := strings.CutPrefix(query, "^"); ok {
		for _, b := range n.Blocks() {
			if strings.Contains(strings.ToLower(b.ID), strings.ToLower(id)) {
				items = append(items, picker.Item{
					ID: "^" + b.ID, Label: "^" + b.ID, Meta: fmt.Sprintf("line %d", b.Start),
				})
			}
		}
		return items
	}
	if isLineRange(query) {
		items = append(items, picker.Item{ID: query, Label: "lines " + strings.TrimPrefix(query, "L")})
	}
	want := strings.ToLower(query)
	for _, h := range n.Headings {
		if strings.Contains(strings.ToLower(h.Text), want) {
			items = append(items, picker.Item{
				ID: headingRef(h.Text), Label: strings.Repeat("  ", max(h.Level-1, 0)) + h.Text,
				Meta: fmt.Sprintf("line %d", h.Line),
			})
		}
	}
	return items
}

// headingRef returns a heading for use in a link. Links compare headings without punctuation, so the
// characters that would end the link are left out.
func headingRef(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return r == ' ' || strings.ContainsRune("[]|#^", r)
	}), " ")
}

// isLineRange reports whether s names lines: L10 or L10-L20.
func isLineRange(s string) bool {
	from, to, _ := strings.Cut(s, "-")
	digits := func(s string) bool {
		return s != "" && strings.Trim(s, "0123456789") == ""
	}
	return strings.HasPrefix(from, "L") && digits(from[1:]) &&
		(to == "" && !strings.HasSuffix(s, "-") || digits(strings.TrimPrefix(to, "L")))
}

// choose puts the chosen name into the prompt.
func (n *noteList) choose(r page.Row) page.Request {
	if n.finder.List == nil {
		return nil
	}
	for _, ref := range directiveRefs() {
		if r.ID == ref.ID {
			return InsertRef(ref, r.ID)
		}
	}
	twins := n.Notes.All.Twins
	if n.note != nil {
		return InsertRef(prompt.Ref{Kind: prompt.Selection, ID: string(n.note.Path) + "#" + r.ID},
			LinkTo(twins, n.note.Path, r.ID))
	}
	e, found := n.finder.Entry(r.ID)
	kind, ok := kindOf(&e)
	if !found || !ok {
		return nil
	}
	text := "@" + e.ID
	switch {
	case kind.InFile:
		text = LinkTo(twins, e.Path, "")
	case strings.HasPrefix(e.ID, "#"):
		text = e.ID
	case strings.ContainsAny(e.ID, " \t,;:!?()[]'"):
		text = `@"` + e.ID + `"`
	}
	return InsertRef(prompt.Ref{Kind: kind.Kind, ID: e.ID}, text)
}

// show shows a note, or a heading of it, in Obsidian.
func (n *noteList) show(r page.Row) page.Request {
	switch note := n.noteAt(r.ID); {
	case n.note != nil && !isLineRange(r.ID):
		return n.showIn(string(n.note.Path) + "#" + r.ID)
	case n.note != nil:
		return n.showIn(string(n.note.Path))
	case note != nil:
		return n.showIn(string(note.Path))
	}
	return nil
}

// refine continues with the headings of a note.
func (n *noteList) refine(r page.Row) page.Request {
	if note := n.noteAt(r.ID); note != nil {
		return page.Insert{Text: string(note.Path) + "#", More: true}
	}
	return nil
}

// LinkTo returns the shortest link to a note, or a part of it, that no other note matches. twins counts
// the notes of each lower-case name that several share.
func LinkTo(twins map[string]int, p vault.Path, sub string) string {
	name := p.Base()
	if twins[strings.ToLower(name)] > 1 {
		name = strings.TrimSuffix(string(p), ".md")
	}
	if strings.ContainsAny(name, "[]|#^") {
		if sub != "" {
			return `@"` + string(p) + "#" + sub + `"`
		}
		return `@"` + string(p) + `"`
	}
	if sub != "" {
		name += "#" + sub
	}
	return "[[" + name + "]]"
}

// InsertRef puts the text of a reference into the prompt.
func InsertRef(ref prompt.Ref, text string) page.Insert {
	return page.Insert{Text: text, Chip: ref.Text()}
}
