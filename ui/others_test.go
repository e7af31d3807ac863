package ui_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/ui/uitest"
	"ibid/vault/vaulttest"
)

// counting returns a reply of n words, ten per second.
func counting(word string, n int) chaintest.Reply {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("%s%d ", word, i+1)
	}
	return chaintest.Reply{Chunks: words, Delay: 100 * time.Millisecond}
}

// TestAsksBehind: a question is asked in its chat alone; elsewhere it is told.
func TestAsksBehind(t *testing.T) {
	replies := []chaintest.Reply{
		{
			Text: "Let me see.", ToolCalls: calling("", toolCall("webSearch", 1, "a")).ToolCalls,
			Delay: time.Second,
		}, reply("found it"),
	}
	playTools(t, 100, 30, []chains.Tool{asking()}, replies, func(r *stage) {
		r.Type("look it up")
		r.Press("enter", "ctrl+n")
		r.WaitFor("Ask anything")
		r.Type("y")
		r.WaitFor("look it up asks you")
		r.Pass(2 * time.Second)
		r.Type("n")
		r.Want("1 asking you", "> yn")
		r.WantNot("May the model")
		r.Press("ctrl+x", "c")
		r.WaitFor("May the model use the network")
		r.Pass(time.Second)
		for _, key := range []string{"ctrl+n", "ctrl+s"} { // the question waits
			r.Press(key)
			r.Pass(time.Second)
			r.WantNot("May the model")
			if r.Press("esc"); key == "ctrl+n" {
				r.Want("> yn")
				r.Press("ctrl+x", "c")
			}
			r.Want("May the model")
			r.Pass(time.Second)
		}
		r.Press("ctrl+x", ".")
		r.Pass(time.Second)
		r.Press("y")
		r.WaitFor("found it")
	})
}

// TestSendThenOpen: keys that are pressed before the screen has followed do not
// change which chat a message is for.
func TestSendThenOpen(t *testing.T) {
	for _, first := range []string{"enter", "ctrl+n"} {
		t.Run(first, func(t *testing.T) {
			playChats(t, replies(counting("one", 20), reply("two")), func(r *stage) {
				r.Type("alpha")
				if first == "ctrl+n" {
					r.Press("ctrl+n", "enter")
				} else {
					r.Press("enter", "ctrl+n")
				}
				r.Ask("/open Scales", "contrary motion")
				r.Ask("go on", "two")
				r.WaitFor("alpha: the reply is there")
				if a, s := r.chatText("alpha"), r.chatText("Scales"); !strings.Contains(a, "one20") ||
					!strings.Contains(s, "two") || strings.Contains(s, "one") {
					r.Errorf("the files are\n%s\n%s", a, s)
				}
			})
		})
	}
}

// TestLeaveAsks: leaving asks if replies are being written, and saves them as far as
// they came.
func TestLeaveAsks(t *testing.T) {
	for _, key := range []string{"y", "ctrl+c"} {
		t.Run(key, func(t *testing.T) {
			play(t, replies(counting("one", 90), counting("two", 90)),
				func(r *stage) {
					r.Begin("alpha", "one3")
					r.Press("ctrl+n")
					r.WaitFor("Ask anything")
					r.Begin("beta", "two3")
					for _, stay := range []string{"n", "esc"} {
						r.Ask("/quit", "")
						r.WaitFor("Leave?")
						r.Want("alpha", "beta", "writing")
						r.Press(stay)
						r.WantNot("Leave?")
					}
					if r.Press("ctrl+c"); key == "y" {
						r.Press("ctrl+x", "q")
					} else {
						r.Want("ctrl+c again quits", "alpha: writing")
					}
					r.Press(key)
					r.WaitQuit()
					r.Close()
					for begins, word := range map[string]string{"alpha": "one3", "beta": "two3"} {
						if text := r.chatText(begins); !strings.Contains(text, word) || !strings.Contains(text, `"cancelled"`) {
							r.Errorf("%s is\n%s", begins, text)
						}
					}
					is(r, r.desk.Session().Snapshot().Title, "beta", "the last chat of the desk")
				})
		})
	}
}

// copyFolders copies folders; the keys are the sources.
func copyFolders(t *testing.T, to map[string]string) {
	t.Helper()
	for from, to := range to {
		old, err := filepath.Glob(filepath.Join(to, "*"))
		for _, name := range old { // the folder itself is open
			err = errors.Join(err, os.RemoveAll(name))
		}
		check(t, errors.Join(err, os.CopyFS(to, os.DirFS(from))))
		check(t, fs.WalkDir(os.DirFS(from), ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			info, err := d.Info()
			check(t, err)
			return os.Chtimes(filepath.Join(to, name), info.ModTime(), info.ModTime())
		}))
	}
}

