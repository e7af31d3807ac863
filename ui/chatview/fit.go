package chatview

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/ui/page"
	"ibid/ui/theme"
	"ibid/vault"
)

// fit describes what the user decides about before a turn is sent: what is cut to fit the window, what
// a limit keeps back, and what it costs.
type fit struct {
	cut     []prompt.ShortenedPart // cut without a replacement
	stopped []prompt.MissingRef
	pages   []string        // addresses that only the chat names
	price   int             // new tokens, 0 if they need no question
	pieces  []chains.Weight // parts of the turn, the heaviest first
	turn    int
	window  int
}

// fitMsg ends a turn before anything was sent, because the user must decide about it.
type fitMsg struct {
	id    int
	pages *pagesAnswer // given before the turn is prepared, nil for none
	fit   fit
	err   error // it does not fit at all
}

// Asks marks the message as a question to the user.
func (fitMsg) Asks() {}

// fill fills in what there is to decide about a turn. It reports whether there is anything that was not
// agreed to.
func (msg *fitMsg) fill(p *chains.PendingTurn, o chains.Options, agreed string) bool {
	if p.TooLong != nil {
		msg.err = errors.New(tooLong(p.TooLong))
		return true
	}
	f := fit{stopped: p.Stopped(), pages: p.UnattachedPages(), turn: p.Envelope.Turn, window: o.Window}
	if cut := p.Envelope.Shortened; slices.ContainsFunc(cut, isDropped) {
		f.cut = cut
	}
	if tokens, dear := p.NeedsCostWarning(); dear {
		f.price, f.pieces = tokens, chains.SortByWeight(p.Weights())
	}
	msg.fit = f
	key := f.agreementKey()
	return key != "" && key != agreed
}

// inSummary is the way of shortening that leaves a summary.
const inSummary = "in a summary"

// isDropped reports whether nothing replaces a shortened part.
func isDropped(c prompt.ShortenedPart) bool { return c.How != inSummary }

// agreementKey identifies what is decided about; "" is nothing. For parts that the user chose for a turn, the
// agreement holds for that turn only.
func (f *fit) agreementKey() (key string) {
	for _, c := range f.cut {
		key += c.How + " " + c.What + "\n"
	}
	for _, m := range f.stopped {
		key += "not sent " + m.Ref.ID + "\n"
	}
	for _, address := range f.pages {
		key += "page " + address + "\n"
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

// takeIn puts the message back into the prompt and asks the user.
func (msg fitMsg) takeIn(c *Chat) tea.Cmd {
	if msg.id != c.Turn.ID || !c.Turn.Running() {
		return nil
	}
	if msg.err != nil {
		return c.abandon(msg.err)
	}
	queued := c.returnMessage()
	return tea.Batch(c.Ask(page.Show{Page: msg.fit.question(c, queued).Guarding()}), c.Forecast())
}

// returnMessage ends a turn that was not sent, and puts its message back into the prompt, or at the head of the queue
// if the prompt is not empty.
func (c *Chat) returnMessage() (queued bool) {
	queued = !c.promptEmpty()
	c.takeBack()
	c.Turn.End()
	c.RefreshShelf()
	return queued
}

// sendWaiting sends a message that returnMessage put back.
func (c *Chat) sendWaiting(queued bool) tea.Cmd {
	if queued {
		return c.SendQueued()
	}
	return c.Send(c.Composer.Take())
}

// sendAnyway sends the waiting message as agreed.
type sendAnyway struct {
	queued bool   // the message is at the head of the queue, else in the prompt
	agreed string // see fit.agreementKey
}

func (msg sendAnyway) takeIn(c *Chat) tea.Cmd {
	c.Estimate.agreed = msg.agreed
	return c.sendWaiting(msg.queued)
}

// pagesAnswer is the answer to the question about the pages that only the chat names.
type pagesAnswer struct {
	addresses []string
	fetch     bool
}

// pagesAnswered sends the waiting message after that answer.
type pagesAnswered struct {
	queued bool // as in sendAnyway
	answer pagesAnswer
}

func (msg pagesAnswered) takeIn(c *Chat) tea.Cmd {
	c.Estimate.pages = &msg.answer
	return sendAnyway{msg.queued, c.Estimate.agreed}.takeIn(c)
}

// question asks whether to send a turn as it is. The message waits in the prompt, or at the head of the
// queue.
func (f *fit) question(c *Chat, queued bool) *page.Question {
	if len(f.pages) > 0 {
		return f.pagesQuestion(c, queued)
	}
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
		q.Rows = append(q.Rows, [2]string{f.describePart(cut), "-" + theme.ShortCount(cut.Tokens) + " tokens"})
	}
	for _, m := range f.stopped {
		q.Rows = append(q.Rows, [2]string{m.Reason, "not sent"})
	}
	q.Answers = []page.Answer{page.Reply("enter", sends, page.Post{Msg: For{c, sendAnyway{queued, f.agreementKey()}}})}
	rest := f.price
	for _, w := range f.pieces[:min(len(f.pieces), 9)] {
		rest -= w.Tokens
		row := w.Ref.Label()
		if w.Notes > 1 {
			row += ", " + theme.Plural(w.Notes, "note")
		}
		q.Rows = append(q.Rows, [2]string{row, "+" + theme.ShortCount(w.Tokens) + " tokens"})
	}
	if rest > 0 && f.price > 0 {
		q.Rows = append(q.Rows, [2]string{"everything else", "+" + theme.ShortCount(rest) + " tokens"})
	}
	q.Answers = append(
		q.Answers,
		page.Reply("m", "a larger model", page.Open{ID: page.Models}),
		page.Reply("F2", "forget something", page.Open{ID: page.Context}),
		page.Reply("esc", "back", nil),
	)
	return q
}

// pagesQuestion asks whether to fetch the pages that only the chat names. What else is to be decided is asked
// afterwards.
func (f *fit) pagesQuestion(c *Chat, queued bool) *page.Question {
	q := &page.Question{Env: c.Env, Title: chains.PagesQuestion(f.pages)}
	for _, address := range f.pages {
		q.Rows = append(q.Rows, [2]string{address, "not attached by you"})
	}
	answer := func(fetch bool) page.Post {
		return page.Post{Msg: For{c, pagesAnswered{queued, pagesAnswer{f.pages, fetch}}}}
	}
	q.Answers = []page.Answer{
		page.Reply("y", "fetches them from public addresses, and sends", answer(true)),
		page.Reply("n", "sends without them", answer(false)),
		page.Reply("esc", "back", nil),
	}
	return q
}

// describePart describes how one part is shortened.
func (f *fit) describePart(c prompt.ShortenedPart) string {
	switch {
	case c.How == inSummary:
		return "folds " + c.What + " into a summary"
	case strings.HasPrefix(c.How, "only "):
		return "leaves " + c.How + " of " + vault.Path(c.What).Base()
	}
	return "leaves out " + c.What
}
