package chains

import (
	"context"
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

// Chain is a way to answer: which requests a turn makes, and what it looks up
// before or between them. A chain holds no state of a turn.
type Chain interface {
	// Name is how a person chooses the chain.
	Name() string
	// Run works a turn off: Prepare once, then at least one Stream. What the
	// Turn's methods return as an error is returned as it is.
	Run(ctx context.Context, t *Turn) error
}

// Opener is a Chain that looks something up before its first request. Open runs
// when the turn is prepared, so that the forecast counts what it found.
type Opener interface {
	Chain
	Open(ctx context.Context, t *Turn) error
}

// Turn is a running turn: what a [Chain] works with. It belongs to the goroutine
// that ranges over the events.
type Turn struct {
	s      *Session
	p      *PendingTurn
	yield  func(Event, error) bool
	cancel context.CancelFunc
	left   bool // the loop over the events was left

	env   prompt.Envelope // of the newest round
	user  int             // index of the person's message in the chat
	reply int             // index of the reply, 0 until there is one
	asked time.Time       // of the person's message
	meta  history.Meta

	journal *history.Journal // of the reply, nil if there is none
	answer  answer
	loop    loop
	after   prompt.Conversation // the turn, as far as it came
	spare   int                 // place of the reply among the variants while another one is shown, 0 if none is
	noted   []history.Message   // the note to self, if the reply ended with one
	window  int                 // that an error named after the first round, 0 if none did
	found   *Options            // of the model that was found for a chat without one, nil if none was
}

// Round collects the answer to one request.
type Round struct {
	Text   string // as it came, without calls
	Calls  []prompt.ToolCall
	Finish Finish
	echo   string
	roundReader
}

// answer is the reply as far as it came.
type answer struct {
	signs   *cite.SignReader
	notes   prompt.NoteFilter // takes notes-to-self out of what is shown
	thought strings.Builder   // what the model thought, if that is to be saved
	raw     strings.Builder   // as it came, the rounds divided by a blank line
	before  [2]int            // lengths of raw and of shown when the last round began
	last    string            // of it, what came in the last round
	shown   strings.Builder   // what of it may be shown
	footer  string            // what is listed below it
	came    time.Time         // when the chat had something of it first
	between bool              // a round has begun after another
	saved   time.Time         // when the note was written last
	spent   int               // bytes that went into the note since the turn began
	unsaved bool              // the last save failed, and the person was told
	usage   *Usage

	requests  int // whose usage was reported
	predicted int // tokens that were predicted to be cached, of those of which that was reported

	finish  Finish
	err     *ProviderError
	notices []Notice // what was said
}

// Question is the text as the person typed it.
func (t *Turn) Question() string { return t.p.in.Text }

// Use puts what the tool of this name found in front of the question.
func (t *Turn) Use(name string, out ToolOutput) {
	t.p.use(&job{call: prompt.ToolCall{Name: name}, state: ToolFinished, out: out})
}

// Offer sends the list of the session's tools with the requests of this turn, and
// from then on with every request of the conversation: a list that changes costs
// the provider's cache.
func (t *Turn) Offer() { t.p.offer = true }

// Prepare makes the first request, with what was used and offered, and says what
// it is. The turn's items were gathered before; nothing is read again.
func (t *Turn) Prepare(ctx context.Context) error {
	p := t.p
	t.reportToolRun(ctx)
	t.s.tools.offers = t.s.tools.offers || p.offer
	if p.err == nil &&
		(len(p.tools.used) != len(p.engine.Tools) || p.offer && p.engine.ToolNames == nil &&
			t.s.tools.callableTools(&t.s.opts) != nil) {
		p.render()
	}
	if p.err != nil {
		return p.err
	}
	t.env = p.Envelope
	t.facts()
	t.emit(ContextReady{Envelope: t.env, Missing: p.Missing})
	if b := t.env.Break; b != nil {
		t.notice("prefix_changed",
			fmt.Sprintf("The prompt changed at byte %d of %s without a cause: please report this.", b.Offset, b.Layer))
	}
	for _, c := range t.env.Shortened {
		t.notice("shortened",
			fmt.Sprintf("Shortened to fit the window: %s (%s, about %s tokens).", c.What, c.How, md.Thousands(c.Tokens)))
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
	for ; t.loop.said < len(t.p.tools.ran); t.loop.said++ {
		j := t.p.tools.ran[t.loop.said]
		j.n = t.number(&j.call)
		tool := t.s.opts.Tools.toolNamed(j.call.Name)
		t.loop.web = t.loop.web || tool != nil && tool.Spec().Ask == AccessWeb
		t.emit(ToolStarted{Call: j.call, N: j.n})
		t.done(ctx, j)
		if t.recordSearch(j); j.state == ToolFinished {
			j.search.recordResults(j.out.Documents)
			t.loop.remember(j.call.Name, j.call.Arguments, j.out)
		}
	}
}

// Stream sends the request and takes the reply in, up to its end or to the calls
// of tools that it makes. A window that the error names is learned, and the
// request that was too long for it is made to fit and sent again; one with tools
// that the server does not take is sent again without.
func (t *Turn) Stream(ctx context.Context) (Round, error) {
	r, err := t.request(ctx)
	for err != nil {
		switch {
		case shortenFound(t, err):
		case t.learn(err), goesOnInText(t, err):
			if err := t.Prepare(ctx); err != nil {
				return r, err
			}
			replayRounds(t)
		default:
			return r, err
		}
		r, err = t.request(ctx)
	}
	return r, nil
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
	t.answer.between, t.answer.before = t.answer.raw.Len() > 0, [2]int{t.answer.raw.Len(), t.answer.shown.Len()}
	r.roundReader = s.tools.reads(&s.opts)
	var usage *Usage
	for d, e := range s.opts.Model.Stream(ctx, request) {
		if err = e; err != nil {
			break
		}
		t.take(d, &r)
		if d.Usage != nil {
			usage = d.Usage
		}
		if t.left {
			err = context.Canceled
		}
		if t.left || r.over() {
			break
		}
	}
	if rest := r.end(err != nil); rest != "" {
		t.write(rest)
	}
	t.add(t.answer.signs.Close())
	if n := r.left; n > 0 {
		t.notice("tools", md.Thousands(n)+" more calls were not read.")
	}
	t.answer.finish, t.answer.last = r.Finish, r.Text
	if usage != nil {
		t.measure(*usage)
	}
	return r, err
}

// cacheKey names a conversation to providers.
func cacheKey(epoch int64) string { return fmt.Sprintf("ibid-%d", epoch) }

// request adds to these messages the options of the session.
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
	switch offered := s.tools.offeredTools(&s.opts); {
	case offered == nil:
	case !s.opts.inText():
		r.Tools = offered.specs
	case !s.tools.unstopped:
		r.Stop = calltext.Stops()
	}
	return r
}

// take handles one piece of a reply.
func (t *Turn) take(d Delta, r *Round) {
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

// saveThought takes in what the model thought.
func saveThought(t *Turn, text string) {
	if t.s.opts.SaveThinking {
		t.answer.thought.WriteString(text)
	}
}

// moveToThinking makes thinking of what came of the reply in this round.
func (t *Turn) moveToThinking(r *Round) {
	a := &t.answer
	saveThought(t, a.raw.String()[a.before[0]:])
	for i, b := range []*strings.Builder{&a.raw, &a.shown} {
		kept := b.String()[:a.before[i]]
		b.Reset()
		b.WriteString(kept)
	}
	a.between, a.notes = a.raw.Len() > 0, prompt.NoteFilter{}
	readSigns(t)
	r.roundReader = t.s.tools.reads(&t.s.opts)
	t.emit(WasThinking{})
	t.notice("thinking", "What came so far was thinking, which the server did not tell from the reply.")
}

// write takes a piece of the reply in, and saves once in a while.
func (t *Turn) write(text string) {
	a := &t.answer
	if a.between {
		if text = strings.TrimLeft(text, " \t\r\n"); text == "" {
			return
		}
		a.between = false
		raw := a.raw.String()
		blank := "\n\n"[:max(0, 2-len(raw)+len(strings.TrimRight(raw, "\n")))]
		text = blank + text
	}
	t.add(a.signs.Write(text))
}

// readSigns begins to look for references without their sign, behind what came so far.
func readSigns(t *Turn) {
	t.answer.signs = &cite.SignReader{Cites: func(n int) bool { return t.p.citable(n) != nil && !t.p.tools.bare[n] }}
	t.answer.signs.Write(t.answer.raw.String())
}

// add takes in a piece of the reply as it is kept.
func (t *Turn) add(text string) {
	if text == "" {
		return
	}
	a := &t.answer
	if room := MaxText - a.raw.Len(); len(text) >= room { // of all rounds
		text = strings.ToValidUTF8(text[:max(room, 0)], "")
		if room > 0 {
			t.notice("length", "The reply has 4 MB of text: the rest of this turn's is left out.")
		}
	}
	a.raw.WriteString(text)
	t.show(a.notes.Write(text))
	if t.due() {
		t.keep(history.StatusCut)
	}
}

// due reports whether the note is to be written with what came so far: see
// saveEvery.
func (t *Turn) due() bool {
	a, now := &t.answer, t.s.opts.Now()
	since := now.Sub(a.saved)
	if since >= 0 && since < saveAlone {
		return false
	}
	if err := t.journal.Err(); err == nil {
		size := t.s.chat.Size() + a.shown.Len()
		if since >= 0 && since < saveEvery || a.spent+size > 2*a.shown.Len() {
			return false
		}
		a.spent += size
	} else if t.journal != nil {
		t.notice("journal",
			fmt.Sprintf("The reply cannot be kept in the state folder: %v. The chat is saved every second instead.", err))
	}
	a.saved = now
	return true
}

func (t *Turn) show(text string) {
	if text != "" {
		if t.answer.shown.Len() == 0 {
			t.journal.Think(strings.TrimSpace(t.answer.thought.String()))
		}
		t.answer.shown.WriteString(text)
		t.journal.Write(text)
		t.emit(TextDelta{Text: text})
	}
}

func (t *Turn) emit(e Event) {
	if !t.left && !t.yield(e, nil) {
		t.left = true
		t.cancel()
	}
}

// notice tells the person something, once a turn.
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

// missing says what does not go along, and of images once a chat why.
func (t *Turn) missing(all []prompt.MissingRef) {
	for _, m := range all {
		once := slices.Contains([]string{"image", "embed", "query", "project", "lost"}, m.State)
		if once && !t.s.opts.Process.first(t.s.chat.Epoch, strings.TrimPrefix(m.Reason, m.Ref.ID+": ")) {
			continue
		}
		t.notice(m.State+"_note", m.Reason)
	}
}
