package vectors_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/vaulttest"
	"ibid/vault/vectors"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const notes = `
-- Shed.md --
# Shed

intro

## Winter

The engine wants oil.
-- Garden.md --
Slugs eat the lettuce.
-- Kitchen.md --
Broth of bones.
-- Diary.md --
---
private: true
---
My physician says so.
-- Plan.md --
---
status: secretproperty
---
# Plan

# Empty

# Money

The funds are low.
-- Chats/Old.md --
---
epoch: 1735689600000
---
**user**: A vehicle in a chat.
`

// server is a model with a fixed table of meanings (see vaulttest.Meaning), and a record of its
// requests.
type server struct {
	mu    sync.Mutex
	texts []string
	size  int               // how many numbers it gives; 0 is as many as the table has
	fails func(n int) error // of the n-th request, from 1
	asked int
	names []string // of the models
}

func (s *server) embed(ctx context.Context, model string, texts []string) (all [][]float32, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	s.names = append(s.names, model)
	if s.fails != nil {
		if err := s.fails(s.asked); err != nil {
			return nil, err
		}
	}
	s.texts = append(s.texts, texts...)
	for _, text := range texts {
		v := vaulttest.Meaning(text)
		if s.size > 0 {
			v = v[:s.size]
		}
		all = append(all, v)
	}
	return all, ctx.Err()
}

// takeTexts returns the texts of the requests since the last call.
func (s *server) takeTexts() (texts []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	texts, s.texts = s.texts, nil
	return texts
}

// world is a vault with its index, and a server of vectors.
type world struct {
	vault  *vault.Vault
	dir    string
	index  *index.Index
	server server
}

