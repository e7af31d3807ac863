package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/ui/composer"
	"ibid/ui/inspector"
	"ibid/ui/page"
	"ibid/ui/picture"
	"ibid/vault"
	"ibid/vault/routine"
)

// settleTime is how long what goes with the turn must stay the same before what
// it costs is worked out.
const settleTime = 150 * time.Millisecond

// estimate is what enter would send: the request that a forecast made, or the one
// that is being answered.
type estimate struct {
	id      int              // of the newest question
	env     *prompt.Envelope // nil until there is an answer
	missing []prompt.Missing
	weights map[prompt.Ref]chains.Weight   // what goes along
	prices  map[prompt.Ref]chains.Weight   // of what a list offers, as far as it was asked for
	images  map[prompt.Ref]picture.Picture // the sizes of those that go along
	typed   []prompt.Ref                   // what the text in the prompt names
	report  inspector.Report               // env, taken apart
	version int                            // of report
	heavy   bool                           // the ribbon has something to say
	sent    bool                           // env was sent and is no forecast
	warned  bool                           // that the window is nearly full
	long    string                         // why the next turn cannot be sent, "" if it can
	agreed  string                         // what the user agreed to last, see fit.key
	offered int                            // message, 1-based, for which notes are suggested on a low screen too
	hidden  []string                       // what was said about notes that go along by themselves

	unpriced *string // text that came back into the prompt, and is not looked at while it stays the same; nil for none
}

// settleMsg asks for a forecast, if nothing changed since.
type settleMsg struct{ id int }

// forecastMsg is the request that enter would send.
type forecastMsg struct {
	id      int
	typed   []prompt.Ref    // what the text names
	turn    *chains.Pending // nil while a turn runs
	weights []chains.Weight
	images  map[prompt.Ref]picture.Picture // measured
}

// hold has nothing looked at of what was there when ibid broke off, since that may be why.
func (e *estimate) hold(u *unsent) {
	if u.Open {
		e.unpriced = &u.Draft.Text
	}
}

// reset drops what belongs to another conversation.
func (e *estimate) reset() {
	*e = estimate{id: e.id + 1, version: e.version + 1, unpriced: e.unpriced}
}

// set takes the request over that enter would send.
func (e *estimate) set(env prompt.Envelope, missing []prompt.Missing, base inspector.Report) {
	e.env, e.missing, e.sent, e.long = &env, missing, false, ""
	e.report = newReport(env, missing, base)
	e.weigh()
}

// A request of ribbonFrom tokens has a ribbon, until it is lighter than ribbonUntil:
// what is typed and deleted again must not make it come and go.
const ribbonFrom, ribbonUntil = 4000, 3000

// weigh follows a new report.
func (e *estimate) weigh() {
	e.version++
	r := &e.report
	e.heavy = r.Prompt >= ribbonFrom || e.heavy && r.Prompt >= ribbonUntil || r.NearlyFull()
}

// setSent takes the request over that went out.
func (e *estimate) setSent(env prompt.Envelope, missing []prompt.Missing, base inspector.Report) {
	e.id++
	e.weights, e.prices, e.unpriced = nil, nil, nil
	e.set(env, missing, base)
	e.sent = true
}

