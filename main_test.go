package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"ibid/chains/chaintest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ibid": main})
}

// TestScripts runs the whole program over testdata/script. Each script has a
// home, a state and a vault of its own, and no key of any provider.
//
// Beside the commands of testscript a script has these:
//
//	status N CMD ARG…      run a program that ends with exit status N
//	serve VAR [FILE] [K=V…]  start a model server; $VAR is its address. FILE holds
//	                       answers, one JSON object a line (see answer); the rest is echoed
//	sent VAR DIR           what the server got: DIR/N.json as it came, and as text
//	                       DIR/N.system, DIR/N.user (the last message), DIR/N.history, DIR/N.all, each
//	                       with a newline at its end
//	requests VAR N         the server got N requests of any kind
//	talk NAME CMD ARG…     start a program that reads lines
//	say NAME LINE…         give it lines and wait until they are done with; NAME.now
//	                       is its output so far
//	tell NAME LINE…        give it lines and do not wait
//	await NAME TEXT        wait until TEXT is on its standard output or error
//	signal NAME SIG        send it INT, TERM, HUP or KILL
//	ends NAME N            end its input and expect exit status N; stdout and
//	                       stderr are in NAME.out and NAME.err
//	events FILE            every line is an event as scripts may rely on it
//	field VAR FILE T.KEY   $VAR is a key of the last event of type T
//	prefix A B             file A without its last newline is the beginning of B
//	count N TEXT FILE      TEXT stands N times in FILE
//	nowhere TEXT PATH…     no file under PATH holds TEXT
//	obsidian VAULT NOTE WHEN  write a workspace: NOTE is open, sub/Beta.md is pinned;
//	                       WHEN is now or old
//	config K=V…            write the configuration file
//	glob N PATTERN         N files match
//	write FILE TEXT [N]    write a file, both quoted as in Go, TEXT N times over
//	append FILE TEXT       add to a file, TEXT quoted as in Go
//	edit FILE OLD NEW      replace text in a file that holds it
//	copilot CHAT FILE      read a chat as Obsidian Copilot does, into JSON; a time after
//	                       2026 is "now"
//	words FILE WORD…       the file holds all of them
//	messages CONTEXT FILE  the messages of a context event, as in DIR/N.all
//	calm FILE…             no control characters that a terminal would act on
//	onlychat VAULT FILE    copy the one chat of a vault to FILE
//	newest VAULT FILE      copy the chat that was changed last to FILE
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:   "testdata/script",
		Setup: setup,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status": status, "serve": serve, "sent": sent, "requests": requests,
			"talk": talk, "say": say, "tell": tell, "await": await, "signal": signalTo, "ends": ends,
			"events": events, "field": field, "count": count, "prefix": prefix, "nowhere": nowhere,
			"onlychat": onlyChat, "newest": newestChat, "obsidian": obsidian, "config": config, "glob": glob, "write": write, "append": appendTo, "edit": edit, "copilot": copilot, "calm": calm, "words": words, "messages": messages,
		},
		Condition: func(cond string) (bool, error) {
			if cond == "root" {
				return os.Geteuid() == 0, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
	})
}

func setup(e *testscript.Env) error {
	home := filepath.Join(e.WorkDir, "home")
	e.Vars = append(e.Vars,
		"HOME="+home, "USERPROFILE="+home, "XDG_CONFIG_HOME="+filepath.Join(home, "config"),
		"XDG_STATE_HOME="+filepath.Join(home, "state"), "XDG_CACHE_HOME="+filepath.Join(home, "cache"),
		"OPENAI_API_KEY=", "OPENAI_BASE_URL=", "NO_COLOR=1", "TZ=UTC",
	)
	e.Values[worldKey{}] = &world{servers: map[string]*chaintest.Server{}, talks: map[string]*conversation{}}
	config := filepath.Join(home, "config", "ibid")
	if err := os.MkdirAll(config, 0o755); err != nil {
		return err
	}
	// Whatever runs on the machine of the test is not asked.
	return os.WriteFile(filepath.Join(config, "config.toml"), []byte("discover = false\n"), 0o644)
}

