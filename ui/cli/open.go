package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ibid/chains"
	"ibid/chains/connect"
	"ibid/chains/desk"
	"ibid/chains/offline"
	"ibid/chains/tool"
	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/history"
	"ibid/ui/plain"
	"ibid/vault"
	"ibid/vault/undo"
	"ibid/vault/usage"
)

// parts is what a command works with, opened in this order.
type parts struct {
	config  Config
	dir     string // of the vault
	chat    string // a chat to open, "" for a new one
	log     *slog.Logger
	vault   *vault.Vault
	gather  *gather.Gatherer
	store   *history.Store // nil if nothing is kept
	chats   vault.Path     // folder of the saved chats, whether or not this one is kept
	journal *undo.Journal
	memory  *desk.Memory
	usage   *usage.File // nil if nothing is suggested
	screen  bool
	first   bool // the vault was just chosen, and nothing was configured before
	once    bool // the conversation ends with its next turn
	model   connect.Choice
	servers *connect.Providers
	desk    *desk.Desk
	notices []string // what to say about the settings
	open    []io.Closer
}

// needs says how much a command works with. 0 is the vault, of which nothing was
// read, its chats, and a desk without a model.
type needs int

const (
	readNotes   needs = 1 << iota // the notes are read before anything else
	chooseModel                   // a model is chosen, and the chat that was named is opened
	askServers                    // servers may be asked which models they have
	oneTurn                       // the conversation ends with its next turn, but for a chat that is saved
	onScreen                      // a user looks at it, so that chats may get titles
	lookOnly                      // no search index is made
	fromInput                     // messages come on standard input
)

// with opens what a command needs, works with it and closes it. where is the
// argument of the command line: a folder, a chat file, or "".
func (a *app) with(ctx context.Context, where string, n needs, work func(context.Context, *parts) error) error {
	c, err := a.settings()
	if err != nil {
		return err
	}
	at, err := vaultTools{a}.find(c, where)
	if err != nil {
		return err
	}
	if why := (vaultTools{a}).warningFor(c, at); why != "" && at.source == byArgument {
		return usagef("%s is %s, and all notes below it would be read: --vault %s says that you mean it", a.folder.tilde(at.dir), why, at.dir)
	}
	return a.withTarget(ctx, c, at, n, work)
}

// withTarget is with for a vault that is known.
func (a *app) withTarget(ctx context.Context, c Config, at target, n needs, work func(context.Context, *parts) error) error {
	p := &parts{config: c, dir: at.dir, chat: at.chat, screen: n&onScreen != 0, once: n&oneTurn != 0}
	p.notices = append(p.notices, vaultTools{a}.said(at)...)
	err := a.open(ctx, p, n)
	if err == nil {
		err = work(ctx, p)
	}
	closing := p.Close()
	if p.servers != nil {
		p.servers.Close(context.WithoutCancel(ctx))
	}
	return a.closed(err, closing)
}

// closed is the end of a command: what its work said, and what closing did. That a
// chat could not be saved is said whatever else the program ends with.
func (a *app) closed(err, closing error) error {
	var unsaved *chains.UnsavedError
	if !errors.As(closing, &unsaved) {
		return errors.Join(err, closing)
	}
	a.remark("%s", closing)
	return exit(plain.ExitFailed)
}

