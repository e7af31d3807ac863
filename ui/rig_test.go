package ui_test

import (
	"context"
	"io"
	"iter"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/desk"
	"ibid/chains/offline"
	"ibid/context/gather"
	"ibid/history"
	"ibid/ui"
	"ibid/ui/theme"
	"ibid/ui/uitest"
	"ibid/vault"
	"ibid/vault/undo"
	"ibid/vault/usage"
	"ibid/vault/vaulttest"
)

// band is a vault for all scripts.
const band = `
-- Band/Setlist.md --
---
aliases: [songs, set]
tags: [gig]
---
# Setlist

Open with [[Bass tone]]. Five songs, forty minutes.

## First half

Three fast ones.

## Encore

One slow one, if they ask.
-- Band/Bass tone.md --
# Bass tone

Roll the highs off. Compressor at 3:1. See [[Setlist]].
-- Band/Rehearsal.md --
# Rehearsal

Thursday at seven, bring the spare cable.
-- Garden/Tomatoes.md --
---
tags: [garden]
---
# Tomatoes

Water in the morning. Tie the stems every week.
-- Garden/Soil.md --
# Soil

Compost in spring.
-- Diary.md --
---
private: true
---
# Diary

Nobody reads this.
-- stage.png --
not really a picture
`

// clockStart is when all scripts begin.
var clockStart = time.Date(2026, 3, 14, 10, 30, 0, 0, time.UTC)

// rig is a screen's surroundings: a vault on disk, a store, a desk, a model.
type rig struct {
	t       *testing.T
	dir     string
	vault   *vault.Vault
	store   *history.Store
	desk    *desk.Place
	gather  *gather.Gatherer
	state   string
	model   *chaintest.Script
	batch   chan vault.Batch
	locks   string
	index   string // folder of the search index, "" for none
	began   time.Time
	changes []func(*ui.Options)
	usage   *usage.File // nil suggests nothing
	large   chains.LargePolicy
	titles  chains.Titles
	tools   []chains.Tool                    // that the model may call
	loads   func(url string) <-chan struct{} // nil: pages come at once
	pull    func(context.Context, string) iter.Seq2[chains.Progress, error]
	export  func(ctx context.Context, chat vault.Path, file string, force bool) (string, error)
}

// stage is a screen with its surroundings, for a script.
type stage struct {
	*testing.T
	*uitest.Robot
	*rig
}

// now is the false clock, begun at clockStart.
func (r *rig) now() time.Time { return clockStart.Add(time.Since(r.began)) }

// newRig writes a vault and sits down at it. Nothing is scanned yet.
func newRig(t *testing.T, archive string, replies ...chaintest.Reply) *rig {
	t.Helper()
	r := &rig{
		t:   t,
		dir: vaulttest.Dir(t, archive), state: t.TempDir(), locks: t.TempDir(), model: chaintest.New(replies...),
		batch: make(chan vault.Batch), began: time.Now(),
	}
	r.stamp(t)
	v, err := vault.Open(r.dir, vault.Options{})
	check(t, err)
	t.Cleanup(func() { _ = v.Close() })
	r.vault = v
	r.reopen()
	return r
}

// rigOn makes a rig of a vault.
func rigOn(archive string, replies ...chaintest.Reply) func(*testing.T) *rig {
	return rigWith(archive, func(*rig) {}, replies...)
}

// rigWith makes a rig that is prepared before the script begins.
func rigWith(archive string, prepare func(g *rig), replies ...chaintest.Reply) func(*testing.T) *rig {
	return func(t *testing.T) *rig {
		t.Helper()
		g := newRig(t, archive, replies...)
		prepare(g)
		return g
	}
}

// changed makes a rig whose screen has other options.
func changed(archive string, change func(*ui.Options), replies ...chaintest.Reply) func(*testing.T) *rig {
	return rigWith(archive, func(g *rig) { g.change(change) }, replies...)
}

// runningWith makes a rig whose conversations run with other options.
func runningWith(archive string, change func(*chains.Options), replies ...chaintest.Reply) func(*testing.T) *rig {
	return rigWith(archive, func(g *rig) { g.runWith(change) }, replies...)
}

// reopen sits down anew, as what of the rig was changed has it.
func (r *rig) reopen() { r.store, r.desk = r.open(r.t, r.model, "test-model") }

// open opens a store and a desk on the vault.
func (r *rig) open(t *testing.T, m chains.Model, name string) (*history.Store, *desk.Place) {
	t.Helper()
	r.gather = gather.New(r.vault, gather.Options{Now: r.now, HTTP: &http.Client{Transport: web{r.loads}}})
	store, err := history.NewStore(r.vault, history.Options{StateDir: r.locks, Zone: time.UTC, Now: r.now})
	check(t, err)
	t.Cleanup(func() { _ = store.Close() })
	return store, desk.New(desk.Options{
		Vault: r.vault, Gather: r.gather, Store: store, StateDir: r.state,
		IndexDir: r.index, Journal: r.journal(store), Usage: r.usage, Session: r.session(store, m, name),
		Servers: desk.ServerOptions{Pull: r.pull}, Setup: desk.Setup{Export: r.export},
	})
}

// runWith replaces the desk by one whose conversations run with other options.
func (r *rig) runWith(change func(*chains.Options)) {
	r.deskWith(func(o *desk.Options) { change(&o.Session) })
}

// deskWith replaces the desk by one with other options.
func (r *rig) deskWith(change func(*desk.Options)) {
	o := desk.Options{
		Vault: r.vault, Gather: r.gather, Store: r.store, StateDir: r.state,
		Session: r.session(r.store, r.model, "test-model"),
	}
	change(&o)
	r.desk = desk.New(o)
}

