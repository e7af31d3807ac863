package main

// Commands of scripts for servers of models, for programs that read lines, and for the events
// that programs write.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"ibid/chains/chaintest"
	"ibid/ui/cli"
	"ibid/ui/plain"
)

// answer is a line in the file of a server: a chaintest.Answer, or the answer that Is names.
type answer struct {
	chaintest.Answer
	Is     string // refused, nomodel, toolong, notools, signin
	Wait   string // before every chunk: "20ms"
	Times  int    // so many requests get it, 0 is one
	Repeat int    // the text is said so many times over, and the thinking, 0 is once
	Calls  int    // the last call is made so many times, 0 is once
	Long   int    // letters that its first argument has more
}

func (a answer) build(ts *script) chaintest.Answer {
	if a.Wait != "" {
		d, err := time.ParseDuration(a.Wait)
		ts.Check(err)
		a.Delay = d
	}
	a.Text, a.Reasoning = strings.Repeat(a.Text, max(a.Repeat, 1)), strings.Repeat(a.Reasoning, max(a.Repeat, 1))
	if n := len(a.ToolCalls); n > 0 {
		last := &a.ToolCalls[n-1]
		last.Arguments = strings.Replace(last.Arguments, `:"`, `:"`+strings.Repeat("x", a.Long), 1)
		for i := 1; i < a.Calls; i++ {
			next := *last
			next.ID += strconv.Itoa(i)
			a.ToolCalls = append(a.ToolCalls, next)
		}
	}
	switch a.Is {
	case "":
	case "refused":
		return chaintest.RefuseKey()
	case "nomodel":
		return chaintest.NoModel("test-modle")
	case "toolong":
		return chaintest.TooLong(8192, 9000)
	case "notools":
		return chaintest.NoTools("test-model")
	case "signin":
		return chaintest.SignIn()
	default:
		ts.Fatalf("no answer is called %q", a.Is)
	}
	return a.Answer
}

func serve(ts *script, args []string) {
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
		case key == "like":
			o.Ollama, o.Gemini = value == "ollama", value == "gemini"
		case key == "efforts": // behind models
			for i := range o.Models {
				o.Models[i].Efforts = strings.Split(value, ",")
			}
		case key == "memory":
			o.Memory = number(ts, value)
		case key == "library":
			o.Library = []chaintest.Model{{ID: value, Window: 32768}}
		case key == "vision":
			o.Models = []chaintest.Model{{ID: "test-model", Window: 32768, Loaded: 32768, Images: value == "yes"}}
		case key == "price":
			in, out, _ := strings.Cut(value, "/")
			o.Models = []chaintest.Model{{ID: "test-model", Window: 32768, Price: [2]string{in, out}}}
		case key == "models":
			o.Models = []chaintest.Model{}
			for name := range strings.SplitSeq(strings.TrimPrefix(value, "none"), ",") {
				if name == "" {
					continue
				}
				o.Models = append(o.Models, chaintest.Model{ID: name, Window: 32768})
			}
		default:
			ts.Fatalf("no server has a %q", key)
		}
	}
	s := chaintest.Start(o)
	ts.Defer(s.Close)
	of(ts).servers[args[0]] = s
	if o.Gemini {
		ts.Setenv(args[0], s.Host()+"/v1beta/openai")
		return
	}
	ts.Setenv(args[0], s.URL())
}

// embedded writes the texts for which a server made vectors, one per line.
func embedded(ts *script, args []string) {
	all := ""
	for _, text := range of(ts).servers[args[0]].Embedded() {
		all += strings.ReplaceAll(text, "\n", " | ") + "\n"
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(all), 0o600))
}

