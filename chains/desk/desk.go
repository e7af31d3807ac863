package desk

import (
	"cmp"
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
	"ibid/vault/ownfile"
	"ibid/vault/undo"
	"ibid/vault/usage"
)

// Options configure a desk. Vault and Gather are required, and for commands that write or set up, Journal, Memory and
// Setup; the other fields have useful zero values.
type Options struct {
	Vault    *vault.Vault
	Gather   *gather.Gatherer
	Store    *history.Store // nil saves no chats
	Journal  *undo.Journal  // writes notes
	Memory   *Memory        // facts that every chat sends
	Usage    *usage.File    // counts which notes are used together; nil counts nothing
	StateDir string         // folder of editors' signals, and of what the next start uses
	IndexDir string         // folder of the search index; with "" searches read the notes
	Session  chains.Options // for every chat that begins here
	Active   string         // Off, Follow (also "") or the path of a note
	Attach   []prompt.Ref   // attached to the first turn

	Prompts PromptOptions // where prompts are saved

	// Tools returns the tools for chats that begin here; nil means none.
	Tools func(*Desk) chains.Toolbox

	Wait Wait // how Open waits for another process that has the chat open

	// Instructions reads L1 for a new chat, with a project folder ("" for none); nil keeps the instructions of
	// Session.
	Instructions func(ctx context.Context, project string) (prompt.Instructions, []prompt.MissingRef)
	Project      string // folder of the project of new chats, "" for none

	// Model returns the options of another model, for /model. at is the provider whose cache the chat has now, see
	// chains.CacheRule. It is nil if there is no model to choose.
	Model func(ctx context.Context, at, name string) (chains.Options, error)
	// Effort returns the options of a model with another level of reasoning, for /effort; level "" leaves it
	// unchanged. It is nil if no model reasons.
	Effort  func(at, model, level string) (chains.Effort, error)
	Servers ServerOptions
	Setup   Setup
}

func (o *Options) hints() ownfile.Hints { return ownfile.Hints(o.StateDir) }

// ServerOptions holds the functions for servers of models, besides their answers.
type ServerOptions struct {
	// Offers asks the providers for the models that Options.Model takes and yields each answer when it comes; nil
	// if there are none.
	Offers func(ctx context.Context) iter.Seq[chains.Offer]
	// Pull lets the server download a model; nil if it cannot.
	Pull func(ctx context.Context, name string) iter.Seq2[chains.Progress, error]

	// Vectors is the model, as PROVIDER/MODEL, by whose vectors notes are found by their meaning; with "" they are
	// not. Embedder finds it, and those before it.
	Vectors  string
	Embedder func(ctx context.Context, model string) (chains.Embedder, error)
}

// Setup describes what surrounds the vault, for /config, /help and /export.
type Setup struct {
	// Config takes the words after /config and returns lines for the user.
	Config   func(ctx context.Context, arg string) (string, error)
	FromPipe bool // messages come from standard input, so nobody types them
	Bare     bool // neither pins nor the active note go along
	// Manual returns a page of the manual in markdown; for "" it returns the list of topics.
	Manual func(topic string) (text string, ok bool)
	// Export writes a saved chat to a file, in the format of the file's name, and returns its path, for /export. With
	// force it overwrites an existing file, else it returns fs.ErrExist.
	Export func(ctx context.Context, chat vault.Path, file string, force bool) (to string, err error)
}

// Wait limits how long to wait for another process that has the chat open; after Most, the chat is opened read-only.
// Say, if set, is called before.
type Wait struct {
	Most time.Duration
	Say  func(chat string)
}

// Desk is one person's work at one vault, with any number of open chats. Several of them may be worked in at once,
// each by a [Place].
type Desk struct {
	opts Options
	now  func() time.Time
	// options of the model found for a turn that began without one, nil if none was
	foundModel atomic.Pointer[chains.Options]
	log        *slog.Logger

	workspace workspace
	links     linkCache

	// held for moments; guards the fields below, opts.Session, opts.Project and fields of chats
	mu      sync.Mutex
	chats   []*Chat                // in the order in which they were opened
	unsaved []chains.Notice        // of closed chats that could not be saved
	unsent  map[int64][]prompt.Ref // attachments of closed chats, by epoch; 0 is for the next new one
	pending string                 // bullet to be written once there is a memory note
	deleted []trashedChat          // deleted chats, the last one at the end
	listed  []vault.Path           // chats in the order in which they were last numbered

	search searching
}

// searching is the search index, which is opened when it is first needed.
type searching struct {
	mu              sync.Mutex // guards tried, index and trouble
	tried           time.Time  // time of the last attempt to open the index
	index           *index.Index
	trouble         string      // why the index cannot be used, "" if it can
	searchedWithout atomic.Bool // a search ran without the index
	meaning         *Meaning    // nil if no model is configured
}

