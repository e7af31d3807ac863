package chains

import (
	"context"
	"errors"
	"iter"
	"slices"

	"ibid/chains/cite"
	"ibid/context/prompt"
	"ibid/history"
)

// PendingTurn is a prepared turn that is not sent: the request, its price, and whether it fits. It is not in the
// chat, so dropping it changes nothing. It is for one goroutine and can be sent once.
type PendingTurn struct {
	Envelope prompt.Envelope      // the request, zero if the turn does not fit
	Missing  []prompt.MissingRef  // references that are not sent, with the reasons
	TooLong  *prompt.TooLongError // set if the turn does not fit the window

	s       *Session
	version int // of the session when the turn was prepared
	given   Input
	text    string       // message as the chat file has it
	retry   *attempt     // set for a retry
	earlier history.Chat // chat before the turn
	named   turnRefs
	notices []Notice // from rebuilding
	engine  prompt.Turn
	tools   toolReport // work of the tools so far
	offer   bool       // the request has the list of tools
	err     error      // why there is no request

	turnState // the state before the turn; in is given, with "@active" and the like resolved
}

// toolReport collects the work of tools in a turn.
type toolReport struct {
	ran          []*job              // calls before the request
	used         []prompt.ToolResult // their results
	uses         []history.ToolUse   // all calls so far
	writes       []history.NoteWrite // all changes so far
	next         int                 // number for the next source
	sentMarks    cite.SentMarks      // marks in the results
	withHeadings []Document          // passages that may contain headings
	idle         bool                // a search was asked for, but the question has no words to search for

	searched bool // the vault was searched before the request
	mayAsk   bool // the model may be asked for other words to search for
}

// ErrPrice ends a turn before anything was sent.
var ErrPrice = errors.New(
	"notes changed meanwhile, and the turn costs more now or fits no longer as it was; nothing was sent")

// uncachedTokens returns the tokens of a request that are paid at full price.
func uncachedTokens(p prompt.Prediction) int { return p.Prompt - p.Cached }

// Preview returns the request that Send would make, and sends nothing. It fetches no pages: those that are not
// known yet are reported as missing.
func (s *Session) Preview(ctx context.Context, in Input) (prompt.Envelope, []prompt.MissingRef, error) {
	p, err := s.Forecast(ctx, in)
	switch {
	case err != nil:
		return prompt.Envelope{}, nil, err
	case p.TooLong != nil:
		err = p.TooLong
	}
	return p.Envelope, p.Missing, err
}

// Forecast returns the whole pending turn for a preview. A turn that does not fit is no error.
func (s *Session) Forecast(ctx context.Context, in Input) (*PendingTurn, error) {
	return whenIdle(s, func() (*PendingTurn, error) {
		s.takeSummary(0, false)
		return s.plan(ctx, in, false).prepared()
	})
}

// Begin prepares a turn: it reads the references once and builds the request. Nothing is sent or saved before
// [PendingTurn.Send]. A turn that does not fit is no error; TooLong is set.
func (s *Session) Begin(ctx context.Context, in Input) (*PendingTurn, error) {
	return whenIdle(s, func() (*PendingTurn, error) {
		if err := s.writable(); err != nil {
			return nil, err
		}
		return s.plan(ctx, in, true).prepared()
	})
}

// prepared returns p, or the error if there is no request; being too long is no error.
func (p *PendingTurn) prepared() (*PendingTurn, error) {
	if p.err != nil && p.TooLong == nil {
		return nil, p.err
	}
	return p, nil
}

// Send runs the turn and yields its events, as [Session.Send] does. It first looks at the references again and
// rebuilds the request if any changed; if that costs more, it yields ErrPrice and sends nothing.
func (p *PendingTurn) Send(ctx context.Context) iter.Seq2[Event, error] {
	return p.s.events(ctx, func() (*PendingTurn, error) { return p.upToDate(ctx) })
}

