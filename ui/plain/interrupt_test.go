package plain_test

import (
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/ui/plain"
)

// presser types a line, presses ctrl+c when each of the texts is written in turn, and
// types the other lines once the first press was answered.
type presser struct {
	at      []string
	presses chan struct{}
	lines   []string
	typed   bool // the first line
	again   sync.Once
	ended   <-chan struct{} // closed when the input ends
	wrote   chan struct{}   // closed when the first press was answered
}

func (p *presser) Write(b []byte) (int, error) {
	if len(p.at) > 0 && strings.Contains(string(b), p.at[0]) {
		p.at = p.at[1:]
		p.presses <- struct{}{}
	}
	if strings.Contains(string(b), "ctrl+c again") {
		p.again.Do(func() { close(p.wrote) })
	}
	return len(b), nil
}

func (p *presser) Read(b []byte) (int, error) {
	if p.typed {
		<-p.wrote
	}
	if len(p.lines) == 0 {
		<-p.ended
		return 0, io.EOF
	}
	line := p.lines[0]
	p.lines, p.typed = p.lines[1:], true
	return copy(b, line+"\n"), nil
}

// TestInterrupts: an interrupt stops a reply, a command or a question and the program
// goes on; the second one at the prompt ends it.
func TestInterrupts(t *testing.T) {
	const again = "ctrl+c again, ctrl+d or /quit ends ibid"
	hang := chaintest.Reply{Text: "Once upon" + strings.Repeat(" a time", 1000), Split: 9, Delay: 20 * time.Millisecond}
	tests := []struct {
		name   string
		at     []string // texts at which ctrl+c is pressed
		lines  []string
		status int
		want   []string
	}{
		{
			"a reply",
			[]string{"Once upon"},
			[]string{"Tell me.", "Go on."},
			plain.ExitDone,
			[]string{"stopped; what came is kept", again, "The end."},
		},
		{
			"a reply, and the prompt",
			[]string{"Once upon", again},
			[]string{"Tell me."},
			plain.ExitInterrupted,
			[]string{again},
		},
		{"a question", []string{"allow?"}, []string{"Look.", "Go on."}, plain.ExitDone, []string{again, "The end."}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			first := hang
			if tt.name == "a question" {
				first = calling("", call("fetchUrl", `{"url":"https://example.org"}`))
			}
			r := toolRig(t, []chains.Tool{asking("fetchUrl", chains.AccessWeb)}, first, chaintest.Reply{Text: "The end."})
			p := &presser{at: tt.at, presses: make(chan struct{}, 1), lines: tt.lines, wrote: make(chan struct{})}
			ended := make(chan struct{})
			if p.ended = ended; tt.status == plain.ExitDone {
				close(ended)
			} else {
				defer close(ended)
			}
			r.output.Out, r.output.Err = io.MultiWriter(&r.out, p), io.MultiWriter(&r.err, p)
			r.output.Asks, r.output.Typed, r.output.Interrupts = true, true, p.presses
			status := plain.Lines(t.Context(), r.desk, p, r.output, "")
			all := r.out.String() + r.err.String()
			is(t, status, tt.status, all)
			for _, want := range tt.want {
				if !strings.Contains(all, want) {
					t.Errorf("%q is not in\n%s", want, all)
				}
			}
		})
	}
}

// TestStatusOfTyped: where lines are typed, the status is that of the last turn; in a
// script, whatever failed counts.
func TestStatusOfTyped(t *testing.T) {
	bad := chaintest.Reply{Err: &chains.ProviderError{Kind: chains.ErrQuota, Message: "no money"}}
	tests := []struct {
		in            string
		replies       []chaintest.Reply
		typed, script int
	}{
		{"/nonsense\n", nil, plain.ExitDone, plain.ExitFailed},
		{"One.\n/nonsense\n", []chaintest.Reply{{Text: "Yes."}}, plain.ExitDone, plain.ExitFailed},
		{"One.\n", []chaintest.Reply{bad}, plain.ExitFailed, plain.ExitFailed},
		{"One.\n/nonsense\n/help\n", []chaintest.Reply{bad}, plain.ExitFailed, plain.ExitFailed},
		{"One.\nTwo.\n", []chaintest.Reply{bad, {Text: "Yes."}}, plain.ExitDone, plain.ExitFailed},
		{"One.\n/help\n", []chaintest.Reply{{Text: "Yes."}}, plain.ExitDone, plain.ExitDone},
	}
	for _, tt := range tests {
		for _, typed := range []bool{true, false} {
			r := toolRig(t, nil, tt.replies...)
			r.output.Typed = typed
			want := tt.script
			if typed {
				want = tt.typed
			}
			is(t, plain.Lines(t.Context(), r.desk, strings.NewReader(tt.in), r.output, ""), want,
				tt.in, typed, r.out.String(), r.err.String())
		}
	}
}
