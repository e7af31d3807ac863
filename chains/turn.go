package chains

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ibid/chains/calltext"
	"ibid/chains/cite"
	"ibid/context/prompt"
	"ibid/history"
	"ibid/vault/md"
)

// Chain is a way to answer: it decides which requests a turn makes, and what it looks up before or between them. A
// chain holds no state of a turn.
type Chain interface {
	// Name returns the name with which a person chooses the chain.
	Name() string
	// Run runs a turn: Prepare once, then Stream at least once. It returns errors of the Turn's methods unchanged.
	Run(ctx context.Context, t *Turn) error
}

// Opener is a Chain that looks something up before its first request. Open runs while the turn is prepared, so that
// the forecast counts the results.
type Opener interface {
	Chain
	Open(ctx context.Context, t *Turn) error
}

// Turn is a running turn. A [Chain] works with it. It belongs to the goroutine that ranges over the events.
type Turn struct {
	s          *Session
	p          *PendingTurn
	yield      func(Event, error) bool
	cancel     context.CancelFunc
	loopBroken bool // the loop over the events broke

	env     prompt.Envelope // request of the newest round
	user    int             // index of the question in the chat
	replied bool            // the reply follows the question in the chat
	asked   time.Time       // time of the question
	meta    history.Meta

	journal      *history.Journal // of the reply, nil if there is none
	answer       answer
	loop         loop
	after        prompt.Conversation // conversation after the turn, as far as it came
	variantPlace int                 // place of the reply among the variants while another one is shown, else 0
	notes        []string            // note-to-self at the end of the reply, empty if it has none
	window       int                 // window that an error named after the first round, 0 if none did
	foundModel   *Options            // options of the model that was found for a chat without one, else nil
}

// Round is the reply to one request.
type Round struct {
	Text   string // without calls
	Calls  []prompt.ToolCall
	Finish Finish
	echo   string
	roundReader
}

// answer is the reply so far.
type answer struct {
	references    *cite.Checker
	sources       *catalogue        // of references
	found         cite.Findings     // by references before the last round
	notes         prompt.NoteFilter // removes notes-to-self from what is shown
	thought       strings.Builder   // reasoning, if it is to be saved
	raw           strings.Builder   // text as it came, with a blank line between rounds
	before        [2]int            // lengths of raw and shown at the start of the last round
	last          string            // raw text of the last round
	shown         strings.Builder   // raw without notes-to-self
	footer        string            // list of sources below the text
	came          time.Time         // time when the chat first had a part of it
	betweenRounds bool              // a further round has begun and has no text yet
	saved         time.Time         // time of the last write of the note
	bytesWritten  int               // bytes written to the note since the turn began
	unsaved       bool              // the last save failed, and the person was told
	usage         *Usage            // nil if the provider reported none

	requests  int // requests with reported usage
	predicted int // tokens that were predicted to be cached, of requests that reported cached tokens

	finish  Finish
	err     *ProviderError
	notices []Notice // notices of this turn
}

// Question returns the text of the turn as typed.
func (t *Turn) Question() string { return t.p.in.Text }

// Use adds the result of the tool of this name in front of the question.
func (t *Turn) Use(name string, out ToolOutput) {
	t.p.addResult(&job{call: prompt.ToolCall{Name: name}, state: ToolFinished, out: out})
}

// Offer adds the list of tools to the requests of this turn, and to every later request of the conversation,
// because a list that changes invalidates the provider's cache.
func (t *Turn) Offer() { t.p.offer = true }

// Prepare builds the first request, with everything that was used and offered, and announces it. It reads nothing
// again.
func (t *Turn) Prepare(ctx context.Context) error {
	p := t.p
	t.reportToolRun(ctx)
	t.s.tools.offers = t.s.tools.offers || p.offer
	if p.err == nil &&
		(len(p.tools.used) != len(p.engine.Tools) || p.offer && p.engine.ToolNames == nil &&
			t.s.callableTools() != nil) {
		p.render()
	}
	if p.err != nil {
		return p.err
	}
	t.env = p.Envelope
	t.recordRequest()
	t.emit(ContextReady{Envelope: t.env, Missing: p.Missing})
	if b := t.env.Break; b != nil {
		t.notice("prefix_changed",
			fmt.Sprintf("The prompt changed at byte %d of %s without a cause: please report this.", b.Offset, b.Layer))
	}
	for _, c := range t.env.Shortened {
		t.notice("shortened",
			fmt.Sprintf("Shortened to fit the window: %s (%s, about %s tokens).",
				c.What, c.How, md.Thousands(c.Tokens)))
	}
	for _, n := range t.env.NotSent {
		if n.Left {
			t.notice("left_note", n.ID+" is "+n.Reason+".")
		}
	}
	return ctx.Err()
}

