package chatview

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/ui/composer"
	"ibid/ui/page"
	"ibid/ui/theme"
	"ibid/vault"
)

// fit is what a user decides about before a turn is sent: what makes it fit the
// window, what a limit keeps here, and what it costs.
type fit struct {
	cut     []prompt.ShortenedPart // nothing stands in for it
	stopped []prompt.MissingRef
	price   int             // new tokens, 0 if they are few enough
	pieces  []chains.Weight // of the turn, the heaviest first
	turn    int
	window  int
}

// fitMsg ends a turn before anything was sent: there is something to decide.
type fitMsg struct {
	id  int
	fit fit
	err error // it does not fit at all
}

// Asks says that the user is asked about it.
func (fitMsg) Asks() {}

// find finds out what there is to decide about a turn; it reports whether there is
// anything that was not agreed to.
func (msg *fitMsg) find(p *chains.PendingTurn, o chains.Options, agreed string) bool {
	if p.TooLong != nil {
		msg.err = errors.New(tooLong(p.TooLong))
		return true
	}
	f := fit{stopped: p.Stopped(), turn: p.Envelope.Turn, window: o.Window}
	if cut := p.Envelope.Shortened; slices.ContainsFunc(cut, loses) {
		f.cut = cut
	}
	if tokens, dear := p.NeedsCostWarning(); dear {
		f.price, f.pieces = tokens, chains.SortByWeight(p.Weights())
	}
	msg.fit = f
	key := f.key()
	return key != "" && key != agreed
}

// inSummary is how things are shortened for which something else stands.
const inSummary = "in a summary"

// loses reports whether nothing stands in for what is shortened.
func loses(c prompt.ShortenedPart) bool { return c.How != inSummary }

// key tells what is decided about from everything else; "" is nothing. What was
// chosen for a turn is agreed to for that turn; that much is read again, once.
func (f *fit) key() (key string) {
	for _, c := range f.cut {
		key += c.How + " " + c.What + "\n"
	}
	for _, m := range f.stopped {
		key += "not sent " + m.Ref.ID + "\n"
	}
	if f.price > 0 {
		key += "price\n"
	}
	for _, w := range f.pieces {
		if 10*w.Tokens >= f.price {
			key += fmt.Sprintf("turn %d %s\n", f.turn, w.Ref.ID)
		}
	}
	return key
}

// takeIn gives the message back and asks what to do.
func (msg fitMsg) takeIn(c *Chat) tea.Cmd {
	if msg.id != c.Turn.ID || !c.Turn.Running() {
		return nil
	}
	if msg.err != nil {
		return c.abandon(msg.err)
	}
	queued, draft := !c.promptEmpty(), c.Turn.Input.Draft
	c.takeBack()
	c.Turn.End()
	c.RefreshShelf()
	return tea.Batch(c.ask(page.Show{Page: msg.fit.question(c, queued, draft).Guarding()}), c.Forecast())
}

// sendAnyway sends the message that waits, as was agreed to.
type sendAnyway struct {
	queued bool   // it waits at the head of the queue, else in the prompt
	agreed string // see fit.key
}

func (msg sendAnyway) takeIn(c *Chat) tea.Cmd {
	c.Estimate.agreed = msg.agreed
	if msg.queued {
		return c.SendQueued()
	}
	return c.Send(c.Composer.Take())
}

// question asks whether a turn shall be sent as it is. The message waits in the
// prompt, or at the head of the queue.
func (f *fit) question(c *Chat, queued bool, d composer.Draft) *page.Question {
	sends := "sends"
	q := &page.Question{Env: c.Env}
	switch {
	case len(f.cut) > 0:
		q.Title = "To fit the window of " + theme.ShortCount(f.window) + " tokens, this turn"
	case len(f.stopped) > 0:
		q.Title, sends = "A limit keeps here what you chose", "sends the rest"
	default:
		q.Title = "This turn reads about " + theme.ShortCount(f.price) + " new tokens"
	}
	for _, cut := range f.cut {
		q.Rows = append(q.Rows, [2]string{f.words(cut), "-" + theme.ShortCount(cut.Tokens) + " tokens"})
	}
	for _, m := range f.stopped {
		q.Rows = append(q.Rows, [2]string{m.Reason, "not sent"})
	}
	q.Answers = []page.Answer{page.Reply("enter", sends, page.Post{Msg: For{c, sendAnyway{queued, f.key()}}})}
	rest := f.price
	for i, w := range f.pieces[:min(len(f.pieces), 9)] {
		rest -= w.Tokens
		row := fmt.Sprintf("%d  %s", i+1, w.Ref.Label())
		if w.Notes > 1 {
			row += ", " + theme.Plural(w.Notes, "note")
		}
		q.Rows = append(q.Rows, [2]string{row, "+" + theme.ShortCount(w.Tokens) + " tokens"})
		q.Picks = append(q.Picks, c.RemoveChip(d, shelfID(&c.Desk, w.Ref)))
	}
	if rest > 0 && f.price > 0 {
		q.Rows = append(q.Rows, [2]string{"   everything else", "+" + theme.ShortCount(rest) + " tokens"})
	}
	q.Answers = append(
		q.Answers,
		page.Reply("m", "a larger model", page.Open{ID: page.Models}),
		page.Reply("F2", "forget something", page.Open{ID: page.Context}),
		page.Reply("esc", "back", nil),
	)
	return q
}

// words say what becomes of one thing.
func (f *fit) words(c prompt.ShortenedPart) string {
	switch {
	case c.How == inSummary:
		return "folds " + c.What + " into a summary"
	case strings.HasPrefix(c.How, "only "):
		return "leaves " + c.How + " of " + vault.Path(c.What).Base()
	}
	return "leaves out " + c.What
}
