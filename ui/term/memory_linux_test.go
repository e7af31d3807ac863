package term_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"ibid/vault/vaulttest"
)

// floods are endless replies, by their beginning and the part that repeats, in which {n} is a
// counter.
var floods = map[string]struct{ first, rest string }{
	"text":            {"", "All is well that ends well, said the fox. "},
	"quotes":          {"", ">"},
	"lists":           {"", "1. "},
	"quotes in lists": {"", "> - 1. "},
	"deep lines":      {strings.Repeat(">", 100) + "x\n", "x\n"},
	"headings":        {"", "#\n"},
	"zero width":      {"", "\u200b"},
	"joined emoji":    {"", "👩\u200d"},
	"combining":       {"", "a\u0301"},
	"controls":        {"", "\x01"},
	"brackets":        {"", "[["},
	"emphasis":        {"", "*a "},
	"code":            {"", "`a` "},
	"tags":            {"", "<b>"},
	"dollars":         {"", "$"},
	"narrow rows":     {strings.Repeat("|a", 2000) + "|\n" + strings.Repeat("|-", 2000) + "|\n", "|b\n"},
	"new words":       {"", "[{n}]: a\n"},
	"one long word":   {"", "x"},
}

// flooding sends 30 MB of a flood as fast as they are read.
func flooding(first, rest string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/chat/completions") {
			_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"test-model","object":"model"}]}`)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		piece := first
		for sent, n := 0, 0; sent < 30<<20; sent += len(piece) {
			for len(piece) < 4<<10 {
				piece += strings.ReplaceAll(strings.Repeat(rest, 100/len(rest)+1), "{n}", strconv.Itoa(n))
				n++
			}
			text, _ := json.Marshal(piece)
			if _, err := fmt.Fprintf(w, `data: {"id":"c","object":"chat.completion.chunk","created":1767225600,"model":"test-model","choices":[{"index":0,"delta":{"content":%s}}]}`+"\n\n", text); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			piece = ""
		}
	}
}

// memoryOf returns the memory of a program in MB: VmRSS is the present one, VmHWM the peak.
func memoryOf(t testing.TB, pid int, which string) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	check(t, err)
	m := regexp.MustCompile(which + `:\s+(\d+) kB`).FindSubmatch(status)
	if m == nil {
		t.Skip("this system does not say how large a program was")
	}
	kB, err := strconv.Atoi(string(m[1]))
	check(t, err)
	return kB >> 10
}

// TestMemoryOnTerminal: no reply of any size makes the screen larger than 250 MB, nor does
// the chat that holds it when it is opened, looked through and searched.
func TestMemoryOnTerminal(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	released := os.Getenv("IBID_BINARY") != ""
	for name, f := range floods {
		t.Run(name, func(t *testing.T) {
			if !released && name != "quotes" && name != "narrow rows" {
				t.Skip("all together take a minute: for the program as released")
			}
			server := httptest.NewServer(flooding(f.first, f.rest))
			defer server.Close()
			dir := newVault(t)
			for opened, steps := range [][]string{
				{"F1 help", "Go on.\r", "\x1b]9;4;3", "", "\x1b]9;4;0", "\x1b[5~\x1b[5~\x1b[1;5H"},
				{"F1 help", "\x1b[5~\x1b[5~\x06ab\r\x1b\x1b[1;5H"},
			} {
				p := newTerminal(t, nil, dir, server.URL+"/v1")
				cmd := p.command("ibid", append([]string{"--model", "test-model", "--chain", "chat"},
					[]string{"--continue"}[:opened]...)...)
				check(t, pty.Setsize(p.pty, &pty.Winsize{Rows: 40, Cols: 120}))
				p.start(cmd)
				for i := 0; i < len(steps); i += 2 {
					p.waitFor(steps[i])
					p.keys(steps[i+1])
				}
				time.Sleep(time.Second) // until it is drawn, and the index has the chat
				if n := memoryOf(t, cmd.Process.Pid, "VmHWM"); n > 250 {
					t.Errorf("%d MB", n)
				} else {
					t.Logf("%d MB", n)
				}
				_ = cmd.Process.Kill() // has ended, it may be
				<-p.stopped
			}
		})
	}
}
