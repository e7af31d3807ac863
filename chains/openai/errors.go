package openai

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"syscall"
	"time"

	"ibid/chains"
)

var (
	errFirstByte = errors.New("no answer in time")
	errIdle      = errors.New("no data in time")
	errMoved     = errors.New("redirect refused")
)

// fromStatus makes the error for a reply with an error status, or for an error
// that arrived before any of the reply.
func (c *Client) fromStatus(f failure, model string) *chains.ProviderError {
	kind := sortFailure(f)
	said := c.redact.line(strings.TrimSpace(f.message))
	if d := c.redact.line(f.detail); d != "" && !strings.Contains(said, d) && len(f.message) < 60 {
		said = strings.TrimSpace(said + " " + d)
	}
	e := &chains.ProviderError{
		Kind: kind, Status: f.status, Code: c.redact.line(f.code), RetryAfter: f.retryAfter,
		Retryable: kind == chains.ErrRate || kind == chains.ErrServer || kind == chains.ErrTimeout,
	}
	if said != "" {
		e.Err = errors.New(said)
	}
	e.Message = c.failureLine(e, f, said, model)
	return e
}

// failureLine words a failure for a person.
func (c *Client) failureLine(e *chains.ProviderError, f failure, said, model string) string {
	name := c.name
	switch e.Kind {
	case chains.ErrAuth:
		return c.authLine(e.Status, said)
	case chains.ErrQuota:
		return fmt.Sprintf("Out of credit at %s%s. Add credit there or choose another model; your message is kept.%s", name, inBrackets(e.Status), detail(said))
	case chains.ErrContext:
		return contextLine(e, f, said, model)
	case chains.ErrRate:
		return fmt.Sprintf("Rate limited by %s%s. Try again %s, or choose another model.%s", name, inBrackets(e.Status), inWhile(e.RetryAfter), detail(said))
	case chains.ErrServer, chains.ErrTimeout:
		return fmt.Sprintf("%s is not answering%s. Try again %s; your message is kept.%s", name, inBrackets(e.Status), inWhile(e.RetryAfter), detail(said))
	}
	asked := strings.ToLower(f.message + "\n" + f.code + "\n" + f.kind + "\n" + f.detail)
	switch {
	case missingModel.MatchString(asked) && (e.Status == 0 || e.Status >= 400 && e.Status < 500):
		e.Code = codeModel
		return fmt.Sprintf("Model %q not found at %s. Choose another one with /model or --model; `ibid models` lists them.", c.redact.line(model), name)
	case e.Status == 404:
		return fmt.Sprintf("%s has no chat completions at this address (404): check base_url, which usually ends in /v1.%s", name, detail(said))
	}
	return fmt.Sprintf("%s refused the request%s%s", name, inBrackets(e.Status), orDot(said))
}

// authLine says which key was refused, and where it came from.
func (c *Client) authLine(status int, said string) string {
	switch {
	case c.missingKey() != nil || c.opts.Key == "" && len(c.redact.keys) == 0:
		return c.noKeyLine()
	case status == 403:
		return fmt.Sprintf("%s does not allow this request (403). Checked: %s.%s", c.name, c.keySource(), detail(said))
	}
	return fmt.Sprintf("%s refused the key%s. Checked: %s.%s", c.name, inBrackets(status), c.keySource(), detail(said))
}

func (c *Client) noKeyLine() string {
	switch v := c.provider.KeyVar; {
	case v == "":
		return fmt.Sprintf("%s wants a key, and none is sent to the port of a local server. Start it without one, or on another port.", c.name)
	case c.provider.Needed():
		return fmt.Sprintf("No key for %s. Set %s.", c.name, v)
	default:
		return fmt.Sprintf("%s wants a key. Set %s.", c.name, v)
	}
}

func (c *Client) keySource() string {
	switch {
	case c.opts.KeySource != "":
		return c.opts.KeySource
	case c.provider.KeyVar != "":
		return "the value of " + c.provider.KeyVar
	}
	return "the configured key"
}

// contextLine says how much too long the prompt is, and sets e.Window.
func contextLine(e *chains.ProviderError, f failure, said, model string) string {
	all := f.message + " " + f.detail
	e.Window = tokensNamed(windowNamed, all)
	asked := tokensNamed(promptNamed, all)
	if model == "" {
		model = "this model"
	}
	const advice = "Detach notes or start a new chat."
	switch {
	case e.Window > 0 && asked > e.Window:
		return fmt.Sprintf("Too long for %s: %s of %s tokens. %s", model, thousands(asked), thousands(e.Window), advice)
	case e.Window > 0:
		return fmt.Sprintf("Too long for %s, which takes %s tokens. %s", model, thousands(e.Window), advice)
	}
	return fmt.Sprintf("Too long for %s. %s%s", model, advice, detail(said))
}

