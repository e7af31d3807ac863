package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ibid/chains/connect"
	"ibid/chains/offline"
	"ibid/context/prompt"
	"ibid/ui"
	"ibid/ui/setup"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/vault"
	"ibid/vault/obsidian"
)

// show runs the screen. The desk reads the vault while the screen is already up. vaults lets a person go to another
// vault, nil does not.
func (p *parts) show(ctx context.Context, vaults setup.Vaults) error {
	ctx, stop := context.WithCancel(ctx)
	w := vault.NewWatcher(vault.WatchOptions{
		Dir: p.dir, StateDir: p.folder.state, Ignore: p.vault.IgnoredBelow, Cost: p.vault.Cost,
	})
	defer func() {
		stop()
		w.Wait()
	}()
	settings := settingTools{p.app}
	service := ui.Service{Providers: providerPage{p.app}, SetUp: p.setUp, Settings: settings, Vaults: vaults}
	if !p.model.Settled {
		service.Models, service.Left, service.Choose = p.servers, p.servers.Drop, p.model.Undecided
	}
	if p.model.Searching {
		service.Found = p.found
	}
	look, kind := lookOf(&p.config.Screen, p.env.Getenv)
	p.offerVectors()
	before := p.desk.Session().Snapshot()
	err := ui.Run(ctx, ui.Options{
		Report: func(f *term.Fault) string { return p.keepFault(f.Effect, f.Value, f.Stack) },
		Desk:   p.desk, Vault: p.vault, Store: p.store, Service: service,
		Watch: w.Watch, Degraded: w.Degraded,
		FirstRun: p.firstRun(), Notices: slices.Concat(p.notices, p.model.Notices),
		Theme:  look,
		Themes: ui.Themes{All: p.config.Screen.palettes(), Fixed: kind != ""},
		Editor: term.EditorCommand(p.env.Getenv), Opener: term.OpenerCommand(p.env.Getenv),
		Input: p.inputOf(), Terminal: p.terminalOf(),
		Demo: p.sample, OfflineModel: offline.Name, Approved: p.flags.Approve.Kinds(), Covers: p.flags.Approve.Covers,
	}, p.env.Stdin, p.env.Stdout)
	if failed, is := errors.AsType[*term.PanicError](err); is {
		where := p.keepFault("ended the screen", failed.Value, failed.Stack)
		_, _ = fmt.Fprintf(p.env.Stderr, "%s\n%s\n", failed.Stack, where)
	}
	p.print(p.resumeHint(before))
	return err
}

// terminalOf returns the settings of the terminal. The conversation goes to the scrollback if that is set, and in
// Zellij, whose alternate screen has none.
func (p *parts) terminalOf() ui.Terminal {
	c, getenv := &p.config.Screen, p.env.Getenv
	t := ui.Terminal{
		NoImages: !c.Images, NoLinks: lacksLinks(getenv("TERM")), Notify: c.Notify,
		Inline: p.Inline || getenv("ZELLIJ") != "", Copy: term.Clipboard(getenv), PasteImage: p.pasteImage,
	}
	if c.Inline != nil && !p.Inline {
		t.Inline = *c.Inline
	}
	return t
}

// found waits for the provider that answers, if the screen started with a guess.
func (p *parts) found(ctx context.Context) (f ui.FoundModel, ok bool) {
	c, ok := p.servers.Found(ctx)
	return ui.FoundModel{
		Was: p.model.Options.Model, Model: c.Options, Provider: c.Source, Say: modelSay(&c), Notices: c.Notices,
	}, ok
}

// modelSay describes the model for the first screen.
func modelSay(c *connect.Choice) (said string) {
	if c.Provider == offline.Name {
		return "quotes your notes, no network"
	}
	if n := c.Options.Window; n > 0 {
		said = fmt.Sprintf("%dk window", n/1000)
	}
	if c.Options.Cache.Kind != prompt.CacheNone {
		said = strings.TrimPrefix(said+" · caches prefix", " · ")
	}
	return said
}

// firstRun returns what the first screen shows.
func (p *parts) firstRun() ui.FirstRun {
	m := p.model
	written := fileExists(p.configPath())
	f := ui.FirstRun{
		New: p.first || !written, Written: written, Vault: p.folder.tilde(p.dir),
		Provider: m.Source, Model: modelSay(&m),
	}
	if p.sample {
		f.Questions = sampleQuestions()
	}
	if p.store != nil {
		f.Chats = string(p.store.Folder())
	}
	f.Servers = func(ctx context.Context) []string {
		servers := m.Servers
		if servers == nil {
			servers = p.servers.Discover(ctx)
		}
		var lines []string
		for _, s := range servers {
			has := s.Name + ", " + theme.Plural(len(s.Models), "model")
			if s.None != nil {
				has = s.Name + ": ibid models pull NAME"
			}
			lines = append(lines, fmt.Sprintf("%s  (%s)", s.BaseURL, has))
		}
		return lines
	}
	return f
}

// pasteImage writes the image on the clipboard into the folder that Obsidian uses for attachments of the open note, and
// returns its path.
func (p *parts) pasteImage(ctx context.Context, open vault.Path, now time.Time) (vault.Path, error) {
	image, err := term.ClipboardImage(ctx, p.env.Getenv)
	if err != nil {
		return "", err
	}
	folder := obsidian.Attachments(p.vault.FS(), open)
	file := folder.Join("Pasted image " + now.Format("20060102150405") + ".png")
	if err := p.vault.WriteFile(file, image, vault.WriteOptions{Create: true}); err != nil {
		return "", err
	}
	_, err = p.vault.Update(ctx, []vault.Path{file})
	return file, err
}

// sampleQuestions returns questions that the offline model answers well from the sample vault.
func sampleQuestions() []string {
	return []string{
		"What is ibid?", `what does @"Garden plan" say about tomatoes?`,
		"what did I decide about the greenhouse roof?",
	}
}
