package index_test

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ibid/vault"
	"ibid/vault/index"
)

var day = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// memory is a Source of notes that tests change at will.
type memory struct {
	mu    sync.Mutex
	notes map[vault.Path]*vault.Note
	texts map[vault.Path]string
	reads int
	onto  func(reads int) // called before each read
}

func newMemory(files map[string]string) *memory {
	m := &memory{notes: map[vault.Path]*vault.Note{}, texts: map[vault.Path]string{}}
	for p, text := range files {
		m.put(p, text)
	}
	return m
}

// put writes a note; each call gives it a later time. Lines that start with
// "tags:" or "private: true" stand for properties.
func (m *memory) put(path, text string) *vault.Note {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := vault.Path(path)
	at := day
	if old, ok := m.notes[p]; ok {
		at = old.ModTime.Add(time.Second)
	}
	m.notes[p], m.texts[p] = parse(p, text, at), text
	return m.notes[p]
}

func parse(p vault.Path, text string, at time.Time) *vault.Note {
	n := &vault.Note{Path: p, Title: p.Base(), Size: int64(len(text)), ModTime: at, BodyLine: 1}
	for i, line := range strings.Split(text, "\n") {
		if tags, ok := strings.CutPrefix(line, "tags: "); ok {
			n.Tags = strings.Fields(tags)
			n.BodyLine = i + 2
		}
		n.Private = n.Private || line == "private: true"
		if text := strings.TrimLeft(line, "#"); len(text) < len(line) && strings.HasPrefix(text, " ") {
			n.Headings = append(n.Headings, vault.Heading{Level: len(line) - len(text), Text: text[1:], Line: i + 1})
		}
	}
	return n
}

func (m *memory) remove(path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.notes, vault.Path(path))
	delete(m.texts, vault.Path(path))
}

func (m *memory) Notes() []*vault.Note {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := make([]*vault.Note, 0, len(m.notes))
	for _, n := range m.notes {
		list = append(list, n)
	}
	slices.SortFunc(list, func(a, b *vault.Note) int { return strings.Compare(string(a.Path), string(b.Path)) })
	return list
}

func (m *memory) Note(p vault.Path) (*vault.Note, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, ok := m.notes[p]
	return n, ok
}

func (m *memory) Read(p vault.Path) (vault.Text, error) {
	m.mu.Lock()
	m.reads++
	reads := m.reads
	text, ok := m.texts[p]
	n := m.notes[p]
	m.mu.Unlock()
	if m.onto != nil {
		m.onto(reads)
	}
	switch {
	case !ok:
		return vault.Text{}, fs.ErrNotExist
	case n.Private:
		return vault.Text{}, vault.ErrPrivate
	}
	return vault.Text{
		Note: parse(p, text, n.ModTime), Content: text,
		ModTime: n.ModTime, Size: n.Size,
	}, nil
}

// open opens an index in its own folder, which is closed with the test.
func open(t testing.TB, dir string) *index.Index {
	t.Helper()
	x, err := index.Open(t.Context(), index.Options{Dir: dir, Vault: "/notes"})
	check(t, err)
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	return x
}

func synced(t testing.TB, src index.Source) *index.Index {
	t.Helper()
	x := open(t, t.TempDir())
	check(t, x.Sync(t.Context(), src))
	return x
}

// searchers returns both ways to search src.
func searchers(t testing.TB, src index.Source) map[string]index.Searcher {
	t.Helper()
	return map[string]index.Searcher{
		"index": {Source: src, Index: synced(t, src)},
		"scan":  {Source: src},
	}
}

func search(t testing.TB, s index.Searcher, q index.Query) []index.Hit {
	t.Helper()
	hits, err := s.Search(context.WithoutCancel(t.Context()), q)
	check(t, err)
	return hits
}

func paths(hits []index.Hit) string {
	var list []string
	for _, h := range hits {
		list = append(list, string(h.Path))
	}
	return strings.Join(list, " ")
}

// han returns n notes of Chinese characters, some common and most rare, in sentences without
// spaces.
func han(n int) *memory {
	rng := rand.New(rand.NewPCG(8, 8))
	zipf := rand.NewZipf(rng, 1.3, 4, 600)
	text := func(n int) string {
		runes := make([]rune, n)
		for i := range runes {
			runes[i] = 0x4e00 + rune(zipf.Uint64()*5)
		}
		return string(runes)
	}
	m := newMemory(nil)
	for i := range n {
		var b strings.Builder
		for range 2 {
			fmt.Fprintf(&b, "## %s\n\n", text(4))
			for range 6 {
				fmt.Fprintf(&b, "%s，%s。", text(5+rng.IntN(12)), text(5+rng.IntN(12)))
			}
			b.WriteString("\n")
		}
		m.put(fmt.Sprintf("%s/%s %d.md", text(2), text(4), i), b.String())
	}
	return m
}

// generateNotes returns n notes of about 200 words under three headings each, with the word
// frequencies of prose.
func generateNotes(n int) *memory {
	rng := rand.New(rand.NewPCG(7, 7))
	zipf := rand.NewZipf(rng, 1.2, 4, 20_000)
	spell := func(k uint64) string {
		const syllables = "ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu"
		s := strings.Fields(syllables)
		w := ""
		for k += 30; k > 0; k /= 30 {
			w += s[k%30]
		}
		return w
	}
	word := func() string { return spell(zipf.Uint64()) }
	rare := func() string { return spell(rng.Uint64N(20_000)) }
	words := func(n int, word func() string) string {
		list := make([]string, n)
		for i := range list {
			list[i] = word()
		}
		return strings.Join(list, " ")
	}
	m := newMemory(nil)
	for i := range n {
		var b strings.Builder
		fmt.Fprintf(&b, "tags: %s\n%s\n", word(), words(30, word))
		for range 3 {
			fmt.Fprintf(&b, "## %s\n\n%s.\n%s.\n", words(3, rare), words(30, word), words(30, word))
		}
		m.put(fmt.Sprintf("%s/%s %d.md", word(), words(3, rare), i), b.String())
	}
	return m
}

// A folder for the index may be named from where the program is.
func TestOpenRelativeFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	src := generateNotes(3)
	x := open(t, filepath.Join("cache", "ibid"))
	check(t, x.Sync(t.Context(), src))
	if files, err := filepath.Glob("cache/ibid/*.sqlite"); err != nil || len(files) != 1 {
		t.Errorf("files %v, %v", files, err)
	}
}
