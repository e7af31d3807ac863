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

// band is the vault of most scripts.
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

// clockStart is the time at the start of each script.
var clockStart = time.Date(2026, 3, 14, 10, 30, 0, 0, time.UTC)

// rig holds everything that a screen needs: a vault on disk, a store, a desk, a model.
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

// stage is a screen with its rig, as scripts use it.
type stage struct {
	*testing.T
	*uitest.Robot
	*rig
}

// now returns the time of the test's clock, which starts at clockStart.
func (r *rig) now() time.Time { return clockStart.Add(time.Since(r.began)) }

// newRig makes a rig with a vault of these files. Nothing is scanned yet.
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

// rigOn returns a function that makes a rig of a vault.
func rigOn(archive string, replies ...chaintest.Reply) func(*testing.T) *rig {
	return rigWith(archive, func(*rig) {}, replies...)
}

// rigWith returns a function that makes a rig and calls prepare with it.
func rigWith(archive string, prepare func(g *rig), replies ...chaintest.Reply) func(*testing.T) *rig {
	return func(t *testing.T) *rig {
		t.Helper()
		g := newRig(t, archive, replies...)
		prepare(g)
		return g
	}
}

// rigWithOptions returns a function that makes a rig whose screen has other options.
func rigWithOptions(archive string, change func(*ui.Options), replies ...chaintest.Reply) func(*testing.T) *rig {
	return rigWith(archive, func(g *rig) { g.change(change) }, replies...)
}

// rigWithSession returns a function that makes a rig whose chats have other options.
func rigWithSession(archive string, change func(*chains.Options), replies ...chaintest.Reply) func(*testing.T) *rig {
	return rigWith(archive, func(g *rig) { g.runWith(change) }, replies...)
}

// reopen opens the store and the desk again, with the present fields of the rig.
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

// runWith replaces the desk by one whose chats have other options.
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

// named returns the options of chats with a model.
func (r *rig) named(_ context.Context, _, name string) (chains.Options, error) {
	return r.session(r.store, r.model, name), nil
}

// journal returns a journal of the vault's changes.
func (r *rig) journal(store *history.Store) *undo.Journal {
	return undo.New(r.vault, undo.Options{StateDir: r.state, Days: 30, Chats: store.Folder(), Now: r.now})
}

// web answers each request for a page with the same text, after the channel of loads, if any,
// is closed.
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

// session returns the options of chats at the desk.
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

// count returns a number of tokens. It is bounded, so that screens do not depend on the length
// of the instructions.
func count(s string) int { return min((len(s)+3)/4, 120) }

// firstRun makes the screen start without any configuration.
func (r *rig) firstRun() {
	r.change(func(o *ui.Options) {
		o.FirstRun = ui.FirstRun{
			New: true, Vault: "~/band", Provider: "OPENAI_API_KEY in the environment", Model: "128k window · caches prefix",
			Chats:   "~/band/Chats/",
			Servers: func(context.Context) []string { return []string{"http://127.0.0.1:11434 (Ollama, 3 models)"} },
		}
	})
}

// watcher returns a watcher like that of a vault, which sends batches.
func watcher(batches <-chan vault.Batch) func(context.Context) (<-chan vault.Batch, error) {
	return func(context.Context) (<-chan vault.Batch, error) { return batches, nil }
}

// stamp sets the times of all notes to days before the script, one day apart.
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

// change adds a change of the screen's options.
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

// look sets the abilities of the terminal.
func (r *rig) look(name string) {
	r.change(func(o *ui.Options) {
		o.Theme = map[string]theme.Options{
			"nocolor": {NoColor: true}, "light": {},
			"ascii": {ASCII: true, NoColor: true},
		}[name]
	})
}

// play runs a script on a screen of 80 by 24 with the vault band.
func play(t *testing.T, replies []chaintest.Reply, script func(r *stage)) {
	t.Helper()
	playAt(t, 80, 24, replies, script)
}

// playAt runs a script on a screen of this size with the vault band.
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

// note returns the text of a note.
func (r *rig) note(name string) string {
	r.t.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, name))
	check(r.t, err)
	return string(data)
}

// savedChat returns the file name and the text of the only chat whose name has this prefix.
func (r *rig) savedChat(begins string) (name, text string) {
	r.t.Helper()
	files, err := filepath.Glob(filepath.Join(r.dir, "Chats", begins+"*.md"))
	if err != nil || len(files) != 1 {
		r.t.Fatalf("%d chats begin with %q (%v)", len(files), begins, err)
	}
	name = filepath.Base(files[0])
	return name, r.note("Chats/" + name)
}

// chatText returns the text of the only chat whose name has this prefix.
func (r *rig) chatText(begins string) string {
	r.t.Helper()
	_, text := r.savedChat(begins)
	return text
}

// visible returns the part of the only chat that other programs read.
func (r *rig) visible() string {
	r.t.Helper()
	_, text, _ := strings.Cut(r.chatText(""), "\n**user**")
	return text
}

func replies(all ...chaintest.Reply) []chaintest.Reply { return all }

func reply(text string) chaintest.Reply { return chaintest.Reply{Text: text} }

// slow returns a reply with a delay before each word.
func slow(text string) chaintest.Reply {
	return chaintest.Reply{Chunks: strings.SplitAfter(text, " "), Delay: 100 * time.Millisecond}
}