// TestKilledBoth: what a process leaves that is killed during two replies is in
// both chats when the next one opens them.
func TestKilledBoth(t *testing.T) {
	play(t, replies(counting("one", 90), counting("two", 90)),
		func(r *stage) {
			r.Begin("alpha", "one3")
			r.Press("ctrl+n")
			r.WaitFor("Ask anything")
			r.Begin("beta", "two30")
			dir, locks := r.TempDir(), r.TempDir()
			copyFolders(r.T, map[string]string{r.dir: dir, r.locks: locks})
			r.Close()
			check(r, r.store.Close())
			copyFolders(r.T, map[string]string{dir: r.dir, locks: r.locks}) // as it was then
			r.reopen()
			next := uitest.New(r.T, r.options(), 80, 24)
			defer next.Close()
			for _, chat := range [][2]string{{"alpha", "one20"}, {"beta", "two20"}} {
				next.Press("ctrl+s")
				next.WaitFor("beta")
				next.Type(chat[0])
				next.Press("enter")
				next.WaitFor(chat[1])
				next.Want("▌ " + chat[0])
			}
		})
}

// TestSwitchAtRandom sends, queues, stops and leaves half-written messages in chats
// that are begun and switched between at random. Each message says in which chat it was
// written: it must be in that one's file, and its reply after it.
func TestSwitchAtRandom(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	chatOf := regexp.MustCompile(`q\d+ of (new|q\d+)`)
	begins := regexp.MustCompile(`^ (q\d+) of`)
	echo := func(r chains.Request) chaintest.Reply {
		return chaintest.Reply{Chunks: strings.SplitAfter("re "+r.Question+" end", " "), Delay: 150 * time.Millisecond}
	}
	for seed := range uint64(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(seed, 11))
			playAt(t, 100, 24, []chaintest.Reply{{Func: echo}}, func(r *stage) {
				for n := range 90 {
					switch rnd.IntN(9) {
					case 0, 1, 2, 3:
						chat := "new"
						if m := begins.FindStringSubmatch(r.Screen()); m != nil {
							chat = m[1]
						}
						r.Type(fmt.Sprintf("q%d of %s ", n, chat))
						if rnd.IntN(4) > 0 {
							r.Press("enter")
						}
					case 4:
						r.Press("ctrl+n")
					case 5, 6:
						r.Press("ctrl+x", "c")
					case 7:
						r.Press("ctrl+s")
						for range rnd.IntN(5) {
							r.Press("down")
						}
						if r.Press("enter"); r.Has("esc close") {
							r.Press("esc")
						}
					case 8:
						if r.Has("esc stop") {
							r.Press("esc")
						}
					}
					r.Pass(time.Duration(rnd.IntN(400)) * time.Millisecond)
				}
				r.Pass(time.Minute)
				files, _ := filepath.Glob(filepath.Join(r.dir, "Chats", "*.md"))
				for _, name := range files {
					data, err := os.ReadFile(name)
					check(r, err)
					id, _, _ := strings.Cut(filepath.Base(name), "_") // of its first message
					for i, turn := range strings.Split(string(data), "\n**user**: ")[1:] {
						said, answered, _ := strings.Cut(turn, "\n[Timestamp")
						for _, m := range chatOf.FindAllStringSubmatch(said, -1) {
							if m[1] != id && (i > 0 || m[1] != "new") {
								r.Errorf("%s holds %q", name, m[0])
							}
						}
						_, reply, ok := strings.Cut(answered, "**ai**: ")
						reply, _, _ = strings.Cut(reply, "\n[Timestamp")
						if ok && !strings.HasPrefix("re "+said+" end", strings.TrimSpace(reply)) {
							r.Errorf("%s answers %q with %q", name, said, reply)
						}
					}
				}
				if len(files) < 2 || len(r.model.Requests()) < 12 {
					r.Errorf("%d chats, %d requests", len(files), len(r.model.Requests()))
				}
			})
		})
	}
}

// TestFailsBehind: a reply that fails in another chat is told, and stands there.
func TestFailsBehind(t *testing.T) {
	broken := chaintest.Reply{
		Chunks: []string{"half ", "a reply"}, Delay: time.Second, ErrAfter: 1,
		Err: &chains.ProviderError{Kind: chains.ErrCutOff, Message: "The connection broke."},
	}
	playChats(t, replies(broken), func(r *stage) {
		r.Type("alpha")
		r.Press("enter")
		r.Ask("/open Scales", "contrary motion")
		r.WaitFor("alpha: The connection broke.")
		r.Want("1 failed")
		r.Press("ctrl+x", "c")
		r.Want("half", "The connection broke.", "sends the message again")
		r.WantNot("1 failed")
	})
}
