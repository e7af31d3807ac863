package chatview

import (
	"context"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/ui/composer"
	"ibid/ui/inspector"
	"ibid/ui/keys"
	"ibid/ui/page"
	"ibid/ui/report"
	"ibid/ui/theme"
)

// contextPage shows the request that enter would send, or a sent one.
type contextPage struct {
	chat  *Chat
	model *inspector.Model
	past  []prompt.Envelope // oldest first
	turn  int               // 0 shows the next request
	asked chains.Change     // waits for y or n
	bytes inspector.Preview // the shown bytes
}

// requestsMsg brings the sent requests.
type requestsMsg struct{ past []prompt.Envelope }

// priceMsg brings the question whether to make a change, with its cost.
type priceMsg struct {
	change   chains.Change
	question string
}

// OpenContext opens the page of the request that enter would send.
func OpenContext(c *Chat) page.Request {
	p := &contextPage{chat: c, model: inspector.New(*c.Theme)}
	c.Estimate.id++
	return page.Steps{
		page.Show{Page: p}, page.Post{Msg: Job(listRequests)}, page.Post{Msg: For{c, settleMsg{c.Estimate.id}}},
	}
}

// Update implements page.Page.
func (p *contextPage) Update(msg tea.Msg) (page.Request, bool) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if p.chat.Keys.Matches(msg, "context") {
			msg = tea.KeyPressMsg{Code: tea.KeyF2}
		}
		return p.decide(p.model.Update(msg)), true
	case tea.MouseWheelMsg:
		return p.decide(p.model.Update(keys.Wheel(msg))), true
	case tea.WindowSizeMsg:
		p.model.SetSize(msg.Width, msg.Height)
	case page.RefreshMsg:
		p.model.SetTheme(*p.chat.Theme)
		p.refresh()
	case requestsMsg:
		p.past = lastOfTurns(msg.past)
		p.refresh()
	case priceMsg:
		p.asked = msg.change
		p.model.Confirm(msg.question)
	default:
		return nil, false
	}
	return nil, true
}

// View implements page.Page.
func (p *contextPage) View(int, int) []string { return strings.Split(p.model.View(), "\n") }

// Cursor returns the cursor of the filter line.
func (p *contextPage) Cursor() *tea.Cursor { return p.model.Cursor() }

// Hints returns nil: the page draws its own footer.
func (p *contextPage) Hints() []keys.Hint { return nil }

// decide returns the request for an action of the user.
func (p *contextPage) decide(a inspector.Action) page.Request {
	switch a.Kind {
	case inspector.Closed:
		return page.Close{}
	case inspector.Travel:
		p.turn = a.Turn
		p.refresh()
	case inspector.Moved:
		p.showBytes()
	case inspector.Mute, inspector.Evict, inspector.Refresh:
		change, question := p.change(a)
		return page.Post{Msg: priceChange(change, question, p.chat.Composer.Draft())}
	case inspector.Attach:
		ref := p.item(a.ID).Ref
		return page.Post{Msg: attach("attached to the next turn: "+ref.Label(), ref)}
	case inspector.Copy:
		return p.copy()
	case inspector.Confirmed:
		return page.Post{Msg: applyChange(p.asked)}
	}
	return nil
}

// envelope returns the shown request, nil if there is none yet.
func (p *contextPage) envelope() *prompt.Envelope {
	if i := p.shownIndex(); i >= 0 {
		return &p.past[i]
	}
	return p.chat.Estimate.Env
}

// lastOfTurns returns the last request of each turn, which contains those before it.
func lastOfTurns(past []prompt.Envelope) (last []prompt.Envelope) {
	for _, env := range past {
		if n := len(last); n > 0 && last[n-1].Turn == env.Turn {
			last = last[:n-1]
		}
		last = append(last, env)
	}
	return last
}

// shownIndex returns the index of the shown request in past, -1 for the next request. Of a turn with several
// requests it is the last one.
func (p *contextPage) shownIndex() int {
	for i := len(p.past) - 1; i >= 0; i-- {
		if p.turn != 0 && p.past[i].Turn == p.turn {
			return i
		}
	}
	return -1
}

