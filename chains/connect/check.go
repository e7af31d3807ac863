package connect

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"ibid/chains"
	"ibid/chains/wire"
	"ibid/context/prompt"
	"ibid/context/tokens"
	"ibid/vault/md"
)

// The states of findings.
const (
	StateOK    = "ok"
	StateNote  = "note"
	StateWrong = "wrong"
)

// Finding is a result of a check.
type Finding struct {
	Field    string `json:"check"` // its subject, in a word
	State    string `json:"state"` // StateOK, StateNote or StateWrong
	Text     string `json:"text"`  // for people
	Fix      string `json:"do,omitempty"`
	Provider string `json:"provider,omitempty"` // whose check it is part of, "" for none
}

// CheckOptions tell a check where its findings go and which requests it may send.
type CheckOptions struct {
	Say   func(Finding)
	Ask   bool                                            // send requests to models without asking
	Agree func(ctx context.Context, question string) bool // asks whether to send them; nil if nobody can answer

	about string // the provider that is checked now, "" for none
	wrong bool   // a finding is wrong
}

// OK reports a finding with nothing to do.
func (c *CheckOptions) OK(field, format string, args ...any) { c.say(StateOK, field, "", format, args) }

// Note reports a finding that is worth knowing. fix is the advice, "" for none.
func (c *CheckOptions) Note(field, fix, format string, args ...any) {
	c.say(StateNote, field, fix, format, args)
}

// Wrong reports a problem. fix is the advice, "" if the text has it.
func (c *CheckOptions) Wrong(field, fix, format string, args ...any) {
	c.say(StateWrong, field, fix, format, args)
}

func (c *CheckOptions) say(state, field, fix, format string, args []any) {
	c.wrong = c.wrong || state == StateWrong
	c.Say(Finding{field, state, fmt.Sprintf(format, args...), fix, c.about})
}

// check runs a check of providers.
type check struct {
	*Providers
	CheckOptions
}

// check checks one provider, and reports whether nothing is wrong. what is its role, for the user.
func (p *Providers) check(ctx context.Context, e endpoint, what string, how CheckOptions) bool {
	d := &check{p, how}
	d.server(ctx, e, what)
	return !d.wrong
}

// Check checks the provider that answers, and unless the flags name one the others that can be chosen. It sends each
// key to one address only.
func (p *Providers) Check(ctx context.Context, how CheckOptions) {
	d := &check{p, how}
	from := p.selection(ctx)
	e, named, err := from.pick()
	switch {
	case err != nil:
		d.Wrong("provider", "", "%v", err)
		return
	case named && e.base == "":
		d.OK("provider", "none: the offline model answers, as the settings say")
		return
	case named:
		d.server(ctx, e, "it answers")
	}
	if p.Flags.BaseURL != "" || p.Flags.Provider != "" {
		return
	}
	others := from.others(e)[1:]
	for _, other := range others {
		d.server(ctx, other, "it can be chosen")
	}
	if !named && len(others) == 0 {
		d.Note("provider", "set OPENAI_API_KEY, start Ollama or LM Studio, or give --base-url",
			"none is named: a server on this machine answers if there is one, else the offline model")
	}
}

// server checks the connection to a provider, its key and list of models, shows what a chat would use and why, and
// tries a model if the user agrees.
func (d *check) server(ctx context.Context, e endpoint, what string) {
	e = e.ready(ctx)
	e.model = cmp.Or(e.model, e.settings.Model)
	d.about = e.name
	defer func() { d.about = "" }()
	l, err := d.open(e)
	if err != nil {
		d.Wrong("provider", "", "%s at %s: %v", e.name, e.base, err)
		return
	}
	for _, said := range d.remarks(&e) {
		d.Note("provider", "", "%s", said)
	}
	list, err := l.server.Models(ctx)
	failed := wire.ErrorOf(err)
	unlisted := failed.Status == http.StatusNotFound && failed.Code != wire.NoSuchModel
	switch at := l.server.Name() + " at " + e.base; {
	case unlisted:
		d.Note("provider", "", "%s: %s; its models are not known: %v", at, what, err)
	case err != nil:
		d.Wrong("provider", "", "%s: %v", at, err)
	default:
		d.OK("provider", "%s: %s, in %s, %s; it has %s",
			at, what, e.protocol().words, e.keyed(), md.Plural(len(list), "model"))
	}
	if err != nil && !unlisted {
		return
	}
	if model := d.model(l, list); model != "" {
		d.uses(l, model)
		d.offer(ctx, l, model)
	}
}

