package cli

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"ibid/chains/wire"
	"ibid/ui/theme"
	"ibid/vault"
	"ibid/vault/obsidian"
	"ibid/vault/ownfile"
)

// writes tells of the changes of notes that are kept.
func (d *doctor) writes(p *parts) {
	days := p.config.Files.keepWrites()
	all, err := p.journal.List()
	switch {
	case d.failed("changes", err):
	case days == 0:
		d.Note("changes", "files.keep_writes is the number of days for which it is", "what a note held before a change is not kept: nothing can be taken back")
	default:
		d.OK("changes", "%s of notes can be taken back, %s of at most %s, kept for %s", theme.Plural(len(all), "change"), size(p.journal.Size()), size(ownfile.MaxFolderSize), theme.Plural(days, "day"))
	}
	if dir := d.flags.Record; dir != "" {
		d.OK("records", "requests and replies in %s: %s of at most %s", dir, size(ownfile.Size(d.path(dir), wire.IsRecording)), size(ownfile.MaxFolderSize))
	}
	for i := range all {
		if e := &all[i]; e.Unsure {
			d.Note("changes", "", "change %d of %s was cut off by a crash, and the note was changed since", e.ID, e.Path)
		}
	}
}

// memory tells of the note that the model always knows.
func (d *doctor) memory(p *parts) {
	name := p.memory.Note()
	path, err := p.memory.Path()
	n, there := p.vault.Note(path)
	switch {
	case name == "":
		d.OK("memory", "no note: /remember begins one")
	case err != nil || path == "":
		d.Wrong("memory", "name a note of the vault", "memory = %q is no note of this vault", name)
	case !there:
		d.Note("memory", "the first /remember makes it", "there is no %s", path)
	case n.Private || p.vault.Ignored(path):
		d.Note("memory", "", "%s is private or excluded, so that it is never sent", path)
	default:
		d.OK("memory", "%s: %s, sent with each new chat", path, size(n.Size))
	}
}

// usage tells of the file with what was used together.
func (d *doctor) usage(p *parts) {
	if !p.usage.Counts() {
		d.OK("usage", "screen.suggestions is off: what was used together is not kept")
		return
	}
	name := d.folder.tilde(p.usage.Name())
	switch pairs, err := p.usage.Status(); {
	case err != nil:
		d.Note("usage", "delete it, or the next turn sets it aside", "%s cannot be read: %v", name, err)
	case pairs == 0:
		d.OK("usage", "nothing was used together yet; it will be kept in %s", name)
	default:
		d.OK("usage", "%s: %s of notes used together, never sent; deleting it forgets them", name, theme.Plural(pairs, "pair"))
	}
}

// daily tells which note is today's, and who says so.
func (d *doctor) daily(p *parts) {
	settings, err := obsidian.ReadDaily(os.DirFS(p.dir))
	if d.failed("daily", err) {
		return
	}
	path, err := settings.Path(time.Now())
	if d.failed("daily", err) {
		return
	}
	by := ": nothing else is set"
	if settings.Source != "" {
		by = ", by " + settings.Source
	}
	text := "today's note is " + string(path) + by
	if settings.Template == "" {
		d.OK("daily", "%s", text)
		return
	}
	template, err := vault.ParsePath(settings.Template)
	if err == nil && !template.IsNote() {
		template += ".md"
	}
	if _, e := p.vault.Stat(template); err != nil || errors.Is(e, fs.ErrNotExist) {
		d.Note("daily", "", "%s; its template %s is not there", text, settings.Template)
		return
	}
	d.OK("daily", "%s, from %s", text, template)
}
