package term_test

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"

	"ibid/vault/vaulttest"
)

// endOfReply ends a reply that a dictated server sends.
const endOfReply = "\x00"

// dictated is a model server that says what the test sends, when the test sends it.
type dictated struct {
	url  string
	said chan string
}

func newDictated(t *testing.T) *dictated {
	s := &dictated{said: make(chan string, 1000)}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

func (s *dictated) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasSuffix(r.URL.Path, "/chat/completions") {
		_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"test-model","object":"model"}]}`)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	said := s.said
	if strings.Contains(string(body), "give our conversation so far a title") {
		said = make(chan string, 2)
		said <- "A title"
		said <- endOfReply
	}
	for {
		select {
		case <-r.Context().Done():
			return
		case text := <-said:
			if text == endOfReply {
				_, _ = io.WriteString(w, `data: {"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
				return
			}
			quoted, _ := json.Marshal(text)
			_, _ = fmt.Fprintf(w, `data: {"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":%s},"finish_reason":null}]}`+"\n\n", quoted)
			w.(http.Flusher).Flush()
		}
	}
}

// say sends the steps from one to another, in one piece each.
func (s *dictated) say(from, to int) {
	for n := from; n <= to; n++ {
		s.said <- fmt.Sprintf("Step number %d.\n\n", n)
	}
}

// inlineRun is a program that prints to the scrollback of a terminal, and the server
// that it asks.
type inlineRun struct {
	*terminal
	model *dictated
}

// inlineArgs are those of the program.
var inlineArgs = []string{"--inline", "--model", "test-model"}

// ask sends a question, and waits until it is printed.
func (r *inlineRun) ask(text string) {
	r.t.Helper()
	r.keys(text + "\r")
	r.shows("▌ " + text)
	r.shows("esc stop")
}

// say sends the steps from one to another, in one piece each, and waits for the last.
func (r *inlineRun) say(from, to int) {
	r.t.Helper()
	r.model.say(from, to)
	r.reaches(to)
}

// sayBehind sends steps of which a list over the prompt hides the last ones.
func (r *inlineRun) sayBehind(from, to int) {
	r.t.Helper()
	r.model.say(from, to)
	r.reaches(to - 4)
}

// saved waits until a text is in the file of the chat, or beside it.
func (r *inlineRun) saved(text string) {
	r.t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		found := false
		_ = filepath.WalkDir(r.dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				data, err := os.ReadFile(path)
				found = found || err == nil && strings.Contains(string(data), text)
			}
			return nil
		})
		if found {
			return
		}
		if time.Now().After(end) {
			r.t.Fatalf("%q is never saved", text)
		}
	}
}

// finish ends the reply, and waits until the screen knows.
func (r *inlineRun) finish() {
	r.t.Helper()
	r.model.said <- endOfReply
	r.gone("esc stop")
}

// leave ends the program from a prompt at rest.
func (r *inlineRun) leave() {
	r.t.Helper()
	r.keys("\x15\x04") // ctrl+u, ctrl+d
	r.ends(0)
	r.givenBack()
}

// stepLines are what is printed of the steps from one to another.
func stepLines(from, to int) (lines []string) {
	for n := from; n <= to; n++ {
		lines = append(lines, fmt.Sprintf(`  Step number %d\.`, n))
	}
	return lines
}

// inShell is what the shell says that the program gave way to.
const inShell = "in the shell"

// What stands above a conversation, above a reply and at the end, as expressions.
const (
	inlineHead  = ` . ibid  .*` + "\n" + `   @ attaches a note, / lists commands, .*`
	inlineReply = `  assistant.*`
)

func (r *inlineRun) last() string {
	return regexp.QuoteMeta(onlyChatIn(r.t, r.dir)+" · ibid --continue") + ".*"
}

// holds compares what stands in the scrollback and on the screen with expressions for
// its lines; lines of nothing do not count, and neither do those of the shell.
func (r *inlineRun) holds(want ...string) {
	r.t.Helper()
	r.holdsBelow("", want...)
}

// holdsBelow does so for what stands below the line that holds a text.
func (r *inlineRun) holdsBelow(text string, want ...string) {
	r.t.Helper()
	want = strings.Split(strings.Join(want, "\n"), "\n")
	all := r.screen.all()
	if text != "" {
		_, all, _ = strings.Cut(all, text)
		_, all, _ = strings.Cut(all, "\n")
	}
	n := 0
	for line := range strings.SplitSeq(all, "\n") {
		if line = strings.TrimRight(line, " "); line == "" || line == inShell {
			continue
		}
		if n == len(want) {
			r.t.Fatalf("%q stands below the last:\n%s", line, all)
		}
		if !regexp.MustCompile("^" + want[n] + "$").MatchString(line) {
			r.t.Fatalf("%q stands where %q should:\n%s", line, want[n], all)
		}
		n++
	}
	if n < len(want) {
		r.t.Fatalf("%q is missing:\n%s", want[n], all)
	}
}

// said are the lines of a question and of the steps that answered it.
func said(question string, last int) []string {
	return append([]string{"▌ you  .*", "▌ " + regexp.QuoteMeta(question), inlineReply}, stepLines(1, last)...)
}

// newInline makes a terminal of 80 columns and 24 rows.
func newInline(t *testing.T) *inlineRun {
	t.Helper()
	dir, model := newVault(t), newDictated(t)
	check(t, os.WriteFile(filepath.Join(dir, "Alto.md"), []byte("Sings.\n"), 0o644))
	return &inlineRun{newTerminal(t, newEmulator(80, 24), dir, model.url), model}
}