// keyed describes the key of an endpoint.
func (e *endpoint) keyed() string {
	switch {
	case e.key == "":
		return "without a key"
	case e.source == givenKey:
		return "with " + givenKey
	}
	return "with the key of " + e.keySource()
}

// model reports which model would answer and why, and returns its name, "" for none.
func (d *check) model(l *link, list []chains.ModelInfo) string {
	model, why := l.begins()
	if model == "" && l.personal() {
		first, _ := chains.FirstChat(list)
		model, why = first.ID, "the first chat model of the list"
	}
	_, listed := l.server.Known(model)
	switch {
	case model != "" && (listed || len(list) == 0):
		d.OK("model", "%s answers: %s", model, why)
	case model != "":
		d.Note("model", "`ibid models` lists them; some servers take other names of models too",
			"%s answers: %s; the list does not have it", model, why)
	case len(list) > 0 && l.personal():
		d.Wrong("model", "load one there, or name one with --model", "the server has no model that can chat")
	default:
		d.Note("model", "name one with --model", "none is named")
	}
	return model
}

// uses reports the window, cache and effort of a conversation, to compare with what the user expects.
func (d *check) uses(l *link, model string) {
	if n, from := l.window(model); n > 0 {
		d.OK("window", "%s tokens, as %s", md.Thousands(n), from)
	} else {
		d.Note("window", "window.tokens in the configuration says what it is",
			"unknown: %s tokens are assumed", md.Thousands(tokens.AssumedWindow))
	}
	facts := l.facts(model)
	text := "none that is known"
	if k := facts.Cache; k.Kind != prompt.CacheNone && k.Kind != "" {
		text = string(k.Kind)
		if k.Min > 1 {
			text += fmt.Sprintf(" from %s tokens on", md.Thousands(k.Min))
		}
		if k.Lifetime > 0 {
			text += ", for " + wire.Seconds(k.Lifetime)
		}
		if k.Marks != "" {
			text += "; marks are sent as " + k.Marks
		}
	}
	d.OK("cache", "%s", text)
	d.OK("effort", "%s", cmp.Or(l.thinking(), "left to the provider"))
}

// offer tries the model if the user agrees, since that may cost money.
func (d *check) offer(ctx context.Context, l *link, model string) {
	r := trialRequest(l, model)
	length := d.count(r.Messages[0].Content) + 100
	what := fmt.Sprintf("two small requests to %s of %s, with about %s tokens each of a text made for this and one tool, and nothing of the notes", model, l.server.Name(), md.Thousands(length))
	costs := "the provider may charge for them"
	if l.price(model).Free() {
		costs = "they cost nothing"
	}
	switch {
	case d.Ask:
	case d.Agree == nil:
		d.Note("reply", "`ibid doctor --ask-models` sends them; "+costs,
			"not tried: streaming, tools and caching show in %s", what)
		return
	case !d.Agree(ctx, "Send "+what+"? "+strings.ToUpper(costs[:1])+costs[1:]+". [y/N] "):
		d.Note("reply", "", "not tried")
		return
	}
	d.converse(ctx, l, r)
}

// trialTool is the name of the tool in trial requests.
const trialTool = "confirm"

// trialRequest returns the first request of a trial. It is long enough to be cached.
func trialRequest(l *link, model string) chains.Request {
	const line = "This line is here for a test of the cache, and says nothing.\n" // more than ten tokens
	cache, least := l.facts(model).Cache, 100
	switch cache.Kind {
	case prompt.CacheNone, prompt.CacheSlot:
	default:
		least = max(cache.Min, 1024) + 256
	}
	text := "Answer in one word.\n" + strings.Repeat(line, least/10)
	r := chains.Request{
		Model: model, MaxTokens: 64, Effort: l.thinking(), CacheKey: fmt.Sprintf("ibid-doctor-%d", time.Now().Unix()),
		Messages: []prompt.Message{
			{Role: prompt.System, Content: text, Parts: []prompt.Part{{End: len(text), Mark: true}}},
			{Role: prompt.User, Content: "Say the word: ready."},
		},
		Tools: []chains.ToolSpec{{
			Name: trialTool, Description: "Confirms that tools can be called.",
			Schema: `{"type":"object","properties":{"word":{"type":"string"}},"required":["word"]}`,
		}},
	}
	if l.thinks(model) {
		r.MaxTokens = 2048 // most of it for thinking
	}
	return r
}

