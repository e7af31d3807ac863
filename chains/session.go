package chains

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"ibid/context/prompt"
	"ibid/history"
)

// ErrBusy is returned while a turn is running: it must end, or be cancelled, first.
var ErrBusy = errors.New("a reply is still being written")

// ErrNothing is returned by Retry and Undo in a conversation without a turn.
var ErrNothing = errors.New("there is no turn yet")

// Gatherer turns what a person names into content. It is the session's only
// way to notes, and the place where private ones are kept back.
type Gatherer interface {
	// Mentions finds the references in a text as typed. What matches nothing,
	// or several things, comes back as missing and stays text.
	Mentions(ctx context.Context, text string) ([]prompt.Ref, []prompt.Missing)

	// Reference reads one reference as a person writes it after "@".
	Reference(ctx context.Context, ref string) ([]prompt.Ref, []prompt.Missing)

	// Gather reads the content of references, in order, folders and tags
	// expanded to their notes. The error is for what stops everything, such as
	// the end of ctx.
	Gather(ctx context.Context, refs []prompt.Ref) ([]prompt.Item, []prompt.Missing, error)

	// Current looks again at items that were gathered before and tells which
	// of them changed, vanished or moved, by content and not by time.
	Current(ctx context.Context, known []prompt.Item) (map[string]prompt.Current, []prompt.Move, error)
}

// ImageGatherer is a Gatherer that can also read the images a note embeds.
// Only those of the active note are ever asked for.
type ImageGatherer interface {
	Images(ctx context.Context, it prompt.Item) ([]prompt.Image, []prompt.Missing)
}

// Store keeps chats. A nil Store keeps nothing.
type Store interface {
	// Save writes the chat and sets its Path, atomically.
	Save(c *history.Chat) ([]history.Warning, error)
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
	Summarize    bool // the model can summarize the turns that no longer fit; otherwise they are cut
	Cache        CacheRule
	Count        func(string) int                 // tokens of a text; nil counts a token per four bytes
	Factor       func() float64                   // the provider's tokens per counted token; nil is 1
	Observe      func(counted, reported int)      // told of every reported prompt; may be nil
	Truncated    func(counted, reported int) bool // a server that cut the prompt without saying so; may be nil
	Learn        func(window int)                 // told of a window that an error named; may be nil
	Log          *slog.Logger                     // one line a request, at level debug; nil writes none
	Now          func() time.Time                 // nil is time.Now
	SaveEvery    time.Duration                    // while streaming, 0 is a second
}

// CacheRule is how the provider's prefix cache behaves.
type CacheRule struct {
	Min      int           // tokens below which nothing is cached
	Step     int           // matches are rounded down to a multiple of this many tokens
	Lifetime time.Duration // idle time after which it is surely cold, 0 for never
	None     bool
}

// ActiveRef stands for the note that is open, in references as a person writes them.
func ActiveRef() prompt.Ref { return prompt.Ref{Kind: prompt.Workspace, ID: "@active"} }

// PinsRef stands for the pinned notes.
func PinsRef() prompt.Ref { return prompt.Ref{Kind: prompt.Workspace, ID: "@pins"} }

// Input is what a person sends: values only, copied when the key was pressed.
type Input struct {
	Text   string
	Active prompt.Ref   // the active note, zero if none goes with the turn
	Open   prompt.Ref   // the note that is open, whether or not it goes: what "@active" means
	Pins   []prompt.Ref // always go with the turn
	Pinned []prompt.Ref // every pinned note, whether or not it goes: what "@pins" means
	Attach []prompt.Ref // chosen by hand; references in the text are added by the session
}