// open opens the parts, of which the configuration and the folders are known.
// They must be closed even if that fails.
func (a *app) open(ctx context.Context, p *parts, n needs) (err error) {
	for _, open := range []func(*parts) error{a.openLog, a.openVault, a.openStore} {
		if err := open(p); err != nil {
			return err
		}
	}
	if a.resume {
		if p.chat, err = lastChat(ctx, p); err != nil {
			return err
		}
	}
	p.memory = desk.NewMemory(p.vault, a.folder.state, p.config.Memory)
	p.journal = undo.New(p.vault, undo.Options{StateDir: a.folder.state, Days: p.config.Files.keepWrites(), Chats: p.chats, Written: p.memory.Written})
	p.usage = usage.NewFile(p.vault, a.folder.state)
	p.usage.Count(p.config.Screen.Suggestions == nil || *p.config.Screen.Suggestions)
	if n&readNotes != 0 {
		if err := a.live(p.reading, func() error { return p.vault.Scan(ctx) }); err != nil {
			return err
		}
	}
	o := desk.Options{Vault: p.vault, Gather: p.gather, Store: p.store, StateDir: a.folder.state, IndexDir: a.folder.cache, Journal: p.journal, Memory: p.memory, Usage: p.usage, Tools: p.tools, Prompts: promptOptions(a, &p.config), Setup: desk.Setup{Config: settingTools{a}.slash, Vault: vaultTools{a}.slash}}
	if n&lookOnly != 0 {
		o.IndexDir = ""
	}
	if n&chooseModel == 0 {
		o.Session.Log = p.log
		p.useDesk(desk.New(o))
		return nil
	}
	p.servers = a.providers(p.config, p)
	if p.model, err = p.servers.Choose(ctx, n&askServers != 0); err != nil {
		return err
	}
	if p.model.Provider == offline.Name && n&askServers != 0 && !a.sample { // the sample vault says so itself
		p.model.Notices = append(p.model.Notices, offline.Notice)
	}
	o.Session = a.sessionOptions(p)
	o.Setup.FromPipe = n&fromInput != 0 && !terminal(a.env.Stdin)
	if n&oneTurn != 0 {
		o.Wait = desk.Wait{Most: mostWait, Say: func(chat string) {
			a.remark("waiting: another window has %s open", chat)
		}}
		o.Session.Background.Summaries = false // nothing waits for one
		if p.store == nil {
			o.Session.Instructions.NoNotes = true // no later turn could read them
		}
	}
	return a.openDesk(ctx, p, o)
}

// tools are what a model may look up in the vault.
func (p *parts) tools(d *desk.Desk) chains.Toolbox {
	o := tool.Options{Vault: p.vault, Searcher: d.Searcher, Revision: p.gather.Revision, State: d.Workspace, Settle: d.Settle, Links: d.Links, Prompts: d.Prompts().Folder, Web: p.config.Tools.web(), Journal: p.journal, Memory: p.memory.Note}
	if p.store != nil {
		o.Chats = p.store.Folder()
	}
	b := p.config.Tools.toolbox()
	b.List, b.Absent, b.Words, b.Dated, b.Version = tool.New(o), tool.Absent(o), tool.Words, tool.Dated, func() uint64 { return tool.Version(p.vault) }
	return b
}

func (p *parts) useDesk(d *desk.Desk) { p.desk, p.open = d, append(p.open, d) }

// Close closes what was opened, in the opposite order.
func (p *parts) Close() error {
	var errs []error
	for _, part := range slices.Backward(p.open) {
		errs = append(errs, part.Close())
	}
	return errors.Join(errs...)
}

func (a *app) configPath() string {
	return a.path(cmp.Or(a.flags.Config, a.folder.config))
}

// path is an absolute path for one that a user gave.
func (a *app) path(name string) string { return a.folder.expand(name, a.env.Dir) }

// settings reads the configuration and checks the flags that have few values.
func (a *app) settings() (Config, error) {
	path := a.configPath()
	if _, err := os.Stat(path); err != nil && a.flags.Config != "" {
		return Config{}, usagef("--config: there is no file %s", path)
	}
	c, err := ReadConfig(path)
	if err != nil {
		return c, usageError{err}
	}
	c = c.with(a.env.Getenv)
	return c, cmp.Or(checkFlag("layout", a.flags.Layout, "auto", "strict", "append"), checkFlag("chain", a.flags.Chain, chainNames()...))
}

// chainNames are the values of --chain.
func chainNames() (names []string) {
	for _, c := range chains.Chains() {
		names = append(names, c.Name())
	}
	return names
}

// mostWait is how long one question waits for a chat that is open elsewhere.
const mostWait = 10 * time.Second

// mostLarge bounds in bytes what --send-large reads of one image or page.
const mostLarge = 1 << 30

