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

// ErrBusy is returned while a turn is running: it must end, or be cancelled, first.
var ErrBusy = errors.New("a reply is still being written")

// ErrNothing is returned by Retry and Undo in a conversation without a turn.
var ErrNothing = errors.New("there is no turn yet")

// These are for what would have to be saved in a chat that may not be written.
var (
	errReadOnly = errors.New(
		"the chat is open elsewhere, so it is read-only here: /branch continues it in a file of its own")
	errNewer = errors.New(
		"a newer ibid wrote the chat, so it is read-only here: update ibid, or /branch continues it in a file of its own")
)

// writable is why the chat may not be written, nil if it may.
func (s *Session) writable() error {
	switch {
	case !s.chat.ReadOnly:
		return nil
	case s.chat.Newer():
		return errNewer
	}
	return errReadOnly
}

// Gatherer turns what a person names into content. It is the session's only
// way to notes, and the place where private ones are kept back.
type Gatherer interface {
	// Mentions finds the references in a text as typed. What matches nothing,
	// or several things, comes back as missing and stays text. Spans are not
	// read; those that stand for a reference give it.
	Mentions(ctx context.Context, text string, spans ...Span) ([]prompt.Ref, []prompt.MissingRef)

	// Reference reads one reference as a person writes it after "@".
	Reference(ctx context.Context, ref string) ([]prompt.Ref, []prompt.MissingRef)

	// Gather reads the content of references, in order, folders and tags
	// expanded to their notes. The error is for what stops everything, such as
	// the end of ctx.
	Gather(ctx context.Context, refs []prompt.Ref) ([]prompt.Item, []prompt.MissingRef, error)

	// Current looks again at items that were gathered before and tells which
	// of them changed, vanished or moved, by content and not by time.
	Current(ctx context.Context, known []prompt.Item) (map[string]prompt.Current, []prompt.Move, error)
	// Images reads the images that a note embeds. Only those of the active note are ever
	// asked for.
	Images(ctx context.Context, it prompt.Item) ([]prompt.Image, []prompt.MissingRef)
	// Members says which things a folder or a tag stands for, as far as that is known
	// without looking at the disk.
	Members(ref prompt.Ref) []prompt.Ref
	// Find finds the lines of a selection again by the revision that they had, 16 hex
	// digits, when the text that they had is not known any more.
	Find(ref prompt.Ref, revision string) (prompt.Item, bool)
	// Refetch fetches those among refs again that are pages; of one that cannot be
	// reached the text that is there stays, and that is reported.
	Refetch(ctx context.Context, refs []prompt.Ref) []prompt.MissingRef
	// Leads reports whether the target of a wikilink is in the vault.
	Leads(target string) bool
}

// Store keeps chats. A nil Store keeps nothing.
type Store interface {
	// Save writes the chat and sets its Path, atomically.
	Save(c *history.Chat) ([]history.Warning, error)

	// Journal keeps the reply to a message of a saved chat while it streams; it is
	// nil where there is no place for it.
	Journal(c *history.Chat, question int) *history.Journal

	// Rescue writes a chat that cannot be saved to another place and says where.
	Rescue(c *history.Chat) (string, error)
}

// Options make a session. Gather and Model are needed; the rest has a useful zero.
type Options struct {
	Model        Model
	ModelName    string // as the provider spells it
	Gather       Gatherer
	Store        Store
	Instructions prompt.Instructions
	Layout       prompt.Layout
	Window       int  // tokens, 0 if unknown
	Reserve      int  // tokens kept free for the reply
	Vision       bool // the model takes images
	Background   Background
	Cache        CacheRule
	Count        func(string) int // tokens of a text; nil counts a token per four bytes
	Calibrate    Calibration
	SaveThinking bool             // replies are saved with what the model thought before them
	Log          *slog.Logger     // one line a request, at level debug; nil writes none
	Now          func() time.Time // nil is time.Now
	Chain        Chain            // how a turn is answered, nil is Chat
	Tools        Toolbox          // what a chain may offer
	Large        LargePolicy      // what becomes of large turns
	Process      *Process         // what the sessions of a process share; nil is one of its own
}

