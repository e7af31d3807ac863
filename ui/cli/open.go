package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/chains/tool"
	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/history"
	"ibid/ui/plain"
	"ibid/vault"
	"ibid/vault/undo"
	"ibid/vault/usage"
)

// with opens the parts that a command needs, runs it and closes them. where is a folder or a file from the command
// line, or "".
func (a *app) with(ctx context.Context, where string, n needs, work func(context.Context, *parts) error) error {
	if n&noConfig != 0 {
		return work(ctx, &parts{app: a})
	}
	if n&savedChats != 0 && a.flags.NoSave {
		return usagef("--no-save keeps no chats, so there is nothing to list")
	}
	c, err := a.settings()
	if err != nil {
		return err
	}
	if n&noVault != 0 {
		return work(ctx, &parts{app: a, config: c, servers: a.providers(c, nil)})
	}
	at, err := a.findVault(c, where)
	if err != nil {
		return err
	}
	if why := a.warningFor(c, at); why != "" && at.source == byArgument {
		return usagef("%s is %s, and all notes below it would be read: --vault %s says that you mean it", a.folder.tilde(at.dir), why, at.dir)
	}
	return a.withTarget(ctx, c, at, n, work)
}

// withTarget is like with, for a vault that was already found.
func (a *app) withTarget(ctx context.Context, c *Config, at target, n needs, do func(context.Context, *parts) error) error {
	if named := a.flags.Chats+a.flags.Chat != "" || a.Resume || a.flags.NoSave; n&oneTurn != 0 && at.source == byNotes && !named {
		a.flags.NoSave = true
		a.unsaved = ". It is no vault, so the chat is not saved: --chats Chats saves it there, and `ibid config set vault DIR` names a vault"
	}
	if at.note != "" {
		a.files = append(a.files, at.note)
	}
	p := &parts{app: a, config: c, dir: at.dir, chat: at.chat, needs: n, notices: a.saidOf(at)}
	err := p.openAll(ctx)
	if err == nil {
		err = do(ctx, p)
	}
	closing := p.Close()
	if p.servers != nil {
		p.servers.Close(context.WithoutCancel(ctx))
	}
	// A lost chat matters more than any other error.
	if unsaved := (*chains.UnsavedError)(nil); errors.As(closing, &unsaved) {
		a.complain("%s", closing)
		return exit(plain.ExitFailed)
	}
	return errors.Join(err, closing)
}

// openAll opens the parts in their order. The configuration and the folder of the vault must be set. The caller must
// close the parts even on error.
func (p *parts) openAll(ctx context.Context) (err error) {
	for _, open := range []func() error{p.openLog, p.openVault, p.openStore} {
		if err := open(); err != nil {
			return err
		}
	}
	if p.Resume {
		if p.chat, err = p.lastChat(ctx); err != nil {
			return err
		}
	}
	state := p.folder.state
	p.memory = desk.NewMemory(p.vault, state, p.config.Memory)
	p.journal = undo.New(p.vault, undo.Options{
		StateDir: state, Days: p.config.Files.keepWrites(), Chats: p.chats, Written: p.memory.Written,
	})
	p.usage = usage.NewFile(p.vault, state)
	p.usage.Off.Store(!p.config.Screen.Suggestions)
	if p.needs&readNotes != 0 {
		if err := p.live(p.reading, func() error { return p.vault.Scan(ctx) }); err != nil {
			return err
		}
	}
	o := desk.Options{
		Vault: p.vault, Gather: p.gather, Store: p.store, Journal: p.journal, Memory: p.memory, Usage: p.usage,
		StateDir: state, IndexDir: p.folder.cache, Tools: p.tools, Prompts: desk.PromptOptions{Folder: p.config.Prompts},
		Setup: desk.Setup{Config: settingTools{p.app}.slash, Manual: manualPage, Export: p.exportTo},
	}
	if p.needs&lookOnly != 0 {
		o.IndexDir = ""
	}
	o.Session.Log = p.log
	chooses := p.needs&chooseModel != 0
	if chooses {
		err = p.useModel(ctx, &o)
	}
	if err != nil {
		return err
	}
	if name := p.config.Search.Vectors; name != "" {
		if p.servers == nil {
			p.servers = p.providers(p.config, p)
		}
		o.Servers.Vectors, o.Servers.Embedder = name, p.servers.Embedder
	}
	p.desk = desk.New(o)
	if p.desk.Meaning().Unanswered(ctx) {
		p.notices = append(p.notices, p.config.Search.Vectors+" gets no notes before you agree: /index tells what it would get")
	}
	if p.open = append(p.open, p.desk); !chooses {
		return nil
	}
	if p.chat == "" {
		p.desk.Begin(ctx)
		return nil
	}
	return p.openChat(ctx, &o)
}

