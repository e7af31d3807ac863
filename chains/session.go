package chains

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"ibid/context/prompt"
	"ibid/history"
)

// ErrBusy is returned while a turn runs: wait for its end, or cancel it.
var ErrBusy = errors.New("a reply is still being written")

// ErrNothing is returned if the conversation has no turn, and by Redo if nothing was undone.
var ErrNothing = errors.New("there is no turn yet")

// Errors of methods that would have to save a read-only chat.
var (
	errReadOnly = errors.New(
		"the chat is open elsewhere, so it is read-only here: /branch continues it in a file of its own")
	errNewer = errors.New(
		"a newer ibid wrote the chat, so it is read-only here: update ibid, or /branch continues it in a file of its own")
)

// writable returns why the chat cannot be written, nil if it can.
func (s *Session) writable() error {
	switch {
	case !s.chat.ReadOnly:
		return nil
	case s.chat.Newer():
		return errNewer
	}
	return errReadOnly
}

// Gatherer reads what a person refers to. It is the session's only access to notes, and it withholds the private
// ones.
type Gatherer interface {
	// Mentions finds the references in a typed text. Those that match nothing, or several notes, are returned as
	// missing and stay text. Text in spans is not searched; a span that has a reference adds it.
	Mentions(ctx context.Context, text string, spans ...Span) ([]prompt.Ref, []prompt.MissingRef)

	// Reference parses one reference as a person writes it after "@".
	Reference(ctx context.Context, ref string) ([]prompt.Ref, []prompt.MissingRef)

	// Gather reads the items of references, in order, with folders and tags expanded to their notes. It returns an
	// error only if it cannot go on, for instance at the end of ctx.
	Gather(ctx context.Context, refs []prompt.Ref) ([]prompt.Item, []prompt.MissingRef, error)

	// Current looks at known items again and returns those that changed, vanished or moved, judged by content and
	// not by time.
	Current(ctx context.Context, known []prompt.Item) (map[string]prompt.Current, []prompt.Move, error)
	// Images reads the images that a note embeds. The session calls it for the active note only.
	Images(ctx context.Context, it prompt.Item) ([]prompt.Image, []prompt.MissingRef)
	// Members returns the items of a folder or a tag, as far as they are known without reading the disk.
	Members(ref prompt.Ref) []prompt.Ref
	// Find returns a selection by the revision, 16 hex digits, of its lines, if only that is known of its text.
	Find(ref prompt.Ref, revision string) (prompt.Item, bool)
	// Refetch fetches the pages among refs again. If one cannot be reached, its text stays, and it is returned as
	// missing.
	Refetch(ctx context.Context, refs []prompt.Ref) []prompt.MissingRef
	// Withheld returns why nothing of the vault may be sent or offered to a model, nil if it may: the rules for what is
	// excluded cannot be read.
	Withheld() error
	// Leads reports whether the target of a wikilink exists in the vault.
	Leads(target string) bool
}

// Store saves chats. A session with a nil Store saves nothing.
type Store interface {
	// Save writes the chat atomically and sets its Path.
	Save(c *history.Chat) ([]history.Warning, error)

	// Journal returns the journal for the reply to a message of a saved chat, nil if there is no place for one.
	Journal(c *history.Chat, question int) *history.Journal

	// Rescue writes a chat that cannot be saved to another place and returns its path.
	Rescue(c *history.Chat) (string, error)
}

// Options configure a session. Gather and Model are required; the other fields have useful zero values.
type Options struct {
	Model        Model
	ModelName    string // the provider's name of the model
	Gather       Gatherer
	Store        Store
	Instructions prompt.Instructions
	Layout       prompt.Layout
	Window       int  // in tokens, 0 if unknown
	Reserve      int  // tokens kept free for the reply
	Vision       bool // the model takes images
	Background   Background
	Cache        CacheRule
	Count        func(string) int // counts the tokens of a text; nil counts one per four bytes
	Calibrate    Calibration
	SaveThinking bool             // replies are saved with the reasoning before them
	Log          *slog.Logger     // gets one line a request, at level debug; may be nil
	Now          func() time.Time // nil means time.Now
	Chain        Chain            // nil means Chat
	Tools        Toolbox          // tools for chains that offer them
	Large        LargePolicy      // for large turns
	Pages        PageMemory       // which pages the person attached; nil if all that a chat names count as such
	Process      *Process         // state shared by the sessions of a process; nil for a session alone
}

// Background configures the requests besides the turns.
type Background struct {
	Summaries bool // summarizes the oldest turns before they no longer fit; else they are cut
	Titles    Titles

	// Widen asks the model for other words of a question before a search of the vault, in a small request that
	// contains no note.
	Widen bool

	// Thinks reports whether a model thinks before it answers, which uses tokens of the answer; nil means none
	// does. Stops reports whether such a model can be told not to think; nil means all can.
	Thinks, Stops func(model string) bool
}