// reportToolRun emits the events of the calls that ran before the request.
func (t *Turn) reportToolRun(ctx context.Context) {
	for ; t.loop.reported < len(t.p.tools.ran); t.loop.reported++ {
		j := t.p.tools.ran[t.loop.reported]
		j.n = t.number(&j.call)
		tool := t.s.opts.Tools.toolNamed(j.call.Name)
		t.loop.web = t.loop.web || tool != nil && tool.Spec().Ask == AccessWeb
		t.emit(ToolStarted{Call: j.call, N: j.n})
		t.reportToolDone(ctx, j)
		if j.state == ToolFinished {
			t.loop.recordShown(j.call.Name, j.out.Documents)
			t.loop.remember(j.call.Name, j.call.Arguments, j.out)
		}
	}
}

// Stream sends the request and reads the reply up to its end or its calls. If an error names a smaller window, it
// records that, shortens the request and sends it again; if the server refuses tools, it sends the request again
// without them.
func (t *Turn) Stream(ctx context.Context) (Round, error) {
	r, err := t.request(ctx)
	for failed := (*ProviderError)(nil); errors.As(err, &failed); {
		switch {
		case shortenFound(t, failed):
		case t.learnFromError(failed), switchToTextCalls(t, failed):
			if err := t.Prepare(ctx); err != nil {
				return r, err
			}
			replayRounds(t)
		default:
			return r, err
		}
		r, err = t.request(ctx)
	}
	return r, err
}

func (t *Turn) request(ctx context.Context) (r Round, err error) {
	s := t.s
	s.sentAt = s.opts.Now()
	s.requests = append(s.requests, t.env)
	request := s.request(t.env, t.env.Messages())
	if t.p.tools.idle && request.Unfound == "" {
		request.Unfound = nothingToFind
	}
	request.Question = t.p.in.Text
	t.answer.betweenRounds, t.answer.before = t.answer.raw.Len() > 0, [2]int{t.answer.raw.Len(), t.answer.shown.Len()}
	t.answer.found = t.answer.references.Findings
	r.roundReader = newRoundReader(s)
	t.answer.sources.offered, t.answer.sources.called = r.calls != nil, false
	var usage *Usage
	for d, e := range s.opts.Model.Stream(ctx, request) {
		if err = e; err != nil {
			break
		}
		t.handleDelta(d, &r)
		if d.Usage != nil {
			usage = d.Usage
		}
		if t.loopBroken {
			err = context.Canceled
		}
		if t.loopBroken || r.over() {
			break
		}
	}
	if rest := r.end(err != nil); rest != "" {
		t.write(rest)
	}
	t.answer.sources.called = len(r.Calls) > 0
	t.add(t.answer.references.Close())
	r.Text = strings.TrimLeft(t.answer.raw.String()[t.answer.before[0]:], "\n") // with its references as they are kept
	if n := r.left; n > 0 {
		t.notice("tools", md.Thousands(n)+" more calls were not read.")
	}
	t.answer.finish, t.answer.last = r.Finish, r.Text
	if usage != nil {
		t.measure(*usage)
	}
	return r, err
}

// cacheKey returns the name of a conversation for providers.
func cacheKey(epoch int64) string { return fmt.Sprintf("ibid-%d", epoch) }

// request returns a Request for the messages with the options of the session.
func (s *Session) request(env prompt.Envelope, messages []prompt.Message) Request {
	r := Request{
		Model: s.opts.ModelName, Messages: messages, CacheKey: cacheKey(s.chat.Epoch), Documents: env.Documents(),
		Unfound: env.Unfound(),
	}
	r.Prefix = r.CacheKey
	for _, l := range env.Layers {
		if l.ID == "L1" || l.ID == "L2" {
			r.Prefix += l.SHA256
		}
	}
	switch offered := s.offeredTools(); {
	case offered == nil:
	case !s.opts.inText():
		r.Tools = offered.specs
	case !s.tools.noStops:
		r.Stop = calltext.Stops()
	}
	return r
}

// handleDelta handles one piece of a reply.
func (t *Turn) handleDelta(d Delta, r *Round) {
	if d.Model != nil {
		useModel(t, d.Model)
	}
	if d.Notice != "" {
		t.emit(Notice{Kind: "provider", Text: d.Notice, Wait: d.Wait})
	}
	if d.Thought {
		t.moveToThinking(r)
	}
	if d.Reasoning != "" {
		saveThought(t, d.Reasoning)
		t.emit(ReasoningDelta{Text: d.Reasoning})
	}
	if text := r.text(d.Text); text != "" {
		t.write(text)
	}
	r.Calls = append(r.Calls, d.ToolCalls...)
	r.echo += d.Echo
	if d.Finish != "" {
		r.Finish = d.Finish
	}
}

