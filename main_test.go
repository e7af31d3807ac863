package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"ibid/chains/chaintest"
	"ibid/ui/cli"
	"ibid/ui/plain"
	"ibid/vault/ownfile"
	"ibid/vault/vaulttest"
)

// TestMain runs the program instead of the tests if this file is called ibid: scripts find it
// by that name on PATH.
func TestMain(m *testing.M) {
	if strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") == "ibid" {
		main()
		return
	}
	time.Local = time.UTC // what scripts run in this process is at home where the programs they start are
	folder, err := os.MkdirTemp("", "ibid")
	if err == nil {
		err = errors.Join(os.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH")), nameProgram(filepath.Join(folder, "ibid")))
	}
	status := 1
	if err == nil {
		status = m.Run()
	} else {
		fmt.Fprintln(os.Stderr, err)
	}
	_ = os.RemoveAll(folder)
	os.Exit(status)
}

// nameProgram links the file of this test to name.
func nameProgram(name string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if runtime.GOOS != "windows" {
		return os.Symlink(self, name)
	}
	data, err := os.ReadFile(self)
	if err != nil {
		return err
	}
	return os.WriteFile(name+".exe", data, 0o755)
}

// TestScripts runs the whole program over testdata/script. Each script has a
// home, a state and a vault of its own, and no key of any provider.
//
// Beside the commands of testscript a script has these:
//
//	ibid ARG…              run ibid in this process; exec ibid is a process of its own
//	input FILE             what the next ibid in this process reads, as stdin is for exec
//	status N CMD ARG…      run a program (ibid in this process) that ends with exit status N
//	serve VAR [FILE] [K=V…]  start a model server; $VAR is its address. FILE holds
//	                       answers, one JSON object a line (see answer); the rest is echoed
//	sent VAR DIR           what the server got: DIR/N.json as it came, and as text
//	                       DIR/N.system, DIR/N.user (the last message), DIR/N.history, DIR/N.all, and in
//	                       DIR/N.head its path and the headers with keys, each with a newline at its end
//	requests VAR N         the server got N requests of any kind
//	talk NAME [exec] ibid ARG…  start ibid, which reads lines, in this process or its own
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
//	distinct N RE FILE…    what RE captures first in the files has N values
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
//
// IBID_BINARY names the file of a built ibid, which scripts then run instead of
// this test.
func TestScripts(t *testing.T) {
	useBinary(t, os.Getenv("IBID_BINARY"))
	testscript.Run(t, testscript.Params{
		Dir:   "testdata/script",
		Setup: setup,
		Cmds:  scriptCommands(),
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "modes": // the modes of files bind whoever runs this
				return runtime.GOOS != "windows" && os.Geteuid() != 0, nil
			case "slow":
				return vaulttest.Slow, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
	})
}

// useBinary copies a built program to the place where scripts find "ibid".
func useBinary(t *testing.T, built string) {
	if built == "" {
		return
	}
	program, err := os.ReadFile(built)
	check(t, err)
	name, err := exec.LookPath("ibid")
	check(t, err)
	// The old file may be a link to this test: remove it instead of writing to it.
	check(t, errors.Join(os.Remove(name), os.WriteFile(name, program, 0o755)))
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
	// Servers on the machine of the test get no requests.
	return os.WriteFile(filepath.Join(config, "config.toml"), []byte("discover = false\n"), 0o644)
}

// world holds the servers and programs that a script has started.
type world struct {
	servers map[string]*chaintest.Server
	talks   map[string]*conversation
	input   string // of the next ibid in this process
}

type worldKey struct{}

func of(ts *script) *world { return ts.Value(worldKey{}).(*world) }

type script = testscript.TestScript

