package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"ibid/chains/offline"
	"ibid/context/prompt"
	"ibid/ui"
	"ibid/ui/setup"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/ui/theme/colors"
	"ibid/vault"
)

// screen is ibid on a terminal. The vault is looked through while the screen is
// already up. vaults are those that can be opened from it, nil for none.
func (a *app) screen(ctx context.Context, p *parts, vaults setup.Vaults) error {
	ctx, stop := context.WithCancel(ctx)
	w := vault.NewWatcher(vault.WatchOptions{Dir: p.dir, StateDir: a.folder.state, Ignore: p.vault.Ignored, Cost: p.vault.Cost})
	defer func() {
		stop()
		w.Wait()
	}()
	var models setup.Models
	var left func(context.Context, string)
	if !p.model.Settled {
		models, left = p.servers, p.servers.Drop
	}
	palettes := p.config.palettes()
	look, kind := lookOf(&p.config.Screen, palettes, a.env.Getenv)
	choose := p.model.Undecided && models != nil
	before := p.desk.Session().Snapshot()
	err := ui.Run(ctx, ui.Options{
		Desk: p.desk, Vault: p.vault, Store: p.store,
		Service: ui.Service{Models: models, Providers: providerPage{a}, Settings: settingTools{a}, Vaults: vaults, Choose: choose, Left: left},
		Watch:   w.Watch, Degraded: w.Degraded,
		FirstRun: a.firstRun(p), Notices: slices.Concat(p.notices, p.model.Notices),
		Theme: look,
		Themes: ui.Themes{All: palettes, Fixed: kind != "", Keep: func(name string) error {
			_, err := settingTools{a}.file().Set("screen.theme", &name)
			return err
		}},
		Editor: a.editor(), Opener: openerOf(a.env.Getenv),
		Input:    inputOf(a, &p.config),
		Terminal: terminalOf(a, &p.config.Screen),
		Demo:     a.sample, OfflineModel: offline.Name, Approved: a.flags.Approve.Kinds(), Covers: a.flags.Approve.Covers,
	}, a.env.Stdin, a.env.Stdout)
	if failed := (*term.PanicError)(nil); errors.As(err, &failed) {
		_, _ = fmt.Fprintf(a.env.Stderr, "%s\n", failed.Stack) // for whoever mends it
	}
	a.print(resumeHint(a, p, before))
	return err
}

// terminalOf is what the terminal does. What is said goes to its scrollback if that was
// asked for, and where Zellij would keep none for the alternate screen.
func terminalOf(a *app, c *ScreenConfig) ui.Terminal {
	t := ui.Terminal{NoImages: c.Images != nil && !*c.Images, NoLinks: linkless(a.env.Getenv("TERM")), Notify: c.Notify, Inline: a.inline || a.env.Getenv("ZELLIJ") != "", Copy: clipboardOf(a.env.Getenv)}
	if c.Inline != nil && !a.inline {
		t.Inline = *c.Inline
	}
	return t
}

// lookOf is what the terminal is like, and the kind of background that was chosen, ""
// for that of the terminal.
func lookOf(c *ScreenConfig, palettes []colors.Palette, getenv func(string) string) (o theme.Options, kind string) {
	term := getenv("TERM")
	palette, kind, _ := colors.Find(palettes, c.Theme) // the configuration was checked
	return theme.Options{
		Dark: kind != "light", NoColor: getenv("NO_COLOR") != "" || colorless(term), ASCII: c.ASCII, Palette: palette,
		Still:   getenv("NO_MOTION") != "" || c.Motion != nil && !*c.Motion,
		NoLinks: c.Links != nil && !*c.Links || linkless(term),
	}, kind
}

// linkless reports whether a terminal of this name knows no hyperlinks.
func linkless(term string) bool { return term == "dumb" || term == "linux" }

// colorless reports whether a terminal of this name draws no colours. Who writes to it
// takes those that are not known for terminals of sixteen.
func colorless(term string) bool {
	for _, name := range []string{"vt52", "vt100", "vt102", "vt220", "vt320", "vt420"} {
		if term == name || strings.HasPrefix(term, name+"-") {
			return true
		}
	}
	return strings.HasSuffix(term, "-m") || strings.HasSuffix(term, "-mono")
}

// firstRun is what was found on this machine.
func (a *app) firstRun(p *parts) ui.FirstRun {
	m := p.model
	written := fileExists(a.configPath())
	f := ui.FirstRun{New: p.first || !written, Written: written, Vault: a.folder.tilde(p.dir), Provider: m.Source}
	if a.sample {
		f.Questions = sampleQuestions()
	}
	if p.store != nil {
		f.Chats = string(p.store.Folder())
	}
	if m.Options.Window > 0 {
		f.Model = fmt.Sprintf("%dk window", m.Options.Window/1000)
	}
	if m.Provider == offline.Name {
		f.Model = "quotes your notes, no network"
	} else if m.Options.Cache.Kind != prompt.CacheNone {
		f.Model = strings.TrimPrefix(f.Model+" · caches prefix", " · ")
	}
	f.Servers = func(ctx context.Context) []string {
		servers := m.Servers
		if servers == nil {
			servers = p.servers.Discover(ctx)
		}
		var lines []string
		for _, s := range servers {
			has := s.Name + ", " + theme.Plural(len(s.Models), "model")
			if s.None != nil && s.Pulls {
				has = s.Name + ": ibid models pull NAME"
			}
			lines = append(lines, fmt.Sprintf("%s  (%s)", s.BaseURL, has))
		}
		return lines
	}
	return f
}

// editor is the command that the user edits files with.
func (a *app) editor() []string {
	words := strings.Fields(cmp.Or(a.env.Getenv("VISUAL"), a.env.Getenv("EDITOR")))
	if len(words) == 0 && runtime.GOOS != "windows" {
		return []string{"vi"}
	}
	return words
}

// openerOf is the command with which the user opens addresses: the first one in
// $BROWSER, which may be followed by "%s"; nil is that of the system.
func openerOf(getenv func(string) string) []string {
	first, _, _ := strings.Cut(getenv("BROWSER"), ":")
	words := strings.Fields(first)
	if n := len(words); n > 1 && words[n-1] == "%s" {
		return words[:n-1]
	}
	return words
}
