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

// Page is a page over the conversation, which gets the keys while it is open. It changes only itself
// and returns a Request for everything else.
type Page interface {
	// Update handles a message: a key, the wheel, a click, a paste, the size of the page
	// (tea.WindowSizeMsg), RefreshMsg, or an answer that the page asked for. The row of a click counts
	// from the top of a list over the prompt, or else from the top of the screen. Update reports
	// whether the message was for the page.
	Update(msg tea.Msg) (Request, bool)
	// View draws the page in h rows of w columns. A page over the prompt may return fewer.
	View(w, h int) []string
	// Cursor returns the position of the terminal's cursor, nil for none.
	Cursor() *tea.Cursor
	// Hints returns the keys of the page for the last line of the screen.
	Hints() []keys.Hint
}

// BesidePrompt is implemented by pages over the prompt, which stays on the screen. The cursor of such a
// page stands in the rows below it.
type BesidePrompt interface {
	Page
	BesidePrompt()
}

// FootedPage is implemented by pages that end with several rows of keys; FootRows returns their number.
type FootedPage interface{ FootRows() int }

// RefreshMsg tells a page that the values it may read have changed.
type RefreshMsg struct{}

// QueryMsg gives a list over the prompt its query.
type QueryMsg struct{ Query string }

// Source provides the rows of a list.
type Source interface {
	Options() picker.Options
	// Rows returns the rows that match a query.
	Rows(query string) Listing
	// Actions returns the keys of the list: "enter" chooses, "tab" refines, "esc" leaves; the others
	// are listed in the footer. Without an action for esc, esc closes the page.
	Actions() []Action
}

// Listing is the content of a list.
type Listing struct {
	picker.Rows        // Keys and Foot are set from the actions
	At          string // ID of the row to move to, "" for none
}

// Action is a key with its effect on the row under the cursor.
type Action struct {
	Key  key.Binding
	Does func(Row) Request
	Free bool // works without a row
}

// On returns an action of the row under the cursor for keys, separated by spaces.
func On(names, what string, does func(Row) Request) Action {
	return Action{Key: keys.Bind(names, what), Does: does}
}

// Always returns an action that works without a row, too. It is not listed if what is "".
func Always(names, what string, wants Request) Action {
	return Action{keys.Bind(names, what), func(Row) Request { return wants }, true}
}

// Row is the row under the cursor and the query of the list.
type Row struct{ ID, Query string }

// Index returns the ID of a row as a number, for sources whose IDs are indexes.
func (r Row) Index() int {
	i, _ := strconv.Atoi(r.ID) // Rows made it from a number
	return i
}

// previewer is a Source that has a preview for each row.
type previewer interface {
	Preview(id string) picker.Preview
}

// listener is a Source that receives messages, such as answers it asked for, and a QueryMsg for each
// change of the query. Receive reports whether the message was for the source.
type listener interface {
	Receive(msg tea.Msg) (Request, bool)
}

// List is a page with rows to choose from.
type List struct {
	env     Env
	Source  Source
	picker  *picker.Model
	Popup   bool
	query   string // of a popup, typed in the prompt
	actions []Action
	hints   []keys.Hint
	w, h    int // h is the largest height
}

// NewList returns a page for a source. It is empty until the first RefreshMsg.
func NewList(env Env, s Source, query string) *List {
	o := s.Options()
	o.Theme = *env.Theme
	l := &List{env: env, Source: s, picker: picker.New(o), Popup: o.Popup, query: query}
	l.picker.SetQuery(query)
	return l
}

// Update handles a message.
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

// HasKey reports whether the list has an action for a key.
func (l *List) HasKey(msg tea.KeyPressMsg) bool {
	return slices.ContainsFunc(l.actions, func(a Action) bool { return key.Matches(msg, a.Key) })
}

// currentQuery returns the query of the rows: from the prompt for a popup, else from the filter line.
func (l *List) currentQuery() string {
	if l.Popup {
		return l.query
	}
	return l.picker.Query()
}