// world is what a script has started.
type world struct {
	servers map[string]*chaintest.Server
	talks   map[string]*conversation
}

type worldKey struct{}

func of(ts *testscript.TestScript) *world { return ts.Value(worldKey{}).(*world) }

func need(ts *testscript.TestScript, neg bool, args []string, least int, usage string) {
	if neg || len(args) < least {
		ts.Fatalf("usage: %s", usage)
	}
}

func number(ts *testscript.TestScript, s string) int {
	n, err := strconv.Atoi(s)
	ts.Check(err)
	return n
}

func status(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "status N CMD ARG…")
	err := ts.Exec(args[1], args[2:]...)
	if got := exitStatus(err); got != number(ts, args[0]) {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
}

// exitStatus is how a program ended: its status, or -1 if a signal ended it.
func exitStatus(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	return -2
}

// answer is a line of a server's script: a chaintest.Answer, or what Is names.
type answer struct {
	chaintest.Answer
	Is     string // refused, nomodel, toolong, limited, down, signin
	Replay string // a recorded body
	Wait   string // before every chunk: "20ms"
	After  int    // seconds that a limited server names
	Times  int    // 0 is once
}

func (a answer) build(ts *testscript.TestScript) chaintest.Answer {
	if a.Wait != "" {
		d, err := time.ParseDuration(a.Wait)
		ts.Check(err)
		a.Delay = d
	}
	switch a.Is {
	case "":
	case "refused":
		return chaintest.Refused()
	case "nomodel":
		return chaintest.NoModel("test-modle")
	case "toolong":
		return chaintest.TooLong(8192, 9000)
	case "limited":
		return chaintest.RateLimited(time.Duration(a.After) * time.Second)
	case "down":
		return chaintest.Down(max(a.Status, 500))
	case "signin":
		return chaintest.SignIn()
	default:
		ts.Fatalf("no answer is called %q", a.Is)
	}
	if a.Replay != "" {
		replayed, err := chaintest.Replay(ts.MkAbs(a.Replay))
		ts.Check(err)
		return replayed
	}
	return a.Answer
}

func serve(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 1, "serve VAR [FILE] [K=V…]")
	var o chaintest.Options
	for _, arg := range args[1:] {
		key, value, ok := strings.Cut(arg, "=")
		switch {
		case !ok:
			for line := range strings.Lines(ts.ReadFile(arg)) {
				var a answer
				ts.Check(json.Unmarshal([]byte(line), &a))
				for range max(a.Times, 1) {
					o.Answers = append(o.Answers, a.build(ts))
				}
			}
		case key == "key":
			o.Key = value
		case key == "window":
			o.Window = number(ts, value)
		case key == "like":
			o.Like = value
		case key == "vision":
			o.Models = []chaintest.Model{{ID: "test-model", Window: 32768, Loaded: 32768, Images: value == "yes"}}
		case key == "strict":
			o.Strict = value == "yes"
		case key == "models":
			for name := range strings.SplitSeq(value, ",") {
				o.Models = append(o.Models, chaintest.Model{ID: name, Window: 32768})
			}
		default:
			ts.Fatalf("no server has a %q", key)
		}
	}
	s, err := chaintest.Start("127.0.0.1:0", o)
	ts.Check(err)
	ts.Defer(s.Close)
	of(ts).servers[args[0]] = s
	ts.Setenv(args[0], s.URL())
}

