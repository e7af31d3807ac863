package cli

import (
	"context"
	"path"
	"strings"

	"ibid/chains/connect/keystore"
	"ibid/chains/wire"
	"ibid/ui"
	"ibid/ui/plain"
	"ibid/ui/theme"
	"ibid/vault"
	"ibid/vault/dates"
	"ibid/vault/obsidian"
)

// doctorFlags are the flags of ibid doctor.
type doctorFlags struct {
	Ask    bool `flag:"ask-models" help:"send two small requests to the model that would answer, without a question"`
	Forget bool `flag:"forget" help:"forget first what servers have refused, and which windows they have named"`
}

// run checks everything, also with a broken configuration, and exits with status 1 if anything is wrong.
func (f *doctorFlags) run(ctx context.Context, p *parts, _ []string) error {
	d := newDoctor(p.app, f.Ask)
	if f.Forget {
		p.providers(&Config{}, nil).Forget("")
	}
	d.OK("version", "%s", p.root.Version)
	cfg := d.config()
	d.vault(ctx, cfg)
	d.provider(ctx, cfg)
	d.terminal()
	if d.wrong {
		return exit(plain.ExitFailed)
	}
	return nil
}

func (d *doctor) config() *Config {
	file := d.configPath()
	cfg, all, err := d.configFile().Read()
	path := d.folder.tilde(file)
	switch {
	case err != nil:
		d.Wrong("config", "correct the line, or move the file away to start without it", "%v", err)
		return cfg.with(d.env.Getenv)
	case !fileExists(file):
		d.OK("config", "none at %s: everything has its default", path)
	default:
		d.OK("config", "%s", path)
	}
	if _, conflicts, err := ui.ListKeys(cfg.Keys); err == nil {
		for _, line := range conflicts {
			d.Note("keys", "ibid keys", "%s", strings.TrimPrefix(line, "keys: "))
		}
	}
	if cfg.Tools.Batch != nil {
		d.Note("config", "take the line out",
			"tools.batch is not used any more: the calls of a reply share what the turn has left")
	}
	for _, s := range all {
		if s.From != "default" && s.Value != "" {
			d.OK("setting", "%s = %s, from %s", s.Key, s.Value, s.From)
		}
	}
	return cfg.with(d.env.Getenv)
}

func (d *doctor) vault(ctx context.Context, cfg *Config) {
	at, err := d.findVault(cfg, "")
	if err != nil {
		d.Wrong("vault", "", "%v", err)
		if known, _ := vault.KnownVaults(d.env.Getenv, d.folder.home); len(known) > 0 {
			d.Note("vault", "ibid "+known[0], "Obsidian knows %s", strings.Join(known, ", "))
		}
		return
	}
	if err := d.withTarget(ctx, cfg, at, readNotes|lookOnly, d.parts); err != nil {
		d.Wrong("vault", "", "%v", err)
	}
}

// parts checks the vault and everything that belongs to it.
func (d *doctor) parts(ctx context.Context, p *parts) error {
	d.notes(p)
	d.dates(p)
	d.links(p)
	d.index(ctx, p)
	d.watching(ctx, p)
	if p.store != nil {
		list, err := p.store.List(ctx)
		if err != nil {
			d.Wrong("chats", "", "%v", err)
		} else {
			d.OK("chats", "%s in %s/", theme.Comma(len(list)), p.store.Folder())
		}
		if writable(p.dir) != nil {
			d.Wrong("chats", "give yourself the right to write there, or use --no-save",
				"the vault cannot be written, so chats cannot be saved")
		}
	}
	d.writes(p)
	d.faults(p)
	d.usage(p)
	return nil
}

// dates says how notes are named by dates, and which formats cannot be read.
func (d *doctor) dates(p *parts) {
	for _, f := range obsidian.ReadNameFormats(p.vault.FS()) {
		name := path.Join(f.Folder, f.Format)
		if err := dates.CheckFormat(f.Format); err != nil {
			d.Note("dates", "choose another date format in the settings of Obsidian",
				"notes named %q have no date by their name: %v", name, err)
			continue
		}
		d.OK("dates", "in the names of notes: %s", name)
	}
}

func (d *doctor) notes(p *parts) {
	notes := p.vault.Notes()
	d.OK("vault", "%s: %s notes, %s folders",
		d.folder.tilde(p.dir), theme.Comma(len(notes)), theme.Comma(len(p.vault.Folders())))
	private, large := 0, 0
	var warned, generous []string
	for _, n := range notes {
		if n.Large {
			large++
		}
		if n.Private {
			private++
		}
		if n.PrivateBecause != "" {
			generous = append(generous, string(n.Path)+": "+n.PrivateBecause)
		}
		if n.Warning != "" {
			warned = append(warned, string(n.Path)+": "+n.Warning)
		}
	}
	d.first("note", 5, warned)
	if large > 0 {
		d.Note("vault", "a larger files.max_note in the configuration has them read",
			"%s above files.max_note: searched by name only", theme.Plural(large, "note"))
	}
	if private > 0 {
		d.OK("vault", "%d private notes: they never leave this machine", private)
	}
	for _, note := range generous {
		d.Note("private", "`private: true` or `private: false` between the lines of --- says it plainly", "%s", note)
	}
	if w := p.vault.RulesWarning(); w != "" {
		d.Wrong("vault", "mend the list of excluded files in Obsidian's settings, or in .obsidian/app.json", "%s", w)
	}
	for _, w := range p.vault.Warnings() {
		d.Note("vault", "", "%s", w)
	}
}

func (d *doctor) provider(ctx context.Context, cfg *Config) {
	from := d.providers(cfg, nil)
	for _, s := range from.Discover(ctx) {
		d.OK("server", "%s at %s, %s", s.Name, s.BaseURL, theme.Plural(len(s.Models), "model"))
		if s.None != nil {
			d.Note("server", "", "%s", s.None.Error())
		}
	}
	for _, p := range wire.Providers() {
		if p.KeyVar != "" && keystore.Clean(d.env.Getenv(p.KeyVar)) != "" {
			d.OK("key", "%s is set", p.KeyVar)
		}
	}
	for _, line := range from.Learned() {
		d.Note("learned", "`ibid doctor --forget` forgets it, and the next message tries again", "%s", line)
	}
	from.Check(ctx, d.CheckOptions)
}

func (d *doctor) terminal() {
	if !terminal(d.env.Stdout) {
		d.Note("terminal", "", "standard output is no terminal: the screen does not open here, line mode works")
		return
	}
	d.OK("terminal", "TERM=%s COLORTERM=%s", d.env.Getenv("TERM"), d.env.Getenv("COLORTERM"))
	if d.env.Getenv("NO_COLOR") != "" {
		d.OK("terminal", "NO_COLOR is set: glyphs carry every meaning")
	}
	if strings.HasPrefix(d.env.Getenv("TERM"), "screen") || d.env.Getenv("TMUX") != "" {
		d.Note("terminal", "set -s extended-keys on; alt+enter and ctrl+j always make a new line",
			"inside tmux or screen, shift+enter arrives as enter unless extended keys are on")
	}
}
