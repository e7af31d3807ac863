package prompt

import "fmt"

// summaryPrompt asks for a summary, as one more message of the conversation.
const summaryPrompt = "Before we go on: summarize our conversation so far in at most %d tokens, in its own language, for yourself. The oldest part of it will be left out, and the summary stands in for it. " +
	"Keep decisions, numbers, names, paths of notes as [[wikilinks]], what earlier summaries and your notes to yourself say that still matters, and questions that are still open. Write nothing but the summary."

// Summarize is the request for a summary of the conversation so far, to be sent
// after this request was answered, and the most tokens that the summary should
// have: the same messages, the reply to the last of them as it came, and one
// message more, so that a cache has all but that. It is nil while the prompt fills
// less than 60 % of what fits, when a summary was asked for since turns were
// folded last, or when it would not fit or be of no use.
func (e Envelope) Summarize(reply string) (messages []Message, tokens int) {
	if e.budget.Window <= 0 {
		return nil, 0
	}
	l, c := e.budget.levels(), &e.next
	tokens = min(summaryTokens, l.limit/10)
	ask := fmt.Sprintf(summaryPrompt, tokens)
	more := e.count(reply)
	switch {
	case c.summary.turns > 0, 10*(e.lasting+more) < 6*l.limit:
		return nil, 0
	case c.historyTokens(c.fold)+more < 2*tokens: // there is next to nothing that could be folded
		return nil, 0
	}
	return e.Then(reply, ask, tokens), tokens
}

// Then is a request besides the conversation, such as for a title, to be sent after
// this request was answered: the same messages, the reply to the last of them as it
// came, and one message more, so that a cache has all but that. It is nil if it does
// not fit with an answer of so many tokens.
func (e Envelope) Then(reply, ask string, tokens int) []Message {
	if e.budget.Window > 0 && e.Predicted.Counted+e.count(reply)+e.count(ask)+tokens > e.budget.counted(e.budget.Window) {
		return nil
	}
	return append(e.Messages(), Message{Role: Assistant, Content: reply}, Message{Role: User, Content: ask})
}

// Summarized gives the conversation what a model wrote about all of it so far; ""
// says that there will be no summary. It is used when turns have to be folded.
func (c Conversation) Summarized(text string) Conversation {
	c.summary = summary{c.turns, CanonicalText(text)}
	return c
}