// commands are the commands of scripts that cannot be negated, each with the least number of
// its arguments.
var commands = map[string]struct {
	least int
	run   func(ts *script, args []string)
}{
	"status": {2, status}, "input": {1, input}, "distinct": {3, distinct}, "prefix": {2, prefix}, "nowhere": {2, nowhere},
	"obsidian": {3, obsidian}, "glob": {2, glob}, "write": {2, write}, "append": {2, appendTo}, "edit": {3, edit},
	"copilot": {2, copilot}, "messages": {2, messages}, "words": {2, words}, "calm": {1, calm}, "serve": {1, serve},
	"embedded": {2, embedded}, "sent": {2, sent}, "requests": {2, requests}, "talk": {3, talk}, "say": {2, say},
	"tell": {2, tell}, "await": {2, await}, "signal": {2, signalTo}, "ends": {2, ends}, "events": {1, events},
	"field": {3, field}, "config": {0, config}, "onlychat": {2, onlyChat}, "newest": {2, newestChat},
}

func scriptCommands() map[string]func(ts *script, neg bool, args []string) {
	all := map[string]func(ts *script, neg bool, args []string){"ibid": ibid, "count": count}
	for name, c := range commands {
		all[name] = func(ts *script, neg bool, args []string) {
			if neg || len(args) < c.least {
				ts.Fatalf("usage: see TestScripts")
			}
			c.run(ts, args)
		}
	}
	return all
}

func number(ts *script, s string) int {
	n, err := strconv.Atoi(s)
	ts.Check(err)
	return n
}

func status(ts *script, args []string) {
	var got int
	switch command := args[1:]; command[0] {
	case "ibid":
		got = runHere(ts, command[1:])
	case "exec":
		got = exitStatus(ts.Exec(command[1], command[2:]...))
	default:
		got = exitStatus(ts.Exec(command[0], command[1:]...))
	}
	if got != number(ts, args[0]) {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
}

// ibid runs the program in this process, which saves the start of another process.
func ibid(ts *script, neg bool, args []string) {
	if got := runHere(ts, args); (got == 0) == neg {
		ts.Fatalf("exit status %d", got)
	}
}

func runHere(ts *script, args []string) int {
	in := of(ts).input
	of(ts).input = ""
	if os.Getenv("IBID_BINARY") != "" {
		from := "/dev/null" // an empty file would be an empty input
		if in != "" {
			from = ".input"
			write(ts, []string{from, strings.Trim(strconv.Quote(in), `"`)})
		}
		return exitStatus(ts.Exec("sh", append([]string{"-c", `exec ibid "$@" <` + from, "ibid"}, args...)...))
	}
	return cli.Run(context.Background(), cli.Env{
		Args: args, Stdin: strings.NewReader(in), Stdout: ts.Stdout(), Stderr: ts.Stderr(),
		Getenv: ts.Getenv, Dir: ts.MkAbs("."), Version: releaseVersion(), Interrupts: &plain.Interrupts{},
	})
}

func input(ts *script, args []string) {
	of(ts).input = ts.ReadFile(args[0])
}

func distinct(ts *script, args []string) {
	re := regexp.MustCompile("(?m)" + args[1])
	seen := map[string]bool{}
	for _, pattern := range args[2:] {
		names, err := filepath.Glob(ts.MkAbs(pattern))
		ts.Check(err)
		for _, name := range names {
			data, err := os.ReadFile(name)
			ts.Check(err)
			if m := re.FindSubmatch(data); m != nil {
				seen[string(m[1])] = true
			}
		}
	}
	if len(seen) != number(ts, args[0]) {
		ts.Fatalf("%d values of %s, want %s", len(seen), args[1], args[0])
	}
}

// exitStatus returns the exit status of a program, or -1 if a signal ended it.
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

// count checks how many times a text occurs in a file: count N TEXT FILE.
func count(ts *script, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: count N TEXT FILE")
	}
	got := strings.Count(ts.ReadFile(args[2]), args[1])
	if (got == number(ts, args[0])) == neg {
		ts.Fatalf("%q stands %d times in %s", args[1], got, args[2])
	}
}

func prefix(ts *script, args []string) {
	if !strings.HasPrefix(ts.ReadFile(args[1]), strings.TrimSuffix(ts.ReadFile(args[0]), "\n")) {
		ts.Fatalf("%s is not the beginning of %s", args[0], args[1])
	}
}