func sent(ts *script, args []string) {
	dir := ts.MkAbs(args[1])
	ts.Check(os.RemoveAll(dir))
	ts.Check(os.MkdirAll(dir, 0o755))
	for i, r := range of(ts).servers[args[0]].Completions() {
		type message struct {
			Role    string
			Content any
			Images  []string
		}
		var body struct{ Messages, Input []message } // of chat completions, of the Responses API
		ts.Check(json.Unmarshal(r.Body, &body))
		var texts, all []string
		for _, m := range append(body.Messages, body.Input...) {
			text := strings.Repeat("[image]", len(m.Images)) + textOf(m.Content)
			texts = append(texts, text)
			all = append(all, "=== "+m.Role+"\n"+text+"\n")
		}
		heads := []string{r.Method + " " + r.Path}
		for _, name := range []string{"Authorization", "Api-Key"} {
			if values, ok := r.Header[name]; ok {
				heads = append(heads, name+": "+strings.Join(values, ","))
			}
		}
		for ext, text := range map[string]string{
			"head":    strings.Join(heads, "\n"),
			"history": strings.Join(all[min(1, len(all)-1):len(all)-1], ""),
			"json":    string(r.Body), "all": strings.Join(all, ""), "system": texts[0], "user": texts[len(texts)-1],
		} {
			text = today.ReplaceAllString(strings.TrimSuffix(text, "\n")+"\n", "Today is DAY.")
			ts.Check(os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.%s", i+1, ext)), []byte(text), 0o644))
		}
	}
}

// today matches the date in a request, which differs from day to day.
var today = regexp.MustCompile(`\bToday is [A-Z][a-z]+, \d+ [A-Z][a-z]+ \d{4}\.`)

// textOf returns the text of a message's content, with "[image]" for an image.
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

func requests(ts *script, args []string) {
	got := of(ts).servers[args[0]].Requests()
	if len(got) != number(ts, args[1]) {
		var b strings.Builder
		for _, r := range got {
			fmt.Fprintf(&b, "\n%s %s", r.Method, r.Path)
		}
		ts.Fatalf("the server got %d requests, want %s:%s", len(got), args[1], b.String())
	}
}

// conversation is a running program with its input and output.
type conversation struct {
	process  *os.Process // nil for ibid in this one
	in       io.WriteCloser
	out, err output
	told     int // how often the program was asked whether it is done
	status   int // once it has ended
	ended    chan struct{}
}

// output is the text that a program has printed so far.
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

func talk(ts *script, args []string) {
	words, process := args[2:], args[1] == "exec"
	if process {
		words = words[1:]
	}
	in, w, err := os.Pipe()
	ts.Check(err)
	c := &conversation{in: w, ended: make(chan struct{})}
	ctx, stop := context.WithCancel(context.Background())
	environment := map[string]string{}
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "PATH", "TMPDIR", "TZ", "OPENAI_API_KEY", "OPENAI_BASE_URL"} {
		environment[name] = ts.Getenv(name)
	}
	env := cli.Env{
		Args: words, Stdin: in, Stdout: &c.out, Stderr: &c.err,
		Getenv: func(name string) string { return environment[name] }, Dir: ts.MkAbs("."), Interrupts: &plain.Interrupts{},
	}
	run := func() int { return cli.Run(ctx, env) }
	if process || os.Getenv("IBID_BINARY") != "" {
		cmd := exec.CommandContext(ctx, "ibid", words...)
		cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = env.Dir, in, env.Stdout, env.Stderr
		for name, value := range environment {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
		ts.Check(cmd.Start())
		c.process, run = cmd.Process, func() int { return exitStatus(cmd.Wait()) }
	}
	go func() {
		defer close(c.ended)
		c.status = run()
		_ = in.Close()
	}()
	ts.Defer(func() { // has ended, mostly
		stop()
		_ = w.Close()
		<-c.ended
	})
	of(ts).talks[args[0]] = c
}

// helpLine is the answer to "/help redo", which no script asks for: after it, the program has
// handled the lines before.
const helpLine = "/redo: bring back what undo took"

func say(ts *script, args []string) {
	c := of(ts).talks[args[0]]
	tell(ts, append(args[:len(args):len(args)], "/help redo"))
	c.told++
	c.wait(ts, func() bool { return strings.Count(c.out.String(), helpLine) >= c.told })
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".now"), []byte(c.out.String()), 0o644))
}

func tell(ts *script, args []string) {
	for _, line := range args[1:] {
		_, err := io.WriteString(of(ts).talks[args[0]].in, line+"\n")
		ts.Check(err)
	}
}

func await(ts *script, args []string) {
	c := of(ts).talks[args[0]]
	c.wait(ts, func() bool { return strings.Contains(c.out.String()+c.err.String(), args[1]) })
}

// maxWait is the longest wait for an answer that takes no time on an idle machine.
const maxWait = time.Minute

func (c *conversation) wait(ts *script, ready func() bool) {
	for end := time.Now().Add(maxWait); !ready(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			ts.Fatalf("nothing came; so far:\n%s\n%s", c.out.String(), c.err.String())
		}
	}
}

