package browse

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"ibid/context/prompt"
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/names"
	"ibid/vault/state"
)

const (
	quietTime    = 100 * time.Millisecond // how long a query must stay the same before texts are searched
	indexTime    = 250 * time.Millisecond // between two looks at the progress of the index
	maxNameRows  = 6                      // names above the notes found by their text
	maxFoundRows = 30                     // notes found by their text
	linesBefore  = 12                     // lines of a preview before the hit
	linesAfter   = 48                     // and after it
	lineRunes    = 600                    // runes of a line in a preview
)

// noteSearch finds notes by name and by text, in one list: the best names, then the sections found by
// their text, then the other names.
type noteSearch struct {
	noteList

	query  string // typed query
	parsed parsedQuery
	found  foundNotes // result of the last search
	in     *Names     // the names when the search began
	index  indexMsg   // progress of the index, as it was read last
}

// parsedQuery is a query in the search language.
type parsedQuery struct {
	index.Query
	remarks []string // remarks about parts that were left out
	err     error
}

// foundNotes is the result of a search.
type foundNotes struct {
	query     string
	hits      []foundHit
	corrected string // the corrected query, "" if it has no slips
	leftOut   string // what a search without hits did not see, "" if it saw everything
	err       error
}

// indexMsg describes the progress of the search index, "" if it is ready or there is none.
type indexMsg string

// foundHit is a hit with the lines around it.
type foundHit struct {
	index.Hit
	marked  []int // runes of Snippet
	lines   []picker.Line
	hitLine int // index in lines
}

func (n *noteSearch) Options() picker.Options {
	return picker.Options{Title: "Notes", Placeholder: `words, tag: path: task-todo: line:() "phrase" -not`}
}

// Actions returns the keys of the page. Enter on a hit attaches its section.
func (n *noteSearch) Actions() []page.Action {
	acts := []page.Action{
		page.On("enter", "attach", n.choose),
		page.On("alt+enter", "attach the whole note", func(r page.Row) page.Request {
			if h := n.hit(r.ID); h != nil {
				r.ID = string(h.Path)
			}
			return n.noteList.choose(r)
		}),
	}
	onNote := func(hints, does string, wants func(p vault.Path, line int) page.Request) {
		acts = append(acts, page.On(hints, does, func(r page.Row) page.Request {
			if h := n.hit(r.ID); h != nil {
				return wants(h.Path, h.Line)
			}
			if p := vault.Path(r.ID); p.IsNote() {
				return wants(p, 0)
			}
			return nil
		}))
	}
	onNote("ctrl+o", "open in $EDITOR", func(p vault.Path, line int) page.Request {
		return page.EditFile{Path: string(p), Line: line, Via: string(state.Search)}
	})
	onNote("alt+o", "open in Obsidian", func(p vault.Path, _ int) page.Request { return n.showIn(string(p)) })
	if meant := n.correctedQuery(); meant != "" {
		acts = append(acts, page.Always("tab", "", page.Open{ID: page.Notes, Arg: meant}))
	}
	onNote("ctrl+y", "copy path", func(p vault.Path, _ int) page.Request {
		return page.Copy{Text: string(p), What: string(p)}
	})
	onNote("ctrl+t", "pin or unpin", func(p vault.Path, _ int) page.Request { return n.pin(p) })
	return acts
}

// correctedQuery returns the corrected query, "" if it needs no correction.
func (n *noteSearch) correctedQuery() string {
	if n.found.query != n.query || n.parsed.err != nil {
		return ""
	}
	return n.found.corrected
}

// Rows lists matching names, and the result of the last search.
func (n *noteSearch) Rows(query string) page.Listing {
	n.parse(query)
	shown := page.Listing{Rows: picker.Rows{Empty: n.empty(), Aside: n.aside()}}
	if n.searching() {
		shown.Empty = "searching"
	}
	shown.Notice, shown.Alert = n.notice()
	if !n.open() {
		return shown
	}
	var first, rest []picker.Item
	named := map[vault.Path]bool{}
	text := strings.TrimSpace(query)
	if text == "" || n.parsed.plain(text) {
		matches, found := n.finder.Find(text, maxRows)
		for _, f := range matches {
			if text == "" || len(first) < maxNameRows && f.Tier < names.Outside && (f.Note == nil || !f.Note.Chat) {
				first = append(first, n.item(f))
				named[f.Path] = true
			} else {
				rest = append(rest, n.item(f))
			}
		}
		if text == "" {
			shown.Found, shown.Total = found, n.finder.Len()
		} else if found > 0 {
			shown.Aside = n.Theme.Glyphs.Dotted(theme.Plural(found, "name"), shown.Aside)
		}
	}
	if texts := n.textRows(named); len(texts) > 0 {
		shown.Items = slices.Concat(group(first, "Names"), group(texts, "In their text"), group(rest, "More names"))
	} else {
		shown.Items = slices.Concat(first, rest)
	}
	return shown
}