// startInline starts the program on one.
func startInline(t *testing.T) *inlineRun {
	t.Helper()
	r := newInline(t)
	r.start(r.command("ibid", inlineArgs...))
	r.shows("/ lists commands")
	r.shows("Ask your vault")
	return r
}

// TestInlineScrollback holds what a conversation leaves in the scrollback of a terminal:
// every line once, complete, in order, and nothing of the prompt. The width stays: a
// frame that is under way while it changes breaks in ways that no program can mend.
func TestInlineScrollback(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	t.Parallel()
	for name, c := range map[string]struct {
		do   func(r *inlineRun) // while the first reply is written
		last int                // step of that reply
	}{
		"nothing":    {func(*inlineRun) {}, 3},
		"many lines": {func(r *inlineRun) { r.say(4, 300) }, 300},
		"list of notes": {func(r *inlineRun) {
			r.keys("@al")
			r.shows("▸ Al")
			r.sayBehind(4, 12)
			r.keys("\x1b[B")
			r.sayBehind(13, 30)
			r.keys("\x1b[A\x1b")
			r.gone("▸ Al")
			r.keys("\x15")
			r.say(31, 33)
		}, 33},
		"palette": {func(r *inlineRun) {
			r.keys("\x10")
			r.shows("▸ ")
			r.model.say(4, 12)
			r.saved("Step number 12.")
			r.keys("\x1b[B\x1b[B\x1b[B")
			r.model.say(13, 30)
			r.saved("Step number 30.")
			r.keys("\x1b")
			r.gone("▸ ")
			r.say(31, 33)
		}, 33},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := startInline(t)
			r.ask("First?")
			r.say(1, 3)
			c.do(r)
			r.finish()
			r.ask("Second?")
			r.say(1, 2)
			r.finish()
			r.leave()
			r.holds(slices.Concat([]string{inlineHead}, said("First?", c.last), said("Second?", 2), []string{r.last()})...)
		})
	}
}

// TestInlinePages has a reply end behind pages that take the whole screen.
func TestInlinePages(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	t.Parallel()
	for name, c := range map[string]struct{ key, shows string }{
		"what was sent": {"\x1bOQ", "esc back"}, "chats": {"\x13", "1 turn"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := startInline(t)
			r.ask("First?")
			r.say(1, 30)
			r.keys(c.key)
			r.shows(c.shows)
			r.model.say(31, 60)
			r.model.said <- endOfReply
			r.saved("Step number 60.")
			r.keys("\x1b")
			r.shows("Ask your vault")
			r.reaches(60)
			r.ask("Second?")
			r.say(1, 2)
			r.finish()
			r.leave()
			r.holds(slices.Concat([]string{inlineHead}, said("First?", 60), said("Second?", 2), []string{r.last()})...)
		})
	}
}

// TestInlineQuit ends the program in the middle of a reply: what came of it is there.
func TestInlineQuit(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	t.Parallel()
	r := startInline(t)
	r.ask("First?")
	r.say(1, 30)
	r.keys("half a draft\x03\x03\x03")
	r.ends(0)
	r.givenBack()
	r.holds(slices.Concat([]string{inlineHead}, said("First?", 30), []string{".*stopped.*", r.last()})...)
}

// TestInlineKilled kills the program in the middle of a reply and goes on in the same
// terminal: what was printed stays as it was, and the chat is printed once more.
func TestInlineKilled(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	t.Parallel()
	r := startInline(t)
	r.ask("First?")
	r.say(1, 30)
	r.saved("Step number 30.")
	check(t, r.cmd.Process.Kill())
	<-r.stopped
	check(t, term.SetState(r.tty.Fd(), r.before))
	if _, err := r.tty.WriteString("\n$ ibid --continue\n"); err != nil { // a shell
		t.Fatal(err)
	}
	r.start(r.command("ibid", append([]string{"--continue"}, inlineArgs...)...))
	r.shows("interrupted")
	r.ask("Second?")
	r.say(1, 2)
	r.finish()
	r.leave()
	// What stands above is what a frame was broken off at.
	r.holdsBelow("$ ibid --continue", slices.Concat([]string{" First  Chats/.*"}, said("First?", 30),
		[]string{"  ! interrupted here"}, said("Second?", 2), []string{r.last()})...)
}

// TestInlineSuspended goes to a shell and comes back: nothing of the prompt stays above
// what the shell shows.
func TestInlineSuspended(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	t.Parallel()
	const shell = `exec 2>/dev/null; set -m; "$@" 2>&1; echo ` + inShell + `; read line; fg >/dev/null`
	for name, resting := range map[string]bool{"at rest": true, "while a reply is written": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newInline(t)
			ibid := r.command("ibid")
			program := filepath.Join(r.dir, "ibid")
			check(t, os.Symlink(ibid.Path, program))
			ibid.Path, ibid.Args = "/bin/sh", append([]string{"sh", "-c", shell, "sh", program}, inlineArgs...)
			r.start(ibid)
			r.shows("/ lists commands")
			r.shows("Ask your vault")
			r.ask("First?")
			r.say(1, 30)
			if resting {
				r.finish()
			}
			r.keys("half a draft")
			r.shows("> half a draft")
			r.keys("\x1a") // ctrl+z
			r.shows(inShell)
			r.gone("> half a draft")
			r.keys("\n")
			r.shows("> half a draft")
			first := said("First?", 30)
			if !resting {
				r.say(31, 60)
				r.finish()
				first = said("First?", 60)
			}
			r.keys("\x15")
			r.shows("Ask your vault")
			r.ask("Second?")
			r.say(1, 2)
			r.finish()
			r.leave()
			r.holds(slices.Concat([]string{inlineHead}, first, said("Second?", 2), []string{r.last()})...)
		})
	}
}
