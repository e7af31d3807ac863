package term_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// BenchmarkStream measures the processor time of a streaming reply: that of the screen and of
// `ibid ask`, from start to end, and that of a program that only reads the stream
// (testdata/bare). The three run in turn, and the metrics are medians. The factors over the
// bare program are too high above 1.9 for the screen with 71 kB at 4,000 words a second, 1.4
// with 285 kB, and 1.4 for ask. %core-reply is the share of a core from the question to the end
// of the reply: 3.5 at 80 words a second is too much. MB-screen is the peak memory of the
// screen: 90 MB is too much with 285 kB.
func BenchmarkStream(b *testing.B) {
	dir := b.TempDir()
	programs := map[string]string{"bare": "./testdata/bare", "ibid": "ibid"}
	for name, source := range programs {
		programs[name] = filepath.Join(dir, name)
		if out, err := exec.Command("go", "build", "-o", programs[name], source).CombinedOutput(); err != nil {
			b.Fatalf("go build %s: %v\n%s", source, err, out)
		}
	}
	for _, load := range []struct {
		size, rate int
		long       bool
	}{
		{4 << 10, 4000, false},
		{71 << 10, 4000, true},
		{285 << 10, 4000, true},
		{71 << 10, 1000, true},
		{5 << 10, 80, true},
	} {
		if load.long && testing.Short() {
			continue
		}
		b.Run(fmt.Sprintf("bytes=%d/words=%d", load.size, load.rate), func(b *testing.B) {
			words := strings.SplitAfter(mixedReply(load.size), " ")
			story := &pacedServer{words: words, rate: load.rate}
			server := httptest.NewServer(story)
			defer server.Close()
			r := streamRun{B: b, programs: programs, server: story, url: server.URL}
			var bare, ask, screen []time.Duration
			for b.Loop() {
				bare, ask, screen = append(bare, r.bare()), append(ask, r.ask()), append(screen, r.screen())
			}
			least := median(bare)
			b.ReportMetric(float64(r.peak)/1024, "MB-screen")
			for name, all := range map[string][]time.Duration{"bare": bare, "ask": ask, "screen": screen} {
				m := median(all)
				b.ReportMetric(float64(m.Microseconds())/1000, "ms-"+name)
				if name != "bare" {
					b.ReportMetric(float64(m)/float64(least), "×-"+name)
				}
				if name == "screen" {
					b.ReportMetric(100*median(r.replies).Seconds()*float64(load.rate)/float64(len(words)), "%core-reply")
				}
			}
		})
	}
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

// mixedReply returns a reply of that many bytes with everything that takes time to draw.
func mixedReply(size int) string {
	const part = "## Part %d of the plan\n\nSome *styled* prose about [[Alpha]] with a `span` of code, a **strong** word and enough of the plain ones to wrap more than once on any screen.\n\n" +
		"- an item\n- another one with [a link](https://example.org/%[1]d)\n  - one below it\n\n| Day | Focus | Minutes |\n|---|---|---|\n| Mon | C major, both hands | 20 |\n| Tue | Arpeggios | %[1]d |\n\n" +
		"```go\nfunc plan(day int) string {\n\treturn fmt.Sprint(\"day \", day, \" of \", %[1]d)\n}\n```\n\n> A quote that says why, in a line or two of its own, before the next part begins.\n\n"
	var b strings.Builder
	for n := 1; b.Len() < size; n++ {
		fmt.Fprintf(&b, part, n)
	}
	return b.String()[:size] + "\n```\n\nThat is all.\n"
}

// pacedServer is a model server that sends words at a rate, one per frame.
type pacedServer struct {
	words []string
	rate  int // words a second
	asked atomic.Int64
}

func (s *pacedServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasSuffix(r.URL.Path, "/chat/completions") {
		_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"test-model","object":"model"}]}`)
		return
	}
	words := s.words
	if s.asked.Add(1) > 1 { // for a title
		words = []string{"A ", "plan"}
	}
	w.Header().Set("Content-Type", "text/event-stream")
	begin := time.Now()
	for i, word := range words {
		if wait := time.Until(begin.Add(time.Duration(i) * time.Second / time.Duration(s.rate))); wait > 0 {
			time.Sleep(wait)
		}
		text, _ := json.Marshal(word)
		_, err := fmt.Fprintf(w, `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1767225600,"model":"test-model","system_fingerprint":"fp_1","choices":[{"index":0,"delta":{"content":%s},"logprobs":null,"finish_reason":null}]}`+"\n\n", text)
		if err != nil {
			return
		}
		w.(http.Flusher).Flush()
	}
	_, _ = io.WriteString(w, `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1767225600,"model":"test-model","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
}

