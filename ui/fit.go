package ui

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/ui/theme"
	"ibid/vault"
)

// fit is what makes a turn fit the window that does not fit as it is.
type fit struct {
	cut    []prompt.Shortened
	window int
}

// fitMsg ends a turn before anything was sent: it does not fit as it is.
type fitMsg struct {
	id  int
	fit fit
	err error // it does not fit at all
}

// tight says that a turn does not fit the window as it is; nil if it does, or if
// what makes it fit was agreed to.
func tight(p *chains.Pending, o chains.Options, id int, agreed string) tea.Msg {
	cut := p.Envelope.Shortened
	switch {
	case p.TooLong != nil:
		return fitMsg{id: id, err: errors.New(tooLong(p.TooLong))}
	case slices.ContainsFunc(cut, loses) && cutKey(cut) != agreed:
		return fitMsg{id: id, fit: fit{cut, o.Window}}
	}
	return nil
}

// inSummary is how things are shortened for which something else stands.
const inSummary = "in a summary"

// loses reports whether nothing stands in for what is shortened.
func loses(c prompt.Shortened) bool { return c.How != inSummary }

// tooLong says that a turn does not fit at all, and what can be done about it.
func tooLong(err *prompt.TooLongError) string {
	text := fmt.Sprintf("too long: about %s tokens where %s fit", theme.Comma(err.Tokens), theme.Comma(err.Limit))
	attached := 0
	for _, a := range err.Largest {
		attached += a.Tokens
	}
	if len(err.Largest) > 0 && 3*attached > err.Tokens {
		text += fmt.Sprintf("; the heaviest is %s with %s", refLabel(err.Largest[0].Ref), theme.Short(err.Largest[0].Tokens))
	} else {
		text += fmt.Sprintf("; the message has %s, the instructions %s", theme.Short(err.Question), theme.Short(err.Instructions))
	}
	return text + ". ctrl+l: a model with a larger window; F2: forget notes; ctrl+n: a new chat"
}

// cutKey tells one set of what is shortened from another.
func cutKey(cut []prompt.Shortened) (key string) {
	for _, c := range cut {
		key += c.How + " " + c.What + "\n"
	}
	return key
}

// askFit gives the message back and asks what to do.
func (m *Model) askFit(msg fitMsg) tea.Cmd {
	if msg.id != m.k.turn.id || !m.k.turn.running() {
		return nil
	}
	if msg.err != nil {
		return m.abandon(msg.err)
	}
	queued := !m.composer.Empty()
	m.takeBack()
	m.k.turn.end()
	m.refreshShelf()
	return tea.Batch(m.setPage(msg.fit.question(&m.k, queued)), m.forecast())
}

// question asks whether a turn shall be sent that fits only if something else is
// shortened. The message waits in the prompt, or at the head of the queue.
func (f *fit) question(k *known, queued bool) *question {
	q := &question{k: k, title: "To fit the window of " + theme.Short(f.window) + " tokens, this turn"}
	for _, c := range f.cut {
		q.rows = append(q.rows, [2]string{f.words(c), "-" + theme.Short(c.Tokens) + " tokens"})
	}
	q.answers = []answer{
		{Hint{"enter", "sends"}, sendAnyway{queued, cutKey(f.cut)}},
		{Hint{"m", "a larger model"}, openPage{kind: pageModels}},
		{Hint{"F2", "forget something"}, openPage{kind: pageContext}},
		{Hint{"esc", "back"}, nil},
	}
	return q
}

// words say what becomes of one thing.
func (f *fit) words(c prompt.Shortened) string {
	switch {
	case c.How == inSummary:
		return "folds " + c.What + " into a summary"
	case strings.HasPrefix(c.How, "only "):
		return "leaves " + c.How + " of " + vault.Path(c.What).Base()
	}
	return "leaves out " + c.What
}