// Session is one conversation: the chat, the engine's state, and the model.
//
// A session runs one turn at a time. Its methods may be called from any
// goroutine; while a turn runs, all but Snapshot return ErrBusy. It starts no
// goroutine of its own: a turn runs in the goroutine that ranges over it.
type Session struct {
	opts Options

	busy     sync.Mutex // held while a method works on the fields below
	chat     history.Chat
	conv     prompt.Conversation
	before   map[int]prompt.Conversation // by turn: the state before it
	inputs   map[int]Input               // by turn: what was sent
	requests []prompt.Envelope           // every request that was sent, oldest first
	sentAt   time.Time                   // when the last request went out
	changes  []moment                    // before each change since the last turn
	redo     *moment                     // what Undo took away last
	stale    bool                        // the last message was cancelled before anything came: it goes when another is sent
	lost     bool                        // the state is not that of the chat (pages unread, file merged): the next turn rebuilds it
	usage    *Usage

	view    sync.Mutex // guards what is below
	shown   Snapshot
	current Options
}

// Snapshot is what a screen shows of a session: values, safe to keep.
type Snapshot struct {
	Path     string // vault-relative, "" if not saved yet
	Title    string
	Model    string
	Layout   prompt.Layout
	Turns    int
	Usage    *Usage // of the last turn, nil if none was reported
	ReadOnly bool
}

// NewSession begins a conversation.
func NewSession(o Options) *Session {
	s := &Session{opts: o, before: map[int]prompt.Conversation{}, inputs: map[int]Input{}}
	if s.opts.Now == nil {
		s.opts.Now = time.Now
	}
	if s.opts.SaveEvery == 0 {
		s.opts.SaveEvery = time.Second
	}
	if s.opts.Count == nil {
		s.opts.Count = func(text string) int { return (len(text) + 3) / 4 }
	}
	s.chat.Model = o.ModelName
	s.chat.Layout = string(o.Layout)
	s.publish()
	return s
}

// publish renews the snapshot; busy is held.
func (s *Session) publish() {
	s.view.Lock()
	defer s.view.Unlock()
	s.current = s.opts
	s.shown = Snapshot{
		Path: string(s.chat.Path), Title: s.chat.Name(), Model: s.opts.ModelName, Layout: s.opts.Layout,
		Turns: s.chat.Turns(), Usage: s.usage, ReadOnly: s.chat.ReadOnly,
	}
}

// Snapshot is the session as it is now; it never waits for a turn.
func (s *Session) Snapshot() Snapshot {
	s.view.Lock()
	defer s.view.Unlock()
	return s.shown
}

// Chat is a copy of the chat as it would be saved.
func (s *Session) Chat() (history.Chat, error) {
	if !s.busy.TryLock() {
		return history.Chat{}, ErrBusy
	}
	defer s.busy.Unlock()
	c := s.chat
	c.Messages = slices.Clone(c.Messages)
	return c, nil
}

// Requests lists the requests that were sent, oldest first.
func (s *Session) Requests() ([]prompt.Envelope, error) {
	if !s.busy.TryLock() {
		return nil, ErrBusy
	}
	defer s.busy.Unlock()
	return slices.Clone(s.requests), nil
}

// Preview makes the request that Send would make, and sends nothing.
func (s *Session) Preview(ctx context.Context, in Input) (prompt.Envelope, []prompt.Missing, error) {
	return s.PreviewAfter(ctx, in, func(c prompt.Conversation) prompt.Conversation { return c })
}

// PreviewAfter is Preview as if change had been made before. Nothing is changed:
// the difference to Preview is what the change would cost.
func (s *Session) PreviewAfter(ctx context.Context, in Input, change func(prompt.Conversation) prompt.Conversation) (prompt.Envelope, []prompt.Missing, error) {
	if !s.busy.TryLock() {
		return prompt.Envelope{}, nil, ErrBusy
	}
	defer s.busy.Unlock()
	was := s.conv
	s.conv = change(was)
	defer func() { s.conv = was }()
	return s.preview(ctx, in)
}

func (s *Session) preview(ctx context.Context, in Input) (prompt.Envelope, []prompt.Missing, error) {
	refs, missing := s.refs(ctx, &in)
	local := refs[:0:0]
	for _, r := range refs {
		if r.Kind == prompt.URL && !slices.ContainsFunc(s.conv.Known(), func(it prompt.Item) bool { return it.Ref == r }) {
			missing = append(missing, prompt.Missing{Ref: r, State: "later", Reason: r.ID + " is fetched when the turn is sent"})
			continue
		}
		local = append(local, r)
	}
	t, missing, err := s.turn(ctx, &in, local, missing)
	if err != nil {
		return prompt.Envelope{}, missing, err
	}
	env, err := s.conv.Prepare(t)
	return env, missing, err
}