// streamRun runs the programs, each with its own home.
type streamRun struct {
	*testing.B
	programs map[string]string
	server   *pacedServer
	url      string
	peak     int64           // kB of memory that the screen took at most
	replies  []time.Duration // processor time of each reply on the screen, without start and end
}

func (r *streamRun) command(name string, args ...string) *exec.Cmd {
	r.server.asked.Store(0)
	dir := newVault(r.B)
	cmd := exec.Command(r.programs[name], args...)
	cmd.Dir = dir
	cmd.Env = []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "OPENAI_BASE_URL=" + r.url}
	return cmd
}

func spent(cmd *exec.Cmd) time.Duration {
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// spentSoFar returns the processor time of a running process, which the system counts in
// hundredths of a second.
func spentSoFar(b *testing.B, pid int) time.Duration {
	b.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	check(b, err)
	_, values, _ := strings.Cut(string(stat), ") ") // behind the name of the program
	var user, system time.Duration
	_, err = fmt.Sscan(strings.Join(strings.Fields(values)[11:13], " "), &user, &system)
	check(b, err)
	return (user + system) * 10 * time.Millisecond
}

func (r *streamRun) run(name string, args ...string) time.Duration {
	cmd := r.command(name, args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		r.Fatalf("%s: %v\n%s", name, err, out)
	}
	return spent(cmd)
}

func (r *streamRun) bare() time.Duration { return r.run("bare", r.url) }

func (r *streamRun) ask() time.Duration {
	return r.run("ibid", "ask", "--model", "test-model", "Go on.")
}

// noProgress is the sequence that ends the progress bar of the terminal, at the end of a turn.
const noProgress = "\x1b]9;4;0"

// screen types the question, waits for the end of the reply and ends the program.
func (r *streamRun) screen() time.Duration {
	cmd := r.command("ibid", "--model", "test-model")
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 120, Rows: 40})
	if err != nil {
		r.Skipf("no pseudo terminal here: %v", err)
	}
	defer terminal.Close() //nolint:errcheck // its other end is closed
	limit := time.AfterFunc(10*time.Second+time.Duration(3*len(r.server.words)/r.server.rate)*time.Second, func() {
		_ = cmd.Process.Signal(syscall.SIGKILL)
	})
	defer limit.Stop()
	steps := []struct{ await, keys string }{{"F1 help", "Go on.\r"}, {noProgress, "/quit\r"}}
	var seen []byte
	var before time.Duration // processor time when the question was sent
	buf := make([]byte, 64<<10)
	for {
		n, err := terminal.Read(buf)
		seen = append(seen, buf[:n]...)
		if len(steps) > 0 {
			if i := strings.Index(string(seen), steps[0].await); i >= 0 {
				if spent := spentSoFar(r.B, cmd.Process.Pid); steps[0].await == noProgress {
					r.replies = append(r.replies, spent-before)
				} else {
					before = spent
				}
				_, err = terminal.WriteString(steps[0].keys)
				seen, steps = seen[i:], steps[1:]
			}
		}
		if err != nil {
			break
		}
		seen = seen[max(0, len(seen)-(4<<10)):]
	}
	if err := cmd.Wait(); err != nil || len(steps) > 0 {
		r.Fatalf("the screen: %v, with %d steps to go: %q", err, len(steps), seen)
	}
	r.peak = max(r.peak, cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
	return spent(cmd)
}
