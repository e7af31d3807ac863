package main

import (
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"ibid": func() {
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
			defer stop()
			os.Exit(run(ctx, os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr))
		},
	})
}

// TestScripts runs the whole program over testdata/script. Each script has a
// home, a state and a vault of its own, and no key of any provider.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, "home")
			e.Vars = append(e.Vars,
				"HOME="+home, "USERPROFILE="+home, "XDG_CONFIG_HOME="+filepath.Join(home, "config"),
				"XDG_STATE_HOME="+filepath.Join(home, "state"), "XDG_CACHE_HOME="+filepath.Join(home, "cache"),
				"OPENAI_API_KEY=", "OPENAI_BASE_URL=", "NO_COLOR=1", "TZ=UTC",
			)
			config := filepath.Join(home, "config", "ibid")
			if err := os.MkdirAll(config, 0o755); err != nil {
				return err
			}
			// Whatever runs on the machine of the test is not asked.
			return os.WriteFile(filepath.Join(config, "config.toml"), []byte("discover = false\n"), 0o644)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"count":    count,
			"onlychat": onlyChat,
		},
		RequireExplicitExec: false,
	})
}

// count checks how often a text stands in a file: count N TEXT FILE.
func count(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: count N TEXT FILE")
	}
	got := strings.Count(ts.ReadFile(args[2]), args[1])
	if (strings.Repeat("x", got) == strings.Repeat("x", atoi(args[0]))) == neg {
		ts.Fatalf("%q stands %d times in %s", args[1], got, args[2])
	}
}

func atoi(s string) int {
	n := 0
	for _, r := range s {
		n = n*10 + int(r-'0')
	}
	return n
}

// onlyChat copies the one chat of a vault to a file: onlychat VAULT FILE.
func onlyChat(ts *testscript.TestScript, _ bool, args []string) {
	found, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "Chats", "*.md"))
	ts.Check(err)
	if len(found) != 1 {
		ts.Fatalf("%d chats: %v", len(found), found)
	}
	data, err := os.ReadFile(found[0])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), data, 0o644))
}
