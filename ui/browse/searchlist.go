package browse

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"ibid/context/prompt"
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/state"
)

const (
	quietTime   = 100 * time.Millisecond // how long a query must stay the same before texts are searched
	indexTime   = 250 * time.Millisecond // between two looks at an index that is being built
	nameRows    = 6                      // names above the notes that were found by their text
	foundRows   = 30                     // of these
	linesBefore = 12                     // of a preview, before the hit and after it
	linesAfter  = 48
	lineRunes   = 600 // of a line in a preview
)

// noteSearch finds notes by name and by text, in one list: the best names, then the
// sections that a search found, then the other names.
type noteSearch struct {
	noteList

	query   string // that is typed
	parsed  parsedQuery
	found   foundNotes // what the last search found
	looking bool       // a search runs
	in      *Names     // as they were when it began
	index   Indexing
}

// parsedQuery is a query as the search language reads it.
type parsedQuery struct {
	index.Query
	told []string // what was left out
	err  error
}

// foundNotes is what a search found.
type foundNotes struct {
	query string
	hits  []foundHit
	meant string // the words without slips, "" if there are none
	err   error
}

// foundHit is a hit and what stands around it.
type foundHit struct {
	index.Hit
	marked  []int // runes of Snippet
	lines   []picker.Line
	hitLine int // index in lines
}

// What a noteSearch waits for: time to search, time to look at the index, and the
// state of that.
type (
	findNotesMsg struct{ query string }
	lookIndexMsg struct{}
	indexMsg     struct{ Indexing }
)

func (n *noteSearch) Options() picker.Options {
	return picker.Options{Title: "Notes", Placeholder: `words, tag: path: task-todo: line:() "phrase" -not`}
}

// actions are the keys of the page. A hit attaches its section.
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
	if meant := n.meant(); meant != "" {
		acts = append(acts, page.Action{Key: key.NewBinding(key.WithKeys("tab")), Does: func(page.Row) page.Request {
			return page.Open{ID: page.Notes, Arg: meant}
		}, Free: true})
	}
	onNote("ctrl+y", "copy path", func(p vault.Path, _ int) page.Request {
		return page.Copy{Text: string(p), What: string(p)}
	})
	onNote("ctrl+a", "make it the active note", func(p vault.Path, _ int) page.Request {
		return page.Steps{page.Close{}, page.Run{Line: `/active "` + string(p) + `"`}}
	})
	onNote("ctrl+t", "pin or unpin", func(p vault.Path, _ int) page.Request { return n.pin(p) })
	return acts
}

// meant is what the query was probably meant to be, "" if it needs no correction.
func (n *noteSearch) meant() string {
	if n.found.query != n.query || n.parsed.err != nil {
		return ""
	}
	return n.found.meant
}

