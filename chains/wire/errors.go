package wire

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"ibid/chains"
	"ibid/context/prompt"
)

var errMoved = errors.New("redirect refused")

// silence is the error for a server that said nothing for so long.
type silence time.Duration

// Error implements error.
func (s silence) Error() string { return "no data for " + Seconds(time.Duration(s)) }

// silentFor is for how long a server said nothing, 0 if err is about something else.
func silentFor(err error) time.Duration {
	var s silence
	errors.As(err, &s)
	return time.Duration(s)
}

// Refused makes the error for a reply with an error status, or for an error
// that arrived before any of the reply. model is what was asked for.
func (c *Client) Refused(f Failure, model string) *chains.ProviderError {
	kind := sortFailure(f)
	noTools := refusesTools(f)
	if noTools {
		kind = chains.ErrConfig
	}
	said := c.redact.line(f.Message)
	if d := c.redact.line(f.Detail); d != "" && !strings.Contains(said, d) && len(f.Message) < 60 {
		said = strings.TrimSpace(said + " " + d)
	}
	e := &chains.ProviderError{
		Kind: kind, Status: f.Status, Code: c.redact.line(f.Code), RetryAfter: f.RetryAfter,
		Retryable: (kind == chains.ErrRate || kind == chains.ErrServer || kind == chains.ErrTimeout) && !hopeless(f),
	}
	if said != "" {
		e.Err = errors.New(said)
	}
	if noTools {
		e.Code, e.Message = chains.NoTools, fmt.Sprintf("%s takes no tools for this model%s.%s", c.name, inBrackets(e.Status), detail(said))
	} else {
		e.Message = c.failureLine(e, f, model) + detail(said)
	}
	return e
}

// failureLine words a failure for a person; what the server said follows it.
func (c *Client) failureLine(e *chains.ProviderError, f Failure, model string) string {
	name := c.name
	switch e.Kind {
	case chains.ErrAuth:
		return c.authLine(e.Status)
	case chains.ErrQuota:
		return fmt.Sprintf("Out of credit at %s%s. Add credit there or choose another model; your message is kept.", name, inBrackets(e.Status))
	case chains.ErrContext:
		return contextLine(e, f, model)
	case chains.ErrRate:
		if hopeless(f) {
			return fmt.Sprintf("More tokens than %s takes in a minute%s. Detach notes, start a new chat, or choose another model.", name, inBrackets(e.Status))
		}
		return fmt.Sprintf("Rate limited by %s%s. Try again %s, or choose another model.", name, inBrackets(e.Status), inWhile(e.RetryAfter))
	case chains.ErrServer, chains.ErrTimeout:
		return fmt.Sprintf("%s is not answering%s. Try again %s; your message is kept.", name, inBrackets(e.Status), inWhile(e.RetryAfter))
	}
	switch {
	case missingModel().MatchString(f.words()) && (e.Status == 0 || e.Status >= 400 && e.Status < 500):
		e.Code = NoSuchModel
		return c.noModelLine(model, nil)
	case e.Status == 404:
		return fmt.Sprintf("%s has no chat at this address (404): check base_url, which usually ends in /v1.", name)
	case e.Status == 407:
		return fmt.Sprintf("The proxy%s wants a name and a password (407): put them into %s as http://NAME:PASSWORD@HOST.", namedProxy(c.Proxy()), c.proxyVar())
	}
	return fmt.Sprintf("%s refused the request%s.", name, inBrackets(e.Status))
}

// hopeless says that a request is larger than what the server takes in a minute:
// waiting does not help.
func hopeless(f Failure) bool {
	said := f.words()
	limit, asked, ok := tokensIn(minuteNamed(), said)
	return perMinute().MatchString(said) && (ok && asked > limit || !ok && strings.Contains(said, "request too large"))
}

// authLine says which key was refused, and where it came from.
func (c *Client) authLine(status int) string {
	switch {
	case c.missingKey() != nil || len(c.redact.keys) == 0:
		return c.noKeyLine()
	case status == 403:
		return fmt.Sprintf("%s does not allow this request (403). Checked: %s.", c.name, c.keySource())
	}
	return fmt.Sprintf("%s refused the key%s. Checked: %s.", c.name, inBrackets(status), c.keySource())
}

func (c *Client) noKeyLine() string {
	switch v := c.Provider.KeyVar; {
	case v == "":
		return fmt.Sprintf("%s wants a key, and none is sent to the port of a local server. Start it without one, or give it its own with `ibid provider add`.", c.name)
	case c.Provider.Needed():
		return fmt.Sprintf("No key for %s. Set %s or run `ibid provider add %s`.", c.name, v, c.name)
	default:
		return fmt.Sprintf("%s wants a key. Set %s.", c.name, v)
	}
}

func (c *Client) keySource() string {
	if c.Provider.KeyVar == "" {
		return cmp.Or(c.opts.KeySource, "the configured key")
	}
	return cmp.Or(c.opts.KeySource, "the value of "+c.Provider.KeyVar)
}

// contextLine says how much too long the prompt is, and sets e.Window.
func contextLine(e *chains.ProviderError, f Failure, model string) string {
	window, asked, _ := readTooLong(f.words())
	e.Window = window
	model = cmp.Or(model, "this model")
	const advice = "Detach notes or start a new chat."
	switch {
	case window > 0 && asked > window:
		return fmt.Sprintf("Too long for %s: %s of %s tokens. %s", model, prompt.Thousands(asked), prompt.Thousands(window), advice)
	case window > 0:
		return fmt.Sprintf("Too long for %s, which takes %s tokens. %s", model, prompt.Thousands(window), advice)
	}
	return fmt.Sprintf("Too long for %s. %s", model, advice)
}

