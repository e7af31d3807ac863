package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"ibid/ui/keys"
	"ibid/ui/picker"
	"ibid/vault"
)

// page is what is open over the conversation, and owns what keys do there. It
// knows what the screen knows, but not the model: it answers with intents.
type page interface {
	// Update acts on a message: a key, the wheel, a click (in a list over the prompt
	// by its own rows, else by those of the screen), a paste, a size
	// (tea.WindowSizeMsg, of the page), refreshMsg, or an answer that the page
	// asked for. It reports whether the message was the page's.
	Update(msg tea.Msg) (intent, bool)
	// View is the page in h rows of w columns. One over the prompt may be lower.
	View(w, h int) []string
	// Cursor is where the terminal's cursor stands, nil for nowhere.
	Cursor() *tea.Cursor
	// Hints are the keys of the page for the last line of the screen.
	Hints() []keys.Hint
}

// pageKind says which page is wanted.
type pageKind int

const (
	pageMentions  pageKind = iota // behind @ and [[ in the prompt
	pageCommands                  // behind / in the prompt
	pageArguments                 // behind a command there; arg: the line
	pagePalette
	pageNotes
	pageChats
	pageRename // arg: path of the chat
	pageModels
	pageProviders
	pageSettings // arg: a query
	pageVaults   // arg: a query
	pagePrompts  // the saved ones
	pageLinks    // arg: the link that is read, "" lists those of the message
	pageHistory
	pageRewind
	pageContext
	pageHelp
	pageThemes
	pageRetry   // asks before a message is sent again
	pageVariant // asks before a chat goes on in one of its own; arg: turn and variant
)

// refreshMsg tells a page that what the screen knows has changed.
type refreshMsg struct{}

// queryMsg tells a list over the prompt what the prompt asks for.
type queryMsg struct{ query string }

// carryOut opens a page, or says why it cannot be.
func (o openPage) carryOut(m *Model) tea.Cmd {
	k := &m.k
	src := plainList(k, o.kind)
	switch o.kind {
	case pageNotes:
		return tea.Batch(m.setPage(newList(k, &noteSearch{noteList: noteList{k: k}}, o.arg)), m.tasks.Start(lookAtIndex(k.opt.Desk)))
	case pageChats:
		if m.k.opt.Store == nil {
			return m.complain("chats are not kept in this session (--no-save)")
		}
		return tea.Batch(m.setPage(newList(k, &chatList{k: k}, o.arg)), m.listChats(), m.tasks.After(searchTime, searchMsg{o.arg}))
	case pageRename:
		r := newRename(k, vault.Path(o.arg))
		return m.setPage(newList(k, r, r.title))
	case pageModels, pageProviders, pageSettings, pageVaults:
		return openAsking(m, o)
	case pageLinks:
		if o.arg != "" { // that one alone: there is no list to go back to
			links := []picker.Item{{ID: o.arg, Label: o.arg}}
			return tea.Batch(m.setPage(newLinksPage(k, links)), m.tasks.Start(readLink(k.opt.Vault, o.arg)))
		}
		msg, _ := m.k.transcript.Selected()
		links := linksOf(k.opt.Vault, &msg)
		if len(links) == 0 {
			return m.say("this message links to no note, and none went with it")
		}
		return m.setPage(newLinksPage(k, links))
	case pageHistory:
		l := &earlierList{k: k, prompts: m.composer.Earlier()}
		l.take()
		return tea.Batch(readEarlier(m), m.setPage(newList(k, l, o.arg)))
	case pageRewind:
		switch {
		case m.k.turn.running():
			return m.carryOut(busy)
		case len(m.k.turn.prompts) == 0:
			return m.say("there is no message to go back to yet")
		}
		src = newRewindList(&m.k.turn)
	case pageContext:
		m.k.estimate.id++
		return tea.Batch(m.setPage(newContextPage(k)), m.work(listRequests{}), m.carryOut(settleMsg{m.k.estimate.id}))
	case pageRetry:
		if m.k.turn.running() || len(m.k.turn.prompts) == 0 {
			return m.retry() // which says why not
		}
		return m.setPage(confirm(k, "Send the last message again?", "the reply that is there is kept beside the new one", "send", doRetry))
	case pageVariant:
		return m.setPage(askVariant(k, o.arg))
	case pagePalette:
		return openPalette(m)
	case pageHelp:
		return m.setPage(&helpPage{k: k, where: m.focus()})
	}
	return m.setPage(newList(k, src, o.arg))
}

