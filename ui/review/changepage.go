package review

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/ui/diff"
	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/vault"
	"ibid/vault/edit"
	"ibid/vault/md"
)

// changePage shows a change of a note, hunk by hunk, before it is made, and asks whether to make it.
type changePage struct {
	asker
	change proposedChange

	dropped map[int]bool // hunks to leave out
	hunk    int          // hunk that keys apply to
	split   bool         // before and after side by side
	full    bool         // hide everything but the change
	help    bool         // show why it is proposed
	top     int          // first visible row of the change
	w, h    int
	drawn   diff.Drawing
	seen    seenRows
	rows    int // visible rows of the change
}

// proposedChange is a change with its title and the decision about it.
type proposedChange struct {
	*chains.Proposal
	title, what string
	place       string       // "1 of 2", "" for the only one
	edited      bool         // the user has edited the text
	current     *edit.Change // the change that an answer applies to, that of Proposal if the file is as it was read
	note        string       // what happened to the file meanwhile
	views       []view       // changes to look at; the one without a name is the proposed one
	turn        Turn         // turn that waits for the answer, nil for none
	decide      func(chains.Decision) page.Request
}

// view is a change to look at, with its name.
type view struct {
	name   string
	change edit.Change
}

// Messages of a change page: the proposal for the current file, and the text edited by the user.
type (
	refreshedMsg struct {
		of, now *chains.Proposal
		err     error
	}
	editedMsg struct{ text string }
)

// ChangedFiles tells a page which files of the vault have changed.
type ChangedFiles struct{ Paths []vault.Path }

// splitWidth is the width from which before and after stand side by side at first.
const splitWidth = 120

// newProposed returns the page for the oldest question of a turn.
func newProposed(env page.Env, t Turn) *changePage {
	asked := t.Asked()
	c := proposedChange{
		Proposal: asked[0].Proposal, title: "Write to note?",
		what: "the model wants to edit an existing note", turn: t, decide: answerTurn,
	}
	if c.New {
		c.what = "the model wants to make a new note"
	}
	if n := len(asked); n > 1 {
		c.place = "1 of " + theme.Comma(n)
	}
	return newChangePage(env, c)
}

// asRead reports whether the change is the one for the file as it was read.
func (c *proposedChange) asRead() bool { return c.current == &c.Proposal.Change }

func newChangePage(env page.Env, c proposedChange) *changePage {
	p := &changePage{asker: newAsker(env, c.turn, c.decide), change: c, dropped: map[int]bool{}}
	p.change.current = &c.Proposal.Change
	if conflict := c.Conflict; conflict != nil {
		p.change.note = conflictNote(conflict)
	}
	p.Accepts = c.turn == nil // the user has asked for it
	return p
}

// conflictNote describes a file that was changed meanwhile.
func conflictNote(c *chains.Conflict) string {
	if n := len(c.Hunks); n > 0 {
		return "the file was changed: " + theme.Plural(n, "hunk") + " of " + theme.Comma(len(c.Was.Hunks)) +
			" fits nowhere any more and is left out; nothing was overwritten"
	}
	return "the file was changed: the hunks went where their lines are now, nothing was overwritten"
}

// Update implements page.Page.
func (p *changePage) Update(msg tea.Msg) (page.Request, bool) {
	i, mine, taken := p.handle(msg, p.decide)
	if mine {
		p.draw()
	}
	if taken {
		return i, mine
	}
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		by := 3
		if msg.Button == tea.MouseWheelUp {
			by = -3
		}
		p.scroll(by)
	case tea.WindowSizeMsg:
		if p.w == 0 {
			p.split = msg.Width >= splitWidth
		}
		p.w, p.h = msg.Width, msg.Height
		p.draw()
	case ChangedFiles:
		return p.refreshIfChanged(msg), true
	case refreshedMsg:
		p.showRefreshed(msg)
	case editedMsg:
		return p.showEdited(msg.text), true
	default:
		return nil, false
	}
	return nil, true
}

// decide handles a key.
func (p *changePage) decide(key string) page.Request {
	if p.help {
		p.help = false
		return nil
	}
	switch key {
	case "y", "Y", "a":
		return p.agree(key == "a")
	case "n", "N":
		if p.change.turn == nil {
			return p.answer(chains.Decision{})
		}
		p.why.begin()
	case "esc":
		return p.answer(chains.Decision{})
	case "space":
		p.toggle(p.hunk)
	case "e":
		return p.edit()
	case "t":
		p.split = !p.split
	case "f":
		p.full = !p.full
	case "v":
		p.nextView()
	case "?":
		p.help = true
	default:
		p.move(key)
	}
	return nil
}