// Calibration corrects estimates with the numbers that a provider reports. Each field may be nil.
type Calibration struct {
	Factor    func() float64                   // returns the provider's tokens per counted token; nil means 1
	Observe   func(counted, reported int)      // is called with every reported prompt
	Truncated func(counted, reported int) bool // reports whether the server cut the prompt silently
	Window    func(tokens int)                 // is called with the window that an error named
}

// CacheRule describes the prefix cache of the provider. The session sets Cold.
type CacheRule struct {
	prompt.Cache
	At       string        // provider, since each has a cache of its own for the same model
	Lifetime time.Duration // idle time after which it has surely expired, 0 for never
}

// Input is a message and its attachments. It holds values only, copied when the key was pressed.
type Input struct {
	Text   string
	Typed  bool         // a person typed Text, except Spans; false for a text from a file or a program
	Active prompt.Ref   // the active note, zero if none goes with the turn
	Open   prompt.Ref   // the open note that "@active" means, sent or not
	Pins   []prompt.Ref // pinned notes that go with the turn
	Pinned []prompt.Ref // all pinned notes, which "@pins" means, sent or not
	Attach []prompt.Ref // chosen by hand; the session adds the references in the text
	Spans  []Span       // parts of the text that were pasted or picked from a list
	Model  *Options     // answers this turn in place of the session's model, see Change.Model; may be nil
}

// Span is a part of a text that is not searched for references.
type Span = prompt.Span

// Session is one conversation: the chat, the state of the engine, and the model.
//
// A session runs one turn at a time. Its methods may be called from any goroutine; while a turn runs, all except
// Snapshot and Options return ErrBusy. A turn runs in the goroutine that ranges over it. With Background.Summaries,
// a goroutine of the session may request a summary after a reply: the next turn and Close end it and wait for it,
// so such a session must be closed. A [TitleRequest] runs in the goroutine of its caller.
type Session struct {
	busy gate // held while a method uses the fields below
	moment
	turns    pastTurns
	requests []prompt.Envelope // every request that was sent, oldest first
	sentAt   time.Time         // time of the last request
	redo     *moment           // state for Redo, nil if there is none
	version  int               // changes whenever a prepared turn becomes outdated
	unsaved  *time.Timer       // next attempt to save, nil if the chat is saved
	edits    int               // number of changes by other programs
	opening  []Notice          // notices from opening the chat
	tools    sessionTools
	summary  *summary // running request, nil if there is none
	last     exchange // of the last turn
	pages    pageRights
	view     view
}

// view holds the state that others read while a turn runs and holds busy.
type view struct {
	sync.Mutex
	snapshot Snapshot
	options  Options
	own      *Options // options of the chat while another model answers a turn, else nil; guarded by busy
}

// sessionTools holds the tools of a conversation and the permissions of the person.
type sessionTools struct {
	offers   bool                 // every request has the list of tools, since a chain has offered it
	noStops  bool                 // requests have no stop sequences: one stopped the model before any text
	lists    map[string]*toolList // by the settings that they depend on
	granted  map[Access]bool      // what the person agreed to
	policy   Policy               // for changes by tools
	widening widening             // of searches before the request
}

// Snapshot is a copy of the state of a session for display. It holds values only.
type Snapshot struct {
	Path      string // vault-relative, "" if not saved yet
	Title     string
	Model     string
	At        string // provider of the model, "" for the offline one
	Chain     string // name of the chain of the next turn
	Layout    prompt.Layout
	Project   *prompt.Project // nil if the chat has none
	Turns     int
	Usage     *Usage          // of the last turn, nil if none was reported
	Totals    []history.Total // of all turns, by month and model
	Epoch     int64           // identity of the chat, 0 if not saved yet
	CacheKey  string          // Request.CacheKey of its turns
	ReadOnly  bool
	Branch    bool // the chat is a branch of another one
	Unsaved   bool // the last save failed and is retried
	Recovered bool // its end was recovered, and the next save adds it to the file
	Newer     bool // read-only because a newer ibid wrote it, and not because it is open elsewhere

	// BrokenOff lists what the person attached to the last turn, if its reply broke off or never came. The model
	// does not know these.
	BrokenOff []prompt.Ref
}

// Cost returns the price of all turns in dollars, as far as it is known.
func (s Snapshot) Cost() (dollars float64) {
	for _, t := range s.Totals {
		dollars += t.Usage.Cost
	}
	return dollars
}

