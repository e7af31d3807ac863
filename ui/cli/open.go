package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/history"
	"ibid/vault"
)

// place is an open vault with everything that works on it.
type place struct {
	config  Config
	dir     string // of the vault
	vault   *vault.Vault
	gather  *gather.Gatherer
	store   *history.Store // nil if nothing is kept
	chat    string         // a chat to open, "" for a new one
	notices []string       // what to say about the settings
	log     *slog.Logger
	logFile *os.File
}

func (p *place) Close() error {
	var err error
	if p.store != nil {
		err = p.store.Close()
	}
	if p.logFile != nil {
		err = errors.Join(err, p.logFile.Close())
	}
	return errors.Join(err, p.vault.Close())
}

// settings reads the configuration and checks the flags that have few values.
func (a *app) settings() (Config, error) {
	path := a.folder.config
	if a.flags.config != "" {
		path = a.folder.expand(a.flags.config, a.env.Dir)
		if _, err := os.Stat(path); err != nil {
			return Config{}, usagef("--config: there is no file %s", path)
		}
	}
	c, err := ReadConfig(path)
	if err != nil {
		return c, usageError{err}
	}
	c = c.with(a.env.Getenv)
	switch a.flags.layout {
	case "", "auto", "strict", "append":
	default:
		return c, usagef("--layout is %q; it can be auto, strict or append", a.flags.layout)
	}
	if a.flags.chain != "chat" {
		return c, usagef("--chain is %q; there is one chain so far: chat", a.flags.chain)
	}
	return c, nil
}

// open opens the vault. where is the argument of the command line: a folder, a
// chat file, or "".
func (a *app) open(where string) (*place, error) {
	c, err := a.settings()
	if err != nil {
		return nil, err
	}
	dir, chat, err := a.find(c, where)
	if err != nil {
		return nil, err
	}
	return a.openAt(c, dir, chat)
}

func (a *app) openAt(c Config, dir, chat string) (*place, error) {
	if fileExists(dir) {
		return nil, usagef("%s is a file; a vault is the folder that holds the notes", dir)
	}
	v, err := vault.Open(dir, vault.Options{FollowLinks: c.Files.FollowLinks, Ignore: c.Files.Ignore, MaxNote: c.Files.MaxNote})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usagef("%s: there is no such folder; name a folder of notes, such as ibid ~/notes", dir)
	}
	if err != nil {
		return nil, err
	}
	p := &place{config: c, dir: dir, vault: v, chat: chat}
	p.gather = gather.New(v, gather.Options{RemoteImages: c.Files.RemoteImages})
	if err := a.openLog(p); err != nil {
		return nil, errors.Join(err, v.Close())
	}
	if a.flags.noSave {
		if chat != "" {
			return nil, errors.Join(usagef("--no-save and a chat to continue exclude each other"), p.Close())
		}
		return p, nil
	}
	folder, err := a.chatsFolder(c, dir)
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	p.store, err = history.NewStore(v, history.Options{Folder: folder, LockDir: filepath.Join(a.folder.state, "locks")})
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// chatsFolder is where chats are kept, as somebody named it, inside the vault at
// dir; "" leaves it to what the vault holds.
func (a *app) chatsFolder(c Config, dir string) (vault.Path, error) {
	name, said := c.Chats, "chats in the configuration"
	if a.flags.chats != "" {
		name, said = a.flags.chats, "--chats"
	}
	folder := name
	if filepath.IsAbs(folder) {
		rel, err := filepath.Rel(dir, folder)
		if err != nil {
			return "", usagef("%s: %s is not inside the vault %s", said, name, dir)
		}
		folder = rel
	}
	p, err := vault.ParsePath(filepath.ToSlash(folder))
	if err != nil {
		return "", usagef("%s: %s is not inside the vault %s", said, name, dir)
	}
	if strings.HasPrefix(string(p), ".") || strings.Contains(string(p), "/.") {
		return "", usagef("%s: %s is a hidden folder, whose files belong to other programs: name another", said, name)
	}
	return p, nil
}

// openLog starts the debug log, if one was asked for.
func (a *app) openLog(p *place) error {
	p.log = slog.New(slog.DiscardHandler)
	if a.flags.log == "" {
		return nil
	}
	f, err := os.OpenFile(a.folder.expand(a.flags.log, a.env.Dir), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open the log: %w", err)
	}
	p.logFile = f
	p.log = slog.New(slog.NewTextHandler(f, &slog.HandlerOptions{Level: slog.LevelDebug}))
	return nil
}