func signalTo(ts *script, args []string) {
	s := map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP, "KILL": os.Kill}[args[1]]
	ts.Check(of(ts).talks[args[0]].process.Signal(s))
}

func ends(ts *script, args []string) {
	c := of(ts).talks[args[0]]
	if err := c.in.Close(); !errors.Is(err, os.ErrClosed) { // it was, if the program has ended by itself
		ts.Check(err)
	}
	select {
	case <-c.ended:
		ts.Check(os.WriteFile(ts.MkAbs(args[0]+".out"), []byte(c.out.String()), 0o644))
		ts.Check(os.WriteFile(ts.MkAbs(args[0]+".err"), []byte(c.err.String()), 0o644))
		if c.status != number(ts, args[1]) {
			ts.Fatalf("exit status %d, want %s\n%s\n%s", c.status, args[1], c.out.String(), c.err.String())
		}
	case <-time.After(maxWait):
		ts.Fatalf("it does not end\n%s\n%s", c.out.String(), c.err.String())
	}
}

// eventFormats are the formats of events: the keys, each with an example or, for a string, a
// pattern of its value. A key with "?" at its end may be absent.
var eventFormats = map[string]map[string]any{
	"turn":      {"n": 0.0, "chat": ".*", "chain": "[a-z]+"},
	"reasoning": {"text": ".*"},
	"delta":     {"text": ".*"},
	"plan":      {"calls": []any{map[string]any{"tool": ".+", "args": nil}}, "skipped?": "attached"},
	"tool": {
		"id": ".*", "name": ".+", "round": 0.0, "state": "start|done|error|cached|refused", "args?": nil, "text?": ".*", "note?": ".*", "ms?": 0.0, "tokens?": 0.0,
		"sources?": []any{map[string]any{"n": 0.0, "path": ".+", "heading": ".*", "from": 0.0, "to": 0.0, "link": ".+"}},
	},
	"sources": {
		"sources": []any{map[string]any{"n": 0.0, "path": ".+", "heading": ".*", "from": 0.0, "to": 0.0, "link": ".+"}},
		"footer":  "(?s).*", "struck": []any{0.0}, "dead_links": []any{".+"},
	},
	"approval": {
		"id": ".+", "tool": ".+", "kind": "read|web|write", "call": ".+", "decision": "pending|allowed|refused|applied|partial", "reason?": ".+",
		"path?": ".+", "paths?": []any{".+"}, "new?": true, "hunks?": 0.0, "added?": 0.0, "removed?": 0.0, "diff?": "(?s).*", "warnings?": []any{".+"}, "conflict?": []any{0.0},
		"applied?": 0.0, "undo?": 0.0,
	},
	"usage":      {"prompt?": 0.0, "cached?": 0.0, "completion?": 0.0, "reasoning?": 0.0, "cache_write?": 0.0, "cost?": 0.0},
	"usage_turn": {"prompt?": 0.0, "cached?": 0.0, "completion?": 0.0, "reasoning?": 0.0, "cache_write?": 0.0, "cost?": 0.0},
	"warning":    {"kind": "[a-z_]+", "text": ".+"},
	"error":      {"kind": "auth|quota|rate|context|network|timeout|server|bad_reply|config|cut_off", "text": ".+", "retryable": true, "status": 0.0},
	"saved":      {"path": `[^/].*\.md`},
	"done":       {"finish": "stop|length|cancelled|cut_off|error|tool_limit", "text": "(?s).*"},
	"text":       {"text": ".*"},
	"context": {
		"attached": []any{map[string]any{"id": ".+", "kind": "[a-z]+", "state": "new|known|updated|missing|muted", "tokens": 0.0, "reason?": ".+"}},
		"layers":   []any{map[string]any{"id": "L[1-5]|notes|guide|list|tools", "tokens": 0.0, "sha256": "[0-9a-f]{64}", "cached": 0.0}},
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
	// Formats of lines without a type.
	"chats list": {
		"path": ".+", "title": ".*", "epoch": 0.0, "modified": rfc3339, "turns": 0.0, "notes": 0.0, "tags": []any{".+"}, "model": ".*", "chain": ".+", "problems": []any{".+"},
		"snippet?": ".*", "message?": 0.0, "pinned?": true,
	},
	"chats kept": {"path": ".+", "pinned?": true, "archived?": true, "tags?": []any{".+"}},
	"chats trash": {
		"path": ".+", "from": ".+", "title": ".*", "epoch": 0.0, "deleted": rfc3339, "turns": 0.0, "tags": []any{".+"},
		"model": ".*", "chain": ".+", "problems": []any{".+"}, "pinned?": true,
	},
	"chats stats": {
		"path": ".+", "title": ".*", "epoch": 0.0, "month": `\d{4}-\d\d`, "model": ".+", "turns": 0.0, "prompt": 0.0, "cached": 0.0, "cache_write": 0.0,
		"completion": 0.0, "reasoning": 0.0, "cached_share": 0.0, "cost": 0.0, "provider": "", "requests": 0.0, "predicted": 0.0,
	},
	"notes":   {"path": ".+", "title": ".*", "score": 0.0, "snippet": ".*", "line": 0.0, "heading?": ".*"},
	"resolve": {"ref": ".+", "kind": "[a-z]+", "path": ".*", "id": ".*", "state": "[a-z_]+", "candidates": []any{".+"}},
	"models":  {"provider": ".+", "id": ".+", "window?": 0.0, "images": true, "tools": true, "chat": true, "used": true},
	"doctor":  {"check": "[a-z]+", "state": "ok|note|wrong", "text": ".+", "do?": ".+", "provider?": ".+"},
	"chat": {
		"path": ".+", "epoch": 0.0, "title": ".*", "model": ".*", "tags": []any{".+"}, "warnings": []any{".+"},
		"messages": []any{map[string]any{
			"role": "user|assistant", "thinking?": "(?s).+", "text": "(?s).*", "time?": rfc3339, "cut_off": true, "status?": ".+",
			"context?": map[string]any{
				"notes": []any{map[string]any{"ref": ".+", "path": ".*", "state": "ok|moved|missing|ambiguous"}},
				"urls":  []any{".+"}, "web_tabs": []any{".+"}, "tags": []any{".+"}, "folders": []any{".+"}, "selections": []any{".+"},
				"pins": []any{".+"}, "images": []any{".+"}, "active?": ".+",
			},
		}},
	},
}

const rfc3339 = `\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)`

// events checks that every line of a file has one of the eventFormats: events FILE, or events
// FILE FORMAT for objects without a type. Of a turn, "turn" is the first event and "done" the
// last.
func events(ts *script, args []string) {
	running, before := false, ""
	for n, e := range decodeLines(ts, args[0]) {
		kind, _ := e["type"].(string)
		if len(args) == 2 {
			kind = args[1]
		} else {
			delete(e, "type")
		}
		want, ok := eventFormats[kind]
		if !ok {
			ts.Fatalf("line %d: nobody promised events of type %q", n+1, kind)
		}
		if err := matchFormat(e, want, kind); err != nil {
			ts.Fatalf("line %d: %v", n+1, err)
		}
		switch inTurn := slices.Contains([]string{"reasoning", "delta", "plan", "tool", "approval", "usage", "usage_turn", "saved", "done"}, kind); {
		case kind == "turn" && running:
			ts.Fatalf("line %d: a turn begins before another was done", n+1)
		case kind == "done" && before == "error": // a turn that did not begin
		case inTurn && !running:
			ts.Fatalf("line %d: %s outside a turn", n+1, kind)
		}
		running, before = (running || kind == "turn") && kind != "done", kind
	}
	if running {
		ts.Fatalf("the last turn is not done")
	}
}

// decodeLines returns the objects of a file, which has one per line.
func decodeLines(ts *script, file string) []map[string]any {
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

// matchFormat compares a decoded value with its format.
func matchFormat(got, want any, where string) error {
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
			if err := matchFormat(e, want[0], fmt.Sprintf("%s[%d]", where, i)); err != nil {
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
			if err := matchFormat(value, shape, where+"."+name); err != nil {
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

func field(ts *script, args []string) {
	kind, key, _ := strings.Cut(args[2], ".")
	value := ""
	for _, e := range decodeLines(ts, args[1]) {
		if e["type"] == kind {
			value = fmt.Sprint(e[key])
		}
	}
	if value == "" {
		ts.Fatalf("%s has no %s", args[1], args[2])
	}
	ts.Setenv(args[0], value)
}