func nowhere(ts *script, args []string) {
	for _, root := range args[1:] {
		ts.Check(filepath.WalkDir(ts.MkAbs(root), func(name string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			data, err := ownfile.Read(name)
			if err == nil {
				data, err = ownfile.Unpack(data)
			}
			if err == nil && bytes.Contains(data, []byte(args[0])) {
				err = fmt.Errorf("%q stands in %s", args[0], name)
			}
			return err
		}))
	}
}

// workspace is the part of Obsidian's workspace file that ibid reads.
const workspace = `{"main":{"id":"0000000000000001","type":"split","children":[{"id":"0000000000000002","type":"tabs","children":[
{"id":"00000000000000aa","type":"leaf","state":{"type":"markdown","state":{"file":%q,"mode":"source"}}},
{"id":"00000000000000ab","type":"leaf","pinned":true,"state":{"type":"markdown","pinned":true,"state":{"file":"sub/Beta.md","mode":"source"}}}
]}],"direction":"vertical"},"active":"00000000000000aa","lastOpenFiles":["sub/Beta.md",%[1]q]}`

func obsidian(ts *script, args []string) {
	name := filepath.Join(ts.MkAbs(args[0]), ".obsidian", "workspace.json")
	ts.Check(os.MkdirAll(filepath.Dir(name), 0o755))
	ts.Check(os.WriteFile(name, fmt.Appendf(nil, workspace, args[1]), 0o644))
	when := time.Now()
	if args[2] == "old" {
		when = when.Add(-2 * time.Hour)
	}
	ts.Check(os.Chtimes(name, when, when))
}

func config(ts *script, args []string) {
	text := "discover = false\n"
	for _, arg := range args {
		key, value, _ := strings.Cut(arg, "=")
		text += fmt.Sprintf("%s = %q\n", key, value)
	}
	ts.Check(os.WriteFile(filepath.Join(ts.Getenv("XDG_CONFIG_HOME"), "ibid", "config.toml"), []byte(text), 0o644))
}

func glob(ts *script, args []string) {
	found, err := filepath.Glob(ts.MkAbs(args[1]))
	ts.Check(err)
	if len(found) != number(ts, args[0]) {
		ts.Fatalf("%d files match: %q", len(found), found)
	}
}

func write(ts *script, args []string) {
	name, err := strconv.Unquote(`"` + args[0] + `"`)
	ts.Check(err)
	text, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	if len(args) == 3 {
		text = strings.Repeat(text, number(ts, args[2]))
	}
	ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o644))
}

func appendTo(ts *script, args []string) {
	text, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(ts.ReadFile(args[0])+text), 0o644))
}

func edit(ts *script, args []string) {
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
func copilot(ts *script, args []string) {
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

func messages(ts *script, args []string) {
	var context struct {
		Messages []struct{ Role, Content string }
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &context))
	text := ""
	for _, m := range context.Messages {
		text += "=== " + m.Role + "\n" + m.Content + "\n"
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o644))
}

func words(ts *script, args []string) {
	text := ts.ReadFile(args[0])
	for _, w := range args[1:] {
		if !strings.Contains(text, w) {
			ts.Fatalf("%s does not hold %q", args[0], w)
		}
	}
}

func calm(ts *script, args []string) {
	for _, file := range args {
		for i, r := range ts.ReadFile(file) {
			if r != '\n' && r != '\t' && (r < 0x20 || r >= 0x7f && r <= 0x9f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069) {
				ts.Fatalf("%U at byte %d of %s", r, i, file)
			}
		}
	}
}

// onlyChat copies the one chat of a vault to a file: onlychat VAULT FILE.
func onlyChat(ts *script, args []string) {
	found := chats(ts, args[0])
	if len(found) != 1 {
		ts.Fatalf("%d chats: %v", len(found), found)
	}
	newestChat(ts, args)
}

func newestChat(ts *script, args []string) {
	found := chats(ts, args[0])
	if len(found) == 0 {
		ts.Fatalf("no chats in %s", args[0])
	}
	data, err := os.ReadFile(found[0])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), data, 0o644))
}

// chats lists the chats of a vault, most recently changed first.
func chats(ts *script, vault string) []string {
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
