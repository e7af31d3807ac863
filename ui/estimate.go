package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/ui/composer"
	"ibid/ui/inspector"
)

// settleTime is how long what goes with the turn must stay the same before what
// it costs is worked out.
const settleTime = 150 * time.Millisecond

// worthAsking is how many bytes a text must grow or shrink by to be priced anew.
const worthAsking = 2000

// estimate is what enter would send: the request that a preview made, or the one
// that is being answered.
type estimate struct {
	id      int              // of the newest question
	env     *prompt.Envelope // nil until there is an answer
	missing []prompt.Missing
	report  inspector.Report // env, taken apart
	version int              // of report
	sent    bool             // env was sent and is no forecast
	counted int              // mentions in the prompt when it was last looked at
	size    int              // bytes in the prompt then
	known   int              // the newest question that was answered
	warned  bool             // that the window is nearly full
	long    string           // why the next turn cannot be sent, "" if it can
	fit     fit              // what was asked before a turn that had to be shortened
	told    []string         // what was said about notes that go along by themselves
}

// reckonMsg asks for the price of the next turn, if nothing changed since.
type reckonMsg struct{ id int }

// previewedMsg is the request that enter would send.
type previewedMsg struct {
	id      int
	env     prompt.Envelope
	missing []prompt.Missing
	long    *prompt.TooLongError // why there is none
}

// forget drops what belongs to another conversation.
func (e *estimate) forget() { *e = estimate{id: e.id + 1, version: e.version + 1} }

// reckon asks what enter would send, in a moment.
func (m *Model) reckon() tea.Cmd {
	m.estimate.id++
	return m.crew.after(settleTime, reckonMsg{m.estimate.id})
}

// reckoned asks the session, if nothing changed since and no turn runs.
func (m *Model) reckoned(msg reckonMsg) tea.Cmd {
	if msg.id != m.estimate.id || m.turn.running() {
		return nil
	}
	return m.errand(preview(msg.id, m.composer.Value()))
}

func preview(id int, text string) errand {
	return func(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
		env, missing, err := d.Session().Preview(ctx, d.Input(text))
		if errors.Is(err, chains.ErrBusy) {
			return nil, nil
		}
		var long *prompt.TooLongError
		if err != nil && !errors.As(err, &long) {
			return nil, err
		}
		return previewedMsg{id, env, missing, long}, nil
	}
}

// previewed takes the forecast in.
func (m *Model) previewed(msg previewedMsg) tea.Cmd {
	if msg.id != m.estimate.id || m.turn.running() {
		return nil
	}
	if msg.long != nil {
		return m.foundTooLong(msg.long)
	}
	m.estimate.set(msg.env, msg.missing, m.facts(0))
	m.estimate.known = msg.id
	m.refreshShelf()
	return tea.Batch(m.refreshInspector(), m.nearlyFull())
}

// foundTooLong keeps what is known of the request before, and says how long the
// next one would be.
func (m *Model) foundTooLong(long *prompt.TooLongError) tea.Cmd {
	e := &m.estimate
	text := tooLong(long)
	told := e.long == text
	e.long = text
	if e.env != nil {
		e.report = newReport(*e.env, e.missing, m.facts(0))
	}
	e.report.Window, e.report.Prompt, e.report.Cached = m.desk.state.window, long.Tokens, 0
	restIsHistory(&e.report)
	e.report.Remarks = []string{text}
	e.version++
	m.refreshShelf()
	if told {
		return m.refreshInspector()
	}
	return tea.Batch(m.refreshInspector(), m.complain(text))
}

// restIsHistory makes the layers of a report add up to its weight, and forgets
// what of them was cached: a request that cannot be made has no layers of its own,
// but what it has above the one before was said meanwhile.
func restIsHistory(r *inspector.Report) {
	rest := r.Prompt
	for i := range r.Layers {
		r.Layers[i].Cached = 0
		rest -= r.Layers[i].Tokens
	}
	for i := range r.Layers {
		if r.Layers[i].ID == "L4" {
			r.Layers[i].Tokens += max(rest, 0)
		}
	}
	r.Boundary = ""
}

