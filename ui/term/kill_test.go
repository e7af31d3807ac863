package term_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"ibid/history"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// check fails the test if there is an error.
func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// maxLoss is the longest part of a reply that a kill may lose, and busy is added for the
// delays of a busy machine.
const (
	maxLoss = time.Second
	busy    = 500 * time.Millisecond
)

// killStories are the lines that a person enters before the kill, which comes at a random time
// after the reply to the first line. A question with "quick" gets its answer at once the first
// time, and slowly afterwards; one with "stall" gets a few words and then nothing; one with
// "Look it up" gets a call of a tool that never ends.
var killStories = []struct {
	name, first string
	then        []string
	undone      string // a question that the person took back
}{
	{name: "new", then: []string{"Tell me."}},
	{name: "new, stalled", then: []string{"Tell me, and stall."}},
	{name: "second turn", first: "A quick one?", then: []string{"Tell me."}},
	{name: "second turn, stalled", first: "A quick one?", then: []string{"Tell me, and stall."}},
	{name: "tool", then: []string{"Look it up."}},
	{name: "second turn, tool", first: "A quick one?", then: []string{"Look it up."}},
	{name: "rename", first: "A quick one?", then: []string{"/rename Another title", "Tell me.", "/rename A third"}},
	{name: "branch", first: "A quick one?", then: []string{"/branch 2", "Tell me."}},
	{name: "retry", first: "A quick one?", then: []string{"/retry"}},
	{
		name: "edit", first: "A quick one?", then: []string{"A quick mistake?", "/undo", "Tell me."},
		undone: "A quick mistake?",
	},
	{name: "undo", first: "A quick one?", then: []string{
		"A quick mistake?", "/undo", "/redo", "/undo",
		"A quick third?",
	}, undone: "A quick mistake?"},
}

// TestKill kills the program at random moments. No finished message may be missing afterwards,
// and at most a second of a reply that was streaming or stalled; no temporary file may remain.
// IBID_KILLS is the number of kills.
func TestKill(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	kills := 2 * len(killStories)
	if s := os.Getenv("IBID_KILLS"); s != "" {
		n, err := strconv.Atoi(s)
		check(t, err)
		kills = n
	}
	teller := &storyteller{asked: map[string]int{}}
	server := httptest.NewServer(teller)
	t.Cleanup(server.Close)
	var mu sync.Mutex
	var worst time.Duration
	t.Run("kills", func(t *testing.T) {
		for i := range kills {
			story := killStories[i%len(killStories)]
			t.Run(strconv.Itoa(i)+" "+story.name, func(t *testing.T) {
				t.Parallel()
				random := rand.New(rand.NewPCG(uint64(i), 1))
				k := &killedRun{T: t, dir: t.TempDir(), undone: story.undone}
				k.run(server.URL, story.first, story.then, time.Duration(random.Int64N(int64(1800*time.Millisecond))))
				lost := k.check()
				mu.Lock()
				defer mu.Unlock()
				worst = max(worst, lost)
			})
		}
	})
	teller.mu.Lock()
	defer teller.mu.Unlock()
	t.Logf("%d kills, %d of them while a tool ran, at most %v of a reply missing", kills, teller.tools,
		worst.Round(time.Millisecond))
}

// storyteller is a model server whose words are numbered.
type storyteller struct {
	mu    sync.Mutex
	asked map[string]int // how often each key asked each question
	tools int            // calls that a kill ended
}

func (s *storyteller) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/search" { // of the web: a tool that runs until the program is killed
		<-r.Context().Done()
		s.mu.Lock()
		s.tools++
		s.mu.Unlock()
		return
	}
	if !strings.HasSuffix(r.URL.Path, "/chat/completions") {
		_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"test-model","object":"model"}]}`)
		return
	}
	var body struct{ Messages []struct{ Content any } }
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	question := fmt.Sprint(body.Messages[len(body.Messages)-1].Content)
	s.mu.Lock()
	key := r.Header.Get("Authorization") + question[max(0, len(question)-20):]
	s.asked[key]++
	quick := strings.Contains(question, "quick") && s.asked[key] == 1
	s.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	say := func(word, finish string) {
		_, _ = fmt.Fprintf(w, `data: {"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":%q},"finish_reason":%s}]}`+"\n\n", word, finish)
		w.(http.Flusher).Flush()
	}
	for n := range 400 {
		if quick && n == 8 {
			break
		}
		if strings.Contains(question, "Look it up") && n == 8 {
			const call = `{"index":0,"id":"call","type":"function","function":{"name":"webSearch","arguments":"{\"query\":\"slate\"}"}}`
			_, _ = io.WriteString(w, `data: {"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"tool_calls":[`+call+`]},"finish_reason":"tool_calls"}]}`+"\n\ndata: [DONE]\n\n")
			return
		}
		if strings.Contains(question, "stall") && n == 8 {
			<-r.Context().Done()
			return
		}
		if say(fmt.Sprintf("w%03d ", n), "null"); !quick {
			select {
			case <-time.After(15 * time.Millisecond):
			case <-r.Context().Done():
				return
			}
		}
	}
	say("end", `"stop"`)
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}

// timedEvent is an event of the program with the time at which it was read.
type timedEvent struct {
	at                       time.Time
	Type, Text, Finish, Chat string
}

// killedRun is a run of the program that ends with a kill.
type killedRun struct {
	*testing.T
	dir    string
	undone string
	asked  []string // the questions, as far as they were given
	events []timedEvent
	at     time.Time // when it was killed
}