// plainList is what a list needs that knows all of its rows at once, nil for other pages.
func plainList(k *known, kind pageKind) source {
	switch kind {
	case pageMentions:
		return &noteList{k: k}
	case pageCommands:
		return &commandList{promptList{k: k}}
	case pagePrompts:
		return &promptList{k: k}
	case pageThemes:
		return newThemeList(k)
	}
	return nil
}

// setPage shows a page, or none if it is nil.
func (m *Model) setPage(p page) tea.Cmd {
	m.page = p
	m.tasks.Latest(nil)
	if p != nil {
		m.k.find.leave()
	}
	m.place()
	return m.toPage(refreshMsg{})
}

// toPage gives a message to the page that is open, if there is one.
func (m *Model) toPage(msg tea.Msg) tea.Cmd {
	if m.page == nil {
		return nil
	}
	i, _ := m.page.Update(msg)
	return m.carryOut(i)
}

// overPrompt reports whether a page is a list over the prompt, which keeps the cursor.
func overPrompt(p page) bool {
	l, ok := p.(*list)
	return ok && l.popup
}

// hasKey reports whether a key is an action of a list.
func hasKey(p page, msg tea.KeyPressMsg) bool {
	l, ok := p.(*list)
	return ok && slices.ContainsFunc(l.acts, func(a action) bool { return key.Matches(msg, a.key) })
}

// source is what a list is about.
type source interface {
	options() picker.Options
	// rows are those that fit a query.
	rows(query string) listing
	// actions are what keys do: "enter" chooses, "tab" refines, "esc" leaves;
	// the others stand in the footer. Without one for esc it closes the page.
	actions() []action
}

// listing is what a list shows.
type listing struct {
	picker.Rows             // their keys are those of the actions
	at          string      // row to begin at
	hints       []keys.Hint // of a list over the prompt
}

// action is a key and what it wants done with the row under the cursor.
type action struct {
	key  key.Binding
	does func(row) intent
	free bool // it needs no row
}

// closeKey closes a list over the prompt, and leaves what was typed alone.
func closeKey() action {
	return action{keys.Bind("esc", "close"), func(row) intent { return doDismiss }, true}
}

// row is the row under the cursor, and what the list was asked for.
type row struct{ id, query string }

// previewer is a source that shows something beside the list.
type previewer interface {
	preview(id string) picker.Preview
}

// listener is a source that waits for an answer, or follows what is typed. A
// queryMsg comes with each change of the query.
type listener interface {
	receive(msg tea.Msg) (intent, bool)
}

// list is a page of rows to choose from.
type list struct {
	k      *known
	source source
	picker *picker.Model
	popup  bool
	query  string // of a popup: the prompt has it
	acts   []action
	hints  []keys.Hint
	w, h   int // h: rows at most
}

// newList makes a page of a source. The first refreshMsg fills it.
func newList(k *known, s source, query string) *list {
	o := s.options()
	o.Theme = *k.Theme
	l := &list{k: k, source: s, picker: picker.New(o), popup: !o.Page, query: query}
	l.picker.SetQuery(query)
	return l
}

// Update acts on a message.
func (l *list) Update(msg tea.Msg) (intent, bool) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg:
		return l.decide(l.picker.Update(msg))
	case tea.MouseWheelMsg:
		return l.decide(l.picker.Update(arrow(msg)))
	case tea.MouseClickMsg:
		return l.decide(l.picker.Click(msg.X, msg.Y))
	case tea.WindowSizeMsg:
		l.w, l.h = msg.Width, msg.Height
		l.showPreview()
		l.resize()
		return nil, true
	case refreshMsg:
		l.picker.SetTheme(*l.k.Theme)
		l.fill(true)
	case queryMsg:
		l.query = msg.query
		l.fill(false)
	case turnSigns:
		l.turn()
		return nil, true
	}
	if s, ok := l.source.(listener); ok {
		i, taken := s.receive(msg)
		if taken {
			l.fill(true)
		}
		return i, taken
	}
	return nil, false
}

// turn turns the signs of the rows that show one.
func (l *list) turn() {
	c, ok := l.source.(*chatList)
	if !ok {
		return
	}
	for _, open := range l.k.others {
		if open.turn.running() && open.desk.chat.Path != "" {
			sign, words := open.state(&c.k.Theme.Glyphs)
			l.picker.SetState(open.desk.chat.Path, sign, words)
		}
	}
}

// typed puts a text into the line that is typed into.
func (l *list) typed(text string) intent {
	l.picker.SetQuery(text)
	l.fill(false)
	if s, ok := l.source.(listener); ok {
		i, _ := s.receive(queryMsg{text})
		return i
	}
	return nil
}

