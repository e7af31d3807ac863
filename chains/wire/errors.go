package wire

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"ibid/chains"
	"ibid/vault/md"
)

// redirectError is the error for a redirect to another host, which the client does not follow.
type redirectError string

// Error implements error.
func (m redirectError) Error() string { return "requests are sent on to " + string(m) }

// silence is the error for a server that sent nothing for so long.
type silence time.Duration

// Error implements error.
func (s silence) Error() string { return "no data for " + Seconds(time.Duration(s)) }

// Refused returns the error for a reply with an error status, or for an error that came before any part of the
// reply. model is the requested model.
func (c *Client) Refused(f failure, model string) *chains.ProviderError {
	m, window, asked := f.meaning()
	e := &chains.ProviderError{
		Kind: m.kind, Status: f.Status, Code: cmp.Or(m.code, c.Line(f.Code)),
		RetryAfter: f.RetryAfter, Retryable: m.later, Window: window,
	}
	said := c.Line(f.Message)
	if d := c.Line(f.Detail); d != "" && !strings.Contains(said, d) && len(f.Message) < 60 {
		said = strings.TrimSpace(said + " " + d)
	}
	if said != "" {
		e.Err = errors.New(said)
	}
	advice, tokens := m.advice, ""
	switch {
	case m.kind == chains.ErrAuth && (c.missingKey() != nil || c.redact.hasNoKeys()):
		advice = c.askForKey()
	case window > 0 && asked > window:
		tokens = ": " + md.Thousands(asked) + " of " + md.Thousands(window) + " tokens"
	case window > 0:
		tokens = ", which takes " + md.Thousands(window) + " tokens"
	}
	e.Message = c.fillLine(advice, "{status}", formatStatus(f.Status), "{wait}", formatWait(f.RetryAfter),
		"{model}", c.Line(cmp.Or(model, "this model")), "{asked}", c.Line(model), "{tokens}", tokens) + ProviderSaid(e)
	return e
}

// refusalError returns the error for a reply with an error status. It logs the error with the id of the request, which
// the provider's support asks for.
func (c *Client) refusalError(resp *http.Response, doc []byte, model string) error {
	e := c.Refused(readFailure(resp.StatusCode, resp.Header, doc), model)
	if c.opts.Log != nil {
		id := cmp.Or(resp.Header.Get("Request-Id"), resp.Header.Get("X-Request-Id"))
		c.opts.Log.Warn("refused", "provider", c.name, "model", c.Line(model), "status", e.Status, "kind",
			string(e.Kind), "said", Words(e), "request", c.Line(id))
	}
	return e
}

// NewError returns an error of this kind with a line for the person, see word.
func (c *Client) NewError(kind chains.ErrorKind, line string, pairs ...string) *chains.ProviderError {
	return &chains.ProviderError{Kind: kind, Message: c.fillLine(line, pairs...)}
}

// fillLine fills the gaps of a line for the person with what the client knows, and with pairs of a gap and its text.
func (c *Client) fillLine(line string, pairs ...string) string {
	source := "the configured key"
	if v := c.Provider.KeyVar; v != "" {
		source = "the value of " + v
	}
	return strings.NewReplacer(append(pairs,
		"{name}", c.name, "{host}", c.URL.Host, "{key}", c.Provider.KeyVar,
		"{source}", cmp.Or(c.opts.KeySource, source),
		"{ proxy}", strings.TrimRight(" "+c.Proxy(), " "), "{proxy var}", c.proxyVar,
	)...).Replace(line)
}

// askForKey returns the line that asks for a key.
func (c *Client) askForKey() string {
	if c.Provider.KeyVar == "" {
		return "{name} wants a key, and none is sent to the port of a local server. Start it without one, or give it its own with `ibid provider add`."
	}
	return "No key for {name}. Set {key} or run `ibid provider add {name}`."
}

// failureError returns the error for f: that of a refused request, or of a reply of which something was handed out.
func (in *IncomingReply) failureError(f failure) error {
	c := in.client
	e := c.Refused(f, in.out.Model)
	if !in.Shown {
		return e
	}
	e.Retryable = false
	if e.Kind == chains.ErrConfig || e.Kind == chains.ErrTimeout {
		e.Kind = chains.ErrServer
	}
	why := cmp.Or(c.Line(f.Message), "it gave no reason")
	e.Message = c.fillLine("{name} stopped the reply: {why}. Text kept.", "{why}", strings.TrimRight(why, ". "))
	return e
}

