package ui_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/ui/uitest"
)

func ask(r *uitest.Robot, text, want string) {
	r.Type(text)
	r.Press("enter")
	if want != "" {
		r.WaitFor(want)
		r.Pass(time.Second)
	}
}

// begin is ask that does not wait for what comes after that: the end of a reply.
func begin(r *uitest.Robot, text, want string) {
	r.Type(text)
	r.Press("enter")
	r.WaitFor(want)
}

func want(t *testing.T, r *uitest.Robot, texts ...string) {
	t.Helper()
	for _, s := range texts {
		if !r.Has(s) {
			t.Fatalf("%q is not on the screen:\n%s", s, r.Screen())
		}
	}
}

func wantNot(t *testing.T, r *uitest.Robot, texts ...string) {
	t.Helper()
	for _, s := range texts {
		if r.Has(s) {
			t.Fatalf("%q is on the screen:\n%s", s, r.Screen())
		}
	}
}

// TestQueue writes ahead: what is queued is counted, recalled by the arrow key,
// and sent when the reply is there.
func TestQueue(t *testing.T) {
	play(t, 80, 24, []chaintest.Reply{slow("one two three four"), reply("to the second"), reply("to the third")},
		func(t *testing.T, r *uitest.Robot, g *rig) {
			begin(r, "first", "two")
			ask(r, "second", "")
			want(t, r, "queued  second")
			ask(r, "thrid", "")
			want(t, r, "queued  thrid")
			r.Press("up")
			want(t, r, "queued  second", "> thrid")
			wantNot(t, r, "queued  thrid")
			r.Press("ctrl+u")
			ask(r, "third", "")
			r.WaitFor("to the third")
			r.Pass(time.Second)
			wantNot(t, r, "queued", "thrid")
			file := g.chatFile(t)
			if strings.Index(file, "second") > strings.Index(file, "third") {
				t.Error("the queue was sent out of order")
			}
		})
}

// TestErrorsAreShown shows what went wrong under the turn, with what to do, and
// keeps it out of the file.
func TestErrorsAreShown(t *testing.T) {
	fail := &chains.ProviderError{
		Kind: chains.ErrRate, Status: 429,
		Message: "Too many requests: wait a minute.", Retryable: true,
	}
	play(t, 80, 24, []chaintest.Reply{{Err: fail}, reply("here it is")}, func(t *testing.T, r *uitest.Robot, g *rig) {
		ask(r, "please", "Too many requests: wait a minute.")
		want(t, r, "/retry sends the message again", "please")
		if file := g.chatFile(t); strings.Contains(file, "Too many") {
			t.Errorf("the error is in the file:\n%s", file)
		}
		r.Press("ctrl+x", ".")
		r.WaitFor("here it is")
		r.Pass(time.Second)
		wantNot(t, r, "Too many")
		if n := strings.Count(g.chatFile(t), "please"); n < 1 || strings.Count(r.Screen(), "▌ please") != 1 {
			t.Errorf("the message stands there %d times:\n%s", strings.Count(r.Screen(), "▌ please"), r.Screen())
		}
	})
}

// TestErrorMidway keeps what came before the connection broke.
func TestErrorMidway(t *testing.T) {
	cut := &chains.ProviderError{Kind: chains.ErrCutOff, Message: "The connection broke."}
	play(t, 80, 24, []chaintest.Reply{{Chunks: []string{"half ", "a reply ", "lost"}, Err: cut, ErrAfter: 2}},
		func(t *testing.T, r *uitest.Robot, _ *rig) {
			ask(r, "go", "The connection broke.")
			want(t, r, "half a reply", "interrupted here")
			wantNot(t, r, "lost")
		})
}

// TestRetryBreaksOff keeps a whole reply on screen and in the file when the one
// that was to replace it breaks off.
func TestRetryBreaksOff(t *testing.T) {
	cut := &chains.ProviderError{Kind: chains.ErrCutOff, Message: "The connection broke."}
	play(t, 80, 30, []chaintest.Reply{
		reply("whole answer"),
		{Chunks: []string{"half ", "another"}, Err: cut, ErrAfter: 1},
	}, func(t *testing.T, r *uitest.Robot, g *rig) {
		ask(r, "alpha", "whole answer")
		ask(r, "/retry", "whole answer")
		r.Pass(time.Second)
		want(t, r, "whole answer", "The connection broke.", "the one from before stays")
		wantNot(t, r, "half")
		if file := g.visible(t); !strings.Contains(file, "whole answer") || strings.Contains(file, "half") {
			t.Errorf("the file:\n%s", file)
		}
	})
}

