package prompt

import "fmt"

// summaryPrompt asks for a summary, as one more message of the conversation.
const summaryPrompt = "Before we go on: summarize our conversation so far in at most %d tokens, in its own language, for yourself. The oldest part of it will be left out, and the summary stands in for it. " +
	"Keep decisions, numbers, names, paths of notes as [[wikilinks]], what earlier summaries and your notes to yourself say that still matters, and questions that are still open. Write nothing but the summary."

// Summarize returns a request for a summary of the conversation, to be sent after the reply, and the maximum tokens
// of the summary: the same messages, the unchanged reply, and one more message, so that a cache has everything
// else. It returns nil while the prompt fills less than 60 % of what fits, if a summary was requested since turns
// were last folded, or if it would not fit or not help.
func (e Envelope) Summarize(reply string) (messages []Message, tokens int) {
	if e.budget.Window <= 0 {
		return nil, 0
	}
	l, c := e.budget.levels(), &e.next
	tokens = min(summaryTokens, l.limit/10)
	ask := fmt.Sprintf(summaryPrompt, tokens)
	more := e.count(reply)
	switch {
	case c.summary.turns > 0, 10*(e.repeatedTokens+more) < 6*l.limit:
		return nil, 0
	case c.historyTokens(c.fold)+more < 2*tokens: // there is almost nothing to fold
		return nil, 0
	}
	return e.Then(reply, ask, tokens), tokens
}

// Then returns a request besides the conversation, such as for a title, to be sent after the reply: the same
// messages, the unchanged reply, and one more message, so that a cache has everything else. It returns nil if that
// does not fit with an answer of so many tokens.
func (e Envelope) Then(reply, ask string, tokens int) []Message {
	if e.budget.Window > 0 &&
		e.Predicted.Counted+e.count(reply)+e.count(ask)+tokens > e.budget.counted(e.budget.Window) {
		return nil
	}
	return append(e.Messages(), Message{Role: Assistant, Content: reply}, Message{Role: User, Content: ask})
}

// Summarized adds a summary of the whole conversation so far; "" records that there will be none. It is used when
// turns have to be folded.
func (c Conversation) Summarized(text string) Conversation {
	c.summary = summary{c.turns, CanonicalText(text)}
	return c
}
