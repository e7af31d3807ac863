package chatview

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
	"ibid/ui/page"
	"ibid/ui/picture"
	"ibid/vault"
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
	typed   []prompt.Ref        // what the text names
	fitting []vault.Path        // notes that fit it
	turn    *chains.PendingTurn // nil while a turn runs
	weights []chains.Weight
	images  map[prompt.Ref]picture.Picture // measured
}

// Forecast asks what enter would send, in a moment.
func (c *Chat) Forecast() tea.Cmd {
	c.Estimate.id++
	return c.after(settleTime, settleMsg{c.Estimate.id})
}

// ForecastNow asks that at once.
func (c *Chat) ForecastNow() tea.Cmd {
	c.Estimate.id++
	return settleMsg{c.Estimate.id}.takeIn(c)
}

// takeIn asks the session, if nothing changed since.
func (msg settleMsg) takeIn(c *Chat) tea.Cmd {
	if msg.id != c.Estimate.id || !c.Shown() {
		return nil
	}
	draft, e := c.Composer.Draft(), &c.Estimate
	if e.unpriced != nil && *e.unpriced == draft.Text {
		return nil
	}
	e.unpriced = nil
	return c.Do(preview(msg.id, draft))
}

// preview finds out what a draft names, and makes the request that sending it
// would make. Nothing is sent.
func preview(id int, draft composer.Draft) Job {
	return func(ctx context.Context, d *desk.Place) (_ tea.Msg, err error) {
		defer routine.Catch(&err) // what is only looked at ends nothing
		in, err := input(ctx, d, draft)
		if err != nil {
			return nil, err
		}
		msg := forecastMsg{id: id}
		s := d.Session()
		msg.typed, _ = s.Options().Gather.Mentions(ctx, in.Text, literal(in.Spans)...)
		msg.fitting = d.FitsTyped(ctx, in.Text)
		p, err := s.Forecast(ctx, in)
		switch {
		case err == nil:
			msg.turn, msg.weights = p, p.Weights()
			msg.images = imagesOf(p)
		case !errors.Is(err, chains.ErrBusy):
			return nil, err
		}
		return msg, nil
	}
}

// imagesOf measures the images that go along as files of their own.
func imagesOf(p *chains.PendingTurn) map[prompt.Ref]picture.Picture {
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

// takeIn takes the forecast over.
func (msg forecastMsg) takeIn(c *Chat) tea.Cmd {
	e := &c.Estimate
	if msg.id != e.id || !c.Shown() {
		return nil
	}
	e.Typed, e.fitting = msg.typed, msg.fitting
	if c.Turn.Running() || msg.turn == nil {
		c.RefreshShelf() // the request that is being answered stays
		return nil
	}
	var cmd tea.Cmd
	f := reportOf(c, 0)
	e.weights, e.images = map[prompt.Ref]chains.Weight{}, msg.images
	for _, w := range msg.weights {
		e.weights[w.Ref] = w
	}
	if long := msg.turn.TooLong; long != nil {
		if e.setTooLong(long, f) {
			cmd = c.complain(e.Long)
		}
	} else {
		e.set(msg.turn.Envelope, msg.turn.Missing, f)
		if !e.warned && e.Report.NearlyFull() { // said once
			e.warned = true
			cmd = c.say(fmt.Sprintf("%d%% of the window is used: %s shows what weighs most; "+
				"soon the oldest turns must be shortened", 100*e.Report.Prompt/e.Report.Window, c.Keys.NameOf("context")))
		}
	}
	c.RefreshShelf()
	return tea.Batch(c.post(page.RefreshMsg{}), cmd, c.weighSuggested())
}

// FollowEdit follows what the user wrote: mentions that are gone take their chips
// with them, and what stands there has a price once it stays the same.
func (c *Chat) FollowEdit() tea.Cmd {
	c.RefreshShelf()
	return c.Forecast()
}

// RefreshShelf shows what the next turn carries.
func (c *Chat) RefreshShelf() {
	if !c.Shown() {
		return
	}
	named := c.Composer.Outline()
	c.Estimate.suggested = c.suggest(&named)
	s := composer.Shelf{Chips: chips(c.Env, c, &named), Suggested: c.suggestions()}
	if n := len(c.Queue); n > MostQueued || c.Rows < page.LowHeight { // not all of them have rows
		s.Queued = n
	}
	if e := c.Estimate.Env; e != nil && !c.Turn.Running() && c.Estimate.Long == "" && !named.Slash {
		p := e.Predicted
		s.Estimate, s.Sends, s.Cached, s.More = true, p.Prompt, p.Cached, c.LooksUp()
		s.Price = c.sending(p)
	}
	c.Composer.SetShelf(s)
}

// MostQueued is how many of the messages that wait are shown.
const MostQueued = 3

// sending says what sending a request costs, "" if that is not known. What the reply
// costs nobody knows before.
func (c *Chat) sending(p prompt.Prediction) string {
	price, sign := c.Desk.Price, c.Theme.Glyphs.About
	amount := chains.Dollars(price.Sending(p))
	switch {
	case price.Free():
		return price.String()
	case amount == "":
		return ""
	case c.LooksUp():
		sign = c.Theme.Glyphs.AtLeast
	case strings.HasPrefix(amount, "<"):
		sign = ""
	}
	return strings.TrimSpace(sign + " " + amount)
}

// pricedSize is how many bytes a note may have that is read for its price.
const pricedSize = 256 << 10

// weighedMsg brings prices; those that were not found out may be asked for again.
type weighedMsg struct{ got []chains.Weight }

func (msg weighedMsg) takeIn(c *Chat) tea.Cmd {
	c.Estimate.setPrices(msg.got)
	c.RefreshShelf()
	return c.post(page.RefreshMsg{})
}

// Weigh finds out what attaching each of some references would add.
func (c *Chat) Weigh(refs []prompt.Ref) Job {
	c.Estimate.asked(refs)
	return func(ctx context.Context, d *desk.Place) (tea.Msg, error) {
		got, err := weighSmall(ctx, d, c.Vault, refs)
		if errors.Is(err, chains.ErrBusy) {
			err = nil
		}
		return weighedMsg{got}, err
	}
}

// weighSmall is what attaching references would add to the next turn, without those that
// stand for too much to be read for that.
func weighSmall(ctx context.Context, d *desk.Place, v *vault.Vault, refs []prompt.Ref) ([]chains.Weight, error) {
	refs = slices.DeleteFunc(slices.Clone(refs), func(r prompt.Ref) bool { return sizeOf(d, v, r) > pricedSize })
	return d.Session().Weigh(ctx, d.Input(""), refs)
}

// sizeOf is how many bytes the notes have that a reference stands for.
func sizeOf(d *desk.Place, v *vault.Vault, r prompt.Ref) (size int64) {
	for _, m := range append(d.Session().Options().Gather.Members(r), r) {
		if n, ok := v.Note(vault.Path(m.ID)); ok {
			size += n.Size
		}
	}
	return size
}