// Background says what a model is asked besides the turns.
type Background struct {
	Summaries bool // of turns before they no longer fit; otherwise they are cut
	Titles    Titles

	// Widen has the model give other words of a question before the vault is searched
	// for it, with a small request that shows no note.
	Widen bool

	// Thinks says that a model thinks before it answers, which takes tokens of the
	// answer; nil knows of none. Stops says that such a model can be told not to; nil
	// knows of none that cannot.
	Thinks, Stops func(model string) bool
}

// Calibration corrects estimates by the numbers that a provider names. Any of it may
// be nil.
type Calibration struct {
	Factor    func() float64                   // the provider's tokens per counted token; nil is 1
	Observe   func(counted, reported int)      // told of every reported prompt
	Truncated func(counted, reported int) bool // a server that cut the prompt without saying so
	Window    func(tokens int)                 // told of a window that an error named
	Learned   time.Time                        // when one named the window that is counted with, zero if none did
}

// CacheRule describes the provider's prefix cache. Cold is for the session to say.
type CacheRule struct {
	prompt.Cache
	At       string        // whose it is: the same model has one at each provider
	Lifetime time.Duration // idle time after which it is surely cold, 0 for never
}

// ActiveRef stands for the note that is open, in references as a person writes them.
func ActiveRef() prompt.Ref { return prompt.Ref{Kind: prompt.Workspace, ID: "@active"} }

// PinsRef stands for the pinned notes.
func PinsRef() prompt.Ref { return prompt.Ref{Kind: prompt.Workspace, ID: "@pins"} }

// Input holds a message and its attachments: values only, copied when the key was pressed.
type Input struct {
	Text   string
	Typed  bool         // a person typed Text, but for Spans; else it came from a file or a program
	Active prompt.Ref   // the active note, zero if none goes with the turn
	Open   prompt.Ref   // the note that is open, whether or not it goes: what "@active" means
	Pins   []prompt.Ref // always go with the turn
	Pinned []prompt.Ref // every pinned note, whether or not it goes: what "@pins" means
	Attach []prompt.Ref // chosen by hand; references in the text are added by the session
	Spans  []Span       // what of the text was pasted or picked from a list
	Model  *Options     // answers this turn in the place of the session's, as Change.Model does; nil is that
}

// Span is a part of a text that is not read for references.
type Span = prompt.Span

// Session is one conversation: the chat, the engine's state, and the model.
//
// A session runs one turn at a time. Its methods may be called from any
// goroutine; while a turn runs, all but Snapshot and Options return ErrBusy. A
// turn runs in the goroutine that ranges over it. With Background.Summaries, a request
// for a summary may run behind an answer in a goroutine of the session: the next
// turn and Close end it and wait for it, so a session must be closed then. A
// [TitleRequest] is run by whoever asked for it.
type Session struct {
	busy gate // held while a method works on the fields below
	moment
	turns    pastTurns
	requests []prompt.Envelope // every request that was sent, oldest first
	sentAt   time.Time         // when the last request went out
	redo     *moment           // what Undo took away last
	version  int               // counts what makes a turn that was prepared before outdated
	unsaved  *time.Timer       // of the next try, if the chat could not be saved; nil if it is
	edits    int               // how often somebody else wrote into the chat
	opening  []Notice          // what opening the chat said
	tools    sessionTools
	summary  *summary // that is being written, nil if none is
	last     exchange // of the last turn
	view     view
}

// view can be read while a turn runs, which holds busy.
type view struct {
	sync.Mutex
	snapshot Snapshot
	options  Options
	own      *Options // of the chat, while another model answers a turn; nil otherwise. busy guards it
}

// sessionTools keeps the tools of a conversation and what the person allowed them.
type sessionTools struct {
	offers    bool                 // the list goes with every request: a chain has offered it
	unstopped bool                 // requests name no texts to stop at: the model was stopped before it said anything
	lists     map[string]*toolList // by what they depend on
	granted   map[Access]bool      // what the person agreed to
	policy    Policy               // for what tools change
	widening  widening             // of searches before the request
}