// tools implements desk.Options.Tools.
func (p *parts) tools(d *desk.Desk) chains.Toolbox {
	o := tool.Options{
		Vault: p.vault, Searcher: d.Searcher, Revision: p.gather.Revision, State: d.Workspace, Settle: d.Settle,
		Links: d.Links, Prompts: d.Prompts().Folder, Web: p.config.Tools.Web, Journal: p.journal, Memory: p.memory.Note,
		DateNames: d.DateNames,
	}
	if p.store != nil {
		o.Chats = p.store.Folder()
	}
	b, c := tool.NewToolbox(o), &p.config.Tools
	b.Read, b.Set, b.Off, b.Limits = c.Read, c.Set, c.Off, c.Limits
	return b
}

// Close closes the parts in reverse order, as later ones use earlier ones.
func (p *parts) Close() error {
	var errs []error
	for _, part := range slices.Backward(p.open) {
		errs = append(errs, part.Close())
	}
	return errors.Join(errs...)
}

// mostWait limits the wait of one question for a chat that is open elsewhere: a script must not hang.
const mostWait = 10 * time.Second

// mostLarge limits the bytes that --send-large reads of one image or page, which are held in memory.
const mostLarge = 1 << 30

func (p *parts) openVault() (err error) {
	if fileExists(p.dir) {
		return usagef("%s is a file; a vault is the folder that holds the notes", p.dir)
	}
	files := p.config.Files
	p.vault, err = vault.Open(p.dir, vault.Options{
		Cache: p.folder.cache, FollowLinks: files.FollowLinks, Ignore: files.Ignore,
		MaxNote: files.MaxNote, ReadLarge: p.flags.SendLarge,
	})
	if errors.Is(err, fs.ErrNotExist) {
		return usagef("%s: there is no such folder; name a folder of notes, such as ibid ~/notes", p.dir)
	}
	if err != nil {
		return err
	}
	p.open = append(p.open, p.vault)
	p.texts = map[prompt.Ref]string{}
	limits := gather.Options{RemoteImages: files.RemoteImages, Given: p.texts}
	if p.flags.SendLarge {
		limits.MaxImage, limits.MaxPage = mostLarge, mostLarge
	}
	p.gather = gather.New(p.vault, limits)
	return nil
}

func (p *parts) openStore() error {
	if p.flags.NoSave && p.chat != "" {
		return usagef("--no-save and a chat to continue exclude each other")
	}
	folder, err := p.chatsFolder()
	if err != nil {
		return err
	}
	store, err := history.NewStore(p.vault, history.Options{Folder: folder, StateDir: p.folder.state})
	if err != nil {
		return err
	}
	if p.chats = store.Folder(); p.flags.NoSave {
		return store.Close()
	}
	p.store, p.open = store, append(p.open, store)
	p.vault.SetChats(p.chats)
	return nil
}

// chatsFolder returns the configured folder of chats inside the vault; for "" the store looks where the vault has
// chats.
func (p *parts) chatsFolder() (folder vault.Path, err error) {
	name, source := p.config.Chats.Folder, "chats in the configuration"
	if p.flags.Chats != "" {
		name, source = p.flags.Chats, "--chats"
	}
	inside := name
	if filepath.IsAbs(name) {
		inside, err = filepath.Rel(p.dir, name)
	}
	if err == nil {
		folder, err = vault.ParsePath(filepath.ToSlash(inside))
	}
	switch {
	case err != nil:
		return "", usagef("%s: %s is not inside the vault %s", source, name, p.dir)
	case strings.HasPrefix(string(folder), ".") || strings.Contains(string(folder), "/."):
		return "", usagef("%s: %s is a hidden folder, whose files belong to other programs: name another", source, name)
	}
	return folder, nil
}

// openLog opens the file of --log. Without the flag the log goes nowhere.
func (p *parts) openLog() error {
	p.log = slog.New(slog.DiscardHandler)
	if p.flags.Log == "" {
		return nil
	}
	f, err := os.OpenFile(p.path(p.flags.Log), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open the log: %w", err)
	}
	p.open = append(p.open, f)
	p.log = slog.New(slog.NewTextHandler(f, &slog.HandlerOptions{Level: slog.LevelDebug}))
	return nil
}

// useModel chooses the model, and sets the options of the desk that depend on it.
func (p *parts) useModel(ctx context.Context, o *desk.Options) (err error) {
	all := p.providers(p.config, p)
	p.servers = all
	if p.model, err = all.Choose(ctx, p.needs&askServers != 0); err != nil {
		return err
	}
	if p.sample { // the demo tells itself that it is offline
		p.model.Notices = nil
	}
	o.Session = p.sessionOptions()
	o.Setup.FromPipe = p.needs&fromInput != 0 && !terminal(p.env.Stdin)
	if p.needs&oneTurn != 0 {
		o.Wait = desk.Wait{Most: mostWait, Say: func(chat string) {
			p.remark("waiting: another window has %s open", chat)
		}}
		o.Session.Background.Summaries = false // the program ends before one is ready
		if p.store == nil {
			o.Session.Instructions.NoNotes = true // they are for later turns
		}
	}
	if !p.model.Settled {
		o.Model, o.Prompts.Model, o.Effort = all.Model, all.Once, all.Effort
		o.Servers = desk.ServerOptions{Offers: all.Offers, Pull: all.Pull}
	}
	o.Active = cmp.Or(p.flags.Active, p.config.Active, desk.Follow)
	o.Project = cmp.Or(p.flags.Project, p.config.Project)
	if o.Setup.Bare = p.flags.Bare; p.flags.Bare {
		o.Active, o.Project = desk.Off, p.flags.Project
	}
	return p.useNamed(ctx, o)
}

