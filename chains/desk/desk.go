package desk

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ibid/chains"
	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/history"
	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/undo"
	"ibid/vault/usage"
)

// Options make a desk. Vault and Gather are needed; the rest has a useful zero.
type Options struct {
	Vault    *vault.Vault
	Gather   *gather.Gatherer
	Store    *history.Store // nil keeps no chat
	Journal  *undo.Journal  // writes notes; nil writes none
	Memory   *Memory        // what the model is always to know; nil remembers nothing
	Usage    *usage.File    // which notes were used together; nil counts nothing
	StateDir string         // where editors leave their signals
	IndexDir string         // where the search index is kept; "" has none: searches read the notes
	Session  chains.Options // for every chat that begins here
	Active   string         // Off, Follow (also "") or a note
	Attach   []prompt.Ref   // goes with the first turn

	Prompts PromptOptions // where prompts are saved

	// Tools makes what a model may call in chats that begin here; nil has none.
	Tools func(*Desk) chains.Toolbox

	Wait Wait // of Open, for another process that has the chat open

	// Instructions reads L1 for a chat that begins, from a project folder
	// ("" for none); nil keeps what Session has.
	Instructions func(ctx context.Context, project string) (prompt.Instructions, []prompt.MissingRef)
	Project      string // folder of the project that chats begin in, "" for none

	// Model gives the options of another model, for /model, where at is whose cache the
	// chat has now: see chains.CacheRule. It is nil if there is none to choose.
	Model func(ctx context.Context, at, name string) (chains.Options, error)
	// Effort gives the options of a model that is to think as much as level says, for
	// /effort; "" leaves it as it is. It is nil if no model thinks.
	Effort  func(at, model, level string) (chains.Effort, error)
	Servers ServerOptions
	Setup   Setup
}

// ServerOptions are the things that servers of models can do besides answering.
type ServerOptions struct {
	// Offers asks providers for the models that Options.Model takes, and gives each
	// answer when it comes; nil if there are none.
	Offers func(ctx context.Context) iter.Seq[chains.Offer]
	// Unlisted is the provider that was chosen last if its list of models lacks one, else
	// ""; nil if there are no lists.
	Unlisted func(ctx context.Context, model string) (provider string)
	// Pull has the server fetch a model; nil if it fetches none.
	Pull func(ctx context.Context, name string) iter.Seq2[chains.Progress, error]
}

// Setup describes the settings and the vault, for /config and /vault: it takes the words behind
// the command and answers in lines for people. nil has nothing to say.
type Setup struct {
	Config, Vault func(ctx context.Context, arg string) (string, error)
	FromPipe      bool // messages come on standard input, and nobody types them
	Bare          bool // neither pins nor the active note go along
	// Manual is a page of the manual in markdown, of "" the topics that there are.
	Manual func(topic string) (text string, ok bool)
}

// Wait says how long to wait for another process; then the chat is read-only. Say, if
// set, is called when that has taken a moment.
type Wait struct {
	Most time.Duration
	Say  func(chat string)
}

// Desk is one person at one vault, with any number of open chats, who may work in several
// of them at once, each at a [Place].
type Desk struct {
	opts   Options
	now    func() time.Time
	found  atomic.Pointer[chains.Options] // what a turn that began without a model went on with, nil for nothing
	log    *slog.Logger
	export exportFunc

	workspace workspace
	links     linkCache

	mu      sync.Mutex             // for a moment; guards these, opts.Session and opts.Project, and fields of chats
	chats   []*Chat                // in the order in which they were opened
	unsaved []chains.Notice        // of chats that are closed
	unsent  map[int64][]prompt.Ref // by epoch, what was attached to chats that are closed; 0 is the next new one
	pending string                 // what is to be remembered once there is a memory note
	deleted []trashedChat          // chats, the last one at the end
	listed  []vault.Path           // chats, as they were numbered last

	search searching
}

// searching is the search index, which is opened when it is first needed.
type searching struct {
	mu      sync.Mutex // guards tried, index and trouble
	tried   time.Time  // when opening the index was tried last
	index   *index.Index
	trouble string      // with the index
	without atomic.Bool // a search was without the index
}

// New makes a desk, and a place at it with a chat in which nothing was said. It reads
// nothing: Begin starts a chat with instructions.
func New(o Options) *Place {
	if o.Active == "" {
		o.Active = Follow
	}
	if o.Session.Process == nil {
		o.Session.Process = &chains.Process{}
	}
	d := &Desk{opts: o, log: o.Session.Log, now: o.Session.Now, unsent: map[int64][]prompt.Ref{}}
	if o.Tools != nil {
		d.opts.Session.Tools = o.Tools(d)
		d.opts.Session.Tools.ComeWith(o.Session.Tools)
	}
	if d.log == nil {
		d.log = slog.New(slog.DiscardHandler)
	}
	if d.now == nil {
		d.now = time.Now
	}
	d.workspace.state.Vault = filepath.Base(o.Vault.Dir())
	before := o.Vault.OnChange
	o.Vault.OnChange = func(changes []vault.Change) {
		if before != nil {
			before(changes)
		}
		d.changed(changes)
	}
	if o.Store != nil && o.IndexDir != "" {
		o.Store.CacheIn(chatCache{d})
	}
	c := &Chat{desk: d, active: o.Active, project: o.Project, attach: slices.Clone(o.Attach)}
	first := sessionOptions(d)
	first.Tools.Active = c.active
	c.session, d.chats = chains.NewSession(first), []*Chat{c}
	return &Place{Chat: c, Desk: d}
}

