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
	"ibid/ui/chatview"
	"ibid/ui/composer"
	"ibid/ui/page"
	"ibid/ui/picture"
	"ibid/vault/routine"
)

// settleTime is how long what goes with the turn must stay the same before what
// it costs is worked out.
const settleTime = 150 * time.Millisecond

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

// forecast asks what enter would send, in a moment.
func (m *Model) forecast() tea.Cmd {
	m.k.Estimate.ID++
	return m.tasks.After(settleTime, settleMsg{m.k.Estimate.ID})
}

// carryOut asks the session, if nothing changed since.
func (msg settleMsg) carryOut(m *Model) tea.Cmd {
	if msg.id != m.k.Estimate.ID {
		return nil
	}
	draft, e := m.composer.Draft(), &m.k.Estimate
	if e.Unpriced != nil && *e.Unpriced == draft.Text {
		return nil
	}
	e.Unpriced = nil
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
	in, err := chatview.Input(ctx, d, j.draft)
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
	e := &m.k.Estimate
	if msg.id != e.ID {
		return nil
	}
	e.Typed = msg.typed
	var cmd tea.Cmd
	f := chatview.ReportOf(m.k.Chat, 0)
	if m.k.Turn.Running() || msg.turn == nil {
		m.refreshShelf() // the request that is being answered stays
		return nil
	}
	e.Weights, e.Images = map[prompt.Ref]chains.Weight{}, msg.images
	for _, w := range msg.weights {
		e.Weights[w.Ref] = w
	}
	if long := msg.turn.TooLong; long != nil {
		if e.SetTooLong(long, f) {
			cmd = m.complain(e.Long)
		}
	} else {
		e.Set(msg.turn.Envelope, msg.turn.Missing, f)
		if !e.Warned && e.Report.NearlyFull() { // said once
			e.Warned = true
			cmd = m.say(fmt.Sprintf("%d%% of the window is used: %s shows what weighs most; soon the oldest turns must be shortened", 100*e.Report.Prompt/e.Report.Window, m.k.Keys.NameOf("context")))
		}
	}
	m.refreshShelf()
	return tea.Batch(m.toPage(page.RefreshMsg{}), cmd, weighSuggested(m))
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
	m.k.Suggested = suggest(&m.k, &named, m.stage.h)
	s := composer.Shelf{Chips: chatview.Chips(m.k.Env, m.k.Chat, &named), Suggested: suggestions(&m.k)}
	if n := len(m.k.Queue); n > mostQueued || m.stage.h < page.LowHeight { // not all of them have rows
		s.Queued = n
	}
	if e := m.k.Estimate.Env; e != nil && !m.k.Turn.Running() && m.k.Estimate.Long == "" && !named.Slash {
		p := e.Predicted
		s.Estimate, s.Sends, s.Cached, s.More = true, p.Prompt, p.Cached, m.k.looksUp()
		s.Price = m.k.sending(p)
	}
	m.composer.SetShelf(s)
}

// sending says what sending a request costs, "" if that is not known. What the reply
// costs nobody knows before.
func (k *known) sending(p prompt.Prediction) string {
	price, sign := k.Desk.Price, k.Theme.Glyphs.About
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