func sent(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "sent VAR DIR")
	dir := ts.MkAbs(args[1])
	ts.Check(os.RemoveAll(dir))
	ts.Check(os.MkdirAll(dir, 0o755))
	for i, r := range of(ts).servers[args[0]].Completions() {
		var body struct {
			Messages []struct {
				Role    string
				Content any
			}
		}
		ts.Check(json.Unmarshal(r.Body, &body))
		var texts, all []string
		for _, m := range body.Messages {
			texts = append(texts, textOf(m.Content))
			all = append(all, "=== "+m.Role+"\n"+textOf(m.Content)+"\n")
		}
		for ext, text := range map[string]string{
			"history": strings.Join(all[1:len(all)-1], ""),
			"json":    string(r.Body), "all": strings.Join(all, ""), "system": texts[0], "user": texts[len(texts)-1],
		} {
			ts.Check(os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.%s", i+1, ext)), []byte(strings.TrimSuffix(text, "\n")+"\n"), 0o644))
		}
	}
}

// textOf is the text of a message's content; an image is "[image]".
func textOf(content any) string {
	parts, ok := content.([]any)
	if !ok {
		return fmt.Sprint(content)
	}
	text := ""
	for _, p := range parts {
		part, _ := p.(map[string]any)
		if said, ok := part["text"].(string); ok {
			text += said
		} else {
			text += "[image]"
		}
	}
	return text
}

func requests(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "requests VAR N")
	got := of(ts).servers[args[0]].Requests()
	if len(got) != number(ts, args[1]) {
		var b strings.Builder
		for _, r := range got {
			fmt.Fprintf(&b, "\n%s %s", r.Method, r.Path)
		}
		ts.Fatalf("the server got %d requests, want %s:%s", len(got), args[1], b.String())
	}
}

// conversation is a program that is talked to.
type conversation struct {
	cmd      *exec.Cmd
	in       io.WriteCloser
	out, err output
	told     int // how often the program was asked whether it is done
	done     chan error
}

// output is what a program has written so far.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

func talk(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "talk NAME CMD ARG…")
	c := &conversation{cmd: exec.Command(args[1], args[2:]...), done: make(chan error, 1)}
	c.cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "PATH", "TMPDIR", "TZ", "OPENAI_API_KEY", "OPENAI_BASE_URL"} {
		c.cmd.Env = append(c.cmd.Env, name+"="+ts.Getenv(name))
	}
	c.cmd.Stdout, c.cmd.Stderr = &c.out, &c.err
	var err error
	c.in, err = c.cmd.StdinPipe()
	ts.Check(err)
	ts.Check(c.cmd.Start())
	go func() { c.done <- c.cmd.Wait() }()
	ts.Defer(func() { _ = c.cmd.Process.Kill() }) // has ended, mostly
	of(ts).talks[args[0]] = c
}

// doneWith is what /help says of a command that a script has no use for: when
// it is there, the lines before it are done with.
const doneWith = "/redo: bring back what undo took"

func say(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "say NAME LINE…")
	c := of(ts).talks[args[0]]
	tell(ts, neg, append(args[:len(args):len(args)], "/help redo"))
	c.told++
	c.wait(ts, func() bool { return strings.Count(c.out.String(), doneWith) >= c.told })
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".now"), []byte(c.out.String()), 0o644))
}

func tell(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "tell NAME LINE…")
	for _, line := range args[1:] {
		_, err := io.WriteString(of(ts).talks[args[0]].in, line+"\n")
		ts.Check(err)
	}
}

func await(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "await NAME TEXT")
	c := of(ts).talks[args[0]]
	c.wait(ts, func() bool { return strings.Contains(c.out.String()+c.err.String(), args[1]) })
}

func (c *conversation) wait(ts *testscript.TestScript, ready func() bool) {
	for end := time.Now().Add(10 * time.Second); !ready(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			ts.Fatalf("nothing came; so far:\n%s\n%s", c.out.String(), c.err.String())
		}
	}
}

func signalTo(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "signal NAME SIG")
	s := map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP, "KILL": os.Kill}[args[1]]
	ts.Check(of(ts).talks[args[0]].cmd.Process.Signal(s))
}