// Chats lists the open chats in the order in which they were opened.
func (d *Desk) Chats() []*Chat {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.chats)
}

// newChat is a chat without a session. It follows the active note or not, as the one here
// does; a note that was chosen for that one stays there.
func (p *Place) newChat() *Chat {
	c := &Chat{desk: p.Desk, active: p.opts.Active, project: p.opts.Project}
	if p.Chat != nil {
		if active := p.Active(); active == Off || active == Follow {
			c.active = active
		}
	}
	return c
}

// Begin starts a chat with freshly read instructions and goes on there.
func (p *Place) Begin(ctx context.Context) {
	c := p.newChat()
	o, notices, _ := p.instructedOptions(ctx, c.project) // what there is not, the notices say
	o.Tools.Active = c.active
	c.session, c.notices, c.read = chains.NewSession(o), notices, p.now()
	p.show(p.Chat, c)
}

// TakeOver opens the chat here again if another process had it open and has closed it
// now; it reports whether the chat can be written since.
func (p *Place) TakeOver(ctx context.Context) (bool, error) {
	now := p.session.Snapshot()
	if !now.ReadOnly || now.Newer || p.opts.Store.Locked(now.Epoch) {
		return false, nil
	}
	err := p.Open(ctx, now.Path)
	return err == nil && !p.session.Snapshot().ReadOnly, err
}

// TakenOver says that a chat can be written now.
const TakenOver = "the other window has closed this chat: it goes on here"

// show goes on to a chat. For one that was not open, the chat from which one comes makes
// room if nothing was said there: what is to go with its first turn goes along.
func (p *Place) show(was, c *Chat) {
	room, epoch := was != nil && was.empty(), c.session.Snapshot().Epoch
	p.mu.Lock()
	if i := slices.IndexFunc(p.chats, func(o *Chat) bool {
		return o == c || epoch != 0 && o.session.Snapshot().Epoch == epoch
	}); i >= 0 {
		c = p.chats[i] // it may have been opened meanwhile
	} else {
		p.chats = append(slices.DeleteFunc(p.chats, func(o *Chat) bool { return room && o == was }), c)
	}
	p.mu.Unlock()
	if room && was != c {
		for _, r := range p.opts.Attach {
			if was.Drop(r) {
				c.Attach(r)
			}
		}
		if epoch != 0 {
			leave(was)
		}
	}
	attachAgain(c)
	p.move(c)
}

// CloseOthers closes every chat but the one here, for a view that shows one at a time. A
// chat in which a turn runs stays open.
func (p *Place) CloseOthers() {
	for _, c := range p.Chats() {
		if c != p.Chat {
			p.sayUnsaved(c.Close()) // where a turn runs, another call will find its end
		}
	}
}

// sayUnsaved adds to the notices that a chat could not be saved.
func (d *Desk) sayUnsaved(err error) {
	var unsaved *chains.UnsavedError
	if errors.As(err, &unsaved) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.unsaved = append(d.unsaved, chains.Notice{Kind: "not_saved", Text: unsaved.Error()})
	}
}

// Notices warn of the chat here since it was opened, and of chats that could not be saved.
func (p *Place) Notices() []chains.Notice {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Concat(p.unsaved, p.notices)
}

// Pages says when the pages that chats attached were fetched, by URL.
func (d *Desk) Pages() map[string]time.Time { return d.opts.Gather.Pages() }

// release gives up the lock of a chat.
func (d *Desk) release(c *history.Chat) {
	if d.opts.Store != nil && c.Path != "" {
		_ = d.opts.Store.Release(c) // at worst the chat is read-only elsewhere until this process ends
	}
}

// Close saves the chats that could not be saved before, and closes the search
// index. Run and searches must have ended; the locks of the chats go with the
// store. A *chains.UnsavedError says where a chat is that cannot be saved.
func (d *Desk) Close() error {
	var errs []error
	for _, c := range d.Chats() {
		errs = append(errs, c.Session().Close())
	}
	d.search.mu.Lock()
	defer d.search.mu.Unlock()
	if d.search.index != nil {
		errs = append(errs, d.search.index.Close())
	}
	return errors.Join(errs...)
}

// Close closes the desk.
func (p *Place) Close() error { return p.Desk.Close() }