func newWorld(t *testing.T, archive string) *world {
	t.Helper()
	w := &world{vault: vaulttest.New(t, archive), dir: t.TempDir()}
	w.vault.SetChats("Chats")
	if err := w.vault.Scan(t.Context()); err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(t.Context(), index.Options{Dir: w.dir, Vault: w.vault.Dir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	w.index = x
	w.sync(t)
	return w
}

func (w *world) sync(t *testing.T) {
	t.Helper()
	if err := w.index.Sync(t.Context(), w.vault); err != nil {
		t.Fatal(err)
	}
}

// write changes a note, and brings the index up to date.
func (w *world) write(t *testing.T, p vault.Path, text string) {
	t.Helper()
	vaulttest.Write(t, w.vault, p, text)
	if _, err := w.vault.Update(t.Context(), []vault.Path{p}); err != nil {
		t.Fatal(err)
	}
	if err := w.index.Apply(t.Context(), []vault.Change{{Path: p}}, w.vault); err != nil {
		t.Fatal(err)
	}
}

func (w *world) finder(model string) *vectors.Finder {
	return &vectors.Finder{
		Index: func(context.Context) *index.Index { return w.index }, Source: w.vault, Model: model, Embed: w.server.embed,
	}
}

func fill(t *testing.T, f *vectors.Finder) {
	t.Helper()
	if err := f.Fill(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// rows returns the number of vectors of a note, or of all notes if p is "".
func (w *world) rows(t *testing.T, p vault.Path) (n int) {
	t.Helper()
	if err := w.index.Rows(t.Context(), func(rows *sql.Rows) error { return rows.Scan(&n) },
		"SELECT count(*) FROM vector LEFT JOIN meaning ON meaning.id = vector.id >> 12 WHERE ? IN (path, '')", string(p)); err != nil {
		t.Fatal(err)
	}
	return n
}

// best returns the piece with the same meaning as a text, and the number of pieces with a
// similar one.
func best(t *testing.T, f *vectors.Finder, text string) (index.Piece, int) {
	t.Helper()
	like := f.Like(t.Context(), text)
	for p, score := range like {
		if score == 1 {
			return p, len(like)
		}
	}
	return index.Piece{}, len(like)
}

func wantBest(t *testing.T, f *vectors.Finder, text string, want index.Piece) {
	t.Helper()
	if got, _ := best(t, f, text); got != want {
		t.Errorf("%q is most like %+v, want %+v", text, got, want)
	}
}

// TestFill: each section has a vector of its text, with title and headings in front, and a
// search by meaning finds it. Private notes, chats and properties are not sent.
func TestFill(t *testing.T) {
	w := newWorld(t, notes)
	f := w.finder("ollama/nomic-embed-text")
	fill(t, f)
	texts := w.server.takeTexts()
	slices.Sort(texts)
	want := []string{
		"search_document: Garden\nSlugs eat the lettuce.",
		"search_document: Kitchen\nBroth of bones.", "search_document: Plan\nMoney\nThe funds are low.", "search_document: Shed\nShed\nWinter\nThe engine wants oil.", "search_document: Shed\nShed\nintro",
	}
	if !slices.Equal(texts, want) {
		t.Errorf("%q was sent, want %q", texts, want)
	}
	wantBest(t, f, "automobile", index.Piece{Note: "Shed.md", Nth: 1})
	wantBest(t, f, "bouillon", index.Piece{Note: "Kitchen.md"})
	if texts := w.server.takeTexts(); !slices.Equal(texts, []string{"search_query: automobile", "search_query: bouillon"}) {
		t.Errorf("questions: %q", texts)
	}
	if s, err := f.State(t.Context()); err != nil || s != (vectors.State{Serves: "ollama/nomic-embed-text", Done: 4, Notes: 4, Memory: 5*16 + 3*8}) {
		t.Errorf("%+v, %v", s, err)
	}
	fill(t, f)
	if texts := w.server.takeTexts(); texts != nil {
		t.Errorf("sent again: %q", texts)
	}
	hits, err := index.Searcher{Source: w.vault, Index: w.index, Like: f.Like}.Search(t.Context(), index.Query{Text: "automobile"})
	if err != nil || len(hits) == 0 || hits[0].Path != "Shed.md" || hits[0].Heading != "Winter" {
		t.Errorf("search: %+v, %v", hits, err)
	}
}

// TestGone: a note that becomes private, excluded or deleted has no vectors any more after the
// next sync. A note that becomes private while its vectors are made gets none.
func TestGone(t *testing.T) {
	w := newWorld(t, notes)
	f := w.finder("m")
	w.server.fails = func(n int) error {
		if n == 1 {
			w.write(t, "Kitchen.md", "---\nprivate: true\n---\nBroth of bones.\n")
		}
		return nil
	}
	fill(t, f)
	if n := w.rows(t, "Kitchen.md"); n != 0 {
		t.Errorf("%d vectors of a note that became private meanwhile", n)
	}
	wantBest(t, f, "automobile", index.Piece{Note: "Shed.md", Nth: 1})
	w.write(t, "Shed.md", "---\nprivate: true\n---\n# Shed\n\n## Winter\n\nThe engine wants oil.\n")
	if n := w.rows(t, "Shed.md"); n != 0 || w.rows(t, "") != 2 {
		t.Errorf("%d vectors of a private note, %d in all", n, w.rows(t, ""))
	}
	for p := range f.Like(t.Context(), "automobile") {
		if p.Note == "Shed.md" {
			t.Error("a private note is found")
		}
	}
	if err := w.index.Sync(t.Context(), excludingVault{w.vault, "Garden.md"}); err != nil {
		t.Fatal(err)
	}
	if n := w.rows(t, "Garden.md"); n != 0 {
		t.Errorf("%d vectors of an excluded note", n)
	}
	w.server.takeTexts()
	fill(t, f)
	if texts := w.server.takeTexts(); texts != nil {
		t.Errorf("sent: %q", texts)
	}
}

// excludingVault is a vault in which one note is excluded.
type excludingVault struct {
	*vault.Vault
	path vault.Path
}

func (w excludingVault) Note(p vault.Path) (*vault.Note, bool) {
	n, ok := w.Vault.Note(p)
	return n, ok && p != w.path
}

func (w excludingVault) Notes() []*vault.Note {
	return slices.DeleteFunc(slices.Clone(w.Vault.Notes()), func(n *vault.Note) bool { return n.Path == w.path })
}

// TestChanged: only the new sections of a changed note are sent, and its old vectors are used
// until then.
func TestChanged(t *testing.T) {
	w := newWorld(t, notes)
	f := w.finder("m")
	fill(t, f)
	w.server.takeTexts()
	w.write(t, "Shed.md", "# Shed\n\nintro\n\n## New\n\nA snail on the road.\n\n## Winter\n\nThe engine wants oil.\n")
	wantBest(t, f, "automobile", index.Piece{Note: "Shed.md", Nth: 1})
	w.server.takeTexts()
	fill(t, f)
	if texts := w.server.takeTexts(); !slices.Equal(texts, []string{"Shed\nShed\nNew\nA snail on the road."}) {
		t.Errorf("sent: %q", texts)
	}
	wantBest(t, f, "automobile", index.Piece{Note: "Shed.md", Nth: 2})
	if n := w.rows(t, "Shed.md"); n != 3 || w.rows(t, "") != 6 {
		t.Errorf("%d vectors of the note, %d in all", n, w.rows(t, ""))
	}
}

// TestResume: vectors that were stored before an interruption are not requested again.
func TestResume(t *testing.T) {
	var archive strings.Builder
	for i := range 50 {
		fmt.Fprintf(&archive, "-- %d.md --\nNote number %d.\n", i, i)
	}
	w := newWorld(t, archive.String())
	ctx, kill := context.WithCancel(t.Context())
	w.server.fails = func(n int) error {
		if n == 5 {
			kill()
			return ctx.Err()
		}
		return nil
	}
	if err := w.finder("m").Fill(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
	first := w.server.takeTexts()
	s, err := w.finder("m").State(t.Context())
	if err != nil || s.Done < 16 || s.Done == 50 {
		t.Errorf("%+v, %v", s, err)
	}
	w.server.fails = nil
	fill(t, w.finder("m"))
	sent := map[string]int{}
	for _, text := range append(first, w.server.takeTexts()...) {
		sent[text]++
	}
	again := 0
	for _, n := range sent {
		again += n - 1
	}
	if len(sent) != 50 || again > 16 || w.rows(t, "") != 50 {
		t.Errorf("%d sections were sent, %d of them twice, %d are kept", len(sent), again, w.rows(t, ""))
	}
}

// TestOtherModel: for another model all vectors are made anew. Until then searches use the old
// ones, with questions to the old model.
func TestOtherModel(t *testing.T) {
	w := newWorld(t, notes)
	fill(t, w.finder("old"))
	f := w.finder("new")
	broken := errors.New("no")
	w.server.size, w.server.names = 32, nil
	w.server.fails = func(int) error { return broken }
	if err := f.Fill(t.Context()); !errors.Is(err, broken) {
		t.Error(err)
	}
	w.server.size, w.server.fails, w.server.names = 0, nil, nil
	wantBest(t, f, "automobile", index.Piece{Note: "Shed.md", Nth: 1})
	if s, err := f.State(t.Context()); !slices.Equal(w.server.names, []string{"old"}) || err != nil || s.Serves != "old" || s.Done != 0 {
		t.Errorf("asked %q; %+v, %v", w.server.names, s, err)
	}
	w.server.size, w.server.names = 32, nil
	third := w.finder("third") // and before the second is whole
	fill(t, third)
	wantBest(t, third, "automobile", index.Piece{Note: "Shed.md", Nth: 1})
	if s, err := third.State(t.Context()); err != nil || s.Serves != "third" || s.Done != 4 || w.rows(t, "") != 5 || slices.Contains(w.server.names, "old") {
		t.Errorf("asked %q; %+v, %v; %d vectors", w.server.names, s, err, w.rows(t, ""))
	}
	w.server.size = 16 // another model of the same name
	w.write(t, "Shed.md", "A vehicle.\n")
	if err := third.Fill(t.Context()); err == nil {
		t.Error("vectors of two sizes were kept")
	}
	fill(t, third)
	wantBest(t, third, "automobile", index.Piece{Note: "Shed.md"})
}

// TestRefused: a text that the server refuses is left out, and the others of the request are
// not.
func TestRefused(t *testing.T) {
	w := newWorld(t, notes)
	f := &vectors.Finder{
		Index: func(context.Context) *index.Index { return w.index }, Source: w.vault, Model: "m",
		Embed: func(ctx context.Context, model string, texts []string) ([][]float32, error) {
			if slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, "bones") }) {
				return nil, fmt.Errorf("400: %w", vectors.ErrText)
			}
			return w.server.embed(ctx, model, texts)
		},
	}
	fill(t, f)
	if n := w.rows(t, "Kitchen.md"); n != 0 || w.rows(t, "") != 4 {
		t.Errorf("%d vectors of the refused note, %d in all", n, w.rows(t, ""))
	}
}

// TestRun: a server that fails gets another request after a pause, longer each time. Vectors of
// changes are made after a moment.
func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, notes)
		f, began := w.finder("m"), time.Now()
		var at []time.Duration
		w.server.fails = func(n int) error {
			at = append(at, time.Since(began).Round(time.Second))
			switch {
			case n <= 3:
				return errors.New("connection refused")
			case n == 5:
				return vectors.ErrNotAgreed
			}
			return nil
		}
		ctx, stop := context.WithCancel(t.Context())
		changed, done := make(chan struct{}, 1), make(chan struct{})
		go func() {
			f.Run(ctx, changed)
			close(done)
		}()
		time.Sleep(20 * time.Second)
		if s, err := f.State(t.Context()); s.Trouble == nil || s.Trouble.Error() != "connection refused" || err != nil {
			t.Errorf("%+v, %v", s, err)
		}
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		if want := []time.Duration{0, 5 * time.Second, 15 * time.Second, 35 * time.Second}; len(at) < len(want) || !slices.Equal(at[:len(want)], want) {
			t.Errorf("asked at %v, want %v", at, want)
		}
		if s, err := f.State(t.Context()); s.Trouble != nil || s.Done != 4 || err != nil {
			t.Errorf("%+v, %v", s, err)
		}
		w.write(t, "Garden.md", "The snail.\n")
		w.server.takeTexts()
		changed <- struct{}{}
		time.Sleep(4 * time.Second)
		if texts := w.server.takeTexts(); texts != nil {
			t.Errorf("sent at once: %q", texts)
		}
		time.Sleep(10 * time.Second)
		if texts := w.server.takeTexts(); texts != nil {
			t.Errorf("sent without a yes: %q", texts)
		}
		changed <- struct{}{} // which is the yes, too
		time.Sleep(10 * time.Second)
		if texts := w.server.takeTexts(); !slices.Equal(texts, []string{"Garden\nThe snail."}) {
			t.Errorf("sent later: %q", texts)
		}
		stop()
		<-done
	})
}