func ends(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "ends NAME N")
	c := of(ts).talks[args[0]]
	ts.Check(c.in.Close())
	select {
	case err := <-c.done:
		ts.Check(os.WriteFile(ts.MkAbs(args[0]+".out"), []byte(c.out.String()), 0o644))
		ts.Check(os.WriteFile(ts.MkAbs(args[0]+".err"), []byte(c.err.String()), 0o644))
		if got := exitStatus(err); got != number(ts, args[1]) {
			ts.Fatalf("exit status %d, want %s\n%s\n%s", got, args[1], c.out.String(), c.err.String())
		}
	case <-time.After(10 * time.Second):
		ts.Fatalf("it does not end\n%s\n%s", c.out.String(), c.err.String())
	}
}

// count checks how often a text stands in a file: count N TEXT FILE.
func count(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: count N TEXT FILE")
	}
	got := strings.Count(ts.ReadFile(args[2]), args[1])
	if (got == number(ts, args[0])) == neg {
		ts.Fatalf("%q stands %d times in %s", args[1], got, args[2])
	}
}

func prefix(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "prefix A B")
	if !strings.HasPrefix(ts.ReadFile(args[1]), strings.TrimSuffix(ts.ReadFile(args[0]), "\n")) {
		ts.Fatalf("%s is not the beginning of %s", args[0], args[1])
	}
}

func nowhere(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "nowhere TEXT PATH…")
	for _, root := range args[1:] {
		ts.Check(filepath.WalkDir(ts.MkAbs(root), func(name string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			data, err := os.ReadFile(name)
			if err == nil && bytes.Contains(data, []byte(args[0])) {
				err = fmt.Errorf("%q stands in %s", args[0], name)
			}
			return err
		}))
	}
}

// workspace is what Obsidian writes, as far as it matters.
const workspace = `{"main":{"id":"0000000000000001","type":"split","children":[{"id":"0000000000000002","type":"tabs","children":[
{"id":"00000000000000aa","type":"leaf","state":{"type":"markdown","state":{"file":%q,"mode":"source"}}},
{"id":"00000000000000ab","type":"leaf","pinned":true,"state":{"type":"markdown","pinned":true,"state":{"file":"sub/Beta.md","mode":"source"}}}
]}],"direction":"vertical"},"active":"00000000000000aa","lastOpenFiles":["sub/Beta.md",%[1]q]}`

func obsidian(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 3, "obsidian VAULT NOTE WHEN")
	name := filepath.Join(ts.MkAbs(args[0]), ".obsidian", "workspace.json")
	ts.Check(os.MkdirAll(filepath.Dir(name), 0o755))
	ts.Check(os.WriteFile(name, fmt.Appendf(nil, workspace, args[1]), 0o644))
	when := time.Now()
	if args[2] == "old" {
		when = when.Add(-2 * time.Hour)
	}
	ts.Check(os.Chtimes(name, when, when))
}

func config(ts *testscript.TestScript, neg bool, args []string) {
	text := "discover = false\n"
	for _, arg := range args {
		key, value, _ := strings.Cut(arg, "=")
		text += fmt.Sprintf("%s = %q\n", key, value)
	}
	ts.Check(os.WriteFile(filepath.Join(ts.Getenv("XDG_CONFIG_HOME"), "ibid", "config.toml"), []byte(text), 0o644))
}

func glob(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "glob N PATTERN")
	found, err := filepath.Glob(ts.MkAbs(args[1]))
	ts.Check(err)
	if len(found) != number(ts, args[0]) {
		ts.Fatalf("%d files match: %q", len(found), found)
	}
}

func write(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "write FILE TEXT [N]")
	name, err := strconv.Unquote(`"` + args[0] + `"`)
	ts.Check(err)
	text, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	if len(args) == 3 {
		text = strings.Repeat(text, number(ts, args[2]))
	}
	ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o644))
}

func appendTo(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "append FILE TEXT")
	text, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(ts.ReadFile(args[0])+text), 0o644))
}