func formatStatus(status int) string {
	if status == 0 {
		return ""
	}
	return " (" + strconv.Itoa(status) + ")"
}

// ProviderSaid returns the provider's message as a final sentence, "" if there is none.
func ProviderSaid(e *chains.ProviderError) string {
	if e.Err == nil {
		return ""
	}
	return " It said: " + strings.TrimRight(e.Err.Error(), ". ") + "."
}

func formatWait(d time.Duration) string {
	if d <= 0 {
		return "in a moment"
	}
	return "in " + Seconds(d)
}

// Seconds formats a duration for the person: 7 s, 5 min, 2 h. It rounds up.
func Seconds(d time.Duration) string {
	unit, name := time.Second, "s"
	switch {
	case d >= 2*time.Hour:
		unit, name = time.Hour, "h"
	case d >= 2*time.Minute:
		unit, name = time.Minute, "min"
	}
	return fmt.Sprintf("%d %s", (d+unit-1)/unit, name)
}

// Line returns text for the person, on one line and without keys.
func (c *Client) Line(s string) string { return c.redact.line(s) }

// Unfinished returns the error for a reply without an end; last is its last frame.
func (in *IncomingReply) Unfinished(last Frame) error {
	c := in.client
	why := map[Kind]string{
		EndDone:    "it stopped without saying why",
		EndEOF:     "the connection was closed",
		EndBroken:  "connection lost",
		EndTimeout: string(last.Data),
		EndTooLong: "one piece was larger than 8 MB, or 256 MB brought nothing",
	}[last.Kind]
	kind, line := chains.ErrNetwork, "{name} closed the connection without a reply. Try again; your message is kept."
	switch {
	case in.Said:
		kind, line = chains.ErrCutOff, "Reply cut off after {words} ({why}). Text kept."
	case in.Shown:
		kind, line = chains.ErrCutOff, "Reply cut off while the model was thinking ({why})."
	case in.Alien != "":
		kind, line = chains.ErrBadReply,
			"{name} sent no chat reply: {alien}. Check base_url, and any proxy or login page on the way."
	case last.Kind == EndTimeout:
		kind, line = chains.ErrTimeout,
			"{name} began to answer and sent nothing ({why}). Try again, or choose another model."
	case last.Kind == EndDone, last.Kind == EndTooLong:
		kind, line = chains.ErrBadReply, "{name} sent an empty reply ({why}). Try again, or choose another model."
	}
	e := c.NewError(kind, line, "{why}", why, "{words}", md.Plural(in.words, "word"), "{alien}",
		strings.TrimRight(c.Line(in.Alien), ". "))
	e.Retryable = kind == chains.ErrNetwork
	if last.Kind == EndBroken && len(last.Data) > 0 {
		e.Err = fmt.Errorf("%s: %s", why, c.Line(string(last.Data)))
	}
	return e
}

// emptyReplyError returns the error for a reply that ended properly without text. said is the server's word for the
// end.
func (in *IncomingReply) emptyReplyError(finish chains.Finish, said string) error {
	line, tokens := "The model sent no text (finish: {said}).", 0
	if u := in.Usage; u != nil && (u.Reasoning > 0 || in.Thought) {
		tokens = u.Completion
	}
	switch {
	case finish == chains.FinishFilter:
		line = "{name} withheld the reply (finish: {said}). Word the question differently, or choose another model."
	case finish == chains.FinishLength && tokens > 0:
		line = "The model sent no text (finish: length, all {tokens} tokens went into thinking). Raise the limit on the reply."
	}
	return in.client.NewError(chains.ErrBadReply, line,
		"{said}", in.client.Line(said), "{tokens}", md.Thousands(tokens))
}

// ErrorOf returns the provider error in err, an empty one if there is none.
func ErrorOf(err error) *chains.ProviderError {
	if e, ok := errors.AsType[*chains.ProviderError](err); ok {
		return e
	}
	return &chains.ProviderError{}
}

// Words returns the provider's message of an error in lower case, "" if there is none.
func Words(err error) string {
	if e := ErrorOf(err); e.Err != nil {
		return strings.ToLower(e.Err.Error())
	}
	return ""
}