// group puts rows below a heading.
func group(items []picker.Item, name string) []picker.Item {
	for i := range items {
		items[i].Group = name
	}
	return items
}

// textRows returns the rows of the last search, without notes that are listed by name and whose hit adds
// nothing to it.
func (n *noteSearch) textRows(named map[vault.Path]bool) []picker.Item {
	if !n.asks() {
		return nil
	}
	var texts []picker.Item
	for i := range n.found.hits {
		h := &n.found.hits[i]
		e, _ := n.finder.Entry(string(h.Path))
		if !named[h.Path] || len(h.marked) > 0 && h.Snippet != h.Title && e.Note != nil && h.Line >= e.Note.BodyLine {
			texts = append(texts, n.hitItem(h))
		}
	}
	return texts
}

// parse parses the query if it has changed.
func (n *noteSearch) parse(query string) {
	if n.query == query {
		return
	}
	n.query = query
	n.parsed.Query, n.parsed.remarks, n.parsed.err = index.ParseQuery(query, n.Now())
}

// plain reports whether a query has nothing but words, which may be a name.
func (p *parsedQuery) plain(text string) bool {
	return p.err == nil && strings.Join(strings.Fields(text), " ") == p.Text
}

// notice returns a remark about the query; alert marks an error.
func (n *noteSearch) notice() (text string, alert bool) {
	if n.parsed.err != nil {
		return n.parsed.err.Error(), true
	}
	if n.found.query == n.query && n.found.err != nil {
		return n.found.err.Error(), true
	}
	told := slices.Clone(n.parsed.remarks)
	if meant := n.correctedQuery(); meant != "" {
		told = append(told, "did you mean "+meant+"? tab takes it")
	}
	if n.found.query == n.query && n.found.leftOut != "" {
		told = append(told, n.found.leftOut)
	}
	return n.Theme.Glyphs.Dotted(told...), false
}

// aside describes the progress of the index and of the search.
func (n *noteSearch) aside() string {
	switch {
	case n.index != "":
		return string(n.index)
	case term.IsBlank(n.query):
		return ""
	case n.searching():
		return "searching"
	case n.found.query == n.query:
		return strconv.Itoa(len(n.found.hits)) + " by text"
	}
	return ""
}

// hitItem returns the row of a hit.
func (n *noteSearch) hitItem(h *foundHit) picker.Item {
	it := picker.Item{
		ID: hitID(h), Label: h.Title, Detail: h.Heading, Meta: "line " + strconv.Itoa(h.Line),
		Snippet: h.Snippet, Marked: h.marked,
	}
	if d := h.Path.Dir(); h.Heading == "" || h.Heading == h.Title {
		if it.Detail = ""; d != "" {
			it.Detail = string(d) + "/"
		}
	}
	if it.Snippet == "" {
		it.Snippet = string(h.Path)
	}
	return it
}

// hitID returns the id of a hit's row; no path contains the zero byte.
func hitID(h *foundHit) string { return string(h.Path) + "\x00" + strconv.Itoa(h.Line) }

// hit returns the hit of a row, nil for a name.
func (n *noteSearch) hit(id string) *foundHit {
	return page.Find(n.found.hits, func(h *foundHit) bool { return hitID(h) == id })
}

// Preview shows a hit in its note, or a note.
func (n *noteSearch) Preview(id string) picker.Preview {
	h := n.hit(id)
	if h == nil {
		return n.noteList.Preview(id)
	}
	return picker.Preview{Title: h.Title, Meta: fmt.Sprintf("%s:%d", h.Path, h.Line), Lines: h.lines, At: h.hitLine}
}