// arrow is the key that turning the wheel stands for in a list.
func arrow(msg tea.MouseWheelMsg) tea.KeyPressMsg {
	if msg.Button == tea.MouseWheelUp {
		return tea.KeyPressMsg{Code: tea.KeyUp}
	}
	return tea.KeyPressMsg{Code: tea.KeyDown}
}

// asked is the query that the rows fit: of the prompt, or of a line of its own.
func (l *list) asked() string {
	if l.popup {
		return l.query
	}
	return l.picker.Query()
}

// fill asks the source for its rows. keep leaves the cursor where it is.
func (l *list) fill(keep bool) {
	at, _ := l.picker.Selected()
	shown := l.source.rows(l.asked())
	l.acts, l.hints = l.source.actions(), shown.hints
	for _, a := range l.acts {
		if len(shown.Items) == 0 && !a.free { // there is nothing to do it with
			continue
		}
		if name := a.key.Keys()[0]; name != "enter" && name != "esc" && (name != "tab" || !l.popup) {
			shown.Keys = append(shown.Keys, a.key)
		}
	}
	if shown.Empty == "" && l.asked() != "" && l.source.options().Empty == "" {
		shown.Empty = picker.NoMatch + backspaceShows
	}
	l.picker.SetRows(shown.Rows)
	if len(shown.Items) == 0 { // there is nothing to choose
		l.hints = slices.DeleteFunc(slices.Clone(l.hints), func(h keys.Hint) bool { return h.Key == "enter" })
	}
	switch {
	case shown.at != "":
		l.picker.Select(shown.at)
	case keep && at.ID != "":
		l.picker.Select(at.ID)
	}
	l.showPreview()
	l.resize()
}

// backspaceShows is what to do where nothing fits the query.
const backspaceShows = "; backspace shows more"

// empty reports whether nothing fits the query.
func (l *list) empty() bool {
	_, ok := l.picker.Selected()
	return !ok
}

func (l *list) showPreview() {
	if p, ok := l.source.(previewer); ok {
		it, _ := l.picker.Selected()
		l.picker.SetPreview(p.preview(it.ID))
	}
	if n, ok := l.source.(remarker); ok {
		it, _ := l.picker.Selected()
		l.picker.SetNote(n.remark(it.ID, l.w >= picker.PreviewFrom))
	}
}

// remarker is a source that says something about the row under the cursor, in the line
// under the rows. wide says that a preview has its place beside them.
type remarker interface {
	remark(id string, wide bool) string
}

// follower is a source that something is done for while the cursor is on a row.
type follower interface {
	at(id string) intent
}

// follow tells the source where the cursor is.
func (l *list) follow() intent {
	it, ok := l.picker.Selected()
	if f, follows := l.source.(follower); follows && ok {
		return f.at(it.ID)
	}
	return nil
}

// resize gives the list its rows: one over the prompt takes no more than it needs.
func (l *list) resize() {
	h := l.h
	if l.popup {
		h = l.picker.Wanted(l.w, h)
	}
	l.picker.SetSize(l.w, h)
}

// decide says what a decision of the user in the list means.
func (l *list) decide(a picker.Action) (intent, bool) {
	name := a.Key
	switch a.Kind {
	case picker.Ignored:
		return nil, !l.popup
	case picker.Refused:
		return say{a.Reason, true}, true
	case picker.Moved:
		l.showPreview()
		return l.follow(), true
	case picker.Queried:
		l.fill(false)
		if s, ok := l.source.(listener); ok {
			i, _ := s.receive(queryMsg{a.Query})
			return i, true
		}
		return l.follow(), true
	case picker.Chosen:
		name = "enter"
	case picker.Refined:
		name = "tab"
	case picker.Closed:
		name = "esc"
	}
	for _, act := range l.acts {
		switch {
		case act.key.Keys()[0] != name:
		case a.ID == "" && !act.free: // enter sends what begins no name
			return nil, !l.popup || name != "enter"
		default:
			return act.does(row{a.ID, l.asked()}), true
		}
	}
	if name == "esc" {
		return doClosePage, true
	}
	return nil, true
}

// View draws the list.
func (l *list) View(int, int) []string { return strings.Split(l.picker.View(), "\n") }

// Cursor is in the line that is typed into.
func (l *list) Cursor() *tea.Cursor { return l.picker.Cursor() }

// Hints are the keys of a list over the prompt; a page has a footer of its own.
func (l *list) Hints() []keys.Hint { return l.hints }

// holds reports whether every word of a query is in a text, in any case.
func holds(text, query string) bool {
	text = strings.ToLower(text)
	for w := range strings.FieldsSeq(strings.ToLower(query)) {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}