func (k *killedRun) run(url, first string, then []string, after time.Duration) {
	vault := filepath.Join(k.dir, "vault")
	check(k, os.MkdirAll(vault, 0o755))
	config := filepath.Join(k.dir, "config.toml")
	check(k, os.WriteFile(config, []byte("[tools.web]\nsearch = \""+url+"\"\n"), 0o600))
	cmd := exec.Command(programPath(k.T, "ibid"), "--plain", "--json", "--vault", vault, "--model", "test-model",
		"--config", config, "--approve", "@web")
	cmd.Env = append(os.Environ(), "HOME="+k.dir, "USERPROFILE="+k.dir, "XDG_CONFIG_HOME="+k.dir,
		"XDG_CACHE_HOME="+k.dir, "XDG_STATE_HOME="+filepath.Join(k.dir, "state"),
		"OPENAI_API_KEY="+filepath.Base(filepath.Dir(k.dir))+k.Name(), "OPENAI_BASE_URL="+url)
	in, err := cmd.StdinPipe()
	check(k, err)
	out, err := cmd.StdoutPipe()
	check(k, err)
	check(k, cmd.Start())
	ready := make(chan struct{})
	over := make(chan struct{})
	go func() {
		defer close(over)
		for lines := bufio.NewReader(out); ; {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			h := timedEvent{at: time.Now()}
			if err := json.Unmarshal([]byte(line), &h); err != nil {
				k.Errorf("%q: %v", line, err)
			}
			k.events = append(k.events, h)
			if h.Type == "done" && first != "" {
				first = ""
				close(ready)
			}
		}
	}()
	if first != "" {
		k.asked = append(k.asked, first)
		_, _ = io.WriteString(in, first+"\n")
		select {
		case <-ready:
		case <-time.After(time.Minute):
			k.Error("no reply came")
		}
	}
	for _, line := range then {
		if !strings.HasPrefix(line, "/") {
			k.asked = append(k.asked, line)
		}
		_, _ = io.WriteString(in, line+"\n") // it may have been killed
	}
	time.Sleep(after)
	k.at = time.Now()
	if err := cmd.Process.Kill(); err != nil {
		k.Error(err)
	}
	<-over
	_ = cmd.Wait() // killed
}

// check examines the files as the next start does, and returns the missing part of the
// unfinished reply.
func (k *killedRun) check() (lost time.Duration) {
	v, err := vault.Open(filepath.Join(k.dir, "vault"), vault.Options{})
	check(k, err)
	defer v.Close() //nolint:errcheck // the test is over
	later := func() time.Time { return time.Now().Add(time.Hour) }
	store, err := history.NewStore(v, history.Options{StateDir: filepath.Join(k.dir, "state", "ibid"), Now: later})
	check(k, err)
	defer store.Close() //nolint:errcheck // the test is over
	questions, replies := k.keptTexts(store)

	turn, reply, came := -1, "", []timedEvent(nil)
	for _, e := range k.events {
		switch e.Type {
		case "turn":
			turn, reply, came = turn+1, "", nil
		case "delta":
			reply += e.Text
			came = append(came, e)
		case "done":
			if e.Finish == "stop" && !slices.Contains(replies, reply) && (k.undone == "" || turn != 1) {
				k.Errorf("a finished reply is missing: %q", reply)
			}
			came = nil
		}
	}
	for _, q := range k.asked[:min(max(turn+1, 0), len(k.asked))] {
		if q != k.undone && !slices.Contains(questions, q) {
			k.Errorf("the question %q is missing", q)
		}
	}
	saved := 0
	for _, r := range replies {
		if strings.HasPrefix(reply, r) || strings.HasPrefix(r, reply) {
			saved = max(saved, len(r))
		}
	}
	for _, e := range came {
		if saved -= len(e.Text); saved < 0 {
			lost = k.at.Sub(e.at)
			break
		}
	}
	if lost > maxLoss+busy {
		k.Errorf("%v of the reply are missing: of %q there is %q", lost, reply, replies)
	}
	k.leftovers(store)
	return lost
}

// keptTexts restores the unsaved chats, and returns the texts of all chats.
func (k *killedRun) keptTexts(store *history.Store) (questions, replies []string) {
	offered, err := store.Unsaved()
	if err != nil {
		k.Error(err)
	}
	for _, u := range offered {
		if _, err := store.Keep(u); err != nil {
			k.Error(err)
		}
	}
	all, err := store.List(k.Context())
	if err != nil {
		k.Error(err)
	}
	for _, s := range all {
		c, _, err := store.Open(s.Path)
		if err != nil {
			k.Error(err)
			continue
		}
		for i, m := range c.Messages {
			if m.Role != history.User {
				continue
			}
			questions = append(questions, m.Text)
			ends, _ := c.Ends(i)
			for _, end := range ends {
				text, _ := end.Reply()
				replies = append(replies, text)
			}
		}
		c.Tags = append(c.Tags, "opened")
		if _, err := store.Save(&c); err != nil { // what the chat was read with goes into its file
			k.Error(err)
		}
	}
	return questions, replies
}

// leftovers reports files that nothing needs any more.
func (k *killedRun) leftovers(store *history.Store) {
	if again, err := store.Unsaved(); err != nil || len(again) > 0 {
		k.Errorf("offered again: %+v, %v", again, err)
	}
	err := filepath.WalkDir(k.dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && (strings.HasSuffix(name, ".tmp") || strings.HasSuffix(name, ".reply")) {
			k.Errorf("left behind: %s", name)
		}
		return err
	})
	if err != nil {
		k.Error(err)
	}
}
