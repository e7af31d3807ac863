package cli

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"ibid/chains/wire"
	"ibid/ui/theme"
	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/ownfile"
	"ibid/vault/vectors"
)

// index reports the state of the search index. It opens an index of its own, so that doctor sees faults that the desk
// works around.
func (d *doctor) index(ctx context.Context, p *parts) {
	const without = "searches read the notes instead, which takes longer"
	o := index.Options{Dir: d.folder.cache, Vault: p.vault.Dir(), Look: true}
	if !index.Exists(o) {
		d.OK("index", "not built yet: the first search begins it; until it is ready %s", without)
		return
	}
	x, err := index.Open(ctx, o)
	var s index.Status
	if err == nil {
		defer x.Close() //nolint:errcheck // nothing was written
		s, err = x.Status(ctx, p.vault)
	}
	if err != nil {
		d.Note("index", "", "not used: %v; %s", err, without)
		return
	}
	text := fmt.Sprintf("%s: %s of %s, written %s",
		d.folder.tilde(s.File), theme.Plural(s.Notes, "note"), ownfile.FormatSize(s.Size), s.Changed.Format(minute))
	switch {
	case !s.Ready:
		d.Note("index", "ibid notes and a word completes it", "%s; not complete yet: %s", text, without)
	case s.Behind > 0:
		d.OK("index", "%s; %s changed since, which the next search takes in", text, theme.Plural(s.Behind, "note"))
	default:
		d.OK("index", "%s; up to date", text)
	}
	d.vectors(ctx, p, x)
}

// vectors reports the state of the vectors in an open index, and their memory, which is the cost of the setting.
func (d *doctor) vectors(ctx context.Context, p *parts, x *index.Index) {
	model := p.config.Search.Vectors
	if model == "" {
		return
	}
	s, err := (&vectors.Finder{
		Index: func(context.Context) *index.Index { return x }, Source: p.vault, Model: model,
	}).State(ctx)
	if !d.failed("vectors", err) {
		left := ""
		if s.Refused > 0 {
			left = fmt.Sprintf(", without %s that the server does not take", theme.Plural(s.Refused, "section"))
		}
		d.OK("vectors", "%s: of %s of %s notes%s; searches keep %s of them in memory",
			model, theme.Comma(s.Done), theme.Comma(s.Notes), left, theme.Size(s.Memory))
	}
}

// links counts the broken and the ambiguous links, and names the first ones.
func (d *doctor) links(p *parts) {
	n := 0
	var nowhere, several []string
	for _, l := range vault.AllLinks(p.vault, nil, func(vault.FoundNote) bool { return true }) {
		if l.Target == "" {
			continue
		}
		n++
		if at := fmt.Sprintf("%s:%d [[%s]] ", l.Path, l.Line, l.Target); l.State == string(vault.Missing) {
			nowhere = append(nowhere, at+"leads nowhere")
		} else if p.vault.Lookup(l.Target, vault.ToRead).State == vault.Ambiguous {
			several = append(several, at+"fits several notes: the nearest counts")
		}
	}
	d.OK("links", "%s between notes: %d lead nowhere, %d fit several notes",
		theme.Plural(n, "link"), len(nowhere), len(several))
	d.first("links", 3, nowhere)
	d.first("links", 3, several)
}

// watching starts a watcher as the screen does, since only that shows whether the system has watches left.
func (d *doctor) watching(ctx context.Context, p *parts) {
	ctx, stop := context.WithTimeout(ctx, 5*time.Second)
	defer stop()
	w := vault.NewWatcher(vault.WatchOptions{Dir: p.dir, StateDir: d.folder.state, Ignore: p.vault.IgnoredBelow})
	batches, err := w.Watch(ctx)
	if d.failed("watching", err) {
		return
	}
	_, seen := <-batches // comes when the watcher is set up
	late := w.Degraded()
	stop()
	w.Wait()
	switch {
	case late != "":
		d.Note("watching", "", "%s", late)
	case !seen:
		d.Note("watching", "", "the folders could not be watched within 5 s")
	case runtime.GOOS == "linux":
		d.OK("watching", "changes are seen as they happen")
	default:
		d.OK("watching", "the notes are looked at every few seconds: this system reports changes only file by file")
	}
}

// writes reports the kept changes of notes, and their limits.
func (d *doctor) writes(p *parts) {
	days := p.config.Files.keepWrites()
	all, err := p.journal.List()
	switch {
	case d.failed("changes", err):
	case days == 0:
		d.Note("changes", "files.keep_writes is the number of days for which it is",
			"what a note held before a change is not kept: nothing can be taken back")
	default:
		d.OK("changes", "%s of notes can be taken back, %s of at most %s, kept for %s",
			theme.Plural(len(all), "change"), ownfile.FormatSize(p.journal.Size()),
			ownfile.FormatSize(ownfile.MaxFolderSize), theme.Plural(days, "day"))
	}
	if dir := d.flags.Record; dir != "" {
		d.OK("records", "requests and replies in %s: %s of at most %s", dir,
			ownfile.FormatSize(ownfile.Size(d.path(dir), wire.IsRecording)), ownfile.FormatSize(ownfile.MaxFolderSize))
	}
	for i := range all {
		if e := &all[i]; e.Unsure {
			for _, p := range e.Paths() {
				d.Note("changes", "", "change %d of %s was cut off by a crash, and the note was changed since", e.ID, p)
			}
		}
	}
}

// usage reports the file behind the suggestions.
func (d *doctor) usage(p *parts) {
	if p.usage.Off.Load() {
		d.OK("usage", "screen.suggestions is off: what was used together is not kept")
		return
	}
	name := d.folder.tilde(p.usage.Name())
	switch pairs, err := p.usage.Status(); {
	case err != nil:
		d.Note("usage", "delete it, so that it is counted anew", "%s cannot be read: %v", name, err)
	case pairs == 0:
		d.OK("usage", "nothing was used together yet; it will be kept in %s", name)
	default:
		d.OK("usage", "%s: %s of notes used together, never sent; deleting it forgets them",
			name, theme.Plural(pairs, "pair"))
	}
}
