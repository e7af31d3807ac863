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

// Titles configures how chats get titles from a model. The zero value asks for none.
type Titles struct {
	Ask   bool   // titles may be requested
	Auto  bool   // one is requested automatically after the first answer of a chat without a title
	Model Model  // model for titles, nil for that of the conversation
	Name  string // the provider's name of Model
}

// ErrNoTitle is returned if no title may be requested.
var ErrNoTitle = errors.New("no model is asked for titles here: /title TEXT sets one")

// titleTokens limits the answer to the request for a title.
const titleTokens = 30

// titlePrompt asks for a title, as a further message of the conversation or before a copy of its beginning.
const titlePrompt = "Before we go on: give our conversation so far a title of at most five words, in its own language. Write nothing but the title, without quotes."

// Size of the beginning of a conversation that is shown to a model that has not read it.
const (
	titleMessages = 6
	titleLength   = 200 // characters of each message
)

// exchange describes the last turn that ended well. As long as the session still has this version, its request and
// the reply are what the model knows.
type exchange struct {
	version int
	reply   string // unchanged
	named   bool   // the automatic title was requested, or must not be
	usage   *Usage // of the last turn that reported one
}

// maxTitleTurn is the last turn after which a chat gets an automatic title. It is more than 1 because the first turn
// may end before there is an answer.
const maxTitleTurn = 3

// TitleRequest requests a title. It runs beside the session, in any goroutine and one at a time; cancelling its
// context stops it.
type TitleRequest struct {
	s       *Session
	model   Model
	request Request
	log     *slog.Logger
	had     string // title of the chat before the request

	title string
	usage *Usage
	err   error
}

// Naming prepares a request for a title. With first it returns nil unless titles are automatic and the chat, which
// must be new in this session, saved, writable and without a title, has just had one of its first answers.
//
// The request is that of the last turn with one more message, so that the provider has the rest in its cache. If
// there is none, or another model writes titles, it is a short request with the beginning of the conversation.
func (s *Session) Naming(first bool) (*TitleRequest, error) {
	if !s.busy.TryLock() {
		return nil, ErrBusy
	}
	defer s.busy.Unlock()
	c, t := &s.chat, &s.opts.Background.Titles
	switch {
	case first &&
		(!t.Auto || s.last.named || c.Title != "" || c.Turns() > maxTitleTurn || c.Path == "" || c.ReadOnly ||
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
	n.request.Question, n.request.MaxTokens = titlePrompt, sideRequestTokens(s, n.request.Model, titleTokens)
	return n, nil
}

// at reports whether the last turn ended well and nothing has changed since.
func (e *exchange) at(version int) bool { return e.reply != "" && e.version == version }

// titleRequest returns a request for a title that contains the beginning of a chat.
func titleRequest(c *history.Chat) []prompt.Message {
	var b strings.Builder
	b.WriteString(titlePrompt + "\n\nIt begins:\n")
	for _, m := range c.Messages[:min(len(c.Messages), titleMessages)] {
		b.WriteString("\n" + string(m.Role) + ": " + md.Clip(md.OneLine(m.Text), titleLength))
	}
	return []prompt.Message{{Role: prompt.User, Content: b.String()}}
}

// Ask sends the request and waits for the title. Errors are logged and kept for Apply.
func (n *TitleRequest) Ask(ctx context.Context) {
	var text string
	text, n.usage, n.err = wholeReply(ctx, n.model, n.request, nil)
	n.title = history.CleanTopic(text)
	n.log.DebugContext(ctx, "title", "model", n.request.Model, "bytes", len(text), "err", n.err)
}

// Apply sets the title of the chat, unless that changed meanwhile, adds the cost of the request, and saves. The
// file keeps its name. title is "" if the title did not change; the error says why.
func (n *TitleRequest) Apply() (title string, err error) {
	s := n.s
	err = s.changeAndSave(func() error {
		spendSideRequest(s, n.request.Model, n.usage)
		s.last.named = s.last.named || !errors.Is(n.err, context.Canceled)
		switch {
		case s.chat.Title != n.had || s.chat.ReadOnly:
		case n.title != "":
			title, s.chat.Title = n.title, n.title
		case n.err == nil:
			n.err = errors.New("the model gave no title")
		}
		return nil
	})
	return title, errors.Join(n.err, err)
}