// saveThought adds reasoning to the reply, if it is to be saved.
func saveThought(t *Turn, text string) {
	if t.s.opts.SaveThinking {
		t.answer.thought.WriteString(text)
	}
}

// moveToThinking treats the text of this round so far as reasoning.
func (t *Turn) moveToThinking(r *Round) {
	a := &t.answer
	saveThought(t, a.raw.String()[a.before[0]:])
	for i, b := range []*strings.Builder{&a.raw, &a.shown} {
		kept := b.String()[:a.before[i]]
		b.Reset()
		b.WriteString(kept)
	}
	a.betweenRounds, a.notes = a.raw.Len() > 0, prompt.NoteFilter{}
	resetReferences(t)
	r.roundReader = newRoundReader(t.s)
	t.emit(WasThinking{})
	t.notice("thinking", "What came so far was thinking, which the server did not tell from the reply.")
}

// write adds a piece to the reply, after a blank line if a round begins.
func (t *Turn) write(text string) {
	a := &t.answer
	if a.betweenRounds {
		if text = strings.TrimLeft(text, " \t\r\n"); text == "" {
			return
		}
		a.betweenRounds = false
		raw := a.raw.String()
		blank := "\n\n"[:max(0, 2-len(raw)+len(strings.TrimRight(raw, "\n")))]
		text = blank + text
	}
	t.add(a.references.Write(text))
}

// resetReferences creates the checker of the references, which goes on behind the reply so far.
func resetReferences(t *Turn) {
	a := &t.answer
	a.references = &cite.Checker{Catalogue: a.sources, Findings: a.found}
	a.references.Skip(a.raw.String())
}

// add adds text to the reply, shows it, and saves the chat if that is due.
func (t *Turn) add(text string) {
	if text == "" {
		return
	}
	a := &t.answer
	if room := MaxText - a.raw.Len(); len(text) >= room { // in all rounds
		text = strings.ToValidUTF8(text[:max(room, 0)], "")
		if room > 0 {
			t.notice("length", "The reply has 4 MB of text: the rest of this turn's is left out.")
		}
	}
	a.raw.WriteString(text)
	t.show(a.notes.Write(text))
	if t.saveDue() {
		t.keep(history.StatusCut)
	}
}

// saveDue reports whether to write the note with the reply so far, see saveEvery.
func (t *Turn) saveDue() bool {
	a, now := &t.answer, t.s.opts.Now()
	since := now.Sub(a.saved)
	if since >= 0 && since < saveWithoutJournal {
		return false
	}
	if err := t.journal.Err(); err == nil {
		size := t.s.chat.Size() + a.shown.Len()
		if since >= 0 && since < saveEvery || a.bytesWritten+size > 2*a.shown.Len() {
			return false
		}
		a.bytesWritten += size
	} else if t.journal != nil {
		t.notice("journal",
			fmt.Sprintf("The reply cannot be kept in the state folder: %v. The chat is saved every second instead.",
				err))
	}
	a.saved = now
	return true
}

func (t *Turn) show(text string) {
	if text != "" {
		t.answer.shown.WriteString(text)
		t.journal.Write(text)
		t.emit(TextDelta{Text: text})
	}
}

func (t *Turn) emit(e Event) {
	if !t.loopBroken && !t.yield(e, nil) {
		t.loopBroken = true
		t.cancel()
	}
}

// notice sends a notice to the person, the same one only once a turn.
func (t *Turn) notice(kind, text string) {
	n := Notice{Kind: kind, Text: text}
	if !slices.Contains(t.answer.notices, n) {
		t.answer.notices = append(t.answer.notices, n)
		t.emit(n)
	}
}

func (t *Turn) warn(warnings []history.Warning) {
	for _, w := range warnings {
		t.notice(w.Kind, w.Text)
	}
}

// reportMissing sends notices about missing references, for some kinds only once a chat.
func (t *Turn) reportMissing(all []prompt.MissingRef) {
	for _, m := range all {
		once := slices.Contains([]string{"image", "embed", "data", "query", "project", "lost", UnattachedState}, m.State)
		if once && !t.s.opts.Process.first(t.s.chat.Epoch, strings.TrimPrefix(m.Reason, m.Ref.ID+": ")) {
			continue
		}
		t.notice(m.State+"_note", m.Reason)
	}
}
