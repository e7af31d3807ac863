package ui_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/chaintest"
)

// TestQueue writes ahead: what is queued is counted, recalled by the arrow key,
// and sent when the reply is there.
func TestQueue(t *testing.T) {
	play(t, replies(slow("one two three four"), reply("to the second"), reply("to the third")),
		func(r *stage) {
			r.Begin("first", "two")
			r.Ask("second", "")
			r.Want("queued  second")
			r.Ask("thrid", "")
			r.Want("queued  thrid")
			r.Press("up")
			r.Want("queued  second", "> thrid")
			r.WantNot("queued  thrid")
			r.Press("ctrl+u")
			r.Ask("third", "")
			r.WaitFor("to the third")
			r.Pass(time.Second)
			r.WantNot("queued", "thrid")
			file := r.chatText("")
			if strings.Index(file, "second") > strings.Index(file, "third") {
				r.Error("the queue was sent out of order")
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
	play(t, []chaintest.Reply{{Err: fail}, reply("here it is")}, func(r *stage) {
		r.Ask("please", "Too many requests: wait a minute.")
		r.Want("/retry sends the message again", "please")
		if file := r.chatText(""); strings.Contains(file, "Too many") {
			r.Errorf("the error is in the file:\n%s", file)
		}
		r.Press("ctrl+x", ".")
		r.WaitFor("here it is")
		r.Pass(time.Second)
		r.WantNot("Too many")
		if n := strings.Count(r.chatText(""), "please"); n < 1 || strings.Count(r.Screen(), "▌ please") != 1 {
			r.Errorf("the message stands there %d times:\n%s", strings.Count(r.Screen(), "▌ please"), r.Screen())
		}
	})
}

// TestErrorMidway: the text up to a broken connection is kept.
func TestErrorMidway(t *testing.T) {
	cut := &chains.ProviderError{Kind: chains.ErrCutOff, Message: "The connection broke."}
	play(t, []chaintest.Reply{{Chunks: []string{"half ", "a reply ", "lost"}, Err: cut, ErrAfter: 2}},
		func(r *stage) {
			r.Ask("go", "The connection broke.")
			r.Want("half a reply", "interrupted here")
			r.WantNot("lost")
		})
}

// TestRetryBreaksOff: a complete reply stays on the screen and in the file if the reply that
// would replace it breaks off.
func TestRetryBreaksOff(t *testing.T) {
	cut := &chains.ProviderError{Kind: chains.ErrCutOff, Message: "The connection broke."}
	playAt(t, 80, 30, []chaintest.Reply{
		reply("whole answer"),
		{Chunks: []string{"half ", "another"}, Err: cut, ErrAfter: 1},
	}, func(r *stage) {
		r.Ask("alpha", "whole answer")
		r.Ask("/retry", "whole answer")
		r.Pass(time.Second)
		r.Want("whole answer", "The connection broke.", "the one from before stays")
		r.WantNot("half")
		if file := r.visible(); !strings.Contains(file, "whole answer") || strings.Contains(file, "half") {
			r.Errorf("the file:\n%s", file)
		}
	})
}

// TestScrolledUpStays leaves a reader where they are while text arrives.
func TestScrolledUpStays(t *testing.T) {
	long := strings.Repeat("line\n\n", 60)
	play(t, []chaintest.Reply{
		reply("BEGIN\n\n" + long),
		{Chunks: strings.SplitAfter(long, "\n\n"), Delay: 50 * time.Millisecond},
	},
		func(r *stage) {
			r.Ask("one", "line")
			r.Ask("two", "")
			r.Pass(300 * time.Millisecond)
			r.Press("pgup", "pgup", "pgup", "pgup", "pgup", "pgup", "pgup", "pgup", "pgup", "pgup")
			r.Want("BEGIN")
			r.Pass(time.Second)
			r.Want("BEGIN", "new lines")
			r.Press("tab", "G")
			r.Pass(5 * time.Second)
			r.WantNot("new lines", "BEGIN")
		})
}

// TestResizeWhileStreaming changes the size at each piece.
func TestResizeWhileStreaming(t *testing.T) {
	text := strings.Repeat("word 言葉 ", 80)
	play(t, replies(slow(text)), func(r *stage) {
		r.Begin("go", "word")
		for i := range 60 {
			r.Resize(40+(i*37)%170, 10+(i*11)%45)
			r.Pass(90 * time.Millisecond)
		}
		r.Resize(100, 30)
		r.Pass(20 * time.Second)
		r.WantNot("esc stop")
		is(r, strings.Count(r.chatText(""), "言葉"), 80)
	})
}

// TestQuitWhileStreaming saves what came before the program ends.
func TestQuitWhileStreaming(t *testing.T) {
	var g *rig
	play(t, replies(slow("one two three four five six")), func(r *stage) {
		g = r.rig
		r.Begin("count", "three")
		r.Press("ctrl+c", "ctrl+c")
		r.WaitQuit()
		r.Close()
		if file := g.chatText(""); !strings.Contains(file, "one two three") {
			r.Errorf("the file does not hold what came:\n%s", file)
		}
	})
}

func TestQuitKeys(t *testing.T) {
	play(t, nil, func(r *stage) {
		r.Type("a draft")
		r.Press("ctrl+c")
		r.Want("cleared", "Ask your vault")
		r.Press("up")
		r.Want("> a draft")
		r.Press("ctrl+c")
		r.Pass(3 * time.Second)
		r.Press("ctrl+c")
		if r.Quit() {
			r.Fatal("two presses far apart ended the program")
		}
		r.Press("ctrl+d")
		if !r.Quit() {
			r.Fatal("ctrl+d on an empty prompt did nothing")
		}
	})
	for _, line := range []string{"/quit", "/q"} {
		play(t, nil, func(r *stage) {
			r.Ask(line, "")
			r.WaitQuit()
		})
	}
}

// TestIdleDrawsNothing lets an hour pass.
func TestIdleDrawsNothing(t *testing.T) {
	playAt(t, 120, 40, replies(reply("yes")), func(r *stage) {
		r.Ask("hello", "yes")
		r.Pass(10 * time.Second)
		n := r.Frames()
		r.Pass(time.Minute)
		is(r, r.Frames(), n, r.Frames()-n)
	})
}

// TestFramesOfAStream counts what is drawn while words come: no more than a person can
// follow, and a key at once.
func TestFramesOfAStream(t *testing.T) {
	words := chaintest.Reply{
		Chunks: strings.SplitAfter(strings.Repeat("and another word ", 100), " "),
		Delay:  12 * time.Millisecond,
	}
	play(t, replies(words), func(r *stage) {
		r.Begin("count", "another")
		frames, last := 0, r.Content()
		for range 100 {
			r.Pass(10 * time.Millisecond)
			if now := r.Content(); now != last {
				frames, last = frames+1, now
			}
		}
		if frames < 6 || frames > 12 {
			r.Errorf("%d frames a second while text comes", frames)
		}
		r.Press("x")
		r.Want("> x")
	})
}

// TestBrokenOffStaysOnTheShelf: what a turn carried that broke off is on the shelf
// again and goes with the next one; what the person takes off does not.
func TestBrokenOffStaysOnTheShelf(t *testing.T) {
	replies := replies(slow("one two three four five six seven eight"), reply("all of it"), reply("more"))
	playAt(t, 100, 24, replies, func(r *stage) {
		r.Type("/add Soil")
		r.Press("enter")
		r.Pass(time.Second)
		r.Begin("count [[Setlist]]", "three")
		shown := func(when string, soil, setlist int) { // under the message, and on the shelf
			r.Helper()
			if s := r.Screen(); strings.Count(s, "+ Soil +") != soil || strings.Count(s, "+ Setlist +") != setlist {
				r.Fatalf("%s:\n%s", when, s)
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
		r.Ask("go on", "all of it")
		last := r.model.Requests()[1]
		if n := len(last.Messages); !strings.Contains(last.Messages[n-1].Content, "Garden/Soil.md") ||
			strings.Contains(last.Messages[n-1].Content, "Band/Setlist.md") {
			r.Errorf("sent: %q", last.Messages[n-1].Content)
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
	play(t, replies(refused, reply("second"), reply("third")),
		func(r *stage) {
			r.Type("go")
			r.Press("enter")
			r.Send(tea.BlurMsg{})
			r.WaitFor("again in 3 s, 2 of 3.")
			r.Want("esc stops")
			r.Pass(1500 * time.Millisecond)
			r.Want("No answer yet from x (500), again in 2 s, 2 of 3.")
			r.Pass(2 * time.Second)
			r.Want("No answer yet from x (500), again now, 2 of 3.")
			r.Type("then this")
			r.Press("enter")
			r.Type("and that")
			r.Press("enter")
			r.Want("  queued  then this", "  queued  and that", "↑ edits")
			if v := r.View(); v.ProgressBar == nil || strings.HasPrefix(v.WindowTitle, "ibid") {
				r.Errorf("title %q, progress %v", v.WindowTitle, v.ProgressBar)
			}
			r.Press("up")
			r.Want("> and that", "  queued  then this")
			r.Press("ctrl+u")
			r.Pass(13 * time.Second)
			r.WaitFor("late")
			r.WantNot("again now")
			r.Pass(15 * time.Second)
			r.WaitFor("second")
			r.Pass(time.Second)
			r.WantNot("queued", "again in", "again now")
			if v := r.View(); v.ProgressBar != nil || !strings.HasPrefix(v.WindowTitle, "ibid") {
				r.Errorf("the progress outlived the reply, title %q", v.WindowTitle)
			}
			if got := r.Raw(); !strings.HasPrefix(got, "\x1b]9;ibid: ") || !strings.HasSuffix(got, "the reply is there\a") {
				r.Errorf("the terminal was told %q", got)
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
			playAt(t, 60, h, replies(slow), func(r *stage) {
				r.Begin("go", "a line")
				r.Pass(10 * time.Second)
				r.WantNot("assistant")
				r.Want("tok/s")
				r.Press("esc")
				r.Pass(time.Second)
				r.WantNot("tok/s")
			})
		})
	}
}