// nearlyFull says once that the window is.
func (m *Model) nearlyFull() tea.Cmd {
	e := &m.estimate
	if e.warned || !e.report.NearlyFull() || e.long != "" {
		return nil
	}
	e.warned = true
	return m.say(fmt.Sprintf("%d%% of the window is used: F2 shows what weighs most; soon the oldest turns must be shortened", 100*e.report.Prompt/e.report.Window))
}

// took takes in the request that went out.
func (e *estimate) took(env prompt.Envelope, missing []prompt.Missing, f facts) {
	e.id++
	e.set(env, missing, f)
	e.sent, e.known = true, e.id
}

func (e *estimate) set(env prompt.Envelope, missing []prompt.Missing, f facts) {
	e.env, e.missing, e.sent, e.long = &env, missing, false, ""
	e.report = newReport(env, missing, f)
	e.version++
}

// facts are what a report says beyond the request itself. turn 0 is the next one.
func (m *Model) facts(turn int) facts {
	f := facts{turn: turn, window: m.desk.state.window, last: m.turn.last}
	if life := m.desk.state.lifetime; life > 0 && !m.turn.sent.IsZero() {
		if until := m.turn.sent.Add(life); until.After(m.opt.now()) {
			f.warm = "until " + until.Format("15:04") + " (est.)"
		} else {
			f.warm = "no longer: the next turn is read in full"
		}
	}
	return f
}

// mentionsIn counts what in a text may name something to attach. It is asked on
// each edit, so it only counts.
func mentionsIn(text string) int {
	return strings.Count(text, "]]") + strings.Count(text, "@") + strings.Count(text, "#")
}

// edited follows what the person wrote: mentions that are gone take their chips
// with them, and new ones ask for a price.
func (m *Model) edited() tea.Cmd {
	text := m.composer.Value()
	gone := m.attach.forget(text)
	n := mentionsIn(text)
	grown := len(text) - m.estimate.size
	if !gone && n == m.estimate.counted && max(grown, -grown) < worthAsking {
		return nil
	}
	m.estimate.counted, m.estimate.size = n, len(text)
	if gone {
		m.refreshShelf()
	}
	return m.reckon()
}

// refreshShelf shows what the next turn carries.
func (m *Model) refreshShelf() {
	s := composer.Shelf{Queued: len(m.turn.queue)}
	s.Chips = m.chips()
	if e := m.estimate.env; e != nil && !m.turn.running() && m.estimate.long == "" {
		p := e.Predicted
		s.Estimate, s.New, s.Cached = true, max(p.Prompt-p.Cached, 0), p.Cached
	}
	m.composer.SetShelf(s)
}

// chips are the active note, the pins, what was attached, and what the text names.
func (m *Model) chips() []composer.Chip {
	st := &m.desk.state
	var out []composer.Chip
	seen := map[prompt.Ref]bool{}
	add := func(r prompt.Ref, kind composer.ChipKind) {
		if r.ID == "" || seen[r] {
			return
		}
		seen[r] = true
		c := composer.Chip{ID: chipID(r), Label: refLabel(r), Kind: kind}
		c.State, c.Tokens = m.estimate.state(r)
		out = append(out, c)
	}
	if st.note.Path != "" || st.active == desk.Off {
		out = append(out, m.activeChip())
		if st.goes {
			seen[prompt.Ref{Kind: prompt.Note, ID: string(st.note.Path)}] = true
		}
	}
	for _, p := range st.pins {
		add(prompt.Ref{Kind: prompt.Note, ID: string(p.Path)}, composer.Pinned)
	}
	for _, r := range st.attached {
		add(r, composer.Attachment)
	}
	for _, p := range m.attach.picked {
		add(p.ref, composer.Attachment)
	}
	return out
}

// activeID is the id of the active note's chip.
const activeID = "active"