func (a *app) openVault(p *parts) (err error) {
	if fileExists(p.dir) {
		return usagef("%s is a file; a vault is the folder that holds the notes", p.dir)
	}
	files := p.config.Files
	p.vault, err = vault.Open(p.dir, vault.Options{Cache: a.folder.cache, FollowLinks: files.FollowLinks, Ignore: files.Ignore, MaxNote: files.MaxNote, ReadLarge: a.flags.SendLarge})
	if errors.Is(err, fs.ErrNotExist) {
		return usagef("%s: there is no such folder; name a folder of notes, such as ibid ~/notes", p.dir)
	}
	if err != nil {
		return err
	}
	p.open = append(p.open, p.vault)
	limits := gather.Options{RemoteImages: files.RemoteImages, Stdin: a.stdin}
	if a.flags.SendLarge {
		limits.MaxImage, limits.MaxPage = mostLarge, mostLarge
	}
	p.gather = gather.New(p.vault, limits)
	return nil
}

func (a *app) openStore(p *parts) error {
	if a.flags.NoSave && p.chat != "" {
		return usagef("--no-save and a chat to continue exclude each other")
	}
	folder, err := a.chatsFolder(p.config, p.dir)
	if err != nil {
		return err
	}
	store, err := history.NewStore(p.vault, history.Options{Folder: folder, StateDir: a.folder.state})
	if err != nil {
		return err
	}
	if p.chats = store.Folder(); a.flags.NoSave {
		return store.Close()
	}
	p.store, p.open = store, append(p.open, store)
	p.vault.SetChats(p.chats)
	return nil
}

// chatsFolder is where chats are kept, inside the vault at dir; "" leaves it to
// what the vault holds.
func (a *app) chatsFolder(c Config, dir string) (vault.Path, error) {
	name, source := c.Chats.Folder, "chats in the configuration"
	if a.flags.Chats != "" {
		name, source = a.flags.Chats, "--chats"
	}
	folder := name
	if filepath.IsAbs(folder) {
		rel, err := filepath.Rel(dir, folder)
		if err != nil {
			return "", usagef("%s: %s is not inside the vault %s", source, name, dir)
		}
		folder = rel
	}
	p, err := vault.ParsePath(filepath.ToSlash(folder))
	if err != nil {
		return "", usagef("%s: %s is not inside the vault %s", source, name, dir)
	}
	if strings.HasPrefix(string(p), ".") || strings.Contains(string(p), "/.") {
		return "", usagef("%s: %s is a hidden folder, whose files belong to other programs: name another", source, name)
	}
	return p, nil
}

// openLog starts the debug log, if one was asked for.
func (a *app) openLog(p *parts) error {
	p.log = slog.New(slog.DiscardHandler)
	if a.flags.Log == "" {
		return nil
	}
	f, err := os.OpenFile(a.path(a.flags.Log), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open the log: %w", err)
	}
	p.open = append(p.open, f)
	p.log = slog.New(slog.NewTextHandler(f, &slog.HandlerOptions{Level: slog.LevelDebug}))
	return nil
}

// vaultOf is the vault that a chat file belongs to.
func (t vaultTools) vaultOf(c Config, path string) string {
	if t.flags.Vault != "" {
		return t.path(t.flags.Vault)
	}
	if dir, ok := vault.Discover(filepath.Dir(path)); ok {
		return dir
	}
	if c.Vault != "" {
		dir := t.path(c.Vault)
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			return dir
		}
	}
	// A folder of chats stands in its vault.
	parent := filepath.Dir(path)
	switch filepath.Base(parent) {
	case "Chats", "copilot-conversations":
		parent = filepath.Dir(parent)
		if filepath.Base(parent) == "copilot" {
			parent = filepath.Dir(parent)
		}
	}
	return parent
}