// setTooLong keeps what is known of the request before, and says how long the
// next one would be. It reports whether that is news.
func (e *estimate) setTooLong(long *prompt.TooLongError, base inspector.Report) (news bool) {
	text := tooLong(long)
	news = e.long != text
	e.long = text
	if e.env != nil {
		e.report = newReport(*e.env, e.missing, base)
	}
	e.report.Window, e.report.Prompt, e.report.Cached = base.Window, long.Tokens, 0
	restIsHistory(&e.report)
	e.report.Remarks = []string{text}
	e.weigh()
	return news
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

// used counts what this chat has referred to.
func (e *estimate) used() map[string]int {
	if e.env == nil {
		return nil
	}
	used := make(map[string]int, len(e.env.Library))
	for _, it := range e.env.Library {
		used[it.Ref.ID] = it.Times
	}
	return used
}

// dropKnown drops notices that need not be shown about notes that go along by
// themselves: the shelf shows on every turn that a pin or the active note is
// missing, and anything else about them is said once.
func (e *estimate) dropKnown(notices []chains.Notice, missing []prompt.Missing, st *deskState) []chains.Notice {
	for _, gone := range missing {
		byItself := gone.Ref.ID == string(st.note.Path) || st.pinned(vault.Path(gone.Ref.ID))
		if !byItself || gone.Ref.Kind != prompt.Note || slices.Contains(st.attached, gone.Ref) {
			continue
		}
		if gone.State == "missing" || slices.Contains(e.hidden, gone.Reason) {
			notices = slices.DeleteFunc(notices, func(n chains.Notice) bool { return n.Text == gone.Reason })
		}
		e.hidden = append(e.hidden, gone.Reason)
	}
	return notices
}

// forecast asks what enter would send, in a moment.
func (m *Model) forecast() tea.Cmd {
	m.k.estimate.id++
	return m.tasks.After(settleTime, settleMsg{m.k.estimate.id})
}

// carryOut asks the session, if nothing changed since.
func (msg settleMsg) carryOut(m *Model) tea.Cmd {
	if msg.id != m.k.estimate.id {
		return nil
	}
	draft, e := m.composer.Draft(), &m.k.estimate
	if e.unpriced != nil && *e.unpriced == draft.Text {
		return nil
	}
	e.unpriced = nil
	return m.work(preview{msg.id, draft})
}

// preview finds out what a draft names, and makes the request that sending it
// would make. Nothing is sent.
type preview struct {
	id    int
	draft composer.Draft
}

func (j preview) run(ctx context.Context, d *desk.Desk) (_ tea.Msg, err error) {
	defer routine.Catch(&err) // what is only looked at ends nothing
	in, err := input(ctx, d, j.draft)
	if err != nil {
		return nil, err
	}
	msg := forecastMsg{id: j.id}
	var p *chains.Pending
	s := d.Session()
	d.Aside(func() {
		msg.typed, _ = s.Options().Gather.Mentions(ctx, in.Text, literal(in.Spans)...)
		p, err = s.Forecast(ctx, in)
	})
	switch {
	case err == nil:
		msg.turn, msg.weights = p, p.Weights()
		msg.images = imagesOf(p)
	case !errors.Is(err, chains.ErrBusy):
		return nil, err
	}
	return msg, nil
}

// imagesOf measures the images that go along as files of their own.
func imagesOf(p *chains.Pending) map[prompt.Ref]picture.Picture {
	all := map[prompt.Ref]picture.Picture{}
	for r, data := range p.Pictures() {
		all[r], _ = picture.Measure(data) // its fault is said in place of its size
	}
	return all
}

// literal is spans as if all of them had been pasted.
func literal(spans []chains.Span) []chains.Span {
	out := slices.Clone(spans)
	for i := range out {
		out[i].Ref = prompt.Ref{}
	}
	return out
}

// carryOut takes the forecast over.
func (msg forecastMsg) carryOut(m *Model) tea.Cmd {
	e := &m.k.estimate
	if msg.id != e.id {
		return nil
	}
	e.typed = msg.typed
	var cmd tea.Cmd
	f := reportOf(m.k.conversation, 0)
	if m.k.turn.running() || msg.turn == nil {
		m.refreshShelf() // the request that is being answered stays
		return nil
	}
	e.weights, e.images = map[prompt.Ref]chains.Weight{}, msg.images
	for _, w := range msg.weights {
		e.weights[w.Ref] = w
	}
	if long := msg.turn.TooLong; long != nil {
		if e.setTooLong(long, f) {
			cmd = m.complain(e.long)
		}
	} else {
		e.set(msg.turn.Envelope, msg.turn.Missing, f)
		if !e.warned && e.report.NearlyFull() { // said once
			e.warned = true
			cmd = m.say(fmt.Sprintf("%d%% of the window is used: %s shows what weighs most; soon the oldest turns must be shortened", 100*e.report.Prompt/e.report.Window, m.k.Keys.NameOf("context")))
		}
	}
	m.refreshShelf()
	return tea.Batch(m.toPage(page.RefreshMsg{}), cmd, weighSuggested(m))
}

// learnedSay says since when the window is known from an error that named it, "" if it
// is known otherwise.
func (s *deskState) learnedSay() string {
	if s.learned.IsZero() {
		return ""
	}
	return "learned on " + s.learned.Format("2 Jan")
}

// reportOf is what a report says beyond the request itself. turn 0 is the next one.
func reportOf(c *conversation, turn int) inspector.Report {
	now := c.turn.now()
	r := inspector.Report{Turn: turn, Window: c.desk.window, Last: c.turn.last, Spent: chains.Dollars(c.desk.chat.Cost()), Ages: map[string]string{}}
	r.Learned = c.desk.learnedSay()
	for url, at := range c.desk.pages {
		r.Ages[url] = page.Ago(now.Sub(at))
	}
	if life := c.desk.lifetime; life > 0 && !c.turn.sent.IsZero() {
		if until := c.turn.sent.Add(life); until.After(now) {
			r.Warm = "until " + until.Format("15:04") + " (est.)"
		} else {
			r.Warm = "no longer: the next turn is read in full"
		}
	}
	return r
}

// followEdit follows what the user wrote: mentions that are gone take their chips
// with them, and what stands there has a price once it stays the same.
func (m *Model) followEdit() tea.Cmd {
	m.refreshShelf()
	return m.forecast()
}

// refreshShelf shows what the next turn carries.
func (m *Model) refreshShelf() {
	named := m.composer.Outline()
	m.k.suggested = suggest(&m.k, &named, m.stage.h)
	s := composer.Shelf{Chips: chips(&m.k, &named), Suggested: suggestions(&m.k)}
	if n := len(m.k.queue); n > mostQueued || m.stage.h < page.LowHeight { // not all of them have rows
		s.Queued = n
	}
	if e := m.k.estimate.env; e != nil && !m.k.turn.running() && m.k.estimate.long == "" && !named.Slash {
		p := e.Predicted
		s.Estimate, s.Sends, s.Cached, s.More = true, p.Prompt, p.Cached, m.k.looksUp()
		s.Price = m.k.sending(p)
	}
	m.composer.SetShelf(s)
}

// sending says what sending a request costs, "" if that is not known. What the reply
// costs nobody knows before.
func (k *known) sending(p prompt.Prediction) string {
	price, sign := k.desk.price, k.Theme.Glyphs.About
	amount := chains.Dollars(price.Sending(p))
	switch {
	case price.Free():
		return price.String()
	case amount == "":
		return ""
	case k.looksUp():
		sign = k.Theme.Glyphs.AtLeast
	case strings.HasPrefix(amount, "<"):
		sign = ""
	}
	return strings.TrimSpace(sign + " " + amount)
}

// state is what sending a reference means, and its price.
func (e *estimate) state(r prompt.Ref) (composer.ChipState, int) {
	w, ok := e.weights[r]
	if !ok && e.env != nil && slices.ContainsFunc(e.env.Library, func(it prompt.LibraryItem) bool { return it.Ref == r && it.Place != "" }) {
		return composer.Known, 0
	}
	if i := slices.IndexFunc(e.missing, func(gone prompt.Missing) bool { return gone.Ref == r }); !ok && i >= 0 && e.missing[i].State != "later" {
		if e.missing[i].State != "missing" {
			return composer.Unsent, 0
		}
		return composer.Missing, 0
	}
	switch w.State {
	case "new":
		return composer.Fresh, w.Tokens
	case "updated":
		return composer.Drifted, w.Tokens
	case "known", "muted":
		return composer.Known, 0
	case "missing":
		return composer.Missing, 0
	case "unsent":
		return composer.Unsent, 0
	}
	return composer.Fresh, composer.NotKnown
}

// reasons are why something is not sent, in words for its chip.
var reasons = map[string]string{
	"binary":         "unknown format",
	"broken":         "broken",
	"ignored":        "excluded",
	"image":          "text-only model",
	"not_downloaded": "not downloaded",
	"outside":        "outside the vault",
	"private":        "private",
	"too_large":      "too large",
	"unreadable":     "unreadable",
}

// whyNot is why a reference is not sent though it is there, "" if that is not known.
func (e *estimate) whyNot(r prompt.Ref) string { return reasons[e.weights[r].Why] }