// choose puts the section of a hit into the prompt, or the name of the row.
func (n *noteSearch) choose(r page.Row) page.Request {
	h := n.hit(r.ID)
	if h == nil {
		return n.noteList.choose(r)
	}
	e, ok := n.finder.Entry(string(h.Path))
	if !ok {
		return page.Complain(string(h.Path) + " is no longer there")
	}
	sub := sectionOf(e.Note, h.Hit)
	if sub == "" {
		return n.noteList.choose(page.Row{ID: string(h.Path)})
	}
	return InsertRef(prompt.Ref{Kind: prompt.Selection, ID: string(h.Path) + "#" + sub},
		LinkTo(n.Notes.All.Twins, h.Path, sub))
}

// sectionOf returns the section of a hit for a link: its heading, its lines if the heading is not
// unique, "" for the whole note.
func sectionOf(note *vault.Note, h index.Hit) string {
	same := 0
	for _, head := range note.Headings {
		if headingRef(head.Text) == headingRef(h.Heading) {
			same++
		}
	}
	switch {
	case len(note.Headings) == 0, h.End < note.BodyLine:
		return ""
	case same == 1 && headingRef(h.Heading) != "":
		return headingRef(h.Heading)
	}
	return fmt.Sprintf("L%d-L%d", max(h.Start, note.BodyLine), max(h.End, note.BodyLine))
}

// Receive follows the query and the notes, and takes the result of a search. A new query ends the
// search of the old one.
func (n *noteSearch) Receive(msg tea.Msg) (page.Request, bool) {
	wants, filled := n.noteList.Receive(msg)
	switch msg := msg.(type) {
	case page.QueryMsg:
		wants = page.Steps{wants, n.search(quietTime)}
	case page.RefreshMsg:
		if n.Notes.All != n.in {
			wants = page.Steps{wants, n.search(0), page.Do{Work: n.readIndex}}
		}
	case foundNotes:
		n.found, filled = msg, true
	case indexMsg:
		if n.index, filled = msg, true; msg != "" {
			wants = page.Do{Work: term.Work(n.readIndex).After(indexTime)}
		}
	}
	return wants, filled
}

// readIndex reads the progress of the search index.
func (n *noteSearch) readIndex(ctx context.Context) tea.Msg {
	i := n.Finder.Indexing(ctx)
	if i.Ready || i.Trouble != "" {
		return indexMsg("")
	}
	return indexMsg(fmt.Sprintf("indexing %s of %s", theme.Comma(i.Done), theme.Comma(i.All)))
}

// asks reports whether there is something to search for, and notes to search in.
func (n *noteSearch) asks() bool {
	return n.Notes.All != nil && !term.IsBlank(n.query) && n.parsed.err == nil
}

// searching reports whether the result of a search is not there yet.
func (n *noteSearch) searching() bool { return n.asks() && n.found.query != n.query }

// search searches for the query once that stays the same, in place of the search before.
func (n *noteSearch) search(quiet time.Duration) page.Request {
	if n.in = n.Notes.All; !n.asks() {
		return page.Do{Latest: true}
	}
	d, v := n.Finder, n.Vault
	q, query := n.parsed.Query, n.query
	q.Hide = vault.Path(n.Current.Desk.Chat.Path)
	q.Limit, q.Partial = maxFoundRows, !strings.HasSuffix(query, " ")
	return page.Do{Work: term.Work(func(ctx context.Context) tea.Msg {
		hits, err := d.Search(ctx, q)
		found := foundNotes{query: query, err: err}
		if len(hits) > 0 {
			found.corrected = hits[0].Meant()
		} else {
			left := v.LeftOut(q.Folder)
			found.leftOut = left.ForPerson()
		}
		for _, h := range hits {
			found.hits = append(found.hits, hitWithLines(d, h))
		}
		return found
	}).After(quiet), Latest: true}
}

// hitWithLines returns a hit with the lines around it.
func hitWithLines(d Finder, h index.Hit) foundHit {
	f := foundHit{Hit: h, marked: h.Marks(h.Snippet)}
	lines, first := d.Around(h, linesBefore, linesAfter)
	f.hitLine = h.Line - first
	for _, line := range lines {
		f.lines = append(f.lines, markedLine(h, strings.ReplaceAll(line, "\t", "    ")))
	}
	return f
}

// markedLine returns a line with the matches marked, clipped around the first one if it is long.
func markedLine(h index.Hit, line string) picker.Line {
	if runes := []rune(line); len(runes) > lineRunes {
		from := 0
		if marks := h.Marks(line); len(marks) > 0 {
			from = max(min(marks[0]-lineRunes/3, len(runes)-lineRunes), 0)
		}
		line = string(runes[from : from+lineRunes])
	}
	return picker.Line{Text: line, Marked: h.Marks(line)}
}
