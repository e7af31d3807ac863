package page

import (
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"ibid/ui/keys"
	"ibid/ui/picker"
)

// Page is what is open over the conversation, and owns what keys do there. It changes
// nothing but itself: what it wants done it returns.
type Page interface {
	// Update acts on a message: a key, the wheel, a click (in a list over the prompt
	// by its own rows, else by those of the screen), a paste, a size
	// (tea.WindowSizeMsg, of the page), RefreshMsg, or an answer that the page
	// asked for. It reports whether the message was the page's.
	Update(msg tea.Msg) (Request, bool)
	// View is the page in h rows of w columns. One over the prompt may be lower.
	View(w, h int) []string
	// Cursor is where the terminal's cursor stands, nil for nowhere.
	Cursor() *tea.Cursor
	// Hints are the keys of the page for the last line of the screen.
	Hints() []keys.Hint
}

// BesidePrompt is a page over the prompt, which stays on the screen. Its cursor stands in
// rows below the page.
type BesidePrompt interface {
	Page
	BesidePrompt()
}

// FootedPage is a page with several rows at the end that name its keys.
type FootedPage interface{ FootRows() int }

// RefreshMsg tells a page that what the screen knows has changed.
type RefreshMsg struct{}

// Spin tells a list that the signs of what runs have turned.
type Spin struct{}

// QueryMsg tells a list over the prompt what the prompt asks for.
type QueryMsg struct{ Query string }

// Source is what a list is about.
type Source interface {
	Options() picker.Options
	// rows are those that fit a query.
	Rows(query string) Listing
	// actions are what keys do: "enter" chooses, "tab" refines, "esc" leaves;
	// the others stand in the footer. Without one for esc it closes the page.
	Actions() []Action
}

// Listing is what a list shows.
type Listing struct {
	picker.Rows             // their keys are those of the actions
	At          string      // row to begin at
	Hints       []keys.Hint // of a list over the prompt
}

// Action is a key and what it wants done with the row under the cursor.
type Action struct {
	Key  key.Binding
	Does func(Row) Request
	Free bool // it needs no row
}

// DismissKey closes a list over the prompt, and leaves what was typed alone.
func DismissKey() Action {
	return Action{keys.Bind("esc", "close"), func(Row) Request { return Dismiss{} }, true}
}

// On is an action of keys, divided by spaces, on the row under the cursor.
func On(names, what string, does func(Row) Request) Action {
	return Action{Key: keys.Bind(names, what), Does: does}
}

// Row is the row under the cursor, and what the list was asked for.
type Row struct{ ID, Query string }

// Index is the text that a row stands for.
func (r Row) Index() int {
	i, _ := strconv.Atoi(r.ID) // rows has made it
	return i
}

// previewer is a source that shows something beside the list.
type previewer interface {
	Preview(id string) picker.Preview
}

// spinner is a source of rows of which some show that something runs.
type spinner interface {
	// spin turns the signs of those rows.
	Spin(rows *picker.Model)
}

// listener is a source that waits for an answer, or follows what is typed. A
// queryMsg comes with each change of the query.
type listener interface {
	Receive(msg tea.Msg) (Request, bool)
}

// List is a page of rows to choose from.
type List struct {
	env    Env
	Source Source
	picker *picker.Model
	Popup  bool
	query  string // of a popup: the prompt has it
	acts   []Action
	hints  []keys.Hint
	w, h   int // h: rows at most
}

// NewList makes a page of a source. The first refreshMsg fills it.
func NewList(env Env, s Source, query string) *List {
	o := s.Options()
	o.Theme = *env.Theme
	l := &List{env: env, Source: s, picker: picker.New(o), Popup: o.Popup, query: query}
	l.picker.SetQuery(query)
	return l
}

// Update acts on a message.
func (l *List) Update(msg tea.Msg) (Request, bool) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg:
		return l.decide(l.picker.Update(msg))
	case tea.MouseWheelMsg:
		return l.decide(l.picker.Update(keys.Wheel(msg)))
	case tea.MouseClickMsg:
		return l.decide(l.picker.Click(msg.X, msg.Y))
	case tea.WindowSizeMsg:
		l.w, l.h = msg.Width, msg.Height
		l.showPreview()
		l.resize()
		return nil, true
	case RefreshMsg:
		l.picker.SetTheme(*l.env.Theme)
		l.fill(true)
	case QueryMsg:
		l.query = msg.Query
		l.fill(false)
	case Spin:
		if s, ok := l.Source.(spinner); ok {
			s.Spin(l.picker)
		}
		return nil, true
	}
	if s, ok := l.Source.(listener); ok {
		i, taken := s.Receive(msg)
		if taken {
			l.fill(true)
		}
		return i, taken
	}
	return nil, false
}

// Spins reports whether rows show that something runs.
func (l *List) Spins() bool {
	_, ok := l.Source.(spinner)
	return ok
}

// HasKey reports whether a key does something there.
func (l *List) HasKey(msg tea.KeyPressMsg) bool {
	return slices.ContainsFunc(l.acts, func(a Action) bool { return key.Matches(msg, a.Key) })
}