// TestScrolledUpStays leaves a reader where they are while text arrives.
func TestScrolledUpStays(t *testing.T) {
	long := strings.Repeat("line\n\n", 60)
	play(t, 80, 24, []chaintest.Reply{
		reply("BEGIN\n\n" + long),
		{Chunks: strings.SplitAfter(long, "\n\n"), Delay: 50 * time.Millisecond},
	},
		func(t *testing.T, r *uitest.Robot, _ *rig) {
			ask(r, "one", "line")
			ask(r, "two", "")
			r.Pass(300 * time.Millisecond)
			r.Press("pgup", "pgup", "pgup", "pgup", "pgup", "pgup", "pgup", "pgup", "pgup", "pgup")
			want(t, r, "BEGIN")
			r.Pass(time.Second)
			want(t, r, "BEGIN", "new lines")
			r.Press("tab", "G")
			r.Pass(5 * time.Second)
			wantNot(t, r, "new lines", "BEGIN")
		})
}

// TestResizeWhileStreaming changes the size at each piece.
func TestResizeWhileStreaming(t *testing.T) {
	text := strings.Repeat("word 言葉 ", 80)
	play(t, 80, 24, []chaintest.Reply{slow(text)}, func(t *testing.T, r *uitest.Robot, g *rig) {
		begin(r, "go", "word")
		for i := range 60 {
			r.Resize(40+(i*37)%170, 10+(i*11)%45)
			r.Pass(90 * time.Millisecond)
		}
		r.Resize(100, 30)
		r.Pass(20 * time.Second)
		wantNot(t, r, "esc stop")
		if n := strings.Count(g.chatFile(t), "言葉"); n != 80 {
			t.Errorf("%d of 80 words are in the file", n)
		}
	})
}

// TestQuitWhileStreaming saves what came before the program ends.
func TestQuitWhileStreaming(t *testing.T) {
	var g *rig
	play(t, 80, 24, []chaintest.Reply{slow("one two three four five six")}, func(t *testing.T, r *uitest.Robot, rig *rig) {
		g = rig
		begin(r, "count", "three")
		r.Press("ctrl+c", "ctrl+c")
		r.WaitQuit()
		r.Close()
		if file := g.chatFile(t); !strings.Contains(file, "one two three") {
			t.Errorf("the file does not hold what came:\n%s", file)
		}
	})
}

func TestQuitKeys(t *testing.T) {
	play(t, 80, 24, nil, func(t *testing.T, r *uitest.Robot, _ *rig) {
		r.Type("a draft")
		r.Press("ctrl+c")
		want(t, r, "cleared", "Ask your vault")
		r.Press("up")
		want(t, r, "> a draft")
		r.Press("ctrl+c")
		r.Pass(3 * time.Second)
		r.Press("ctrl+c")
		if r.Quit() {
			t.Fatal("two presses far apart ended the program")
		}
		r.Press("ctrl+d")
		if !r.Quit() {
			t.Fatal("ctrl+d on an empty prompt did nothing")
		}
	})
	for _, line := range []string{"/quit", "/q"} {
		play(t, 80, 24, nil, func(t *testing.T, r *uitest.Robot, _ *rig) {
			ask(r, line, "")
			r.WaitQuit()
		})
	}
}

// TestIdleDrawsNothing lets an hour pass.
func TestIdleDrawsNothing(t *testing.T) {
	play(t, 120, 40, []chaintest.Reply{reply("yes")}, func(t *testing.T, r *uitest.Robot, g *rig) {
		ask(r, "hello", "yes")
		r.Pass(10 * time.Second)
		n := r.Frames()
		r.Pass(time.Minute)
		if r.Frames() != n {
			t.Errorf("%d frames while nothing happened", r.Frames()-n)
		}
	})
}

// TestFramesOfAStream counts what is drawn while words come: no more than a person can
// follow, and a key at once.
func TestFramesOfAStream(t *testing.T) {
	words := chaintest.Reply{
		Chunks: strings.SplitAfter(strings.Repeat("and another word ", 100), " "),
		Delay:  12 * time.Millisecond,
	}
	play(t, 80, 24, []chaintest.Reply{words}, func(t *testing.T, r *uitest.Robot, _ *rig) {
		begin(r, "count", "another")
		frames, last := 0, r.Content()
		for range 100 {
			r.Pass(10 * time.Millisecond)
			if now := r.Content(); now != last {
				frames, last = frames+1, now
			}
		}
		if frames < 12 || frames > 20 {
			t.Errorf("%d frames a second while text comes", frames)
		}
		r.Press("x")
		want(t, r, "> x")
	})
}