// TestQuestion: a question is sent once, with a timeout, and not to a server that has just
// failed. The end of a search ends its request.
func TestQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, notes)
		fill(t, w.finder("m"))
		w.server.takeTexts()
		slow, asked := time.Duration(0), 0
		f := &vectors.Finder{
			Index: func(context.Context) *index.Index { return w.index }, Source: w.vault, Model: "m",
			Embed: func(ctx context.Context, model string, texts []string) ([][]float32, error) {
				asked++
				select {
				case <-time.After(slow):
					return w.server.embed(ctx, model, texts)
				case <-ctx.Done():
					return nil, ctx.Err()
				}
			},
		}
		for range 3 {
			wantBest(t, f, "automobile", index.Piece{Note: "Shed.md", Nth: 1})
		}
		if asked != 1 {
			t.Errorf("one question was sent %d times", asked)
		}
		slow = time.Minute
		ctx, end := context.WithTimeout(t.Context(), 100*time.Millisecond)
		began := time.Now()
		if like := f.Like(ctx, "snail"); like != nil || time.Since(began) != 100*time.Millisecond {
			t.Errorf("after the end of the search: %v after %v", like, time.Since(began))
		}
		end()
		began = time.Now()
		if like := f.Like(t.Context(), "snail"); like != nil || time.Since(began) > time.Second {
			t.Errorf("of a slow server: %v after %v", like, time.Since(began))
		}
		slow, asked, began = 0, 0, time.Now()
		if like := f.Like(t.Context(), "snail"); like != nil || asked > 0 || time.Since(began) > 0 {
			t.Errorf("asked again at once: %v", like)
		}
		wantBest(t, f, "automobile", index.Piece{Note: "Shed.md", Nth: 1}) // which is known
		time.Sleep(time.Minute)
		wantBest(t, f, "snail", index.Piece{Note: "Garden.md"})
	})
}