// TypeText puts a text into the line that is typed into.
func (l *List) TypeText(text string) Request {
	l.picker.SetQuery(text)
	l.fill(false)
	if s, ok := l.Source.(listener); ok {
		i, _ := s.Receive(QueryMsg{text})
		return i
	}
	return nil
}

// asked is the query that the rows fit: of the prompt, or of a line of its own.
func (l *List) asked() string {
	if l.Popup {
		return l.query
	}
	return l.picker.Query()
}

// fill asks the source for its rows. keep leaves the cursor where it is.
func (l *List) fill(keep bool) {
	at, _ := l.picker.Selected()
	shown := l.Source.Rows(l.asked())
	l.acts, l.hints = l.Source.Actions(), shown.Hints
	if !slices.ContainsFunc(l.acts, func(a Action) bool { return a.Key.Keys()[0] == "esc" }) {
		l.acts = append(l.acts, Action{keys.Bind("esc", "close"), func(Row) Request { return Close{} }, true})
	}
	place := func(a Action) int { return -slices.Index([]string{"esc", "tab", "enter"}, a.Key.Keys()[0]) }
	slices.SortStableFunc(l.acts, func(a, b Action) int { return place(a) - place(b) })
	for _, a := range l.acts {
		if len(shown.Items) == 0 && !a.Free { // there is nothing to do it with
			a.Key.SetHelp("", "")
		}
		shown.Keys = append(shown.Keys, a.Key)
	}
	if shown.Empty == "" && l.asked() != "" && l.Source.Options().Empty == "" {
		shown.Empty = picker.NoMatch + BackspaceShows
	}
	l.picker.SetRows(shown.Rows)
	if len(shown.Items) == 0 { // there is nothing to choose
		l.hints = slices.DeleteFunc(slices.Clone(l.hints), func(h keys.Hint) bool { return h.Key == "enter" })
	}
	switch {
	case shown.At != "":
		l.picker.Select(shown.At)
	case keep && at.ID != "":
		l.picker.Select(at.ID)
	}
	l.showPreview()
	l.resize()
}

// backspaceShows is what to do where nothing fits the query.
const BackspaceShows = "; backspace shows more"

// Empty reports whether nothing fits the query.
func (l *List) Empty() bool {
	_, ok := l.picker.Selected()
	return !ok
}

func (l *List) showPreview() {
	if p, ok := l.Source.(previewer); ok {
		it, _ := l.picker.Selected()
		l.picker.SetPreview(p.Preview(it.ID))
	}
	if n, ok := l.Source.(remarker); ok {
		it, _ := l.picker.Selected()
		l.picker.SetNote(n.Remark(it.ID, l.w >= picker.PreviewFrom))
	}
}

// remarker is a source that says something about the row under the cursor, in the line
// under the rows. wide says that a preview has its place beside them.
type remarker interface {
	Remark(id string, wide bool) string
}

// follower is a source that something is done for while the cursor is on a row.
type follower interface {
	At(id string) Request
}

// follow tells the source where the cursor is.
func (l *List) follow() Request {
	it, ok := l.picker.Selected()
	if f, follows := l.Source.(follower); follows && ok {
		return f.At(it.ID)
	}
	return nil
}

// resize gives the list its rows: one over the prompt takes no more than it needs.
func (l *List) resize() {
	h := l.h
	if l.Popup {
		h = l.picker.Wanted(l.w, h)
	}
	l.picker.SetSize(l.w, h)
}

// decide says what a decision of the user in the list means.
func (l *List) decide(a picker.Action) (Request, bool) {
	switch a.Kind {
	case picker.Ignored:
		return nil, !l.Popup
	case picker.Refused:
		return Toast{a.Reason, true}, true
	case picker.Moved:
		l.showPreview()
		return l.follow(), true
	case picker.Queried:
		l.fill(false)
		if s, ok := l.Source.(listener); ok {
			i, _ := s.Receive(QueryMsg{a.Query})
			return i, true
		}
		return l.follow(), true
	}
	i := slices.IndexFunc(l.acts, func(act Action) bool { return act.Key.Keys()[0] == a.Key })
	if i < 0 || a.ID == "" && !l.acts[i].Free { // enter sends what begins no name
		return nil, !l.Popup || a.Key != "enter"
	}
	return l.acts[i].Does(Row{a.ID, l.asked()}), true
}

// View draws the list.
func (l *List) View(int, int) []string { return strings.Split(l.picker.View(), "\n") }

// Cursor is in the line that is typed into.
func (l *List) Cursor() *tea.Cursor { return l.picker.Cursor() }

// Hints are the keys of a list over the prompt; a page has a footer of its own.
func (l *List) Hints() []keys.Hint { return l.hints }

// Find is the first of those that are wanted, nil if there is none.
func Find[T any](all []T, wanted func(*T) bool) *T {
	for i := range all {
		if wanted(&all[i]) {
			return &all[i]
		}
	}
	return nil
}

// Matches reports whether every word of a query is in a text, in any case.
func Matches(text, query string) bool {
	text = strings.ToLower(text)
	for w := range strings.FieldsSeq(strings.ToLower(query)) {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}