// turn gathers what the engine needs to know for one send. It settles in.Active.
func (s *Session) turn(ctx context.Context, in *Input, refs []prompt.Ref, missing []prompt.Missing) (prompt.Turn, []prompt.Missing, error) {
	items, gone, err := s.opts.Gather.Gather(ctx, refs)
	missing = append(missing, gone...)
	if err != nil {
		return prompt.Turn{}, missing, err
	}
	if g, ok := s.opts.Gather.(ImageGatherer); ok && s.opts.Vision {
		for i := range items {
			if items[i].ID == in.Active.ID && items[i].HasImages {
				var lost []prompt.Missing
				items[i].Images, lost = g.Images(ctx, items[i])
				missing = append(missing, lost...)
			}
		}
	}
	current, moves, err := s.opts.Gather.Current(ctx, s.conv.Known())
	if err != nil {
		return prompt.Turn{}, missing, err
	}
	t := prompt.Turn{
		Text: in.Text, Attached: items, Active: in.Active.ID, Current: current, Moves: moves,
		Settings: prompt.Settings{L1: prompt.SystemText(s.opts.Instructions), Model: s.opts.ModelName},
		Layout:   s.opts.Layout,
		Budget:   prompt.Budget{Window: s.opts.Window, Reserve: s.opts.Reserve},
		Cache:    prompt.Cache{Min: s.opts.Cache.Min, Step: s.opts.Cache.Step, None: s.opts.Cache.None, Cold: s.cold()},
		Vision:   s.opts.Vision,
		Count:    s.opts.Count,
	}
	if s.opts.Factor != nil {
		t.Budget.Factor = s.opts.Factor()
	}
	return t, missing, nil
}

// refs lists what goes with a turn, in the person's order, each once. A mention
// of the active note or the pins is replaced by what it stands for.
func (s *Session) refs(ctx context.Context, in *Input) ([]prompt.Ref, []prompt.Missing) {
	mentioned, missing := s.opts.Gather.Mentions(ctx, in.Text)
	named := append(slices.Clone(in.Attach), mentioned...)
	for _, r := range named {
		if r == ActiveRef() && in.Active.ID == "" {
			in.Active = in.Open
			if in.Open.ID == "" {
				missing = append(missing, prompt.Missing{Ref: r, State: "missing", Reason: "@active: no note is open"})
			}
		}
	}
	var refs []prompt.Ref
	add := func(more ...prompt.Ref) {
		for _, r := range more {
			if r.ID != "" && r.Kind != prompt.Workspace && !slices.Contains(refs, r) {
				refs = append(refs, r)
			}
		}
	}
	add(in.Active)
	add(in.Pins...)
	for _, r := range named {
		if r == PinsRef() {
			add(in.Pinned...)
		}
		add(r)
	}
	return refs, missing
}

// cold reports whether the provider's cache has surely expired.
func (s *Session) cold() bool {
	life := s.opts.Cache.Lifetime
	return life > 0 && !s.sentAt.IsZero() && s.opts.Now().Sub(s.sentAt) > life
}

// Reference reads one reference as a person writes it.
func (s *Session) Reference(ctx context.Context, ref string) ([]prompt.Ref, []prompt.Missing) {
	return s.opts.Gather.Reference(ctx, ref)
}

// save writes the chat, if it is to be kept.
func (s *Session) save() ([]history.Warning, error) {
	defer s.publish()
	if s.opts.Store == nil || s.chat.ReadOnly {
		return nil, nil
	}
	warnings, err := s.opts.Store.Save(&s.chat)
	for _, w := range warnings {
		s.lost = s.lost || w.Kind == "merged" // somebody else wrote into the conversation
	}
	return warnings, err
}

// Options is what the session runs with now.
func (s *Session) Options() Options {
	s.view.Lock()
	defer s.view.Unlock()
	return s.current
}