func fileExists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// openDesk makes the desk: what was named is attached, the chat is opened.
func (a *app) openDesk(ctx context.Context, p *parts, o desk.Options) error {
	if all := p.servers; !p.model.Settled {
		o.Model, o.Prompts.Model, o.Effort = all.Model, all.Once, all.Effort
		o.Servers = desk.ServerOptions{Offers: all.Offers, Unlisted: all.Unlisted, Pull: all.Pull}
	}
	o.Active, o.Project = cmp.Or(a.flags.Active, p.config.Active, desk.Follow), cmp.Or(a.flags.Project, p.config.Project)
	base := o.Session.Instructions
	o.Instructions = func(ctx context.Context, project string) (prompt.Instructions, []prompt.Missing) {
		return p.gather.Instructions(ctx, base, p.memory.Note(), project)
	}
	named := len(a.flags.Notes) > 0 || p.memory.Note() != "" || o.Project != "" || o.Active != desk.Off && o.Active != desk.Follow
	if named && !p.vault.Scanned() {
		if err := p.vault.Scan(ctx); err != nil {
			return err
		}
	}
	if err := a.project(ctx, p, &o); err != nil {
		return err
	}
	if o.Session.Chain == (chains.Project{}) && o.Project == "" && p.chat == "" {
		return usagef("the chain project needs a project: name one with --project, or take another chain")
	}
	if err := attachNotes(ctx, p, a.flags.Notes, &o); err != nil {
		return err
	}
	if strings.TrimSpace(a.stdin) != "" {
		o.Attach = append(o.Attach, prompt.Stdin())
	}
	if err := a.activeNote(ctx, p, &o); err != nil {
		return err
	}
	p.useDesk(desk.New(o))
	desk.ExportWith(p.desk, exportIn(a, p))
	if p.chat == "" {
		p.desk.Begin(ctx)
		return nil
	}
	return openChat(ctx, p, &a.flags, &o)
}

// attachNotes attaches what --note names.
func attachNotes(ctx context.Context, p *parts, named []string, o *desk.Options) error {
	for _, ref := range named {
		if strings.TrimSpace(ref) == "" {
			return usagef("--note is empty: name a note, or leave the flag out")
		}
		refs, missing := p.gather.Reference(ctx, ref)
		if len(missing) > 0 {
			return usagef("--note: %s", missing[0].Reason)
		}
		o.Attach = append(o.Attach, refs...)
	}
	return nil
}

// openChat opens the chat that was named. What flags say counts more than what the chat
// was left with.
func openChat(ctx context.Context, p *parts, f *flags, o *desk.Options) error {
	err := p.desk.Open(ctx, p.chat)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, history.ErrNotChat) {
		return usageError{err}
	}
	if err == nil && f.Active != "" {
		err = p.desk.SetActive(o.Active)
	}
	if err == nil && f.Project != "" {
		err = p.desk.SetProject(ctx, o.Project)
	}
	if err == nil && f.Chain != "" {
		err = p.desk.SetChain(chains.ChainNamed(f.Chain))
	}
	return err
}

// project holds that there is the project that --project names.
func (a *app) project(ctx context.Context, p *parts, o *desk.Options) error {
	if a.flags.Project == "" {
		return nil
	}
	if strings.EqualFold(a.flags.Project, desk.Off) {
		o.Project = ""
		return nil
	}
	if in, missing := p.gather.Instructions(ctx, prompt.Instructions{}, "", o.Project); in.Project == nil {
		return usagef("--%s", missing[0].Reason)
	}
	return nil
}

// activeNote finds the note that --active or the configuration names. One that
// the configuration names may be of another vault: then the active note is
// followed, and a notice says so.
func (a *app) activeNote(ctx context.Context, p *parts, o *desk.Options) error {
	if o.Active == desk.Off || o.Active == desk.Follow {
		return nil
	}
	refs, missing := p.gather.Reference(ctx, o.Active)
	switch {
	case len(missing) == 0 && len(refs) == 1 && refs[0].Kind == prompt.Note:
		o.Active = refs[0].ID
	case a.flags.Active != "":
		return usagef("--active: %q is neither off, follow nor a note", o.Active)
	default:
		p.notices = append(p.notices, fmt.Sprintf("active in the configuration: %q is neither off, follow nor a note of this vault; following", o.Active))
		o.Active = desk.Follow
	}
	return nil
}

// sessionOptions are the options of every conversation in p.
func (a *app) sessionOptions(p *parts) chains.Options {
	o := p.model.Options
	o.Gather, o.Log = p.gather, p.log
	if p.store != nil {
		o.Store = p.store
	}
	o.Layout = prompt.Layout(cmp.Or(a.flags.Layout, p.config.Cache.Layout))
	o.Chain = p.config.chain(a.flags.Chain, o)
	o.Large = chains.Large{AskAbove: cmp.Or(o.Large.AskAbove, p.config.Window.AskAbove), Send: a.flags.SendLarge}
	o.Instructions = prompt.Instructions{Vault: filepath.Base(p.dir), User: p.config.System, NoNotes: p.config.SelfNote != nil && !*p.config.SelfNote}
	return o
}
