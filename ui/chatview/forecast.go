package chatview

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/ui/composer"
	"ibid/ui/page"
	"ibid/vault"
	"ibid/vault/routine"
)

// SettleTime is the time that the next turn, or rows of a list, must stay the same before their cost is computed.
const SettleTime = 150 * time.Millisecond

// settleMsg asks for a forecast, if nothing has changed since.
type settleMsg struct{ id int }

// forecastMsg is the request that enter would send.
type forecastMsg struct {
	id      int
	typed   []prompt.Ref        // references in the text
	fitting []vault.Path        // notes that fit the text
	turn    *chains.PendingTurn // nil while a turn runs
	weights []chains.Weight
}

// Forecast computes what enter would send, after SettleTime.
func (c *Chat) Forecast() tea.Cmd {
	c.Estimate.id++
	return c.after(SettleTime, settleMsg{c.Estimate.id})
}

// takeIn starts the forecast, if nothing has changed since.
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

// preview returns the job that finds the references in a draft and makes the request for it. Nothing is
// sent.
func preview(id int, draft composer.Draft) Job {
	return func(ctx context.Context, d *desk.Place) (_ tea.Msg, err error) {
		defer routine.Catch(&err) // a panic in a preview must not end the program
		in, err := input(ctx, d, draft)
		if err != nil {
			return nil, err
		}
		msg := forecastMsg{id: id}
		s := d.Session()
		msg.typed, _ = s.Options().Gather.Mentions(ctx, in.Text, asPasted(in.Spans)...)
		msg.fitting = d.FitsTyped(ctx, in.Text)
		p, err := s.Forecast(ctx, in)
		switch {
		case err == nil:
			msg.turn, msg.weights = p, p.Weights()
		case !errors.Is(err, chains.ErrBusy):
			return nil, err
		}
		return msg, nil
	}
}

// asPasted returns the spans as if all of them had been pasted.
func asPasted(spans []chains.Span) []chains.Span {
	out := slices.Clone(spans)
	for i := range out {
		out[i].Ref = prompt.Ref{}
	}
	return out
}

// takeIn stores the forecast.
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
	e.weights = map[prompt.Ref]chains.Weight{}
	for _, w := range msg.weights {
		e.weights[w.Ref] = w
	}
	if long := msg.turn.TooLong; long != nil {
		if e.setTooLong(long, f) {
			cmd = c.Complain(e.TooLong)
		}
	} else {
		e.set(msg.turn.Envelope, msg.turn.Missing, f)
	}
	c.RefreshShelf()
	return tea.Batch(c.Refresh(), cmd)
}

// FollowEdit updates the shelf after an edit of the prompt, and starts a forecast.
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
	s := composer.Shelf{Chips: chips(c.Env, c, &named), Suggested: suggestions(c)}
	if n := len(c.Queue); n > MaxQueued || c.Rows < page.LowHeight { // some of them have no row
		s.Queued = n
	}
	if e := c.Estimate.Env; e != nil && !c.Turn.Running() && c.Estimate.TooLong == "" && !named.Slash {
		p := e.Predicted
		s.Estimate, s.Sends, s.Cached, s.More = true, p.Prompt, p.Cached, c.ModelLooksUp()
		s.Price = c.describeCost(p)
	}
	c.Composer.SetShelf(s)
}

// MaxQueued limits the rows of queued messages.
const MaxQueued = 3

// describeCost describes the cost of sending a request, "" if it is unknown. The cost of the reply is never
// known before.
func (c *Chat) describeCost(p prompt.Prediction) string {
	price, sign := c.Desk.Price, c.Theme.Glyphs.About
	amount := chains.Dollars(price.Sending(p))
	switch {
	case price.Free():
		return price.String()
	case amount == "":
		return ""
	case c.ModelLooksUp():
		sign = c.Theme.Glyphs.AtLeast
	case strings.HasPrefix(amount, "<"):
		sign = ""
	}
	return strings.TrimSpace(sign + " " + amount)
}

// pricedSize limits the bytes of a note that is read for its price.
const pricedSize = 256 << 10

// weighedMsg brings prices. Those that are missing may be asked for again.
type weighedMsg struct{ got []chains.Weight }

func (msg weighedMsg) takeIn(c *Chat) tea.Cmd {
	for _, w := range msg.got {
		if c.Estimate.Prices != nil {
			c.Estimate.Prices[w.Ref] = w
		}
	}
	c.RefreshShelf()
	return c.Refresh()
}

// Weigh returns the job that finds the tokens which attaching each reference would add.
func (c *Chat) Weigh(refs []prompt.Ref) Job {
	if c.Estimate.Prices == nil {
		c.Estimate.Prices = map[prompt.Ref]chains.Weight{}
	}
	for _, r := range refs { // they are asked for once
		c.Estimate.Prices[r] = chains.Weight{Ref: r}
	}
	return func(ctx context.Context, d *desk.Place) (tea.Msg, error) {
		small := slices.DeleteFunc(slices.Clone(refs), func(r prompt.Ref) bool {
			return sizeOf(d, c.Vault, r) > pricedSize // it would be read for its price
		})
		got, err := d.Session().Weigh(ctx, d.Input(""), small)
		if errors.Is(err, chains.ErrBusy) {
			err = nil
		}
		return weighedMsg{got}, err
	}
}

// sizeOf returns the size in bytes of the notes that a reference stands for.
func sizeOf(d *desk.Place, v *vault.Vault, r prompt.Ref) (size int64) {
	for _, m := range append(d.Session().Options().Gather.Members(r), r) {
		if n, ok := v.Note(vault.Path(m.ID)); ok {
			size += n.Size
		}
	}
	return size
}
