package history_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ibid/history"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

var noon = time.Date(2025, 1, 27, 12, 0, 0, 0, time.UTC)

// store opens the chats of v as one process would; dir holds the locks.
func store(t testing.TB, v *vault.Vault, opts history.Options) *history.Store {
	t.Helper()
	if opts.Zone == nil {
		opts.Zone = time.UTC
	}
	if opts.Now == nil {
		opts.Now = func() time.Time { return noon }
	}
	s, err := history.NewStore(v, opts)
	check(t, err)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// fresh returns an empty vault and its chats.
func fresh(t testing.TB, opts history.Options) (*vault.Vault, *history.Store) {
	t.Helper()
	v := vaulttest.New(t, "")
	return v, store(t, v, opts)
}

// saved returns a new chat that was saved.
func saved(t testing.TB, s *history.Store, texts ...string) history.Chat {
	t.Helper()
	c := talk(texts...)
	save(t, s, &c)
	return c
}

func talk(texts ...string) history.Chat {
	c := history.Chat{Model: "m"}
	for i, text := range texts {
		m := history.Message{Role: history.User, Text: text, Time: noon.Add(time.Duration(i) * time.Second)}
		if i%2 == 1 {
			m.Role = history.Assistant
		}
		c.Messages = append(c.Messages, m)
	}
	return c
}

func save(t testing.TB, s *history.Store, c *history.Chat) []history.Warning {
	t.Helper()
	w, err := s.Save(c)
	check(t, err)
	return w
}

func open(t testing.TB, s *history.Store, p vault.Path) history.Chat {
	t.Helper()
	c, _, err := s.Open(p)
	check(t, err)
	return c
}

func texts(c history.Chat) []string {
	var out []string
	for _, m := range c.Messages {
		out = append(out, m.Text)
	}
	return out
}

func onDisk(t testing.TB, v *vault.Vault, p vault.Path) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(v.Dir(), p.Native()))
	check(t, err)
	return string(data)
}

func kinds(warnings []history.Warning) string {
	var k []string
	for _, w := range warnings {
		k = append(k, w.Kind)
	}
	return strings.Join(k, " ")
}

// A link is no way for chats into the settings of another program.
func TestFolderThatLeadsToDotFiles(t *testing.T) {
	v := vaulttest.New(t, "-- .obsidian/snippets/a.css --\n-- Real/x.md --\n")
	for name, target := range map[string]string{"CC": ".obsidian/snippets", "ok": "Real"} {
		if err := os.Symlink(filepath.FromSlash(target), filepath.Join(v.Dir(), name)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	if _, err := history.NewStore(v, history.Options{Folder: "CC"}); !errors.Is(err, vault.ErrIgnored) ||
		!strings.Contains(err.Error(), ".obsidian/snippets") {
		t.Errorf("NewStore = %v", err)
	}
	s := store(t, v, history.Options{Folder: "ok"})
	c := talk("Where does this go?", "Into the folder.")
	if _, err := s.Save(&c); err != nil || c.Path.Dir() != "ok" {
		t.Errorf("Save to %s = %v", c.Path, err)
	}
	if found, err := s.List(context.Background()); err != nil || len(found) != 1 {
		t.Errorf("List = %v, %v", found, err)
	}
	if entries, err := os.ReadDir(filepath.Join(v.Dir(), ".obsidian", "snippets")); err != nil || len(entries) != 1 {
		t.Errorf("in the snippets: %v, %v", entries, err)
	}
}

func TestLongNames(t *testing.T) {
	_, s := fresh(t, history.Options{})
	c := saved(t, s, strings.Repeat("日本", 40))
	if n := len(c.Path.Name()); n > 100 || !strings.HasSuffix(string(c.Path), ".md") {
		t.Errorf("%q has %d bytes", c.Path.Name(), n)
	}
	if strings.ContainsRune(string(c.Path), '\uFFFD') {
		t.Errorf("%q is cut inside a character", c.Path)
	}
}

// openNamed opens the chat that a person named.
func openNamed(s *history.Store, name string) (history.Chat, []history.Warning, error) {
	p, err := s.Find(context.Background(), name)
	if err != nil {
		return history.Chat{}, nil, err
	}
	return s.Open(p)
}

// TestTogether saves, lists and reads at the same time.
func TestTogether(t *testing.T) {
	_, s := fresh(t, history.Options{StateDir: t.TempDir()})
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			c := talk(fmt.Sprint("question ", i), "")
			for range 10 {
				c.Messages[1].Text += "word "
				if _, err := s.Save(&c); err != nil {
					t.Error(err)
				}
				if _, err := s.List(t.Context()); err != nil {
					t.Error(err)
				}
				if _, err := s.MessageTexts(c.Path, false); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	all, err := s.List(t.Context())
	if err != nil || len(all) != 4 {
		t.Errorf("%d chats, %v", len(all), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.List(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled list: %v", err)
	}
}

// is fails the test with a diff if got differs from want; of names the values.
func is[T any](t testing.TB, got, want T, of ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%v (-want +got)\n%s", of, diff)
	}
}

// check ends the test if there is an error.
func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