// fromFrame makes the error for an error that arrived inside a reply of which
// something was already handed out.
func (c *Client) fromFrame(f failure, model string) *chains.ProviderError {
	e := c.fromStatus(f, model)
	e.Retryable = false
	switch e.Kind {
	case chains.ErrConfig, chains.ErrTimeout:
		e.Kind = chains.ErrServer
	}
	why := c.redact.line(f.message)
	if why == "" {
		why = "it gave no reason"
	}
	e.Message = fmt.Sprintf("%s stopped the reply: %s. Text kept.", c.name, strings.TrimRight(why, ". "))
	return e
}

// fromNetwork makes the error for a request that got no reply. ctx is the
// caller's: when it ended, its own error is the answer.
func (c *Client) fromNetwork(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var known *chains.ProviderError
	if errors.As(err, &known) {
		return known
	}
	e := &chains.ProviderError{Kind: chains.ErrNetwork, Err: &cause{text: c.redact.line(unwrapURL(err).Error()), err: unwrapURL(err)}}
	local := isLoopback(c.host)
	var dns *net.DNSError
	var cert *x509.UnknownAuthorityError
	var hostname x509.HostnameError
	switch {
	case errors.Is(err, errMoved):
		e.Kind = chains.ErrConfig
		e.Message = c.redact.line(movedTo(err)) + ": set base_url to the new address."
	case errors.Is(err, errFirstByte):
		e.Kind = chains.ErrTimeout
		e.Message = fmt.Sprintf("%s did not answer within %s. Try again, or choose another model.", c.name, seconds(c.limits.FirstByte))
	case refused(err) && local:
		e.Message = fmt.Sprintf("Nothing answers at %s. %s", c.host, startHint(c.provider.Name))
	case errors.As(err, &dns) && dns.IsNotFound:
		e.Message = fmt.Sprintf("Cannot find %s: check the network and base_url.", c.redact.line(dns.Name))
	case errors.As(err, &cert), errors.As(err, &hostname):
		e.Message = fmt.Sprintf("The certificate of %s is not trusted: %s.", c.host, c.redact.line(unwrapURL(err).Error()))
	default:
		e.Retryable = true
		e.Message = fmt.Sprintf("Cannot reach %s (%s). Check the network and try again.", c.name, c.redact.line(shortCause(err)))
	}
	return e
}

// startHint asks after the program that usually listens there.
func startHint(name string) string {
	switch name {
	case "ollama":
		return "Is Ollama running?"
	case "lmstudio":
		return "Is LM Studio's server running?"
	case "llamacpp":
		return "Is llama-server running?"
	case "vllm":
		return "Is vLLM running?"
	}
	return "Is the model server running?"
}

// refused says that nothing listens on the port. Windows numbers this error in
// its own way, so the words decide as well.
func refused(err error) bool {
	return errors.Is(err, syscall.ECONNREFUSED) || strings.Contains(err.Error(), "refused")
}

// unwrapURL is err without net/http's wrapping, whose text holds the whole URL
// and so perhaps a key.
func unwrapURL(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil || !strings.Contains(err.Error(), "://") {
			return err
		}
		err = inner
	}
}

func movedTo(err error) string {
	s := unwrapURL(err).Error()
	return strings.TrimSuffix(s, ": "+errMoved.Error())
}

// shortCause is the innermost, plainest part of a network error.
func shortCause(err error) string {
	var op *net.OpError
	if errors.As(err, &op) && op.Err != nil {
		return op.Err.Error()
	}
	return unwrapURL(err).Error()
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

func orDot(said string) string {
	if said == "" {
		return "."
	}
	return ": " + strings.TrimRight(said, ". ") + "."
}

func inWhile(d time.Duration) string {
	if d <= 0 {
		return "in a moment"
	}
	return "in " + seconds(d)
}

// seconds is d for a person: 7 s, 5 min, 2 h.
func seconds(d time.Duration) string {
	switch {
	case d >= 2*time.Hour:
		return fmt.Sprintf("%d h", int((d+time.Hour-1)/time.Hour))
	case d >= 2*time.Minute:
		return fmt.Sprintf("%d min", int((d+time.Minute-1)/time.Minute))
	}
	return fmt.Sprintf("%d s", int((d+time.Second-1)/time.Second))
}

// thousands is n with a comma between groups of three digits.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
