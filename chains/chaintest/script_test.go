package chaintest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ibid/chains"
	"ibid/context/prompt"
)

// play streams a request and returns what came.
func play(ctx context.Context, m chains.Model, r chains.Request) (deltas []chains.Delta, err error) {
	for d, e := range m.Stream(ctx, r) {
		if e != nil {
			return deltas, e
		}
		deltas = append(deltas, d)
	}
	return deltas, nil
}

func texts(deltas []chains.Delta) (all []string) {
	for _, d := range deltas {
		if d.Text+d.Reasoning != "" {
			all = append(all, d.Reasoning+d.Text)
		}
	}
	return all
}

func TestScript(t *testing.T) {
	down := &chains.ProviderError{Kind: chains.ErrServer, Message: "Not now."}
	usage := &chains.Usage{Prompt: 12}
	calls := []prompt.ToolCall{{ID: "1", Name: "open", Arguments: "{}"}}
	tests := []struct {
		name   string
		reply  Reply
		want   []string
		finish chains.Finish
		err    error
	}{
		{"nothing", Reply{}, nil, chains.FinishStop, nil},
		{"text", Reply{Text: "Grüß dich", Usage: usage}, []string{"Grüß dich"}, chains.FinishStop, nil},
		{"characters", Reply{Text: "Grüß🌱", Split: 2, Reasoning: "Hm"}, []string{"Hm", "Gr", "üß", "🌱"}, chains.FinishStop, nil},
		{"chunks", Reply{Chunks: []string{"one ", "two"}, Text: "not used"}, []string{"one ", "two"}, chains.FinishStop, nil},
		{"calls", Reply{Text: "Let me look.", ToolCalls: calls}, []string{"Let me look."}, chains.FinishTools, nil},
		{"finish", Reply{Text: "Once", Finish: chains.FinishLength}, []string{"Once"}, chains.FinishLength, nil},
		{"error at once", Reply{Text: "Once", Err: down}, nil, "", down},
		{"error in between", Reply{Text: "Once upon", Split: 4, Err: down, ErrAfter: 1}, []string{"Once"}, "", down},
		{"error at the end", Reply{Text: "Once", Err: down, ErrAfter: 9}, []string{"Once"}, "", down},
		{"made of the request", Reply{Func: func(r chains.Request) Reply { return Reply{Text: r.Question + "!"} }}, []string{"Warm?!"}, chains.FinishStop, nil},
	}
	for _, tt := range tests {
		s := New(tt.reply)
		deltas, err := play(t.Context(), s, chains.Request{Question: "Warm?"})
		if got := texts(deltas); !slices.Equal(got, tt.want) || !errors.Is(err, tt.err) || (err == nil) != (tt.err == nil) {
			t.Errorf("%s: %q and %v, want %q and %v", tt.name, got, err, tt.want, tt.err)
		}
		if err != nil {
			continue
		}
		last := deltas[len(deltas)-1]
		if last.Finish != tt.finish || last.Usage != tt.reply.Usage {
			t.Errorf("%s: ended with %+v", tt.name, last)
		}
		if n := len(tt.reply.ToolCalls); n > 0 && len(deltas[len(deltas)-2].ToolCalls) != n {
			t.Errorf("%s: no calls in %+v", tt.name, deltas)
		}
	}
}

func TestScriptOrder(t *testing.T) {
	s := New(Reply{Text: "one"})
	s.Add(Reply{Text: "two"}, Reply{Func: func(r chains.Request) Reply { return Reply{Text: "re " + r.Question} }})
	for i, want := range []string{"one", "two", "re 3", "re 4"} {
		messages := []prompt.Message{{Role: prompt.User, Content: "as sent"}}
		got, err := play(t.Context(), s, chains.Request{Messages: messages, Question: string(rune('1' + i))})
		messages[0].Content = "changed later"
		if err != nil || strings.Join(texts(got), "") != want {
			t.Errorf("request %d: %q, %v", i+1, texts(got), err)
		}
	}
	if all := s.Requests(); len(all) != 4 || all[2].Question != "3" || all[0].Messages[0].Content != "as sent" || s.Left() != 0 {
		t.Errorf("recorded %+v, left %d", s.Requests(), s.Left())
	}
	short := New(Reply{Text: "one"})
	_, _ = play(t.Context(), short, chains.Request{})
	var perr *chains.ProviderError
	if _, err := play(t.Context(), short, chains.Request{}); !errors.As(err, &perr) || !strings.Contains(perr.Message, "request 2") {
		t.Errorf("a request too many: %v", err)
	}
}

// TestScriptTime runs on synthetic time: pauses are kept to the nanosecond, and
// the end of the context, or of the loop, ends them.
func TestScriptTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		slow := Reply{Text: "abc", Split: 1, Delay: 10 * time.Minute}
		if _, err := play(t.Context(), New(slow), chains.Request{}); err != nil || time.Since(start) != 30*time.Minute {
			t.Errorf("took %v, %v", time.Since(start), err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 15*time.Minute)
		defer cancel()
		got, err := play(ctx, New(slow), chains.Request{})
		if !errors.Is(err, context.DeadlineExceeded) || !slices.Equal(texts(got), []string{"a"}) {
			t.Errorf("cut by its deadline: %q, %v", texts(got), err)
		}
		done, end := context.WithCancel(t.Context())
		end()
		if got, err := play(done, New(Reply{Text: "abc"}), chains.Request{}); !errors.Is(err, context.Canceled) || len(got) != 0 {
			t.Errorf("cancelled before it began: %v, %v", got, err)
		}
		n := 0
		for range New(slow).Stream(t.Context(), chains.Request{}) {
			if n++; n == 2 {
				break
			}
		}
		is(t, n, 2)
	})
}