// probeResult is the reply to a trial request.
type probeResult struct {
	text   string
	pieces int
	first  time.Duration // time until the first piece
	calls  []prompt.ToolCall
	usage  chains.Usage
}

// hear sends a trial request and reports the notices on the way.
func (d *check) hear(ctx context.Context, m chains.Model, r chains.Request) (h probeResult, err error) {
	began := time.Now()
	h.usage = chains.Usage{Prompt: -1, Cached: -1, CacheWrite: -1, Cost: -1}
	for delta, err := range m.Stream(ctx, r) {
		if err != nil {
			return h, err
		}
		if delta.Notice != "" {
			d.Note("reply", "", "%s", delta.Notice)
		}
		if delta.Text+delta.Reasoning != "" || len(delta.ToolCalls) > 0 {
			if h.pieces++; h.pieces == 1 {
				h.first = time.Since(began)
			}
		}
		h.text += delta.Text
		h.calls = append(h.calls, delta.ToolCalls...)
		if delta.Usage != nil {
			h.usage = *delta.Usage
		}
	}
	return h, nil
}

// converse sends two requests, where the second continues the first, since only that shows whether the cache works. It
// also reports whether the model streams and calls tools.
func (d *check) converse(ctx context.Context, l *link, r chains.Request) {
	m := l.modelNamed(r.Model)
	one, err := d.hear(ctx, m, r)
	if failed := wire.ErrorOf(err); failed.Code == chains.NoTools {
		d.Note("tools", "tools are called in the text of replies instead", "%s", failed.Message)
		l.calling(r.Model, l.facts(r.Model)).Refused()
		r.Tools = nil
		one, err = d.hear(ctx, m, r)
	}
	if err != nil {
		d.Wrong("reply", "", "%v", err)
		return
	}
	said := fmt.Sprintf("the first of %s came after %.1f s", md.Plural(one.pieces, "piece"), one.first.Seconds())
	if one.pieces < 2 {
		said += ": a reply this short does not tell whether it streams"
	}
	d.OK("streaming", "%s", said)
	call := "Say the word again: ready."
	if r.Tools != nil {
		call = "Now call the tool " + trialTool + ` with {"word": "ready"}.`
	}
	r.Messages = append(r.Messages,
		prompt.Message{Role: prompt.Assistant, Content: cmp.Or(one.text, "ready")},
		prompt.Message{Role: prompt.User, Content: call})
	two, err := d.hear(ctx, m, r)
	if err != nil {
		d.Wrong("reply", "", "%v", err)
		return
	}
	if r.Tools != nil {
		d.called(two.calls)
	}
	d.cached(one.usage, two.usage)
}

// called reports whether the model called trialTool when it was asked to.
func (d *check) called(calls []prompt.ToolCall) {
	for _, c := range calls {
		if c.Name == trialTool && json.Valid([]byte(c.Arguments)) {
			d.OK("tools", "called when asked, with %s", c.Arguments)
			return
		}
	}
	d.Note("tools", "--chain vault searches before each request instead",
		"offered, and not called when asked: this model may look up little by itself")
}

// cached reports how much of the second request came from the cache.
func (d *check) cached(one, two chains.Usage) {
	text := fmt.Sprintf("%s of %s tokens of the second request", md.Thousands(two.Cached), md.Thousands(two.Prompt))
	if cost := chains.Dollars(one.Plus(two).Cost); cost != "" {
		text += "; both cost " + cost
	}
	switch {
	case two.Cached < 0 || two.Prompt < 0:
		d.Note("caching", "", "the server does not report it")
	case two.Cached > 0:
		d.OK("caching", "%s", text)
	default:
		d.Note("caching", "some caches need a moment before they are read, and some promise nothing; what replies report is in the context page", "%s", text)
	}
}
