package chains

import (
	"context"
	"errors"
	"log/slog"
	"strings"

	"ibid/context/prompt"
	"ibid/history"
	"ibid/vault/md"
)

// Titles says how chats get titles from a model. The zero value asks for none.
type Titles struct {
	Ask   bool   // one can be asked for
	Auto  bool   // one is, once a chat without a title has its first answer
	Model Model  // who is asked, nil for the model of the conversation
	Name  string // of Model, as the provider spells it

	// Own gives a title without a request; nil asks the model.
	Own func(question string, documents []prompt.Item) string
}

// ErrNoTitle is returned where no title can be asked for.
var ErrNoTitle = errors.New("no model is asked for titles here: /title TEXT sets one")

// titleTokens is the longest answer to the request for a title.
const titleTokens = 30

// titlePrompt asks for a title, as one more message of the conversation or in front
// of its beginning.
const titlePrompt = "Before we go on: give our conversation so far a title of at most five words, in its own language. Write nothing but the title, without quotes."

// What of a conversation is shown to a model that has not read it.
const (
	titleMessages = 6
	titleLength   = 200 // characters of each message
)

// exchange is the last turn that ended well, at a version of the session: as long
// as that is the version, its request with the answer is what the model knows.
type exchange struct {
	version int
	reply   string // as it came
	named   bool   // a title was asked for unbidden, or is not to be
	usage   *Usage // of the last turn that reported one
}

// mostTurns is in how many turns a chat may get a title unbidden: the first may be
// over before there is one.
const mostTurns = 3

// TitleRequest is the asking for a title. It runs beside the session, in any goroutine
// and one at a time; ending its context gives it up.
type TitleRequest struct {
	s       *Session
	model   Model
	request Request
	log     *slog.Logger
	had     string // title of the chat when it was asked

	title string
	usage *Usage
	err   error
}

// Naming prepares to ask for a title. With first it is nil unless the chat, which
// began here, has just had its first answer or one of the next, is saved and has no
// title, and titles are asked for unbidden.
// What is asked is the request of the last turn with one message more, which a
// provider's cache holds but for that; if there is none, or another model is to
// answer, a short request with the beginning of the conversation.
func (s *Session) Naming(first bool) (*TitleRequest, error) {
	if !s.busy.TryLock() {
		return nil, ErrBusy
	}
	defer s.busy.Unlock()
	c, t := &s.chat, &s.opts.Background.Titles
	switch {
	case first &&
		(!t.Auto || s.last.named || c.Title != "" || c.Turns() > mostTurns || c.Path == "" || c.ReadOnly ||
			!s.last.at(s.version)):
		return nil, nil
	case !t.Ask:
		return nil, ErrNoTitle
	case c.ReadOnly:
		return nil, errReadOnly
	case len(c.Messages) == 0:
		return nil, ErrNothing
	}
	n := &TitleRequest{s: s, had: c.Title, log: s.opts.Log}
	if t.Own != nil {
		question, documents := firstAsked(s)
		n.title = history.CleanTopic(t.Own(question, documents))
		return n, nil
	}
	if n.model = t.Model; n.model == nil {
		n.model = s.opts.Model
		if i := len(s.requests) - 1; i >= 0 && s.last.at(s.version) {
			if messages := s.requests[i].Then(s.last.reply, titlePrompt, titleTokens); messages != nil {
				n.request = s.request(s.requests[i], messages)
			}
		}
	}
	if n.request.Messages == nil {
		n.request = Request{Model: s.opts.ModelName, Messages: titleRequest(c)}
	}
	if t.Model != nil {
		n.request.Model = t.Name
	}
	n.request.Question, n.request.MaxTokens = titlePrompt, tokensAside(s, n.request.Model, titleTokens)
	return n, nil
}

// at reports whether the last turn ended well and nothing has changed since.
func (e *exchange) at(version int) bool { return e.reply != "" && e.version == version }

// firstAsked is the first question of the chat, and what the model was shown.
func firstAsked(s *Session) (question string, documents []prompt.Item) {
	for _, m := range s.chat.Display() {
		if m.Role == history.User {
			question = m.Text
			break
		}
	}
	if n := len(s.requests); n > 0 {
		documents = s.requests[n-1].Documents()
	}
	return question, documents
}

// titleRequest is a request for a title that shows the beginning of a chat.
func titleRequest(c *history.Chat) []prompt.Message {
	var b strings.Builder
	b.WriteString(titlePrompt + "\n\nIt begins:\n")
	for i, m := range c.Display() {
		if i > titleMessages {
			break
		}
		b.WriteString("\n" + string(m.Role) + ": " + md.Clip(md.OneLine(m.Text), titleLength))
	}
	return []prompt.Message{{Role: prompt.User, Content: b.String()}}
}

// Ask asks for the title and waits for it. What goes wrong is logged.
func (n *TitleRequest) Ask(ctx context.Context) {
	if n.model == nil {
		return
	}
	var text string
	text, n.usage, n.err = wholeReply(ctx, n.model, n.request, nil)
	n.title = history.CleanTopic(text)
	n.log.DebugContext(ctx, "title", "model", n.request.Model, "bytes", len(text), "err", n.err)
}

// Apply gives the chat the title that Ask brought, unless it has got another one
// meanwhile, adds what the asking has cost, and saves. The file keeps its name.
// The title is "" if the chat's did not change; the error says why not.
func (n *TitleRequest) Apply() (title string, err error) {
	s := n.s
	if !s.busy.TryLock() {
		return "", ErrBusy
	}
	defer s.busy.Unlock()
	spendAside(s, n.request.Model, n.usage)
	s.last.named = s.last.named || !errors.Is(n.err, context.Canceled)
	switch {
	case s.chat.Title != n.had || s.chat.ReadOnly:
	case n.title != "":
		title, s.chat.Title = n.title, n.title
	case n.err == nil:
		n.err = errors.New("the model gave no title")
	}
	_, err = s.saveAgain()
	return title, errors.Join(n.err, err)
}
