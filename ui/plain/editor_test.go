package plain_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"ibid/chains/chaintest"
	"ibid/ui/plain"
)

// typist presses keys, the next ones whenever a prompt is drawn.
type typist struct {
	keys  []string
	drawn strings.Builder
	next  chan string
}

func (p *typist) Write(b []byte) (int, error) {
	p.drawn.Write(b)
	if strings.HasSuffix(string(b), "> ") || strings.HasSuffix(string(b), "] ") {
		key := ""
		if len(p.keys) > 0 {
			key, p.keys = p.keys[0], p.keys[1:]
		}
		p.next <- key
	}
	return len(b), nil
}

func (p *typist) Read(b []byte) (int, error) {
	keys := <-p.next
	if keys == "" {
		return 0, io.EOF
	}
	n := copy(b, keys)
	if n < len(keys) {
		p.next <- keys[n:]
	}
	return n, nil
}

// TestEditor: a line is edited, completed, pasted and brought back; ctrl+c drops it.
func TestEditor(t *testing.T) {
	const left, up, end = "\x1b[D", "\x1b[A", "\x05"
	for name, tt := range map[string]struct{ keys, want string }{
		"in the middle":  {"Helo" + left + "l" + end + "!\r", "Hello!"},
		"ctrl+a, ctrl+k": {"gone\x01\x0bhere\r", "here"},
		"words":          {"one three\x1bbtwo \r", "one two three"},
		"ctrl+w":         {"one two\x17three\r", "one three"},
		"tab":            {"see @les\t4\"\r", `see @"Lesson 4"`},
		"pasted":         {"\x1b[200~one\ntwo\x1b[201~ three\r", "one\ntwo three"},
		"earlier":        {up + up + " again\r", "older again"},
		"ctrl+c":         {"dropped\x03", "kept"},
	} {
		t.Run(name, func(t *testing.T) {
			r := toolRig(t, nil, chaintest.Reply{Text: "Yes."})
			p := &typist{keys: []string{tt.keys}, next: make(chan string, 4)}
			presses := make(chan struct{}, 1)
			if name == "ctrl+c" {
				p.keys = append(p.keys, "kept\r")
			}
			r.output.Interrupts, r.output.Typed, r.output.Out = presses, true, &r.out
			editor := &plain.Editor{
				Terminal: p,
				Raw:      func() (func(), error) { return func() {}, nil },
				Width:    func() int { return 80 },
				Press:    func() bool { presses <- struct{}{}; return true },
				Earlier:  func() []string { return []string{"newer", "older"} },
				Complete: func(line string) (int, []string) {
					return strings.IndexByte(line, '@'), []string{`@"Lesson 4"`, `@"Lesson 5"`, "@Barn"}
				},
			}
			is(t, plain.Lines(context.Background(), r.desk, editor, r.output, "> "), plain.ExitDone)
			chat, err := r.desk.Session().Chat()
			if err != nil {
				t.Fatal(err)
			}
			for _, said := range chat.Messages {
				is(t, said.Text, tt.want, "sent", p.drawn.String())
				break
			}
		})
	}
}