// named returns the options of conversations with a model.
func (r *rig) named(_ context.Context, _, name string) (chains.Options, error) {
	return r.session(r.store, r.model, name), nil
}

// journal writes notes of the vault.
func (r *rig) journal(store *history.Store) *undo.Journal {
	return undo.New(r.vault, undo.Options{StateDir: r.state, Days: 30, Chats: store.Folder(), Now: r.now})
}

// web is the pages that there are: the same text at every address, once that is closed
// which loads gives, if anything.
type web struct {
	loads func(url string) <-chan struct{}
}

func (w web) RoundTrip(req *http.Request) (*http.Response, error) {
	if w.loads != nil {
		select {
		case <-w.loads(req.URL.String()):
		case <-req.Context().Done():
			return nil, req.Context().Err()
		}
	}
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/plain"}},
		Body: io.NopCloser(strings.NewReader("A page.")), Request: req,
	}, nil
}

// session is what conversations at the desk run with.
func (r *rig) session(store *history.Store, m chains.Model, name string) chains.Options {
	o := chains.Options{
		Model: m, ModelName: name, Gather: r.gather, Window: 128000, Now: r.now,
		Cache: chains.CacheRule{Lifetime: 10 * time.Minute}, Count: count,
	}
	o.Large, o.Background.Titles = r.large, r.titles
	o.Tools.Related = func(_ context.Context, _ string, of ...string) ([]chains.RelatedNote, error) {
		return []chains.RelatedNote{{ID: "Garden/Soil.md", Why: []string{"asked for " + strings.Join(of, " ")}}}, nil
	}
	if store != nil {
		o.Store = store
	}
	if r.tools != nil {
		o.Chain, o.Tools.List = chains.Agent{}, r.tools
	}
	return o
}

// count counts tokens so that the screens do not depend on the instructions' length.
func count(s string) int { return min((len(s)+3)/4, 120) }

// firstRun makes the machine one on which nothing was configured yet.
func (r *rig) firstRun() {
	r.change(func(o *ui.Options) {
		o.FirstRun = ui.FirstRun{
			New: true, Vault: "~/band", Provider: "OPENAI_API_KEY in the environment", Model: "128k window · caches prefix",
			Chats:   "~/band/Chats/",
			Servers: func(context.Context) []string { return []string{"http://127.0.0.1:11434 (Ollama, 3 models)"} },
		}
	})
}

// watcher hands out a channel of changes, as a vault.Watcher does.
func watcher(batches <-chan vault.Batch) func(context.Context) (<-chan vault.Batch, error) {
	return func(context.Context) (<-chan vault.Batch, error) { return batches, nil }
}

// stamp gives all notes times before the script, a day apart.
func (r *rig) stamp(t *testing.T) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(r.dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		n++
		at := clockStart.AddDate(0, 0, -n)
		return os.Chtimes(name, at, at)
	})
	check(t, err)
}

// change gives the screen other options.
func (r *rig) change(options func(*ui.Options)) { r.changes = append(r.changes, options) }

func (r *rig) options() ui.Options {
	o := ui.Options{
		Desk: r.desk, Vault: r.vault, Store: r.store, Now: r.now, Themes: ui.Themes{Fixed: true}, OfflineModel: offline.Name,
		Theme: theme.Options{Dark: true},
	}
	for _, change := range r.changes {
		if change != nil {
			change(&o)
		}
	}
	return o
}

// look changes what the terminal can show.
func (r *rig) look(name string) {
	r.change(func(o *ui.Options) {
		o.Theme = map[string]theme.Options{
			"nocolor": {NoColor: true}, "light": {},
			"ascii": {ASCII: true, NoColor: true},
		}[name]
	})
}

// play runs a script over the band's vault, on a screen of 80 by 24.
func play(t *testing.T, replies []chaintest.Reply, script func(r *stage)) {
	t.Helper()
	playAt(t, 80, 24, replies, script)
}

// playAt runs one on a screen of another size.
func playAt(t *testing.T, w, h int, replies []chaintest.Reply, script func(r *stage)) {
	t.Helper()
	playOn(t, w, h, rigOn(band, replies...), script)
}

func playOn(t *testing.T, w, h int, make func(t *testing.T) *rig, script func(r *stage)) {
	t.Helper()
	var g *rig
	uitest.Play(t, w, h, func(t *testing.T) ui.Options {
		g = make(t)
		return g.options()
	}, func(t *testing.T, r *uitest.Robot) { script(&stage{t, r, g}) })
}

// note is the text of a note.
func (r *rig) note(name string) string {
	r.t.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, name))
	check(r.t, err)
	return string(data)
}

// savedChat is the file of the only chat whose name begins so, and its text.
func (r *rig) savedChat(begins string) (name, text string) {
	r.t.Helper()
	files, err := filepath.Glob(filepath.Join(r.dir, "Chats", begins+"*.md"))
	if err != nil || len(files) != 1 {
		r.t.Fatalf("%d chats begin with %q (%v)", len(files), begins, err)
	}
	name = filepath.Base(files[0])
	return name, r.note("Chats/" + name)
}

// chatText is its text alone.
func (r *rig) chatText(begins string) string {
	r.t.Helper()
	_, text := r.savedChat(begins)
	return text
}

// visible is the part of the only chat which other programs read.
func (r *rig) visible() string {
	r.t.Helper()
	_, text, _ := strings.Cut(r.chatText(""), "\n**user**")
	return text
}

func replies(all ...chaintest.Reply) []chaintest.Reply { return all }

func reply(text string) chaintest.Reply { return chaintest.Reply{Text: text} }

// slow is a reply that takes a second and a half or so.
func slow(text string) chaintest.Reply {
	return chaintest.Reply{Chunks: strings.SplitAfter(text, " "), Delay: 100 * time.Millisecond}
}