// move goes to another hunk, or scrolls.
func (p *changePage) move(key string) {
	switch room := p.visibleRows(); key {
	case "]", "tab", "right":
		p.goToHunk(p.hunk + 1)
	case "[", "shift+tab", "left":
		p.goToHunk(p.hunk - 1)
	case "J", "pgdown", "d":
		p.scroll(max(room/2, 1))
	case "K", "pgup", "u":
		p.scroll(-max(room/2, 1))
	case "j", "down":
		p.scroll(1)
	case "k", "up":
		p.scroll(-1)
	case "g", "home":
		p.goToHunk(0)
		p.scroll(-p.top)
	case "G", "end":
		p.scroll(len(p.drawn.Rows))
	}
}

// agree answers yes to the kept hunks. If some rows were not visible yet, it scrolls to them instead.
func (p *changePage) agree(always bool) page.Request {
	kept := p.keptHunks()
	if len(kept) == 0 {
		return page.Complain("no hunk is kept: space keeps one, n rejects all")
	}
	if row, more := p.seen.scrollTo(p.top); more {
		p.scroll(row - p.top)
		return nil
	}
	c := &p.change
	d := chains.Decision{Yes: true, Always: always && c.turn != nil}
	if len(kept) < len(c.current.Hunks) {
		d.Hunks = kept
	}
	if c.edited || len(c.current.Hunks) != len(c.Proposal.Change.Hunks) {
		d.Edited, d.Fitted = c.current, !c.edited
	}
	return p.answer(d)
}

// keptHunks returns the indexes of the hunks to make.
func (p *changePage) keptHunks() (kept []int) {
	for i := range p.change.current.Hunks {
		if !p.dropped[i] {
			kept = append(kept, i)
		}
	}
	return kept
}

func (p *changePage) toggle(hunk int) {
	if p.dropped[hunk] = !p.dropped[hunk]; !p.dropped[hunk] {
		delete(p.dropped, hunk)
	}
}

// refreshIfChanged computes the proposal again if its note has changed.
func (p *changePage) refreshIfChanged(msg ChangedFiles) page.Request {
	of := p.change.Proposal
	if of.Refresh == nil || !slices.Contains(msg.Paths, vault.Path(of.Path)) {
		return nil
	}
	return page.Do{Work: refresh(of)}
}

// showRefreshed shows the proposal for the current file.
func (p *changePage) showRefreshed(msg refreshedMsg) {
	hunks := len(p.change.current.Hunks)
	switch c := &p.change; {
	case msg.of != c.Proposal:
		return
	case msg.err != nil:
		c.note = msg.err.Error()
	case c.edited || msg.now.Conflict == nil && c.asRead():
		return // the answer is computed again when it is given
	case msg.now.Conflict == nil: // the file is as it was read, again
		c.current, c.note = &c.Proposal.Change, ""
	default:
		c.current, c.note = &msg.now.Change, conflictNote(msg.now.Conflict)
		c.Warnings = msg.now.Warnings
	}
	if len(p.change.current.Hunks) == hunks { // the kept hunks are still the same
		p.draw()
	} else {
		p.begin()
	}
}

// begin shows a new change from its start.
func (p *changePage) begin() {
	p.dropped, p.hunk, p.top = map[int]bool{}, 0, 0
	p.draw()
}

// edit opens the new text of the note in the editor.
func (p *changePage) edit() page.Request {
	name := vault.Path(p.change.Path).Base()
	return page.EditText{EditText: term.EditText{
		Name: name, Text: p.change.current.Select(p.keptHunks()),
		Back: func(text string) tea.Msg {
			return editedMsg{text}
		},
	}}
}

// showEdited shows the change that the user has made of it.
func (p *changePage) showEdited(text string) page.Request {
	before := p.change.current.Before
	if text == p.change.current.Select(p.keptHunks()) {
		p.Restart()
		return page.Post{Msg: page.GuardMsg{}, In: page.GuardTime}
	}
	change := edit.Compare(before, text)
	if len(change.Hunks) == 0 {
		return page.Toast{Text: "nothing of the change is left: the proposal stays as it was"}
	}
	p.change.current, p.change.edited = &change, true
	if p.change.Check != nil {
		p.change.Proposal.Warnings = p.change.Check(text)
	}
	p.Restart()
	p.begin()
	return page.Post{Msg: page.GuardMsg{}, In: page.GuardTime}
}

// nextView goes to the next change to look at.
func (p *changePage) nextView() {
	if n := len(p.change.views); n > 0 {
		p.change.views = append(p.change.views[1:n:n], p.change.views[0])
		p.hunk, p.top = 0, 0
	}
}

// refresh returns work that computes a proposal for the current file.
func refresh(of *chains.Proposal) term.Work {
	return func(context.Context) tea.Msg {
		now, err := of.Refresh()
		return refreshedMsg{of, now, err}
	}
}

// linksIn returns the wikilinks that a change adds.
func linksIn(c *edit.Change) []string {
	var b strings.Builder
	for i := range c.Hunks {
		for _, l := range c.Hunks[i].Lines {
			if l.Kind == edit.Added {
				b.WriteString(l.Text + "\n")
			}
		}
	}
	return md.Wikilinks(b.String())
}