// upToDate returns p, or the turn prepared again if p is outdated.
func (p *PendingTurn) upToDate(ctx context.Context) (*PendingTurn, error) {
	old, err := p.outdated(ctx)
	if err != nil || !old {
		return p, err
	}
	now := p.s.plan(ctx, p.given, true)
	cut := func(p *PendingTurn) int { return len(p.Envelope.Shortened) }
	switch {
	case now.err != nil && now.TooLong == nil:
		return nil, now.err
	case now.TooLong != nil && p.TooLong == nil,
		uncachedTokens(now.Envelope.Predicted) > uncachedTokens(p.Envelope.Predicted), cut(now) > cut(p):
		return nil, ErrPrice
	}
	return now, nil
}

// outdated reports whether the session or any of the notes in the request has changed.
func (p *PendingTurn) outdated(ctx context.Context) (bool, error) {
	if p.version != p.s.version || p.engine.Cache.Cold != p.s.cacheExpired() {
		return true, nil
	}
	items := slices.Clone(p.engine.Attached)
	for _, it := range p.conv.Known() {
		now := p.engine.Current[it.ID]
		if now.State == prompt.Changed || now.State == prompt.Withdrawn {
			it = now.Item
		}
		moved := slices.ContainsFunc(p.engine.Moves, func(m prompt.Move) bool { return m.From == it.Ref })
		attached := slices.ContainsFunc(items, func(o prompt.Item) bool { return o.Ref == it.Ref })
		if now.State != prompt.Deleted && now.State != prompt.Private && !moved && !attached {
			items = append(items, it)
		}
	}
	changed, moves, err := p.s.opts.Gather.Current(ctx, items)
	return len(changed)+len(moves) > 0, err
}

// plan prepares a turn. Without fetch it does not use the network. The caller holds busy.
func (s *Session) plan(ctx context.Context, in Input, fetch bool) *PendingTurn {
	if fetch {
		s.takeSummary(summaryWait, true)
	}
	defer setModel(s, in.Model)()
	p := &PendingTurn{
		s: s, given: in, text: in.Text, earlier: s.chat,
		turnState: turnState{conv: s.conv, stale: s.stale, in: in},
	}
	p.prepare(ctx, fetch)
	return p
}

// prepare gathers the items and builds the request.
func (p *PendingTurn) prepare(ctx context.Context, fetch bool) {
	s := p.s
	s.opts.learnCalling()
	p.version, p.tools, p.offer, p.notices = s.version,
		toolReport{next: p.earlier.NextSource()}, false, nil
	var kept []prompt.Ref
	if p.retry != nil {
		kept = s.chat.Forgotten
	}
	p.named = s.refs(ctx, &p.in, kept)
	p.Missing = p.named.missing
	if fetch && p.retry == nil {
		s.attachPages(p.named.refs)
	}
	if fetch && s.pages.takeChanged() {
		p.stale = true
	}
	if fetch {
		p.refetch(ctx, p.named.refs)
	}
	if p.stale {
		r, err := s.rebuild(ctx, &p.earlier, fetch)
		if err != nil {
			p.err = err
			return
		}
		p.conv, p.stale, p.notices = r.conv, len(r.unread) > 0, append(p.notices, r.notices...)
		for _, ref := range r.unread {
			p.Missing = append(p.Missing, fetchedLater(ref))
		}
	}
	p.include(ctx)
	p.forgotten = s.chat.Forgotten
	refs := p.named.refs
	if !fetch {
		refs = p.fetchLater(refs)
	}
	var missing []prompt.MissingRef
	p.engine, missing, p.err = s.gatherTurn(ctx, p.conv, p.in, refs, p.named.withdrawn)
	p.Missing = append(p.Missing, missing...)
	if p.err != nil {
		return
	}
	for id, now := range p.engine.Current {
		if now.State == prompt.Private {
			p.conv = forgetRefs(p.conv, []prompt.Ref{{Kind: prompt.Note, ID: id}}, s.opts.Count)
		}
	}
	if project := s.instructions().Project; project != nil {
		p.engine.Project = withoutRefs(project.Notes, p.named.withdrawn)
	}
	p.engine.Context = contextLine(history.Message{Context: p.sentContext()}, p.Missing)
	if p.retry != nil {
		p.engine.Asked = s.chat.Messages[p.retry.at].Time
		p.engine.Attached = append(slices.Clone(p.retry.inline), p.engine.Attached...)
	}
	p.addBlockGuide()
	p.checkMemory()
	by := p.caller()
	by.Preview = !fetch
	if p.err = p.makeLookups(by.In(ctx), fetch); p.err == nil {
		p.render()
	}
}