// fill gets the rows and actions from the source. keep leaves the cursor on the same row.
func (l *List) fill(keep bool) {
	at, _ := l.picker.Selected()
	shown := l.Source.Rows(l.currentQuery())
	l.actions, l.hints = l.Source.Actions(), nil
	if !slices.ContainsFunc(l.actions, func(a Action) bool { return a.Key.Keys()[0] == "esc" }) {
		closes := Request(Close{})
		if l.Popup { // the typed text stays
			closes = Dismiss{}
		}
		l.actions = append(l.actions, Always("esc", "close", closes))
	}
	place := func(a Action) int { return -slices.Index([]string{"esc", "tab", "enter"}, a.Key.Keys()[0]) }
	slices.SortStableFunc(l.actions, func(a, b Action) int { return place(a) - place(b) })
	for _, a := range l.actions {
		shown.Keys = append(shown.Keys, a.Key)
		if h := a.Key.Help(); h.Desc != "" && (a.Free || len(shown.Items) > 0) {
			l.hints = append(l.hints, keys.Hint{Key: h.Key, Does: h.Desc})
		}
	}
	if len(shown.Items) > 0 {
		l.hints = append(l.hints, keys.Hints(l.env.Theme.Glyphs.Up+l.env.Theme.Glyphs.Down, "move")...)
	}
	shown.Foot = func(w, n int) []string { return l.env.Pen(w).Foot(l.hints, n) }
	if shown.Empty == "" && l.currentQuery() != "" && l.Source.Options().Empty == "" {
		shown.Empty = picker.NoMatch + BackspaceShows
	}
	l.picker.SetRows(shown.Rows)
	switch {
	case shown.At != "":
		l.picker.Select(shown.At)
	case keep && at.ID != "":
		l.picker.Select(at.ID)
	}
	l.showPreview()
	l.resize()
}

// BackspaceShows follows the text of a list in which no row matches the query.
const BackspaceShows = "; backspace shows more"

// Empty reports whether the list has no rows.
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

// remarker is a Source with a note about the row under the cursor, for the line below the rows. wide
// reports whether the screen has room for a preview.
type remarker interface {
	Remark(id string, wide bool) string
}

// follower is a Source that asks for something when the cursor moves to a row.
type follower interface {
	At(id string) Request
}

// follow tells the source the row under the cursor.
func (l *List) follow() Request {
	it, ok := l.picker.Selected()
	if f, follows := l.Source.(follower); follows && ok {
		return f.At(it.ID)
	}
	return nil
}

// resize sets the size of the list: a popup takes no more rows than it needs.
func (l *List) resize() {
	h := l.h
	if l.Popup {
		h = l.picker.Wanted(l.w, h)
	}
	l.picker.SetSize(l.w, h)
}

// decide returns the request for an action of the picker, and whether the list handled the message.
func (l *List) decide(a picker.Action) (Request, bool) {
	switch a.Kind {
	case picker.Ignored:
		return nil, !l.Popup
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
	if a.Key == "enter" && a.Disabled != "" {
		return Complain(a.Disabled), true
	}
	i := slices.IndexFunc(l.actions, func(act Action) bool { return act.Key.Keys()[0] == a.Key })
	if i < 0 || a.ID == "" && !l.actions[i].Free { // enter in the prompt sends a text that begins no name
		return nil, !l.Popup || a.Key != "enter"
	}
	return l.actions[i].Does(Row{a.ID, l.currentQuery()}), true
}

// View draws the list.
func (l *List) View(int, int) []string { return strings.Split(l.picker.View(), "\n") }

// Cursor returns the cursor of the filter line.
func (l *List) Cursor() *tea.Cursor { return l.picker.Cursor() }

// Hints returns the keys of the list.
func (l *List) Hints() []keys.Hint { return l.hints }

// Find returns a pointer to the first element for which wanted returns true, nil if there is none.
func Find[T any](all []T, wanted func(*T) bool) *T {
	for i := range all {
		if wanted(&all[i]) {
			return &all[i]
		}
	}
	return nil
}

// Matches reports whether a text contains every word of a query, ignoring case.
func Matches(text, query string) bool {
	text = strings.ToLower(text)
	for w := range strings.FieldsSeq(strings.ToLower(query)) {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}
