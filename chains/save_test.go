package chains_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/history"
	"ibid/vault"
)

// journals returns the texts of the files in the state folder.
func (r *rig) journals() (texts []string) {
	r.Helper()
	names := value(filepath.Glob(filepath.Join(r.state, "unsaved", "*")))(r)
	for _, name := range names {
		data := value(os.ReadFile(name))(r)
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
			r.Errorf("mode %v, %v", info.Mode(), err)
		}
		_, text, _ := strings.Cut(string(data), "\n")
		texts = append(texts, text)
	}
	return texts
}

// outlive returns the transcript as another process reads it after a crash of this one.
func (r *rig) outlive() string {
	r.Helper()
	return transcript(r, r.outlived())
}

func (r *rig) outlived() history.Chat {
	r.Helper()
	store := value(history.NewStore(r.vault, history.Options{Zone: time.UTC, StateDir: r.state}))(r)
	c, _, err := store.Read(r.Context(), r.session.Snapshot().Path)
	check(r, err)
	return c
}

// TestSavedEverySecond: without a state folder a reply is saved at most once per second, and
// once more at its end.
func TestSavedEverySecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, garden,
			chaintest.Reply{Text: strings.Repeat("word ", 20), Split: 5, Delay: 250 * time.Millisecond}).stateless()
		var at []time.Duration
		start := time.Now()
		r.disk.before = func() error { at = append(at, time.Since(start)); return nil }
		r.say("Go on")
		if len(at) != 7 { // the message, five seconds of text, the end
			t.Errorf("saved at %v", at)
		}
		for i := 1; i < len(at)-1; i++ {
			if at[i]-at[i-1] < time.Second {
				t.Errorf("saved twice within a second: %v", at)
			}
		}
	})
}

// TestCrash: in the middle of a reply the file marks the reply as cut off.
func TestCrash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, garden,
			chaintest.Reply{Chunks: []string{"one ", "two ", "three"}, Delay: 800 * time.Millisecond}).stateless()
		mid := ""
		for e, err := range r.session.Send(t.Context(), chains.Input{Text: "Count"}) {
			if _, ok := e.(chains.Saved); ok && mid == "" && err == nil {
				mid = r.file()
			}
		}
		r.wants(mid, "**ai**: one two", `"s":"cut"`)
		r.lacks(r.file(), `"s":"cut"`)
	})
}

// TestJournal: a streaming or stalled reply is on disk within a second, and other readers of
// the chat see it. When it is in the chat, its journal is removed.
func TestJournal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, pause := range []time.Duration{300 * time.Millisecond, time.Minute} {
			r := newRig(t, garden, chaintest.Reply{Chunks: []string{"one ", "two ", "three ", "four ", "five"}, Delay: pause})
			var mu sync.Mutex
			came, at := "", time.Time{}
			done := make(chan struct{})
			go func() { // looks twice a second, beside the turn
				defer close(done)
				for range 6 {
					time.Sleep(500 * time.Millisecond)
					synctest.Wait()
					mu.Lock()
					since, never, want := time.Since(at), at.IsZero(), "u Count\na "+came
					mu.Unlock()
					if never || since > 0 && since < time.Second {
						continue
					}
					is(t, strings.TrimSuffix(r.outlive(), " (cut)"), want, pause)
				}
			}()
			for e := range eventsOf(t, r.session.Send(t.Context(), chains.Input{Text: "Count"})) {
				if d, ok := e.(chains.TextDelta); ok {
					mu.Lock()
					came, at = came+d.Text, time.Now()
					mu.Unlock()
				}
			}
			<-done
			r.holds("u Count", "a one two three four five")
			if left := r.journals(); len(left) != 0 {
				t.Errorf("left behind: %q", left)
			}
		}
	})
}

// TestQuickReply: a reply that ends at once has no journal.
func TestQuickReply(t *testing.T) {
	r := newRig(t, garden, textReplies("One.")...)
	r.disk.before = func() error {
		if n := len(r.journals()); n > 0 {
			t.Errorf("%d journals", n)
		}
		return nil
	}
	r.say("1")
}

// TestBytesWritten: a streaming reply writes at most twice the size of the file and four times
// the size of the reply, for any length of the chat.
func TestBytesWritten(t *testing.T) {
	t.Parallel()
	for _, size := range []int{100, 20_000, 1_300_000} {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t, garden, textReplies(strings.Repeat("before\n", size/7))...)
			r.say("1")
			text := strings.Repeat("Word after word. ", 1000)
			r.model.Add(chaintest.Reply{Text: text, Split: 20, Delay: 20 * time.Millisecond})
			wrote, journal, saves := 0, 0, 0
			r.disk.after = func(c *history.Chat) { wrote, saves = wrote+c.Size(), saves+1 }
			for _, err := range r.session.Send(t.Context(), chains.Input{Text: "Go on"}) {
				check(t, err)
				for _, j := range r.journals() {
					journal = max(journal, len(j))
				}
			}
			if file := len(r.file()) - len(text); wrote+journal > 2*file+4*len(text) {
				t.Errorf("a file of %d bytes, a reply of %d: %d written, %d of them to the journal, in %d saves",
					file, len(text), wrote+journal, journal, saves)
			}
			if journal < len(text)*9/10 {
				t.Errorf("the journal had %d of %d bytes", journal, len(text))
			}
			if size < 1000 && saves < 4 {
				t.Errorf("a small chat was written %d times", saves)
			}
		})
	}
}

