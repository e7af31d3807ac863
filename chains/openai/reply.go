package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"ibid/chains"
	"ibid/context/prompt"
)

// The fields under which reasoning arrives. Servers send the same words under
// two of them; the first that a reply uses is the one that counts.
const (
	fromReasoningContent = iota + 1
	fromReasoning
	fromDetails
	fromParts
)

// reply puts one reply together from its frames.
type reply struct {
	client  *Client
	call    *call
	id      string
	shown   bool // something of it was handed out
	said    bool // text among it
	words   int
	inWord  bool
	source  int // where reasoning comes from
	thought strings.Builder
	details []json.RawMessage
	calls   callSet
	finish  string
	usage   *chains.Usage
	garbage string // the first thing that was no chunk
	noticed bool
	failure *failure
}

// take reads one frame: what to hand out, whether it was the last, and the
// error that the reply ended with.
func (r *reply) take(frame []byte) (d chains.Delta, end bool, err error) {
	if len(frame) == 0 {
		return d, false, nil
	}
	mark, payload := frame[0], frame[1:]
	switch mark {
	case frameChunk:
		d = r.chunk(payload)
	case frameNotice:
		d.Notice = r.notice(payload)
	case frameError:
		f := readFailure(0, http.Header{}, payload)
		r.failure = &f
	case frameBad:
		s, _ := strconv.Unquote(string(payload))
		r.keepGarbage(s)
	case frameEnd:
		d, err = r.end(string(payload))
		return d, true, err
	}
	if r.failure != nil {
		d.Usage = r.usage
		return d, true, r.failed()
	}
	return d, false, nil
}

// notice words a comment, once: servers send the same one every few seconds.
func (r *reply) notice(comment []byte) string {
	if r.noticed || r.shown {
		return ""
	}
	r.noticed = true
	return fmt.Sprintf("%s is queueing the request (%s).", r.client.name, r.client.redact.line(string(comment)))
}

// chunk reads one JSON frame.
func (r *reply) chunk(raw []byte) chains.Delta {
	var c chunk
	if !decode(raw, &c) {
		if f := readFailure(0, http.Header{}, raw); bytes.HasPrefix(raw, []byte("[")) && f.message != "" {
			r.failure = &f
		} else {
			r.keepGarbage(string(raw))
		}
		return chains.Delta{}
	}
	if r.id == "" {
		r.id = string(c.ID)
	}
	if u := readUsage(&c, r.client.provider.OutsideSum); u != nil {
		r.usage = u
	}
	var d chains.Delta
	for i := range c.Choices {
		if ch := &c.Choices[i]; ch.Index.count() <= 0 {
			r.choice(ch, &d)
		}
	}
	switch {
	case meaningful(c.Error):
		f := readFailure(0, http.Header{}, raw)
		r.failure = &f
	case c.Choices == nil && c.Usage == nil && !r.shown:
		// A server that has nothing to do with chat completions, or one that
		// says what is wrong without calling it an error.
		r.keepGarbage(string(raw))
	}
	if d.Text != "" || d.Reasoning != "" {
		r.shown = true
	}
	r.countWords(d.Text)
	return d
}

// meaningful says that raw reports an error: some servers always send the
// field.
func meaningful(raw []byte) bool {
	switch string(raw) {
	case "", "null", "false", "0", `""`, "{}", "[]":
		return false
	}
	return true
}

// choice reads the one choice that was asked for.
func (r *reply) choice(ch *choice, d *chains.Delta) {
	m := ch.Delta
	if m == nil && !r.said && len(r.calls.calls) == 0 {
		m = ch.Message // the server did not stream
	}
	if m != nil {
		r.message(m, d)
	}
	if ch.FinishReason != "" {
		r.finish = strings.ToLower(string(ch.FinishReason))
		if r.call.watch != nil {
			r.call.watch.limit(tail)
		}
	}
	if meaningful(ch.Error) {
		f := readFailure(0, http.Header{}, ch.Error)
		r.failure = &f
	}
}

// message reads a piece of the assistant's message.
func (r *reply) message(m *delta, d *chains.Delta) {
	said, thought := splitContent(m.Content)
	d.Text += said + string(m.Refusal)
	r.said = r.said || d.Text != ""
	for _, s := range []struct {
		source int
		words  string
	}{
		{fromReasoningContent, text(m.ReasoningContent)},
		{fromReasoning, text(m.Reasoning)},
		{fromDetails, r.keepDetails(m.ReasoningDetails)},
		{fromParts, thought},
	} {
		if s.words == "" || r.source != 0 && r.source != s.source {
			continue
		}
		r.source = s.source
		d.Reasoning += s.words
		r.thought.WriteString(s.words)
	}
	for _, e := range elements(m.ToolCalls) {
		var c callDelta
		if decode(e, &c) {
			r.calls.add(c)
		}
	}
	if f := m.FunctionCall; f != nil {
		r.calls.add(callDelta{Index: number{set: true}, Function: f})
	}
}