// find decides which vault is meant, and which chat.
func (a *app) find(c Config, where string) (dir, chat string, err error) {
	chat = a.flags.chat
	if where != "" {
		path := a.folder.expand(where, a.env.Dir)
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return "", "", usagef("%s: there is no such folder or chat file, and no such command; see `ibid --help`", where)
		case err != nil:
			return "", "", err
		case info.IsDir():
			return path, chat, nil
		}
		if !strings.EqualFold(filepath.Ext(path), ".md") {
			return "", "", usagef("%s is neither a folder nor a chat: chats are .md files", where)
		}
		dir, err := a.vaultOf(c, path)
		return dir, path, err
	}
	if a.flags.vault != "" {
		return a.folder.expand(a.flags.vault, a.env.Dir), chat, nil
	}
	if chat != "" && filepath.Ext(chat) == ".md" {
		if path := a.folder.expand(chat, a.env.Dir); fileExists(path) {
			dir, err := a.vaultOf(c, path)
			return dir, path, err
		}
	}
	if dir, ok := vault.Discover(a.env.Dir); ok {
		return dir, chat, nil
	}
	if dir := c.Vault; dir != "" {
		return a.folder.expand(dir, a.env.Dir), chat, nil
	}
	known := vault.ObsidianVaults("")
	hint := "`ibid demo` shows it on a sample vault"
	if len(known) > 0 {
		hint = "Obsidian knows " + strings.Join(known, ", ")
	}
	return "", "", usagef("no vault here: name a folder of notes (ibid ~/notes), or set vault in %s; %s", a.folder.tilde(a.folder.config), hint)
}

// vaultOf is the vault that a chat file belongs to.
func (a *app) vaultOf(c Config, path string) (string, error) {
	if a.flags.vault != "" {
		return a.folder.expand(a.flags.vault, a.env.Dir), nil
	}
	if dir, ok := vault.Discover(filepath.Dir(path)); ok {
		return dir, nil
	}
	if c.Vault != "" {
		dir := a.folder.expand(c.Vault, a.env.Dir)
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			return dir, nil
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
	return parent, nil
}

func fileExists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// desk sits down at the vault: the model is chosen, what was named is attached,
// the chat is opened.
func (a *app) desk(ctx context.Context, p *place, m chosen) (*desk.Desk, error) {
	o := desk.Options{
		Vault: p.vault, Gather: p.gather, Store: p.store, StateDir: a.folder.state,
		Session: a.sessionOptions(p, m),
		Active:  first(a.flags.active, p.config.Active),
		Model:   m.other, Models: m.names,
	}
	base := o.Session.Instructions
	o.Project = p.config.Project
	o.Instructions = func(ctx context.Context, project string) (prompt.Instructions, []prompt.Missing) {
		return p.gather.Instructions(ctx, base, p.config.Memory, project)
	}
	if len(a.flags.notes) > 0 || p.config.Memory != "" || o.Project != "" || o.Active != "" && o.Active != desk.Off && o.Active != desk.Follow {
		if err := p.vault.Scan(ctx); err != nil {
			return nil, err
		}
	}
	for _, ref := range a.flags.notes {
		if strings.TrimSpace(ref) == "" {
			return nil, usagef("--note is empty: name a note, or leave the flag out")
		}
		refs, missing := p.gather.Reference(ctx, ref)
		if len(missing) > 0 {
			return nil, usagef("--note: %s", missing[0].Reason)
		}
		o.Attach = append(o.Attach, refs...)
	}
	if err := a.activeNote(ctx, p, &o); err != nil {
		return nil, err
	}
	d := desk.New(o)
	d.Begin(ctx)
	if p.chat != "" {
		err := d.Open(ctx, p.chat)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, history.ErrNotChat) {
			return nil, usageError{err}
		}
		if err != nil {
			return nil, err
		}
		if a.flags.active != "" {
			if err := d.SetActive(o.Active); err != nil {
				return nil, err
			}
		}
	}
	return d, nil
}

// activeNote finds the note that --active or the configuration names. One that
// the configuration names may be of another vault: then the active note is
// followed, and a notice says so.
func (a *app) activeNote(ctx context.Context, p *place, o *desk.Options) error {
	if o.Active == "" || o.Active == desk.Off || o.Active == desk.Follow {
		return nil
	}
	refs, missing := p.gather.Reference(ctx, o.Active)
	switch {
	case len(missing) == 0 && len(refs) == 1 && refs[0].Kind == prompt.Note:
		o.Active = refs[0].ID
	case a.flags.active != "":
		return usagef("--active: %q is neither off, follow nor a note", o.Active)
	default:
		p.notices = append(p.notices, fmt.Sprintf("active in the configuration: %q is neither off, follow nor a note of this vault; following", o.Active))
		o.Active = desk.Follow
	}
	return nil
}

// sessionOptions are the options of every conversation in p with model m.
func (a *app) sessionOptions(p *place, m chosen) chains.Options {
	o := m.options
	o.Gather, o.Log = p.gather, p.log
	if p.store != nil {
		o.Store = p.store
	}
	o.Layout = prompt.Layout(first(a.flags.layout, p.config.Cache.Layout))
	o.Instructions = prompt.Instructions{Vault: filepath.Base(p.dir), User: p.config.System, NoNotes: p.config.SelfNote != nil && !*p.config.SelfNote}
	return o
}