func (m *Model) activeChip() composer.Chip {
	st := &m.desk.state
	c := composer.Chip{ID: activeID, Kind: composer.Active, Label: refLabel(prompt.Ref{Kind: prompt.Note, ID: string(st.note.Path)})}
	switch {
	case st.active == desk.Off:
		c.State = composer.Off
		return c
	case !st.goes:
		c.State, c.Age = composer.Idle, age(m.opt.now().Sub(st.note.When))
		return c
	case st.active == desk.Follow:
		c.State = composer.Follow
	default:
		c.State = composer.Fixed
	}
	state, n := m.estimate.state(prompt.Ref{Kind: prompt.Note, ID: string(st.note.Path)})
	if c.Tokens = n; state == composer.Missing {
		c.State = composer.Missing
	}
	return c
}

func chipID(r prompt.Ref) string { return string(r.Kind) + ":" + r.ID }

// state is what sending a reference means, and its price.
func (e *estimate) state(r prompt.Ref) (composer.ChipState, int) {
	if e.env == nil {
		return composer.Fresh, composer.NotKnown
	}
	for _, m := range e.missing {
		if m.Ref == r && m.State != "later" && m.State != "image" {
			return composer.Missing, 0
		}
	}
	folder, state := 0, composer.Fresh
	for _, a := range e.env.Attached {
		switch {
		case a.Ref == r && a.State == "updated":
			return composer.Drifted, a.Tokens
		case a.Ref == r && a.State != "new" || a.Ref == r && e.sent:
			return composer.Known, 0
		case a.Ref == r:
			return composer.Fresh, a.Tokens
		case r.Kind == prompt.Folder && strings.HasPrefix(a.Ref.ID, r.ID):
			folder += a.Tokens
		}
	}
	for _, it := range e.env.Library {
		if it.Ref == r && r.Kind != prompt.Folder {
			return composer.Known, 0
		}
	}
	switch {
	case r.Kind == prompt.Folder && folder > 0, r.Kind == prompt.URL:
	case e.id != e.known || r.Kind == prompt.Tag || r.Kind == prompt.Folder:
		folder = composer.NotKnown
	case !e.sent: // it was looked for and does not go along
		state = composer.Missing
	}
	return state, folder
}

// cycleActive goes on from off to follow to this note.
func (m *Model) cycleActive() tea.Cmd {
	next := desk.Follow
	switch st := &m.desk.state; st.active {
	case desk.Follow:
		if next = desk.Off; st.note.Path != "" {
			next = string(st.note.Path)
		}
	case desk.Off:
	default:
		next = desk.Off
	}
	return m.errand(setActive(next))
}

func setActive(how string) errand {
	return func(_ context.Context, d *desk.Desk) (tea.Msg, error) {
		if err := d.SetActive(how); err != nil {
			return nil, err
		}
		if how == desk.Off || how == desk.Follow {
			return toldMsg{"active note: " + how}, nil
		}
		return toldMsg{"active note: " + refLabel(prompt.Ref{Kind: prompt.Note, ID: how}) + ", whatever is open"}, nil
	}
}

// removeChip takes a chip off the next turn.
func (m *Model) removeChip(id string) tea.Cmd {
	if id == activeID {
		return m.errand(setActive(desk.Off))
	}
	for _, p := range m.attach.picked {
		if chipID(p.ref) == id {
			return m.complain("it stands in the prompt: delete " + p.text + " there")
		}
	}
	for _, p := range m.desk.state.pins {
		if chipID(prompt.Ref{Kind: prompt.Note, ID: string(p.Path)}) == id {
			return m.errand(command(`/unpin "` + string(p.Path) + `"`))
		}
	}
	kind, name, _ := strings.Cut(id, ":")
	ref := prompt.Ref{Kind: prompt.Kind(kind), ID: name}
	return m.errand(func(_ context.Context, d *desk.Desk) (tea.Msg, error) {
		d.Drop(ref)
		return nil, nil
	})
}