// New returns a place at a new desk with an empty chat. It reads nothing: Begin starts a chat with instructions.
func New(o Options) *Place {
	o.Active = cmp.Or(o.Active, Follow)
	o.Session.Process = cmp.Or(o.Session.Process, &chains.Process{})
	o.Session.Log = cmp.Or(o.Session.Log, slog.New(slog.DiscardHandler))
	if o.Session.Pages == nil && o.StateDir != "" {
		o.Session.Pages = pageMemory{o.hints()}
	}
	d := &Desk{opts: o, log: o.Session.Log, now: o.Session.Now, unsent: map[int64][]prompt.Ref{}}
	if o.Tools != nil {
		d.opts.Session.Tools = o.Tools(d)
		d.opts.Session.Tools.ComeWith(o.Session.Tools)
	}
	if d.now == nil {
		d.now = time.Now
	}
	d.search.meaning = newMeaning(d)
	d.workspace.state.Vault = filepath.Base(o.Vault.Dir())
	o.Vault.OnChange = d.applyChanges
	if o.Store != nil && o.IndexDir != "" {
		o.Store.CacheIn(chatCache{d})
	}
	c := &Chat{desk: d, active: o.Active, project: o.Project, attach: slices.Clone(o.Attach)}
	first := sessionOptions(d)
	first.Tools.Active = c.active
	c.session, d.chats = chains.NewSession(first), []*Chat{c}
	return &Place{Chat: c, Desk: d}
}

// Chats returns the open chats in the order in which they were opened.
func (d *Desk) Chats() []*Chat {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.chats)
}

// newChat returns a chat without a session. It follows the active note if the current chat does; a note that was
// chosen for the current chat stays there.
func (p *Place) newChat() *Chat {
	c := &Chat{desk: p.Desk, active: p.opts.Active, project: p.opts.Project}
	if p.Chat != nil {
		if active := p.Active(); active == Off || active == Follow {
			c.active = active
		}
	}
	return c
}

// Begin starts a chat with freshly read instructions and makes it the current one.
func (p *Place) Begin(ctx context.Context) {
	c := p.newChat()
	o, notices, _ := p.instructedOptions(ctx, c.project) // the notices say what is missing
	o.Tools.Active = c.active
	c.session, c.notices, c.read = chains.NewSession(o), notices, p.now()
	p.showChat(p.Chat, c)
}

// TakeOver opens the chat again if another process had it open and has closed it by now. It reports whether the
// chat can be written now.
func (p *Place) TakeOver(ctx context.Context) (bool, error) {
	now := p.session.Snapshot()
	if !now.ReadOnly || now.Newer || p.opts.Store.Locked(now.Epoch) {
		return false, nil
	}
	err := p.Open(ctx, now.Path)
	return err == nil && !p.session.Snapshot().ReadOnly, err
}

// TakenOver is the notice that a chat can be written again.
const TakenOver = "the other window has closed this chat: it goes on here"

// showChat makes a chat the current one. If it was not open, and the previous chat is empty, it replaces that one, and
// the options' first attachments move to it.
func (p *Place) showChat(was, c *Chat) {
	room, epoch := was != nil && was.empty(), c.session.Snapshot().Epoch
	p.mu.Lock()
	if i := slices.IndexFunc(p.chats, func(o *Chat) bool {
		return o == c || epoch != 0 && o.session.Snapshot().Epoch == epoch
	}); i >= 0 {
		c = p.chats[i] // another place may have opened it meanwhile
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
			storeAttachments(was)
		}
	}
	restoreAttachments(c)
	p.moveTo(c)
}

// CloseOthers closes every chat except the current one, for a view that shows one at a time. A chat in which a turn
// runs stays open.
func (p *Place) CloseOthers() {
	for _, c := range p.Chats() {
		if c != p.Chat {
			p.sayUnsaved(c.Close()) // ErrBusy is no problem: the next call closes that chat
		}
	}
}

// sayUnsaved adds a notice if the error says that a chat could not be saved.
func (d *Desk) sayUnsaved(err error) {
	var unsaved *chains.UnsavedError
	if errors.As(err, &unsaved) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.unsaved = append(d.unsaved, chains.Notice{Kind: "not_saved", Text: unsaved.Error()})
	}
}

// Notices returns the notices from opening the current chat, and those about chats that could not be saved.
func (p *Place) Notices() []chains.Notice {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Concat(p.unsaved, p.notices)
}

// Pages returns the times at which attached pages were fetched, by URL.
func (d *Desk) Pages() map[string]time.Time { return d.opts.Gather.Pages() }

// release releases the lock of a chat.
func (d *Desk) release(c *history.Chat) {
	if d.opts.Store != nil && c.Path != "" {
		_ = d.opts.Store.Release(c) // at worst the chat is read-only elsewhere until this process ends
	}
}

// Close saves the chats that could not be saved before, and closes the search index. Run and all searches must have
// ended. The locks of the chats are released with the store. If a chat cannot be saved, the error is a
// *chains.UnsavedError that says where it was written.
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