// TestJournalFails: if the journal cannot be written the chat is saved every second, with one
// notice.
func TestJournalFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, garden, chaintest.Reply{Text: "some slow words", Split: 5, Delay: 1500 * time.Millisecond})
		dir := filepath.Join(r.state, "unsaved")
		var said []string
		for e := range eventsOf(t, r.session.Send(t.Context(), chains.Input{Text: "Go on"})) {
			switch e := e.(type) {
			case chains.TurnStarted: // the folder goes, and a file is in its place
				check(t, errors.Join(os.RemoveAll(dir), os.WriteFile(dir, nil, 0o600)))
			case chains.Notice:
				said = append(said, e.Text)
			}
		}
		if len(said) != 1 || r.disk.saves < 4 {
			t.Fatalf("said %q, %d saves", said, r.disk.saves)
		}
		r.wants(said[0], "state folder", "every second")
		r.holds("u Go on", "a some slow words")
	})
}

// TestTriedAgain: after a failed save the chat is saved as soon as that is possible, without
// other events; until then its reply is in the journal.
func TestTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, garden, textReplies("One.")...)
		r.say("1")
		full := errors.New("the disk is full")
		r.model.Add(chaintest.Reply{Text: "slow words", Split: 3, Delay: time.Second})
		saves := 0
		r.disk.before = func() error {
			if saves++; saves > 1 { // the question can be saved
				return full
			}
			return nil
		}
		r.say("2")
		time.Sleep(time.Minute)
		r.disk.locked(func() {
			if saves < 5 || saves > 30 {
				t.Errorf("tried %d times", saves)
			}
		})
		is(t, r.journals(), []string{"slow words"})
		r.wants(r.outlive(), "a slow words (cut)")
		if !r.session.Snapshot().Unsaved {
			t.Error("nothing says that it is not saved")
		}
		r.disk.locked(func() { r.disk.before = nil })
		time.Sleep(10 * time.Second)
		synctest.Wait()
		r.holds("u 1", "a One.", "u 2", "a slow words")
		if r.session.Snapshot().Unsaved {
			t.Error("it is saved")
		}
		if left := r.journals(); len(left) != 0 {
			t.Errorf("left behind: %q", left)
		}
		r.disk.locked(func() { saves = r.disk.saves })
		time.Sleep(time.Minute)
		r.disk.locked(func() {
			is(t, r.disk.saves, saves)
		})
		if err := r.session.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestRescued: a chat that cannot be saved at its path, for any reason, is rescued when it is
// closed. The next start offers it, and keeps it on request.
func TestRescued(t *testing.T) {
	for what, inTheWay := range map[string]func(t *testing.T, file string){
		"a folder": func(t *testing.T, file string) {
			check(t, errors.Join(os.Remove(file), os.MkdirAll(filepath.Join(file, "x"), 0o755)))
		},
		"a link out": func(t *testing.T, file string) {
			outside := filepath.Join(t.TempDir(), "outside.md")
			check(t, errors.Join(os.Remove(file), os.WriteFile(outside, []byte("theirs"), 0o644)))
			if err := os.Symlink(outside, file); err != nil {
				t.Skip(err)
			}
			t.Cleanup(func() {
				if data, err := os.ReadFile(outside); err != nil || string(data) != "theirs" {
					t.Errorf("outside: %q, %v", data, err)
				}
			})
		},
		"a folder that is read-only": func(t *testing.T, file string) {
			if runtime.GOOS == "windows" || os.Geteuid() == 0 {
				t.Skip("modes bind nobody here")
			}
			dir := filepath.Dir(file)
			check(t, os.Chmod(dir, 0o555))
			t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
		},
	} {
		t.Run(what, func(t *testing.T) {
			r := newRig(t, garden, textReplies("One.", "Two.")...)
			r.say("First")
			path := vault.Path(r.session.Snapshot().Path)
			file := filepath.Join(r.vault.Dir(), path.Native())
			saves := 0
			r.disk.before = func() error {
				if saves++; saves == 2 { // the question is saved
					inTheWay(t, file)
				}
				return nil
			}
			h := r.say("Second")
			if len(h.notices("not_saved")) != 1 {
				t.Fatalf("it was saved:\n%s", h)
			}
			var unsaved *chains.UnsavedError
			if err := r.session.Close(); !errors.As(err, &unsaved) || unsaved.Path == "" {
				t.Fatalf("closed with %v", err)
			}
			check(t, r.store.Close())
			check(t, os.Chmod(filepath.Dir(file), 0o755))
			if what == "a folder" || what == "a link out" {
				check(t, os.RemoveAll(file))
			}
			store := value(history.NewStore(r.vault, history.Options{Zone: time.UTC, StateDir: r.state}))(t)
			t.Cleanup(func() { _ = store.Close() })
			offered, err := store.Unsaved()
			if err != nil || len(offered) != 1 || offered[0].Text != "Two." || offered[0].Title != "First" {
				t.Fatalf("offered %+v, %v", offered, err)
			}
			kept := value(store.Keep(offered[0]))(t)
			c, _, err := store.Open(kept)
			if got := transcript(t, c); err != nil || kept != path || got != "u First\na One.\nu Second\na Two." {
				t.Errorf("kept as %s: %q, %v", kept, got, err)
			}
			if offered, err := store.Unsaved(); err != nil || len(offered) != 0 || len(r.journals()) != 0 {
				t.Errorf("still offered: %+v, %v", offered, err)
			}
		})
	}
}