func edit(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 3, "edit FILE OLD NEW")
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s does not hold %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, args[1], args[2], 1)), 0o644))
}

var (
	copilotMessage = regexp.MustCompile(`\*\*(user|ai)\*\*: `)
	copilotNext    = regexp.MustCompile(`\n\*\*(?:user|ai)\*\*: `)
)

// copilot reads a chat by the rules of the program whose format it is: text
// before the first header is dropped, a message runs to the next header, and
// its last lines may be a time and a context, which ends at the first "]".
func copilot(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "copilot CHAT FILE")
	type message struct {
		Role    string `json:"role"`
		Text    string `json:"text"`
		Context string `json:"context"`
		Stamp   string `json:"stamp"`
	}
	all := []message{}
	body := ts.ReadFile(args[0])
	if _, rest, ok := strings.Cut(strings.TrimPrefix(body, "---\n"), "\n---"); ok {
		body = rest
	}
	for at := copilotMessage.FindStringSubmatchIndex(body); at != nil; at = copilotMessage.FindStringSubmatchIndex(body) {
		m := message{Role: body[at[2]:at[3]], Text: body[at[1]:]}
		body = ""
		if next := copilotNext.FindStringIndex(m.Text); next != nil {
			m.Text, body = m.Text[:next[0]], m.Text[next[0]:]
		}
		m.Text = strings.TrimSpace(m.Text)
		if i := strings.LastIndex(m.Text, "\n[Timestamp: "); i >= 0 {
			m.Stamp = strings.TrimSuffix(m.Text[i+len("\n[Timestamp: "):], "]")
			m.Text = strings.TrimSpace(m.Text[:i])
		}
		if m.Stamp > "2026" {
			m.Stamp = "now"
		}
		if i := strings.LastIndex(m.Text, "\n[Context: "); i >= 0 {
			m.Context, _, _ = strings.Cut(m.Text[i+len("\n[Context: "):], "]")
			m.Text = strings.TrimSpace(m.Text[:i])
		}
		all = append(all, m)
	}
	data, err := json.MarshalIndent(all, "", " ")
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), append(data, '\n'), 0o644))
}

func messages(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "messages CONTEXT FILE")
	var context struct{ Messages []struct{ Role, Content string } }
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &context))
	text := ""
	for _, m := range context.Messages {
		text += "=== " + m.Role + "\n" + m.Content + "\n"
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o644))
}

func words(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "words FILE WORD…")
	text := ts.ReadFile(args[0])
	for _, w := range args[1:] {
		if !strings.Contains(text, w) {
			ts.Fatalf("%s does not hold %q", args[0], w)
		}
	}
}

func calm(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 1, "calm FILE…")
	for _, file := range args {
		for i, r := range ts.ReadFile(file) {
			if r != '\n' && r != '\t' && (r < 0x20 || r >= 0x7f && r <= 0x9f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069) {
				ts.Fatalf("%U at byte %d of %s", r, i, file)
			}
		}
	}
}

// onlyChat copies the one chat of a vault to a file: onlychat VAULT FILE.
func onlyChat(ts *testscript.TestScript, _ bool, args []string) {
	found := chats(ts, args[0])
	if len(found) != 1 {
		ts.Fatalf("%d chats: %v", len(found), found)
	}
	newestChat(ts, false, args)
}

func newestChat(ts *testscript.TestScript, _ bool, args []string) {
	found := chats(ts, args[0])
	if len(found) == 0 {
		ts.Fatalf("no chats in %s", args[0])
	}
	data, err := os.ReadFile(found[0])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), data, 0o644))
}

// chats lists the chats of a vault, the one changed last in front.
func chats(ts *testscript.TestScript, vault string) []string {
	found, err := filepath.Glob(filepath.Join(ts.MkAbs(vault), "Chats", "*.md"))
	ts.Check(err)
	changed := func(name string) time.Time {
		info, err := os.Stat(name)
		ts.Check(err)
		return info.ModTime()
	}
	slices.SortFunc(found, func(a, b string) int { return changed(b).Compare(changed(a)) })
	return found
}

