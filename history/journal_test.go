package history_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ibid/history"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// crashed streams text into the reply to the last question of a chat, and ends as a
// process does that is killed.
func crashed(t *testing.T, v *vault.Vault, state string, c *history.Chat, text string) {
	t.Helper()
	s := store(t, v, history.Options{StateDir: state})
	if c.Path == "" {
		save(t, s, c)
	} else {
		*c = open(t, s, c.Path)
	}
	j := s.Journal(c, c.LastTurn())
	j.Write(text)
	check(t, j.Close(c, false))
	check(t, s.Close())
}

// later is a store of another process, some minutes later.
func later(t *testing.T, v *vault.Vault, state string) *history.Store {
	return store(t, v, history.Options{StateDir: state, Now: func() time.Time { return time.Now().Add(5 * time.Minute) }})
}

func unsaved(t *testing.T, s *history.Store) []history.UnsavedChat {
	t.Helper()
	all, err := s.Unsaved()
	check(t, err)
	return all
}

func lyingAbout(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// A chat that still ends in its question, or in the beginning of the reply, is read
// with its journal, and saved with it next; nobody is asked.
func TestJournalBelongs(t *testing.T) {
	for what, before := range map[string][]string{
		"question":  {"Q"},
		"beginning": {"Q", "Once upon"},
	} {
		t.Run(what, func(t *testing.T) {
			v, state := vaulttest.New(t, ""), t.TempDir()
			c := talk(before...)
			if len(before) > 1 {
				c.Messages[1].Status = history.StatusCut
			}
			crashed(t, v, state, &c, "Once upon a time \xe2\x80") // half a character
			s := later(t, v, state)
			if all := unsaved(t, s); len(all) != 0 {
				t.Errorf("offered %+v", all)
			}
			read, _, err := s.Read(t.Context(), string(c.Path))
			if err != nil || !slices.Equal(texts(read), []string{"Q", "Once upon a time "}) || read.Messages[1].Status != history.StatusCut {
				t.Fatalf("read %q, %+v, %v", texts(read), read.Messages, err)
			}
			if all, err := s.List(t.Context()); err != nil || len(all) != 1 || !slices.Equal(all[0].Problems, []string{"the last reply cut off"}) {
				t.Errorf("listed %+v, %v", all, err)
			} else if d, err := s.Document(c.Path, all[0].Unsaved); err != nil || !slices.Equal(d.Sections, texts(read)) {
				t.Errorf("searched in %q, %v", d.Sections, err)
			}
			if got := open(t, s, c.Path); !slices.Equal(texts(got), texts(read)) || !got.Recovered() {
				t.Fatalf("opened %q, recovered: %v", texts(got), got.Recovered())
			} else {
				got.Messages = append(got.Messages, history.Message{Role: history.User, Text: "And then?", Time: noon})
				if save(t, s, &got); got.Recovered() {
					t.Error("recovered, and saved")
				}
			}
			if got := onDisk(t, v, c.Path); !strings.Contains(got, "**ai**: Once upon a time\u0020\n") {
				t.Errorf("on disk:\n%s", got)
			}
			if left := lyingAbout(t, filepath.Join(state, "unsaved")); len(left) != 0 {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

// What the model thought before the reply is in the journal where it is saved; a
// journal that holds nothing else is none.
func TestJournalThinks(t *testing.T) {
	for text, want := range map[string]history.Message{
		"Once upon a": {Thought: "A tale </ think> it is.", Text: "Once upon a"},
		"":            {},
	} {
		v, state := vaulttest.New(t, ""), t.TempDir()
		c := talk("Q")
		s := store(t, v, history.Options{StateDir: state})
		save(t, s, &c)
		j := s.Journal(&c, c.LastTurn())
		j.Think("A tale </think> it is.")
		j.Write(text)
		check(t, j.Close(&c, false))
		check(t, s.Close())
		read, _, err := later(t, v, state).Read(t.Context(), string(c.Path))
		check(t, err)
		var got history.Message
		if len(read.Messages) > 1 {
			got = read.Messages[1]
		}
		if got.Thought != want.Thought || got.Text != want.Text {
			t.Errorf("%q: read %+v", text, read.Messages)
		}
	}
}

// What does not fit its chat any more is offered: it is kept beside the answer that
// is there, or in a chat of its own if the question is gone.
func TestJournalOffered(t *testing.T) {
	v, state := vaulttest.New(t, ""), t.TempDir()
	answered := talk("Q", "Whole.")
	crashed(t, v, state, &answered, "Half of another")
	gone := talk("Deleted?")
	crashed(t, v, state, &gone, "Half an answer")
	s := later(t, v, state)
	check(t, os.Remove(filepath.Join(v.Dir(), filepath.FromSlash(string(gone.Path)))))
	all := unsaved(t, s)
	if len(all) != 2 || all[0].Path != answered.Path || all[0].Title != "Q" || all[0].Text != "Half of another" || all[1].Path != "" || all[1].Title != "Deleted" {
		t.Fatalf("offered %+v", all)
	}
	for i, want := range []vault.Path{answered.Path, gone.Path} {
		if p, err := s.Keep(all[i]); err != nil || p != want {
			t.Errorf("kept as %s, %v", p, err)
		}
	}
	if c := open(t, s, answered.Path); !slices.Equal(texts(c), []string{"Q", "Whole."}) {
		t.Errorf("the chat says %q", texts(c))
	} else if ends, shown := c.Ends(0); len(ends) != 2 {
		t.Errorf("%d ends", len(ends))
	} else if text, status := ends[1-shown].Reply(); text != "Half of another" || status != history.StatusCut {
		t.Errorf("kept %q, %s", text, status)
	}
	if c := open(t, s, gone.Path); !slices.Equal(texts(c), []string{"Deleted?", "Half an answer"}) {
		t.Errorf("a chat of its own says %q", texts(c))
	}
	if left := unsaved(t, s); len(left) != 0 || len(lyingAbout(t, filepath.Join(state, "unsaved"))) != 0 {
		t.Errorf("left: %+v", left)
	}
	if _, err := s.Keep(all[0]); err == nil {
		t.Error("kept twice")
	}
}

// What is offered can be thrown away.
func TestDropUnsaved(t *testing.T) {
	v, state := vaulttest.New(t, ""), t.TempDir()
	c := talk("Q", "Whole.")
	crashed(t, v, state, &c, "Half")
	s := later(t, v, state)
	if err := unsaved(t, s)[0].Drop(); err != nil {
		t.Error(err)
	}
	if left := unsaved(t, s); len(left) != 0 {
		t.Errorf("left: %+v", left)
	}
}

// A journal that a process is still writing, one of another vault and one that has
// just been written are left alone; what is in its chat goes after a minute, like
// temporary files.
func TestSweep(t *testing.T) {
	v, state := vaulttest.New(t, ""), t.TempDir()
	c := talk("Q", "All of it.")
	crashed(t, v, state, &c, "All")
	other := talk("Elsewhere", "Whole.")
	crashed(t, vaulttest.New(t, ""), state, &other, "Not here")

	streaming := talk("Now", "Whole.")
	s := store(t, v, history.Options{StateDir: state})
	save(t, s, &streaming)
	j := s.Journal(&streaming, 0)
	defer j.Close(&streaming, true) //nolint:errcheck // the test is over
	j.Write("coming")
	for len(lyingAbout(t, filepath.Join(state, "unsaved"))) < 3 {
		time.Sleep(10 * time.Millisecond)
	}
	minute := time.Now().Add(-2 * time.Minute)
	for name, age := range map[string]bool{"Chats/.ibid-OLD.tmp": true, "Chats/a/.ibid-OLD.tmp": true, "Chats/.ibid-NEW.tmp": false, ".ibid-OLD.tmp": true, "Chats/.mine.tmp": true} {
		vaulttest.Write(t, v, vault.Path(name), "half a fi")
		if file := filepath.Join(v.Dir(), name); age {
			check(t, os.Chtimes(file, minute, minute))
		}
	}
	young := store(t, v, history.Options{StateDir: state, Now: time.Now})
	if all := unsaved(t, young); len(all) != 0 || len(lyingAbout(t, filepath.Join(state, "unsaved"))) != 3 {
		t.Errorf("offered %+v", all)
	}
	want := []string{".ibid-NEW.tmp", ".mine.tmp", "Now@20250127_120001.md", "Q@20250127_120000.md", "a"}
	if got := lyingAbout(t, filepath.Join(v.Dir(), "Chats")); !slices.Equal(got, want) {
		t.Errorf("the chats are %q, want %q", got, want)
	}
	if all := unsaved(t, later(t, v, state)); len(all) != 0 || len(lyingAbout(t, filepath.Join(state, "unsaved"))) != 2 {
		t.Errorf("offered %+v, %q left", all, lyingAbout(t, filepath.Join(state, "unsaved")))
	}
}