// Snapshot copies a session for a screen: values, safe to keep.
type Snapshot struct {
	Path      string // vault-relative, "" if not saved yet
	Title     string
	Model     string
	At        string // whose the model is, "" for the offline one
	Chain     string // how the next turn is answered
	Layout    prompt.Layout
	Project   *prompt.Project // that the chat works in, nil for none
	Turns     int
	Usage     *Usage          // of the last turn, nil if none was reported
	Totals    []history.Total // of all turns, by month and model
	Epoch     int64           // identity of the chat, 0 if not saved yet
	CacheKey  string          // Request.CacheKey of its turns
	ReadOnly  bool
	Branch    bool // it was branched off another chat
	Unsaved   bool // the last save failed; it is tried again
	Recovered bool // its end was recovered, and is not in the file before the next save
	Newer     bool // it is read-only since a newer ibid wrote it, else since it is open elsewhere

	// BrokenOff is what went by hand with the last turn, if its reply broke off or
	// never came: the model does not know it.
	BrokenOff []prompt.Ref
}

// Cost sums the turns in dollars, as far as that is known.
func (s Snapshot) Cost() (dollars float64) {
	for _, t := range s.Totals {
		dollars += t.Usage.Cost
	}
	return dollars
}

// NewSession begins a conversation.
func NewSession(o Options) *Session {
	s := &Session{moment: moment{opts: o}, turns: pastTurns{map[int]turnState{}, turnEnds{}}}
	if s.opts.Now == nil {
		s.opts.Now = time.Now
	}
	if s.opts.Count == nil {
		s.opts.Count = func(text string) int { return (len(text) + 3) / 4 }
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

// Project is the folder of the project that the chat works in, "" for none.
func (s *Session) Project() string { return projectOf(s.Options().Instructions) }

// projectOf is the name of the project that instructions are of, "" for none.
func projectOf(i prompt.Instructions) string {
	if i.Project == nil {
		return ""
	}
	return i.Project.Name
}

// chain falls back to plain chat.
func (s *Session) chain() Chain {
	if s.opts.Chain == nil {
		return Chat{}
	}
	return s.opts.Chain
}

// publish renews the snapshot; busy is held.
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
		Recovered: s.chat.Recovered(), BrokenOff: unansweredRefs(&s.chat),
	}
}

// Snapshot is the session as it is now; it never waits for a turn.
func (s *Session) Snapshot() Snapshot {
	s.view.Lock()
	defer s.view.Unlock()
	return s.view.snapshot
}

// Chat is a copy of the chat as it would be saved.
func (s *Session) Chat() (history.Chat, error) {
	return whenIdle(s, func() (history.Chat, error) { return s.mark().chat, nil })
}

// Known lists what the model knows in this conversation, in the order of first
// appearance; notes that are gone from the vault are among them.
func (s *Session) Known() ([]prompt.Ref, error) {
	return whenIdle(s, func() (refs []prompt.Ref, err error) {
		for _, it := range s.conv.Known() {
			refs = append(refs, it.Ref)
		}
		return refs, nil
	})
}

// Requests lists the requests that were sent, oldest first.
func (s *Session) Requests() ([]prompt.Envelope, error) {
	return whenIdle(s, func() ([]prompt.Envelope, error) { return slices.Clone(s.requests), nil })
}

// cold reports whether the provider's cache has surely expired. What the wall
// clock says counts too, since the other clock of a machine stops while it
// sleeps; one that was set back says nothing.
func (s *Session) cold() bool {
	life, now := s.opts.Cache.Lifetime, s.opts.Now()
	idle := max(now.Sub(s.sentAt), now.Round(0).Sub(s.sentAt))
	return life > 0 && !s.sentAt.IsZero() && idle > life
}

// stamp is the time of a message that is added now: never before those that the
// chat holds, also after the clock was set back.
func (s *Session) stamp() time.Time {
	now := s.opts.Now()
	for i := range s.chat.Messages {
		if at := s.chat.Messages[i].Time; at.After(now) {
			now = at
		}
	}
	return now
}

// Options may differ from those it was begun with: models and projects change.
func (s *Session) Options() Options {
	s.view.Lock()
	defer s.view.Unlock()
	return s.view.options
}