// promised is what scripts may rely on in each event: keys and what they hold.
// "?" after a key says that it may be absent. A string is a pattern.
var promised = map[string]map[string]any{
	"turn":      {"n": 0.0, "chat": ".*"},
	"reasoning": {"text": ".*"},
	"delta":     {"text": ".*"},
	"tool":      {"id": ".*", "name": ".+", "state": "start|done|error", "args?": nil, "text?": ".*"},
	"approval":  {"tool": ".+", "path": ".+", "diff": ".*", "decision": "approved|refused"},
	"usage":     {"prompt?": 0.0, "cached?": 0.0, "completion?": 0.0, "reasoning?": 0.0, "cache_write?": 0.0, "cost?": 0.0},
	"warning":   {"kind": "[a-z_]+", "text": ".+"},
	"error":     {"kind": "auth|quota|rate|context|network|timeout|server|bad_reply|config|cut_off", "text": ".+", "retryable": true, "status": 0.0},
	"saved":     {"path": `[^/].*\.md`},
	"done":      {"finish": "stop|length|cancelled|cut_off|error"},
	"text":      {"text": ".*"},
	"context": {
		"attached": []any{map[string]any{"id": ".+", "kind": "[a-z]+", "state": "new|known|updated|missing|muted", "tokens": 0.0, "reason?": ".+"}},
		"layers":   []any{map[string]any{"id": "L[1-5]|notes", "tokens": 0.0, "sha256": "[0-9a-f]{64}", "cached": 0.0}},
		"library": []any{map[string]any{
			"id": ".+", "kind": "[a-z]+", "title": ".*", "revision": "[0-9a-f]+", "since": 0.0, "times": 0.0, "tokens": 0.0,
			"place": "system|transcript", "state": "[a-z]+",
		}},
		"epoch":     map[string]any{"n": 0.0, "cause": "[a-z0-9L]+", "turn": 0.0, "new": true},
		"predicted": map[string]any{"prompt": 0.0, "cached": 0.0},
		"not_sent":  []any{map[string]any{"id": ".+", "reason": ".+"}},
		"messages?": []any{map[string]any{"role": "system|user|assistant", "content": "(?s).*"}},
		"turn":      0.0, "layout": "auto|strict|append",
	},
	// One object a line, without a type of its own.
	"chats list": {
		"path": ".+", "title": ".*", "epoch": 0.0, "modified": rfc3339, "turns": 0.0, "notes": []any{".+"}, "problems": []any{".+"},
		"snippet?": ".*", "message?": 0.0,
	},
	"notes":   {"path": ".+", "title": ".*", "score": 0.0, "snippet": ".*", "line": 0.0, "heading?": ".*"},
	"resolve": {"ref": ".+", "kind": "[a-z]+", "path": ".*", "id": ".*", "state": "[a-z_]+", "candidates": []any{".+"}},
	"models":  {"id": ".+", "window?": 0.0, "images": true, "tools": true, "chat": true, "used": true},
	"doctor":  {"check": "[a-z]+", "state": "ok|note|wrong", "text": ".+", "do?": ".+"},
	"chat": {
		"path": ".+", "epoch": 0.0, "title": ".*", "model": ".*", "tags": []any{".+"}, "warnings": []any{".+"},
		"messages": []any{map[string]any{
			"role": "user|assistant", "text": "(?s).*", "time?": rfc3339, "cut_off": true, "status?": ".+",
			"context?": map[string]any{
				"notes": []any{map[string]any{"ref": ".+", "path": ".*", "state": "ok|moved|missing|ambiguous"}},
				"urls":  []any{".+"}, "web_tabs": []any{".+"}, "tags": []any{".+"}, "folders": []any{".+"}, "selections": []any{".+"},
				"pins": []any{".+"}, "images": []any{".+"}, "active?": ".+",
			},
		}},
	},
}