// TestNotAsked: without consent nothing is sent, and without an index nothing is found.
func TestNotAsked(t *testing.T) {
	w := newWorld(t, notes)
	no := errors.New("nobody said yes")
	f := &vectors.Finder{
		Index: func(context.Context) *index.Index { return w.index }, Source: w.vault, Model: "m",
		Embed: func(context.Context, string, []string) ([][]float32, error) { return nil, no },
	}
	if err := f.Fill(t.Context()); !errors.Is(err, no) {
		t.Error(err)
	}
	if like := f.Like(t.Context(), "automobile"); like != nil {
		t.Error(like)
	}
	none := &vectors.Finder{Index: func(context.Context) *index.Index { return nil }, Embed: w.server.embed}
	if err := none.Fill(t.Context()); err != nil || none.Like(t.Context(), "automobile") != nil {
		t.Error(err)
	}
	if w.server.asked > 0 {
		t.Errorf("%d requests", w.server.asked)
	}
}

// TestTwoProcesses: one process fills at a time, and the other finds its vectors.
func TestTwoProcesses(t *testing.T) {
	w := newWorld(t, notes)
	f, other := w.finder("m"), w.finder("m")
	var errs []error
	w.server.fails = func(n int) error {
		if n == 1 {
			w.server.mu.Unlock()
			errs = append(errs, other.Fill(t.Context()))
			w.server.mu.Lock()
		}
		return nil
	}
	fill(t, f)
	if len(errs) != 1 || errs[0] == nil || !strings.Contains(errs[0].Error(), "another window") {
		t.Errorf("the second: %v", errs)
	}
	wantBest(t, other, "automobile", index.Piece{Note: "Shed.md", Nth: 1})
	w.write(t, "New.md", "An automobile, an automobile, an automobile.\n")
	fill(t, f)
	wantBest(t, other, "automobile", index.Piece{Note: "New.md"})
}