// keepDetails keeps reasoning_details for the way back and gives their words.
func (r *reply) keepDetails(raw json.RawMessage) string {
	if !present(raw) {
		return ""
	}
	if r.client.provider.Details {
		for _, e := range elements(raw) {
			r.details = append(r.details, bytes.Clone(e))
		}
	}
	return detailsText(raw)
}

func (r *reply) keepGarbage(s string) {
	if r.garbage == "" {
		r.garbage = plainMessage(s)
	}
}

func (r *reply) countWords(s string) {
	for _, c := range s {
		space := unicode.IsSpace(c)
		if !space && !r.inWord {
			r.words++
		}
		r.inWord = !space
	}
}

// end decides how the reply ended. payload is one of the end words and, after
// a space, the cause.
func (r *reply) end(payload string) (chains.Delta, error) {
	how, why, _ := strings.Cut(payload, " ")
	d := chains.Delta{Usage: r.usage}
	calls := r.calls.complete(r.id)
	if r.finish == "error" {
		r.failure = &failure{message: "the model failed"}
		return d, r.failed()
	}
	if r.finish == "" && (how != endDone || !r.said && len(calls) == 0) {
		return d, r.unfinished(how, why)
	}
	if !r.said && len(calls) == 0 {
		return d, r.silent()
	}
	d.Finish = finishOf(r.finish, len(calls) > 0)
	if d.Finish == chains.FinishLength { // the last call may be half a call
		calls = slices.DeleteFunc(calls, func(c prompt.ToolCall) bool { return !json.Valid([]byte(c.Arguments)) })
	}
	d.ToolCalls = calls
	if len(calls) > 0 {
		r.shown = true
		r.client.remember(calls, r.calls.calls, r.details, r.thought.String())
	}
	return d, nil
}

// finishOf translates the many words for the few ways to end.
func finishOf(word string, called bool) chains.Finish {
	switch word {
	case "length", "max_tokens", "model_length", "max_output_tokens":
		return chains.FinishLength
	case "content_filter", "safety", "refusal", "recitation", "blocklist", "prohibited_content", "sensitive":
		return chains.FinishFilter
	}
	if called {
		return chains.FinishTools
	}
	return chains.FinishStop
}

// failed is the error for an error that the server sent in the reply.
func (r *reply) failed() error {
	if r.shown {
		return r.client.fromFrame(*r.failure, r.call.model)
	}
	return r.client.fromStatus(*r.failure, r.call.model)
}

// unfinished is the error for a reply without an end.
func (r *reply) unfinished(how, why string) error {
	c := r.client
	because := map[string]string{
		endDone:    "it stopped without saying why",
		endEOF:     "the connection was closed",
		endBroken:  "connection lost",
		endTimeout: "no data for " + why,
		endTooLong: "one piece was larger than 16 MB",
	}[how]
	if because == "" {
		because = "the connection was closed"
	}
	e := &chains.ProviderError{Kind: chains.ErrCutOff}
	if how == endBroken && why != "" {
		e.Err = fmt.Errorf("%s: %s", because, c.redact.line(why))
	}
	switch {
	case r.said:
		e.Message = fmt.Sprintf("Reply cut off after %d %s (%s). Text kept.", r.words, plural(r.words, "word"), because)
	case r.shown:
		e.Message = fmt.Sprintf("Reply cut off while the model was thinking (%s).", because)
	case r.garbage != "":
		e.Kind = chains.ErrBadReply
		e.Message = fmt.Sprintf("%s sent no chat reply: %s. Check base_url, and any proxy or login page on the way.", c.name, strings.TrimRight(c.redact.line(r.garbage), ". "))
	case how == endTimeout:
		e.Kind = chains.ErrTimeout
		e.Message = fmt.Sprintf("%s began to answer and sent nothing (%s). Try again, or choose another model.", c.name, because)
	case how == endDone, how == endTooLong:
		e.Kind = chains.ErrBadReply
		e.Message = fmt.Sprintf("%s sent an empty reply (%s). Try again, or choose another model.", c.name, because)
	default:
		e.Kind, e.Retryable = chains.ErrNetwork, true
		e.Message = fmt.Sprintf("%s closed the connection without a reply. Try again; your message is kept.", c.name)
	}
	return e
}

// silent is the error for a reply that ended properly and holds nothing.
func (r *reply) silent() error {
	what := "The model sent no text (finish: " + r.client.redact.line(r.finish) + ")."
	switch f := finishOf(r.finish, false); {
	case f == chains.FinishFilter:
		what = r.client.name + " withheld the reply (finish: " + r.client.redact.line(r.finish) + "). Word the question differently, or choose another model."
	case f == chains.FinishLength && r.usage != nil && r.usage.Completion > 0 && (r.usage.Reasoning > 0 || r.source != 0):
		what = fmt.Sprintf("The model sent no text (finish: length, all %s tokens went into thinking). Raise the limit on the reply.", thousands(r.usage.Completion))
	case f == chains.FinishLength:
		what = "The model sent no text (finish: length). Raise the limit on the reply, or shorten the context."
	case r.source != 0:
		what = "The model only thought and sent no text (finish: " + r.client.redact.line(r.finish) + "). Try again."
	}
	return &chains.ProviderError{Kind: chains.ErrBadReply, Message: what}
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
