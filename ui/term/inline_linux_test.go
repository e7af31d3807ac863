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

// endOfReply ends a reply of a dictated server.
const endOfReply = "\x00"

// dictatedServer is a model server that sends the texts of a test, when the test gives them.
type dictatedServer struct {
	url  string
	said chan string
}

func newDictatedServer(t *testing.T) *dictatedServer {
	s := &dictatedServer{said: make(chan string, 1000)}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

func (s *dictatedServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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

// say sends steps, each as one piece.
func (s *dictatedServer) say(from, to int) {
	for n := from; n <= to; n++ {
		s.said <- fmt.Sprintf("Step number %d.\n\n", n)
	}
}

// inlineRun is a program that prints to the scrollback of a terminal, with its server.
type inlineRun struct {
	*terminal
	model *dictatedServer
}

// inlineArgs are the arguments of the program.
var inlineArgs = []string{"--inline", "--model", "test-model"}

// ask sends a question, and waits until the screen shows it.
func (r *inlineRun) ask(text string) {
	r.t.Helper()
	r.keys(text + "\r")
	r.shows("▌ " + text)
	r.shows("esc stop")
}

// say sends steps, each as one piece, and waits for the last on the screen.
func (r *inlineRun) say(from, to int) {
	r.t.Helper()
	r.model.say(from, to)
	r.reaches(to)
}

// sayBehind sends steps while a list over the prompt hides the last rows.
func (r *inlineRun) sayBehind(from, to int) {
	r.t.Helper()
	r.model.say(from, to)
	r.reaches(to - 4)
}

// saved waits until a text is in the file of the chat, or in the state folder.
func (r *inlineRun) saved(text string) {
	r.t.Helper()
	for end := time.Now().Add(maxWait); ; time.Sleep(5 * time.Millisecond) {
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

// finish ends the reply, and waits until the screen shows its end.
func (r *inlineRun) finish() {
	r.t.Helper()
	r.model.said <- endOfReply
	r.gone("esc stop")
}

// leave ends the program from an empty prompt.
func (r *inlineRun) leave() {
	r.t.Helper()
	r.keys("\x15\x04") // ctrl+u, ctrl+d
	r.ends(0)
	r.givenBack()
}

// stepLines returns patterns of the printed lines of steps.
func stepLines(from, to int) (lines []string) {
	for n := from; n <= to; n++ {
		lines = append(lines, fmt.Sprintf(`  Step number %d\.`, n))
	}
	return lines
}

// inShell is the text that the shell prints while the program is suspended.
const inShell = "in the shell"

// Patterns of the lines above a chat, above a reply and at the end.
const (
	inlineHead  = ` . ibid  .*` + "\n New chat  .*\n" + inlineHint
	inlineHint  = `   @ attaches a note, / lists commands, .*`
	inlineReply = `  assistant.*`
)

func (r *inlineRun) last() string {
	return regexp.QuoteMeta(onlyChatIn(r.t, r.dir)+" · ibid --continue") + ".*"
}

// holds compares the lines of the scrollback and the screen with patterns. It skips blank lines
// and the line of the shell.
func (r *inlineRun) holds(want ...string) {
	r.t.Helper()
	r.holdsBelow("", want...)
}

// holdsBelow does the same for the lines below the line with a text.
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

// questionLines returns patterns of the lines of a question and its answer, which has these steps.
func questionLines(question string, last int) []string {
	return append([]string{"▌ you  .*", "▌ " + regexp.QuoteMeta(question), inlineReply}, stepLines(1, last)...)
}

// newInline makes a terminal of 80 columns and 24 rows, without starting the program.
func newInline(t *testing.T) *inlineRun {
	t.Helper()
	dir, model := newVault(t), newDictatedServer(t)
	check(t, os.WriteFile(filepath.Join(dir, "Alto.md"), []byte("Sings.\n"), 0o644))
	return &inlineRun{newTerminal(t, newEmulator(80, 24), dir, model.url), model}
}

// startInline starts the program on a new terminal.
func startInline(t *testing.T) *inlineRun {
	t.Helper()
	r := newInline(t)
	r.start(r.command("ibid", inlineArgs...))
	r.shows("/ lists commands")
	r.shows("Ask your vault")
	return r
}

// TestInlineScrollback checks the scrollback of a terminal after a chat: it has every line
// once, complete and in order, and nothing of the prompt. The width does not change: if it
// changes during a frame, the terminal breaks lines in ways that no program can repair.
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
			r.holds(slices.Concat([]string{inlineHead}, questionLines("First?", c.last), questionLines("Second?", 2), []string{r.last()})...)
		})
	}
}

// TestInlinePages ends a reply while a page covers the whole screen.
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
			r.holds(slices.Concat([]string{inlineHead}, questionLines("First?", 60), questionLines("Second?", 2), []string{r.last()})...)
		})
	}
}

// TestInlineQuit ends the program in the middle of a reply, whose beginning is printed at the end.
func TestInlineQuit(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	t.Parallel()
	r := startInline(t)
	r.ask("First?")
	r.say(1, 30)
	r.keys("half a draft\x03\x03\x03")
	r.ends(0)
	r.givenBack()
	r.holds(slices.Concat([]string{inlineHead}, questionLines("First?", 30), []string{".*stopped.*", r.last()})...)
}

// TestInlineKilled kills the program in the middle of a reply and starts it again in the same
// terminal: the chat is printed.
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
	// The lines above are the rest of an unfinished frame.
	r.holdsBelow("$ ibid --continue", slices.Concat(
		[]string{" . ibid  .*", " First  Chats/.*", inlineHint}, questionLines("First?", 30),
		[]string{"  ! interrupted here"}, questionLines("Second?", 2), []string{r.last()})...)
}

// TestInlineSuspended suspends the program and continues it: nothing of the prompt remains
// above the output of the shell.
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
			first := questionLines("First?", 30)
			if !resting {
				r.say(31, 60)
				r.finish()
				first = questionLines("First?", 60)
			}
			r.keys("\x15")
			r.shows("Ask your vault")
			r.ask("Second?")
			r.say(1, 2)
			r.finish()
			r.leave()
			r.holds(slices.Concat([]string{inlineHead}, first, questionLines("Second?", 2), []string{r.last()})...)
		})
	}
}