// useNamed sets the options of the desk for attachments, the active note and the project. It reads the vault only if
// one of them is named, so that the screen starts sooner.
func (p *parts) useNamed(ctx context.Context, o *desk.Options) (err error) {
	base := o.Session.Instructions
	o.Instructions = func(ctx context.Context, project string) (prompt.Instructions, []prompt.MissingRef) {
		if p.flags.Bare {
			return p.gather.Instructions(ctx, base, "", o.Project)
		}
		return p.gather.Instructions(ctx, base, p.memory.Note(), project)
	}
	named := len(p.flags.Notes)+len(p.files) > 0 || p.memory.Note() != "" || o.Project != "" ||
		o.Active != desk.Off && o.Active != desk.Follow
	if named && !p.vault.Scanned() {
		if err := p.vault.Scan(ctx); err != nil {
			return err
		}
	}
	switch {
	case p.flags.Project == "":
	case strings.EqualFold(p.flags.Project, desk.Off):
		o.Project = ""
	default:
		in, missing := p.gather.Instructions(ctx, prompt.Instructions{}, "", o.Project)
		switch {
		case in.Project != nil:
		case missing[0].State == prompt.UncheckedRef:
			p.complain("--project %s", missing[0].Reason)
			return exit(plain.ExitUnasked)
		default:
			return usagef("--%s", missing[0].Reason)
		}
	}
	if o.Session.Chain == (chains.Project{}) && o.Project == "" && p.chat == "" {
		return usagef("the chain project needs a project: name one with --project, or take another chain")
	}
	if o.Attach, err = p.namedNotes(ctx); err != nil {
		return err
	}
	given, err := p.namedFiles(ctx)
	if err != nil {
		return err
	}
	o.Attach = append(o.Attach, given...)
	o.Active, err = p.activeNote(ctx, o.Active)
	return err
}

// namedNotes resolves the values of --note.
func (p *parts) namedNotes(ctx context.Context) (all []prompt.Ref, err error) {
	for _, ref := range p.flags.Notes {
		if strings.TrimSpace(ref) == "" {
			return nil, usagef("--note is empty: name a note, or leave the flag out")
		}
		refs, missing := p.gather.Reference(ctx, ref)
		if len(missing) > 0 {
			return nil, usagef("--note: %s", missing[0].Reason)
		}
		all = append(all, refs...)
	}
	return all, nil
}

// openChat opens the named chat. Flags win over the settings that are saved in the chat.
func (p *parts) openChat(ctx context.Context, o *desk.Options) error {
	err, f := p.desk.Open(ctx, p.chat), &p.flags
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, history.ErrNotChat) {
		return usagef("%w", err)
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

// activeNote resolves the active note of --active or the configuration. A note of the configuration may belong to
// another vault: then it adds a notice and returns desk.Follow.
func (p *parts) activeNote(ctx context.Context, name string) (string, error) {
	if name == "" || name == desk.Off || name == desk.Follow {
		return name, nil
	}
	refs, missing := p.gather.Reference(ctx, name)
	switch {
	case len(missing) == 0 && len(refs) == 1 && refs[0].Kind == prompt.Note:
		return refs[0].ID, nil
	case p.flags.Active != "" && len(missing) > 0 && len(missing[0].Candidates) > 0:
		return "", usagef("--active: %s", missing[0].Reason)
	case p.flags.Active != "":
		return "", usagef("--active: %q is neither off, follow nor a note", name)
	}
	p.notices = append(p.notices, fmt.Sprintf("active in the configuration: %q is neither off, follow nor a note of this vault; following", name))
	return desk.Follow, nil
}

// sessionOptions completes the options of the chosen model for new conversations.
func (p *parts) sessionOptions() chains.Options {
	o := p.model.Options
	o.Gather, o.Log = p.gather, p.log
	if p.store != nil {
		o.Store = p.store
	}
	o.Layout = prompt.Layout(cmp.Or(p.flags.Layout, p.config.Cache.Layout))
	o.Chain = p.config.chain(p.flags.Chain, o)
	o.Large = chains.LargePolicy{AskAbove: cmp.Or(o.Large.AskAbove, p.config.Window.AskAbove), Send: p.flags.SendLarge}
	o.Instructions = prompt.Instructions{Vault: filepath.Base(p.dir), User: p.config.System, NoNotes: !p.config.SelfNote}
	if p.given.Changed("system") { // --system '' means no prompt
		o.Instructions.User = p.flags.System
	}
	return o
}
