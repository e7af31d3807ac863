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

// ServerOptions is what the servers of models do besides answering.
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

// Setup is what the program was set up with, for /config and /vault: it takes what stands behind
// the command and answers in lines for people. nil has nothing to say.
type Setup struct {
	Config, Vault func(ctx context.Context, arg string) (string, error)
	FromPipe      bool // messages come on standard input, and nobody types them
	// Manual is a page of the manual in markdown, of "" the topics that there are.
	Manual func(topic string) (text string, ok bool)
}

// Wait says how long to wait for another process; then the chat is read-only. Say, if
// set, is called when that has taken a moment.
type Wait struct {
	Most time.Duration
	Say  func(chat string)
}

// Desk is one person at one vault, with any number of open chats. The embedded
// one is current: what is asked of the desk about a chat is asked of that one.
type Desk struct {
	*Chat
	opts  Options
	found atomic.Pointer[chains.Options] // what a turn that began without a model went on with, nil for nothing
	chats []*Chat                        // in the order in which they were opened
	log   *slog.Logger
	floor floor

	workspace workspace

	unsaved []chains.Notice        // of chats that are closed
	unsent  map[int64][]prompt.Ref // by epoch, what was attached to chats that are closed; 0 is the next new one
	pending string                 // what is to be remembered once there is a memory note

	links linkCache

	deleted []trashedChat // chats, the last one at the end
	export  exportFunc
	listed  []vault.Path // chats, as they were numbered last

	mu      sync.Mutex // guards tried, index and trouble
	tried   time.Time  // when opening the index was tried last
	index   *index.Index
	trouble string      // with the index
	behind  atomic.Bool // the index could not take in some chats
	read    atomic.Bool // a Searcher was without the index
}

// New makes a desk with one chat, in which nothing was said. It reads nothing:
// Begin starts a chat with instructions.
func New(o Options) *Desk {
	if o.Active == "" {
		o.Active = Follow
	}
	if o.Session.Process == nil {
		o.Session.Process = &chains.Process{}
	}
	d := &Desk{opts: o, log: o.Session.Log, floor: floor{free: make(chan struct{}, 1)}}
	d.floor.free <- struct{}{}
	if o.Tools != nil {
		d.opts.Session.Tools = o.Tools(d)
		d.opts.Session.Tools.ComeWith(o.Session.Tools)
	}
	if d.log == nil {
		d.log = slog.New(slog.DiscardHandler)
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
	d.blank().attach = slices.Clone(o.Attach)
	return d
}

// Chats lists the open chats in the order in which they were opened.
func (d *Desk) Chats() []*Chat { return slices.Clone(d.chats) }

// Switch makes an open chat the current one; it reports whether it is open.
func (d *Desk) Switch(c *Chat) bool {
	open := slices.Contains(d.chats, c)
	if open {
		d.Chat = c
	}
	return open
}

// blank makes a chat current in which nothing was said, without reading anything.
func (d *Desk) blank() *Chat {
	c := d.newChat()
	o := sessionOptions(d)
	o.Tools.Active = c.active
	c.session = chains.NewSession(o)
	d.show(c)
	return c
}

// newChat is a chat without a session. It follows the active note or not, as the
// current one does; a note that was chosen for that one stays there.
func (d *Desk) newChat() *Chat {
	c := &Chat{desk: d, active: d.opts.Active, project: d.opts.Project}
	if d.Chat != nil && (d.active == Off || d.active == Follow) {
		c.active = d.active
	}
	return c
}

// Begin starts a chat with freshly read instructions and makes it current.
func (d *Desk) Begin(ctx context.Context) {
	c := d.newChat()
	o, notices, _ := d.instructed(ctx, c.project) // what there is not, the notices say
	o.Tools.Active = c.active
	c.session, c.notices, c.read = chains.NewSession(o), notices, d.now()
	if was := d.Chat; was != nil && was.empty() {
		handOver(was, c)
	}
	attachAgain(c)
	d.show(c)
}

// TakeOver opens the current chat again if another process had it open and has
// closed it now; it reports whether the chat can be written since.
func (d *Desk) TakeOver(ctx context.Context) (bool, error) {
	now := d.session.Snapshot()
	if !now.ReadOnly || now.Newer || d.opts.Store.Locked(now.Epoch) {
		return false, nil
	}
	err := d.Open(ctx, now.Path)
	return err == nil && !d.session.Snapshot().ReadOnly, err
}

// TakenOver says that a chat can be written now.
const TakenOver = "the other window has closed this chat: it goes on here"

// show makes a chat current. For one that was not open, a chat in which nothing was
// said makes room.
func (d *Desk) show(c *Chat) {
	if !slices.Contains(d.chats, c) {
		if was := d.Chat; was != nil {
			d.chats = slices.DeleteFunc(d.chats, func(c *Chat) bool { return c == was && c.empty() })
		}
		d.chats = append(d.chats, c)
	}
	d.Chat = c
}

// CloseOthers closes every chat but the current one, for a view that shows one
// at a time. A chat in which a turn runs stays open.
func (d *Desk) CloseOthers() {
	for _, c := range d.Chats() {
		if c != d.Chat {
			d.sayUnsaved(c.Close()) // where a turn runs, another call will find its end
		}
	}
}

// sayUnsaved adds to the notices that a chat could not be saved.
func (d *Desk) sayUnsaved(err error) {
	var unsaved *chains.UnsavedError
	if errors.As(err, &unsaved) {
		d.unsaved = append(d.unsaved, chains.Notice{Kind: "not_saved", Text: unsaved.Error()})
	}
}

// Notices is what there was to say when the current chat was opened, and of chats
// that could not be saved.
func (d *Desk) Notices() []chains.Notice { return slices.Concat(d.unsaved, d.Chat.Notices()) }

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
	for _, c := range d.chats {
		errs = append(errs, c.session.Close())
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.index != nil {
		errs = append(errs, d.index.Close())
	}
	return errors.Join(errs...)
}

func (d *Desk) now() time.Time {
	if d.opts.Session.Now != nil {
		return d.opts.Session.Now()
	}
	return time.Now()
}