const rfc3339 = `\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)`

// events checks that every line of a file is what was promised: events FILE, or
// events FILE SHAPE for objects without a type. Of a turn, "turn" is the first
// event and "done" the last.
func events(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 1, "events FILE [SHAPE]")
	running := false
	for n, e := range decoded(ts, args[0]) {
		kind, _ := e["type"].(string)
		if len(args) == 2 {
			kind = args[1]
		} else {
			delete(e, "type")
		}
		want, ok := promised[kind]
		if !ok {
			ts.Fatalf("line %d: nobody promised events of type %q", n+1, kind)
		}
		if err := fits(e, want, kind); err != nil {
			ts.Fatalf("line %d: %v", n+1, err)
		}
		switch inTurn := slices.Contains([]string{"reasoning", "delta", "tool", "usage", "saved", "done"}, kind); {
		case kind == "turn" && running:
			ts.Fatalf("line %d: a turn begins before another was done", n+1)
		case inTurn && !running:
			ts.Fatalf("line %d: %s outside a turn", n+1, kind)
		}
		running = (running || kind == "turn") && kind != "done"
	}
	if running {
		ts.Fatalf("the last turn is not done")
	}
}

// decoded are the objects of a file, one a line.
func decoded(ts *testscript.TestScript, file string) []map[string]any {
	var all []map[string]any
	for line := range strings.Lines(ts.ReadFile(file)) {
		var e map[string]any
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			ts.Fatalf("%s, line %d: %v\n%s", file, len(all)+1, err, line)
		}
		all = append(all, e)
	}
	if len(all) == 0 {
		ts.Fatalf("%s holds nothing", file)
	}
	return all
}

// fits checks a decoded value against what was promised of it.
func fits(got, want any, where string) error {
	switch want := want.(type) {
	case nil:
		return nil
	case string:
		s, ok := got.(string)
		if !ok || !regexp.MustCompile("^(?s:"+want+")$").MatchString(s) {
			return fmt.Errorf("%s is %v, want %s", where, got, want)
		}
	case []any:
		list, ok := got.([]any)
		if !ok {
			return fmt.Errorf("%s is %v, want a list", where, got)
		}
		for i, e := range list {
			if err := fits(e, want[0], fmt.Sprintf("%s[%d]", where, i)); err != nil {
				return err
			}
		}
	case map[string]any:
		return fitsObject(got, want, where)
	default:
		if fmt.Sprintf("%T", got) != fmt.Sprintf("%T", want) {
			return fmt.Errorf("%s is %v, want a %T", where, got, want)
		}
	}
	return nil
}

func fitsObject(got any, want map[string]any, where string) error {
	object, ok := got.(map[string]any)
	if !ok {
		return fmt.Errorf("%s is %v, want an object", where, got)
	}
	for key, shape := range want {
		name, optional := strings.CutSuffix(key, "?")
		value, there := object[name]
		if !there && !optional {
			return fmt.Errorf("%s has no %q: %v", where, name, object)
		}
		if there {
			if err := fits(value, shape, where+"."+name); err != nil {
				return err
			}
		}
	}
	for key := range object {
		if _, known := want[key]; !known {
			if _, known = want[key+"?"]; !known {
				return fmt.Errorf("%s has a %q, which nobody promised", where, key)
			}
		}
	}
	return nil
}

func field(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 3, "field VAR FILE TYPE.KEY")
	kind, key, _ := strings.Cut(args[2], ".")
	value := ""
	for _, e := range decoded(ts, args[1]) {
		if e["type"] == kind {
			value = fmt.Sprint(e[key])
		}
	}
	if value == "" {
		ts.Fatalf("%s has no %s", args[1], args[2])
	}
	ts.Setenv(args[0], value)
}