// makeLookups makes the lookups before the request that the chain and the question ask for.
func (p *PendingTurn) makeLookups(ctx context.Context, fetch bool) (err error) {
	t := &Turn{s: p.s, p: p, yield: func(Event, error) bool { return true }}
	p.tools.mayAsk = fetch
	if opener, ok := p.s.chain().(Opener); ok {
		err = opener.Open(ctx, t)
	}
	if err == nil && p.named.wants(VaultRef) {
		err = t.search(ctx)
	}
	if err == nil && p.named.wants(WebRef) {
		err = p.searchWeb(ctx, fetch)
	}
	return err
}

// sentContext returns the context line for the chat file.
func (p *PendingTurn) sentContext() history.Context {
	var pins []string
	for _, r := range p.in.Pins {
		pins = append(pins, r.ID)
	}
	c := history.ContextOf(p.named.refs, p.in.Active.ID, pins)
	c.Other = p.toolNames()
	return c
}

// render builds the request from the items and lookups.
func (p *PendingTurn) render() {
	p.TooLong = nil
	refers := false
	p.engine.Tools, refers = p.shortenedResults()
	if p.offer || p.s.tools.offers {
		p.s.opts.setTools(&p.engine, p.s.callableTools())
	} else {
		p.s.opts.setTools(&p.engine, nil)
	}
	p.Envelope, p.err = p.conv.Prepare(p.engine)
	if refers && p.err == nil && !p.containsReferred() {
		p.engine.Tools = p.tools.used
		p.Envelope, p.err = p.conv.Prepare(p.engine)
	}
	errors.As(p.err, &p.TooLong)
	p.sendLarge()
}

// notice adds a notice for when the turn is sent.
func (p *PendingTurn) notice(kind, text string) {
	p.notices = append(p.notices, Notice{Kind: kind, Text: text})
}

// refetch updates the attached pages, and after a refresh all pages that the chat knows.
func (p *PendingTurn) refetch(ctx context.Context, refs []prompt.Ref) {
	if slices.ContainsFunc(p.s.changes, func(m moment) bool { return m.change.Refresh }) {
		for _, k := range p.s.chat.Library() {
			refs = append(withoutRefs(refs, []prompt.Ref{k.Ref}), k.Ref)
		}
	}
	for _, m := range p.s.opts.Gather.Refetch(ctx, p.s.withoutUnattached(refs)) {
		p.notice(m.State, m.Reason)
	}
}

// include adds the notes of the project to the conversation. A note that cannot be read now is tried again with the
// next turn.
func (p *PendingTurn) include(ctx context.Context) {
	project := p.s.instructions().Project
	if project == nil {
		return
	}
	refs := withoutRefs(p.conv.Excludes(project.Notes), p.named.withdrawn)
	if len(refs) == 0 {
		return
	}
	items, missing, err := p.s.opts.Gather.Gather(ctx, refs)
	if err != nil {
		p.err = err
		return
	}
	p.conv = p.conv.Include(items)
	for _, m := range missing {
		m.State, m.Reason = "project", "project: "+m.Reason
		p.Missing = append(p.Missing, m)
	}
}

// fetchLater returns refs without the pages that are not known yet, and reports those as missing.
func (p *PendingTurn) fetchLater(refs []prompt.Ref) []prompt.Ref {
	known := p.conv.Known()
	return slices.DeleteFunc(slices.Clone(refs), func(r prompt.Ref) bool {
		if r.Kind != prompt.URL || slices.ContainsFunc(known, func(it prompt.Item) bool { return it.Ref == r }) {
			return false
		}
		if p.retry != nil && p.s.pageAccess(r) == noAccess {
			return false // gathering tells why it is not fetched
		}
		p.Missing = append(p.Missing, fetchedLater(r))
		return true
	})
}

func fetchedLater(r prompt.Ref) prompt.MissingRef {
	return missingRef(r, "later", " is fetched when the turn is sent")
}