// NewSession returns a session for a new conversation.
func NewSession(o Options) *Session {
	s := &Session{moment: moment{opts: o}, turns: pastTurns{map[int]turnState{}, turnEnds{}}}
	s.tools.lists, s.tools.granted = map[string]*toolList{}, map[Access]bool{}
	if s.opts.Now == nil {
		s.opts.Now = time.Now
	}
	if s.opts.Count == nil {
		s.opts.Count = prompt.ApproximateTokens
	}
	if s.opts.Tools.Words == nil {
		s.opts.Tools.Words = strings.Fields
	}
	if s.opts.Tools.Dated == nil {
		s.opts.Tools.Dated = func(string) bool { return false }
	}
	s.opts.Process = cmp.Or(s.opts.Process, &Process{})
	s.opts.Log = cmp.Or(s.opts.Log, slog.New(slog.DiscardHandler))
	s.chat.Model = o.ModelName
	s.chat.Layout = string(o.Layout)
	s.chat.Project = projectOf(o.Instructions)
	if o.Chain != nil {
		s.chat.Chain = o.Chain.Name()
	}
	s.publish()
	return s
}

// Project returns the folder of the chat's project, "" if it has none.
func (s *Session) Project() string { return projectOf(s.Options().Instructions) }

// instructions returns the instructions of the next request. While it is not known what is excluded, they have
// nothing of the vault.
func (s *Session) instructions() prompt.Instructions {
	in := s.opts.Instructions
	if s.opts.Gather.Withheld() != nil {
		in.Memory = ""
		in.Project = nil
	}
	return in
}

// projectOf returns the name of the project of the instructions, "" if they have none.
func projectOf(i prompt.Instructions) string {
	if i.Project == nil {
		return ""
	}
	return i.Project.Name
}

// chain returns the chain of the session, Chat by default.
func (s *Session) chain() Chain {
	if s.opts.Chain == nil {
		return Chat{}
	}
	return s.opts.Chain
}

// publish updates the snapshot. The caller holds busy.
func (s *Session) publish() {
	o := chatOptions(s)
	s.view.Lock()
	defer s.view.Unlock()
	s.view.options = o
	s.view.snapshot = Snapshot{
		Project: s.opts.Instructions.Project,
		Path:    string(s.chat.Path), Title: s.chat.Name(), Model: o.ModelName, At: o.Cache.At,
		Chain: s.chain().Name(), Layout: o.Layout,
		Turns: s.chat.Turns(), Usage: s.last.usage, Totals: s.chat.Totals, Epoch: s.chat.Epoch,
		CacheKey: cacheKey(s.chat.Epoch), ReadOnly: s.chat.ReadOnly, Branch: s.chat.Origin != (history.Origin{}),
		Newer: s.chat.Newer(), Unsaved: s.unsaved != nil,
		Recovered: s.chat.Recovered(), BrokenOff: s.withoutUnattached(unansweredRefs(&s.chat)),
	}
}

// Snapshot returns the current state. It never waits for a turn.
func (s *Session) Snapshot() Snapshot {
	s.view.Lock()
	defer s.view.Unlock()
	return s.view.snapshot
}

// Chat returns a copy of the chat as it would be saved.
func (s *Session) Chat() (history.Chat, error) {
	return whenIdle(s, func() (history.Chat, error) { return s.mark().chat, nil })
}

// Known returns what the model knows in this conversation, in the order of first appearance, with notes that are
// gone from the vault.
func (s *Session) Known() ([]prompt.Ref, error) {
	return whenIdle(s, func() (refs []prompt.Ref, err error) {
		for _, it := range s.conv.Known() {
			refs = append(refs, it.Ref)
		}
		return refs, nil
	})
}

// Requests returns the requests that were sent, oldest first.
func (s *Session) Requests() ([]prompt.Envelope, error) {
	return whenIdle(s, func() ([]prompt.Envelope, error) { return slices.Clone(s.requests), nil })
}

// cacheExpired reports whether the provider's cache has surely expired. It uses the wall clock besides the
// monotonic one, because that stops while a machine sleeps. A wall clock that was set back has no effect.
func (s *Session) cacheExpired() bool {
	life, now := s.opts.Cache.Lifetime, s.opts.Now()
	idle := max(now.Sub(s.sentAt), now.Round(0).Sub(s.sentAt))
	return life > 0 && !s.sentAt.IsZero() && idle > life
}

// messageTime returns the time for a new message: now, but never before the messages of the chat, also after the clock
// was set back.
func (s *Session) messageTime() time.Time {
	now := s.opts.Now()
	for i := range s.chat.Messages {
		if at := s.chat.Messages[i].Time; at.After(now) {
			now = at
		}
	}
	return now
}

// Options returns the current options, which differ from those of NewSession after changes of model or project.
func (s *Session) Options() Options {
	s.view.Lock()
	defer s.view.Unlock()
	return s.view.options
}