// rows lists names that fit the query, and what the last search found.
func (n *noteSearch) Rows(query string) page.Listing {
	n.read(query)
	shown := page.Listing{Rows: picker.Rows{Empty: n.empty(), Aside: n.aside()}}
	if n.looking {
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
		matches := n.finder.Find(text, maxRows)
		for _, f := range matches {
			if text == "" || len(first) < nameRows && f.Tier < index.Outside && (f.Note == nil || !f.Note.Chat) {
				first = append(first, n.item(f))
				named[f.Path] = true
			} else {
				rest = append(rest, n.item(f))
			}
		}
		names := len(matches)
		if names == maxRows {
			names = n.finder.Total()
		}
		if text == "" {
			shown.Found, shown.Total = names, n.names.Len()
		} else if names > 0 {
			shown.Aside = n.Theme.Glyphs.Dotted(theme.Plural(names, "name"), shown.Aside)
		}
	}
	if texts := n.texts(named); len(texts) > 0 {
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

// texts are the rows of what the last search found, without notes that are named and
// of which their name says as much.
func (n *noteSearch) texts(named map[vault.Path]bool) []picker.Item {
	if term.IsBlank(n.query) {
		return nil
	}
	var texts []picker.Item
	for i := range n.found.hits {
		h := &n.found.hits[i]
		e, _ := n.names.Entry(string(h.Path))
		if !named[h.Path] || len(h.marked) > 0 && h.Snippet != h.Title && e.Note != nil && h.Line >= e.Note.BodyLine {
			texts = append(texts, n.hitItem(h))
		}
	}
	return texts
}

// read handles what is typed.
func (n *noteSearch) read(query string) {
	if n.query == query {
		return
	}
	n.query = query
	n.parsed.Query, n.parsed.told, n.parsed.err = index.ParseQuery(query, n.Now())
}

// plain reports whether a query asks for nothing but words, which may be a name.
func (p *parsedQuery) plain(text string) bool {
	return p.err == nil && strings.Join(strings.Fields(text), " ") == p.Text
}

// notice is what there is to say about the query.
func (n *noteSearch) notice() (text string, alert bool) {
	if n.parsed.err != nil {
		return n.parsed.err.Error(), true
	}
	if n.found.query == n.query && n.found.err != nil {
		return n.found.err.Error(), true
	}
	told := slices.Clone(n.parsed.told)
	if meant := n.meant(); meant != "" {
		told = append(told, "did you mean "+meant+"? tab takes it")
	}
	return n.Theme.Glyphs.Dotted(told...), false
}

// aside says how far the search is.
func (n *noteSearch) aside() string {
	i := &n.index
	switch {
	case i.All > 0 && !i.Ready && i.Trouble == "":
		return fmt.Sprintf("indexing %s of %s", theme.Comma(i.Done), theme.Comma(i.All))
	case term.IsBlank(n.query):
		return ""
	case n.looking && i.Trouble != "":
		return "reading all notes"
	case n.looking:
		return "searching"
	case n.found.query == n.query:
		return strconv.Itoa(len(n.found.hits)) + " by text"
	}
	return ""
}

// hitItem is the row of a hit.
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

// hitID is the name of a hit among the rows; no path has such a byte.
func hitID(h *foundHit) string { return string(h.Path) + "\x00" + strconv.Itoa(h.Line) }

// hit is the hit that a row stands for, nil for a name.
func (n *noteSearch) hit(id string) *foundHit {
	return page.Find(n.found.hits, func(h *foundHit) bool { return hitID(h) == id })
}

// preview shows a hit in its note, or what is known of a note.
func (n *noteSearch) Preview(id string) picker.Preview {
	h := n.hit(id)
	if h == nil {
		return n.noteList.Preview(id)
	}
	return picker.Preview{Title: h.Title, Meta: fmt.Sprintf("%s:%d", h.Path, h.Line), Lines: h.lines, At: h.hitLine}
}

// choose puts a section that was found into the prompt, or what has a name.
func (n *noteSearch) choose(r page.Row) page.Request {
	h := n.hit(r.ID)
	if h == nil {
		return n.noteList.choose(r)
	}
	e, ok := n.names.Entry(string(h.Path))
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

// sectionOf is the section of a hit as a link names it: by its heading, by its lines
// where no heading does, "" where it is the whole note.
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

// receive follows the query and the notes, and takes the answer of a search. A
// search for what is no longer asked for ends.
func (n *noteSearch) Receive(msg tea.Msg) (page.Request, bool) {
	price, filled := n.noteList.Receive(msg)
	wants := page.Steps{price}
	switch msg := msg.(type) {
	case page.QueryMsg:
		n.looking = false
		wants = append(wants, page.Do{Latest: true}, page.Post{Msg: findNotesMsg{msg.Query}, In: quietTime})
	case page.RefreshMsg:
		if all := n.Notes.All; all != n.in {
			wants = append(wants, page.Post{Msg: findNotesMsg{n.query}})
		}
	case findNotesMsg:
		if msg.query != n.query || n.Notes.All == nil {
			break
		}
		n.in = n.Notes.All
		if filled = true; term.IsBlank(n.query) || n.parsed.err != nil {
			n.found = foundNotes{}
			break
		}
		n.looking = true
		wants = append(wants, page.Do{Work: n.search(), Latest: true})
	case foundNotes:
		if msg.query != n.query {
			break
		}
		n.found, n.looking, filled = msg, false, true
	case indexMsg:
		n.index, filled = msg.Indexing, true
		if !n.index.Ready && n.index.Trouble == "" {
			wants = append(wants, page.Do{Work: term.MessageAfter(indexTime, func() tea.Msg { return lookIndexMsg{} })})
		}
	case lookIndexMsg:
		wants = append(wants, page.Do{Work: lookAtIndex(n.Finder)})
	}
	return wants, filled
}

// lookAtIndex asks how far the search index is.
func lookAtIndex(d Finder) term.Work {
	return func(ctx context.Context) tea.Msg { return indexMsg{d.Indexing(ctx)} }
}

// search looks for the query.
func (n *noteSearch) search() term.Work {
	d, q, query := n.Finder, n.parsed.Query, n.query
	q.Hide = vault.Path(n.Current.Desk.Chat.Path)
	q.Near, q.Limit, q.Partial = n.near, foundRows, !strings.HasSuffix(query, " ")
	return func(ctx context.Context) tea.Msg {
		hits, err := d.Search(ctx, q)
		found := foundNotes{query: query, err: err}
		if len(hits) > 0 {
			found.meant = hits[0].Meant()
		}
		for _, h := range hits {
			found.hits = append(found.hits, hitWithLines(d, h))
		}
		if ctx.Err() != nil {
			return nil // something else is looked for, or nothing
		}
		return found
	}
}

// hitWithLines is a hit with the lines around it.
func hitWithLines(d Finder, h index.Hit) foundHit {
	f := foundHit{Hit: h, marked: h.Marks(h.Snippet)}
	lines, first := d.Around(h, linesBefore, linesAfter)
	f.hitLine = h.Line - first
	for _, line := range lines {
		f.lines = append(f.lines, markedLine(h, strings.ReplaceAll(line, "\t", "    ")))
	}
	return f
}

// markedLine is a line with what makes it a hit, cut around that if it is long.
func markedLine(h index.Hit, line string) picker.Line {
	marks := h.Marks(line)
	runes := []rune(line)
	if len(runes) <= lineRunes {
		return picker.Line{Text: line, Marked: marks}
	}
	from := 0
	if len(marks) > 0 {
		from = max(min(marks[0]-lineRunes/3, len(runes)-lineRunes), 0)
	}
	cut := picker.Line{Text: string(runes[from : from+lineRunes])}
	for _, m := range marks {
		if m >= from && m < from+lineRunes {
			cut.Marked = append(cut.Marked, m-from)
		}
	}
	return cut
}