// TestBrokenOffStaysOnTheShelf: what a turn carried that broke off is on the shelf
// again and goes with the next one; what the person takes off does not.
func TestBrokenOffStaysOnTheShelf(t *testing.T) {
	replies := []chaintest.Reply{slow("one two three four five six seven eight"), reply("all of it"), reply("more")}
	play(t, 100, 24, replies, func(t *testing.T, r *uitest.Robot, g *rig) {
		r.Type("/add Soil")
		r.Press("enter")
		r.Pass(time.Second)
		begin(r, "count [[Setlist]]", "three")
		shown := func(when string, soil, setlist int) { // under the message, and on the shelf
			t.Helper()
			if s := r.Screen(); strings.Count(s, "+ Soil +") != soil || strings.Count(s, "+ Setlist +") != setlist {
				t.Fatalf("%s:\n%s", when, s)
			}
		}
		shown("while it runs", 1, 1)
		r.Press("esc")
		r.WaitFor("2 attachments on the shelf again")
		r.Pass(time.Second)
		shown("broken off", 2, 2)
		r.Press("left", "x")
		r.Pass(time.Second)
		shown("taken off", 2, 1)
		ask(r, "go on", "all of it")
		last := g.model.Requests()[1]
		if n := len(last.Messages); !strings.Contains(last.Messages[n-1].Content, "Garden/Soil.md") ||
			strings.Contains(last.Messages[n-1].Content, "Band/Setlist.md") {
			t.Errorf("sent: %q", last.Messages[n-1].Content)
		}
	})
}

// TestWaiting shows what goes on while a reply is waited for, and tells of its end
// when another window is in front.
func TestWaiting(t *testing.T) {
	refused := chaintest.Reply{
		Chunks: []string{"late", " answer"},
		Notice: "No answer yet from x (500), again in 3 s, 2 of 3.", Wait: 3 * time.Second, Delay: 15 * time.Second,
	}
	play(t, 80, 24, []chaintest.Reply{refused, reply("second"), reply("third")},
		func(t *testing.T, r *uitest.Robot, _ *rig) {
			r.Type("go")
			r.Press("enter")
			r.Send(tea.BlurMsg{})
			r.WaitFor("again in 3 s, 2 of 3.")
			want(t, r, "esc stops")
			r.Pass(1500 * time.Millisecond)
			want(t, r, "No answer yet from x (500), again in 2 s, 2 of 3.")
			r.Pass(2 * time.Second)
			want(t, r, "No answer yet from x (500), again now, 2 of 3.")
			r.Type("then this")
			r.Press("enter")
			r.Type("and that")
			r.Press("enter")
			want(t, r, "  queued  then this", "  queued  and that", "↑ edits")
			if v := r.View(); v.ProgressBar == nil || strings.HasPrefix(v.WindowTitle, "ibid") {
				t.Errorf("title %q, progress %v", v.WindowTitle, v.ProgressBar)
			}
			r.Press("up")
			want(t, r, "> and that", "  queued  then this")
			r.Press("ctrl+u")
			r.Pass(13 * time.Second)
			r.WaitFor("late")
			wantNot(t, r, "again now")
			r.Pass(15 * time.Second)
			r.WaitFor("second")
			r.Pass(time.Second)
			wantNot(t, r, "queued", "again in", "again now")
			if v := r.View(); v.ProgressBar != nil || !strings.HasPrefix(v.WindowTitle, "ibid") {
				t.Errorf("the progress outlived the reply, title %q", v.WindowTitle)
			}
			if got := r.Raw(); !strings.HasPrefix(got, "\x1b]9;ibid: ") || !strings.HasSuffix(got, "the reply is there\a") {
				t.Errorf("the terminal was told %q", got)
			}
		})
}

// TestProgressInSight: the seconds of a reply stay on the screen when its first line is
// above it.
func TestProgressInSight(t *testing.T) {
	for _, h := range []int{14, 24} {
		t.Run(fmt.Sprint(h), func(t *testing.T) {
			slow := chaintest.Reply{
				Chunks: strings.SplitAfter(strings.Repeat("a line of the reply\n\n", 60), "\n\n"),
				Delay:  300 * time.Millisecond,
			}
			play(t, 60, h, []chaintest.Reply{slow}, func(t *testing.T, r *uitest.Robot, _ *rig) {
				begin(r, "go", "a line")
				r.Pass(10 * time.Second)
				wantNot(t, r, "assistant")
				want(t, r, "tok/s")
				r.Press("esc")
				r.Pass(time.Second)
				wantNot(t, r, "tok/s")
			})
		})
	}
}