// stopped makes the error for an error that arrived inside a reply of which
// something was already handed out.
func (c *Client) stopped(f Failure, model string) *chains.ProviderError {
	e := c.Refused(f, model)
	e.Retryable = false
	if e.Kind == chains.ErrConfig || e.Kind == chains.ErrTimeout {
		e.Kind = chains.ErrServer
	}
	why := cmp.Or(c.redact.line(f.Message), "it gave no reason")
	e.Message = fmt.Sprintf("%s stopped the reply: %s. Text kept.", c.name, strings.TrimRight(why, ". "))
	return e
}

func inBrackets(status int) string {
	if status == 0 {
		return ""
	}
	return " (" + strconv.Itoa(status) + ")"
}

// detail is what the provider said, as a last sentence.
func detail(said string) string {
	if said == "" {
		return ""
	}
	return " It said: " + strings.TrimRight(said, ". ") + "."
}

func inWhile(d time.Duration) string {
	if d <= 0 {
		return "in a moment"
	}
	return "in " + Seconds(d)
}

// Seconds is d for a person: 7 s, 5 min, 2 h.
func Seconds(d time.Duration) string {
	switch {
	case d >= 2*time.Hour:
		return fmt.Sprintf("%d h", int((d+time.Hour-1)/time.Hour))
	case d >= 2*time.Minute:
		return fmt.Sprintf("%d min", int((d+time.Minute-1)/time.Minute))
	}
	return fmt.Sprintf("%d s", int((d+time.Second-1)/time.Second))
}

// Line is text for a person, on one line and without keys.
func (c *Client) Line(s string) string { return c.redact.line(s) }

// Tally is what of a reply was handed out so far: what the words about its end
// need to know.
type Tally struct {
	Shown   bool // anything
	Said    bool // text among it
	Thought bool // reasoning among it
	Usage   *chains.Usage
	Alien   string // the first thing that was no part of a reply
	words   int
	inWord  bool
}

// Add counts what is about to be handed out.
func (t *Tally) Add(d chains.Delta) {
	t.Said = t.Said || d.Text != ""
	t.Thought = t.Thought || d.Reasoning != ""
	t.Shown = t.Shown || t.Said || t.Thought || len(d.ToolCalls) > 0
	for _, c := range d.Text {
		space := unicode.IsSpace(c)
		if !space && !t.inWord {
			t.words++
		}
		t.inWord = !space
	}
}

// KeepAlien keeps the first thing that was no part of a reply.
func (t *Tally) KeepAlien(b []byte) {
	if t.Alien == "" {
		t.Alien = plainMessage(string(b[:min(len(b), maxHead)]))
	}
}

// unfinished is the error for a reply without an end; last is its last frame.
func (c *Client) unfinished(t *Tally, last Frame) error {
	because := map[Kind]string{
		EndDone:    "it stopped without saying why",
		EndEOF:     "the connection was closed",
		EndBroken:  "connection lost",
		EndTimeout: "no data for " + string(last.Data),
		EndTooLong: "one piece was larger than 8 MB, or 256 MB brought nothing",
	}[last.Kind]
	e := &chains.ProviderError{Kind: chains.ErrCutOff}
	if last.Kind == EndBroken && len(last.Data) > 0 {
		e.Err = fmt.Errorf("%s: %s", because, c.Line(string(last.Data)))
	}
	switch {
	case t.Said:
		e.Message = fmt.Sprintf("Reply cut off after %d %s (%s). Text kept.", t.words, plural(t.words, "word"), because)
	case t.Shown:
		e.Message = fmt.Sprintf("Reply cut off while the model was thinking (%s).", because)
	case t.Alien != "":
		e.Kind = chains.ErrBadReply
		e.Message = fmt.Sprintf("%s sent no chat reply: %s. Check base_url, and any proxy or login page on the way.", c.name, strings.TrimRight(c.Line(t.Alien), ". "))
	case last.Kind == EndTimeout:
		e.Kind = chains.ErrTimeout
		e.Message = fmt.Sprintf("%s began to answer and sent nothing (%s). Try again, or choose another model.", c.name, because)
	case last.Kind == EndDone, last.Kind == EndTooLong:
		e.Kind = chains.ErrBadReply
		e.Message = fmt.Sprintf("%s sent an empty reply (%s). Try again, or choose another model.", c.name, because)
	default:
		e.Kind, e.Retryable = chains.ErrNetwork, true
		e.Message = fmt.Sprintf("%s closed the connection without a reply. Try again; your message is kept.", c.name)
	}
	return e
}

// silent is the error for a reply that ended properly and holds nothing. said is
// the server's own word for the end.
func (c *Client) silent(t *Tally, finish chains.Finish, said string) error {
	said = c.Line(said)
	what := "The model sent no text (finish: " + said + ")."
	switch {
	case finish == chains.FinishFilter:
		what = c.name + " withheld the reply (finish: " + said + "). Word the question differently, or choose another model."
	case finish == chains.FinishLength && t.Usage != nil && t.Usage.Completion > 0 && (t.Usage.Reasoning > 0 || t.Thought):
		what = fmt.Sprintf("The model sent no text (finish: length, all %s tokens went into thinking). Raise the limit on the reply.", prompt.Thousands(t.Usage.Completion))
	case finish == chains.FinishLength:
		what = "The model sent no text (finish: length). Raise the limit on the reply, or shorten the context."
	case t.Thought:
		what = "The model only thought and sent no text (finish: " + said + "). Try again."
	}
	return &chains.ProviderError{Kind: chains.ErrBadReply, Message: what}
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
