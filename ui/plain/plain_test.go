package plain_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/chains/offline"
	"ibid/context/gather"
	"ibid/history"
	"ibid/ui/plain"
	"ibid/vault/vaulttest"
)

const notes = `
-- Alpha.md --
# Alpha

Bananas are yellow.
-- sub/Beta.md --
Grapes are green.
`

type rig struct {
	t        *testing.T
	desk     *desk.Place
	out, err bytes.Buffer
	output   *plain.Output
}

func newRig(t *testing.T, archive string) *rig {
	v := vaulttest.New(t, archive)
	store, err := history.NewStore(v, history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	r := &rig{t: t}
	g := gather.New(v, gather.Options{})
	r.desk = desk.New(desk.Options{
		Vault: v, Gather: g, Store: store, StateDir: t.TempDir(),
		Session: chains.Options{Model: offline.New(offline.Options{}), ModelName: "offline", Gather: g, Store: store},
	})
	r.output = &plain.Output{Out: &r.out, Err: &r.err}
	return r
}

// line runs one line and returns what it wrote to standard output and error.
func (r *rig) line(text string) (out, err string) {
	r.t.Helper()
	r.out.Reset()
	r.err.Reset()
	plain.Line(r.t.Context(), r.desk, r.output, text)
	return r.out.String(), r.err.String()
}

// TestOneChatAtATime closes the chat that a command leaves.
func TestOneChatAtATime(t *testing.T) {
	r := newRig(t, notes)
	r.line("bananas in @Alpha?")
	first := r.desk.Session().Snapshot().Path
	for _, line := range []string{"/new", "grapes in @Beta?", "/open " + first, "/branch 1"} {
		if _, errs := r.line(line); strings.Contains(errs, "error") || len(r.desk.Chats()) != 1 {
			t.Errorf("%s: %d chats are open\n%s", line, len(r.desk.Chats()), errs)
		}
	}
}

func TestLinesExitStatus(t *testing.T) {
	for in, want := range map[string]int{
		"/help\n":               plain.ExitDone,
		"/nonsense\n":           plain.ExitFailed,
		"one \\\ntwo\n/quit\nx": plain.ExitDone,
	} {
		r := newRig(t, notes)
		is(t, plain.Lines(t.Context(), r.desk, strings.NewReader(in), r.output, ""), want,
			in, r.out.String(), r.err.String())
	}
	r := newRig(t, notes)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	is(t, plain.Lines(ctx, r.desk, strings.NewReader("hello\n"), r.output, ""), plain.ExitInterrupted)
}

func TestEscapeSequencesStayOut(t *testing.T) {
	r := newRig(t, "-- Evil.md --\nThe evil note \x1b]0;owned\x07 says \x1b[2Jboo.\n")
	out, errs := r.line("what does @Evil say of evil?")
	if strings.ContainsAny(out+errs, "\x1b\x07") || !strings.Contains(out, "boo") {
		t.Errorf("got %q %q", out, errs)
	}
}

// TestReopenedNumbers: a chat that is opened again shows its footnotes with the
// numbers that /add takes.
func TestReopenedNumbers(t *testing.T) {
	r := newRig(t, notes+`
-- Chats/Fruit@20250127_120000.md --
---
epoch: 1737979200000
modelKey: "offline|offline"
topic: "Fruit"
tags:
  - copilot-conversation
ibid:
  v: 1
---

<!-- ibid {"v":2,"turns":[
{"h":"zxjUgoPJ","n":["looked up: localSearch \"fruit\" → sub/Beta.md"],"tools":[{"n":"localSearch","a":"{\"query\":\"fruit\"}","s":"done","f":6,"k":2,"src":{"7":"sub/Beta.md:1-1@fec407ba"}}]}
]} -->

**user**: fruit?
[Timestamp: 2025/01/27 12:00:00]

**ai**: Green ones. [^7]

#### Sources:

[^7]: [[sub/Beta]]
[Timestamp: 2025/01/27 12:00:01]
`)
	r.output.Labels = true
	out, errs := r.line("/open Fruit")
	if !strings.Contains(out, "Green ones. [^7]") || !strings.Contains(out, "[^7]: [[sub/Beta]]") {
		t.Errorf("%s%s", out, errs)
	}
}

// TestOpenNumber: /open takes a chat by its name or its number in the last list, and says
// how those with some words are found.
func TestOpenNumber(t *testing.T) {
	r := newRig(t, notes)
	for _, line := range []string{
		"bananas in @Alpha?", "/rename Barn roof", "/new", "grapes in @Beta?", "/rename Roof garden", "/new", "2",
		"/rename Trip",
	} {
		r.line(line)
	}
	r.output.Typed = true
	for _, line := range []string{"/open roof", "/open 9"} {
		if _, errs := r.line(line); !strings.Contains(errs, "there is no chat or note called") {
			t.Errorf("%s: %s", line, errs)
		}
	}
	for _, list := range []string{"/chats roof", "/chats"} {
		out, _ := r.line(list)
		_, second, _ := strings.Cut(out, "2  20")
		second, _, _ = strings.Cut(second, "\n")
		r.line("/open 2")
		if chat, err := r.desk.Session().Chat(); err != nil || !strings.Contains(second, "  "+chat.Title+"  ") {
			t.Errorf("%s, /open 2: in %q (%v)\n%s", list, chat.Title, err, out)
		}
	}
}

// is fails the test with a diff if got differs from want; of names the values.
func is[T any](t testing.TB, got, want T, of ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%v (-want +got)\n%s", of, diff)
	}
}