// refresh shows the report of the request, and the bytes of the selected row.
func (p *contextPage) refresh() {
	e, env := &p.chat.Estimate, p.envelope()
	r := reportOf(p.chat, p.turn)
	for i := range p.past {
		past := &p.past[i]
		r.Past = append(r.Past, past.Turn)
		if past.Epoch.New && env != nil && past.Turn < env.Epoch.Turn {
			r.Arranged = append([]string{"  before that: " + past.Epoch.Words()}, r.Arranged...)
		}
	}
	switch {
	case env == nil, e.TooLong != "" && p.turn == 0:
		past := r.Past
		r = e.Report
		r.Past = past
	case p.turn != 0:
		r = report.Describe(*env, nil, r)
	default:
		if e.Sent {
			r.Turn = env.Turn
		}
		r = report.Describe(*env, e.Missing, r)
	}
	if env != nil {
		if said := report.DescribeDropped(p.past, env.Turn); said != "" {
			r.Remarks = append(slices.Clip(r.Remarks), said)
		}
	}
	p.model.SetReport(r)
	p.showBytes()
}

// showBytes shows the bytes of the selected row, unless they are shown already: the user may have
// scrolled in them.
func (p *contextPage) showBytes() {
	env, row := p.envelope(), p.model.Selected()
	if env == nil || row == "" {
		p.bytes = inspector.Preview{}
		return
	}
	if b := report.Bytes(env, row); b.ID != p.bytes.ID || b.Text != p.bytes.Text {
		p.bytes = b
		p.model.SetPreview(b)
	}
}

// copy puts the request on the clipboard, as JSON.
func (p *contextPage) copy() page.Request {
	if p.envelope() == nil {
		return nil
	}
	env, missing := *p.envelope(), p.chat.Estimate.Missing
	if p.turn != 0 {
		missing = nil // the request itself has what was missing
	}
	return page.Do{Work: func(context.Context) tea.Msg {
		return page.Copy{Text: theme.JSONLine(desk.NewContextEvent(env, missing, true)), What: "the request as JSON"}
	}}
}

// item returns an item of the library by its id. An unknown id becomes a note without further data.
func (p *contextPage) item(id string) prompt.LibraryItem {
	if env := p.envelope(); env != nil {
		for _, it := range env.Library {
			if it.Ref.ID == id {
				return it
			}
		}
	}
	return prompt.LibraryItem{Ref: prompt.NoteRef(id)}
}

// change returns the change of an action, and the question whether to make it.
func (p *contextPage) change(a inspector.Action) (c chains.Change, question string) {
	it := p.item(a.ID)
	ref := []prompt.Ref{it.Ref}
	switch {
	case a.Kind == inspector.Evict:
		return chains.Change{Forget: ref, Done: "forgotten: " + a.ID},
			"Forget " + a.ID + " everywhere, also in the chat's file? "
	case a.Kind == inspector.Refresh:
		return chains.Change{Refresh: true, Done: "rebuilding the library"}, "Rebuild the library from current notes? "
	case it.State == "muted":
		return chains.Change{Unmute: ref, Done: "no longer muted: " + a.ID}, "Refer to " + a.ID + " again? "
	}
	return chains.Change{Mute: ref, Done: "muted: " + a.ID}, "Stop referring to " + a.ID + "? "
}

// listRequests fetches the sent requests.
func listRequests(_ context.Context, d *desk.Place) (tea.Msg, error) {
	past, err := d.Session().Requests()
	if errors.Is(err, chains.ErrBusy) {
		return nil, nil
	}
	return requestsMsg{past}, err
}

// priceChange returns the job that adds the cost of a change to the question about it: the difference between two
// forecasts.
func priceChange(change chains.Change, question string, draft composer.Draft) Job {
	return func(ctx context.Context, d *desk.Place) (tea.Msg, error) {
		in, err := input(ctx, d, draft)
		if err != nil {
			return nil, err
		}
		now, then, err := d.Session().Price(ctx, in, change)
		var long *prompt.TooLongError
		if errors.As(err, &long) {
			return priceMsg{change, question + "the next turn is too long as it is"}, nil
		}
		if err != nil {
			return nil, err
		}
		return priceMsg{change, question + chains.Cost(now, then)}, nil
	}
}

// applyChange returns the job that makes a confirmed change.
func applyChange(change chains.Change) Job {
	return func(_ context.Context, d *desk.Place) (tea.Msg, error) {
		if err := d.Session().Apply(change); err != nil {
			return nil, err
		}
		for _, r := range change.Forget {
			d.Drop(r)
		}
		return JobMessage(change.Done + "; /undo takes it back"), nil
	}
}
