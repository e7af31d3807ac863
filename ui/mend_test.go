package ui_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/desk"
	"ibid/ui"
	"ibid/ui/uitest"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// TestNothingReported tells a provider that says nothing about its cache from
// one that found nothing there.
func TestNothingReported(t *testing.T) {
	for _, tt := range []struct {
		name  string
		usage *chains.Usage
		Page  string
		rail  string
	}{
		{"no cache", &chains.Usage{Prompt: 420, Cached: -1, Completion: 8, Reasoning: -1, CacheWrite: -1, Cost: -1}, "sent 420  cached: not reported", "last turn cached: not reported"},
		{"nothing", nil, " sent, estimated: the provider reported nothing", " sent, estimated"},
		{"a cost of 0", &chains.Usage{Prompt: 420, Cached: 0, Completion: 8, Cost: 0}, "reply 8", "0 cached"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			play(t, 120, 30, []chaintest.Reply{{Text: "yes", Usage: tt.usage}}, func(t *testing.T, r *uitest.Robot, _ *rig) {
				ask(r, "hello", "yes")
				want(t, r, tt.rail)
				r.Resize(100, 30)
				r.Press("f2")
				r.Pass(time.Second)
				want(t, r, tt.Page)
				wantNot(t, r, "Nothing has been sent", "$", "-1")
				r.Resize(120, 40)
				wantNot(t, r, "nothing has been sent", "$", "-1")
			})
		})
	}
}

// TestNoModel says that there is none, and how to choose one, where no server
// answered; that is not the offline model.
func TestNoModel(t *testing.T) {
	playOn(t, 100, 30, func(t *testing.T) *rig {
		g := newRig(t, band)
		g.store, g.desk = g.open(t, g.model, "")
		g.firstRun()
		return g
	}, func(t *testing.T, r *uitest.Robot, _ *rig) {
		want(t, r, "no model", "ctrl+l chooses", "! none")
		wantNot(t, r, "offline")
	})
}

// TestFoundModel names the model that was found for a chat without one, while nothing
// has come yet.
func TestFoundModel(t *testing.T) {
	found := chaintest.Reply{Text: "one", Delay: time.Minute, Notice: "answering with oak-7b, the first chat model"}
	playOn(t, 100, 30, func(t *testing.T) *rig {
		g := newRig(t, band)
		found.Model = &chains.Options{Model: g.model, ModelName: "oak-7b"}
		g.model.Add(found)
		g.store, g.desk = g.open(t, g.model, "")
		return g
	}, func(t *testing.T, r *uitest.Robot, _ *rig) {
		begin(r, "hello", "answering with oak-7b")
		wantNot(t, r, "no model")
		if header, _, _ := strings.Cut(r.Screen(), "\n"); !strings.Contains(header, "oak-7b") {
			t.Errorf("the header does not name it:\n%s", r.Screen())
		}
		r.Pass(2 * time.Minute)
		r.WaitFor("one")
		r.Press("ctrl+n")
		r.Pass(time.Second)
		wantNot(t, r, "no model")
	})
}

// TestMissingPinIsQuiet leaves the word about a pin that is gone to the shelf,
// and tells of what was attached by hand.
func TestMissingPinIsQuiet(t *testing.T) {
	playWatched(t, []chaintest.Reply{reply("one"), counting("two", 100)}, func(t *testing.T, r *uitest.Robot, g *rig) {
		ask(r, "/pin Soil", "pinned")
		ask(r, "/active Tomatoes", "active note")
		for _, name := range []string{"Soil", "Tomatoes"} {
			if err := os.Remove(filepath.Join(g.dir, "Garden", name+".md")); err != nil {
				t.Fatal(err)
			}
		}
		g.batch <- vault.Batch{Paths: []vault.Path{"Garden/Soil.md", "Garden/Tomatoes.md"}}
		r.Pass(time.Second)
		want(t, r, "! pin Soil missing", "! Tomatoes missing")
		ask(r, "hello [[Nowhere]]", "one")
		want(t, r, "Nowhere")
		begin(r, "and so?", "two3")
		ask(r, "go on", "queued") // the shelf is drawn again
		want(t, r, "! pin Soil missing", "two4")
		r.Press("up", "ctrl+u", "esc")
		r.WaitFor("stopped here")
		r.Pass(time.Second)
		if n := strings.Count(r.Screen(), "Soil"); n != 1 {
			t.Errorf("Soil stands there %d times:\n%s", n, r.Screen())
		}
		r.Press("left", "x")
		r.WaitFor("unpinned: Garden/Soil.md")
	})
}

// TestShortenedIsAskedFirst tells what a turn would shorten before anything is
// sent, once for the same set.
func TestShortenedIsAskedFirst(t *testing.T) {
	long := strings.Repeat("a long answer about the weather in the garden ", 20)
	replies := make([]chaintest.Reply, 16)
	for i := range replies {
		replies[i] = chaintest.Reply{Text: long + "number " + string(rune('a'+i))}
	}
	playOn(t, 100, 30, runningWith(band, func(o *chains.Options) { o.Window, o.Count = 4200, nil }, replies...), func(t *testing.T, r *uitest.Robot, g *rig) {
		for range 16 {
			ask(r, "and then?", "")
			r.Pass(time.Second)
			if r.Has("To fit the window") {
				break
			}
		}
		n := len(g.model.Requests())
		want(t, r, "To fit the window of 4.2k tokens", "leaves out turns 1–", "enter sends", "> and then?")
		r.Press("esc")
		wantNot(t, r, "To fit the window")
		want(t, r, "> and then?")
		r.Press("enter")
		r.WaitFor("To fit the window")
		r.Pass(time.Second)
		r.Press("f2")
		r.WaitFor("Context")
		r.Press("esc")
		if got := len(g.model.Requests()); got != n {
			t.Fatalf("%d requests were made without a word", got-n)
		}
		r.Press("enter")
		r.WaitFor("To fit the window")
		r.Pass(time.Second)
		r.Press("enter")
		r.Pass(2 * time.Second)
		wantNot(t, r, "To fit the window")
		if got := len(g.model.Requests()); got != n+1 {
			t.Fatalf("%d requests were made, want one more", got-n)
		}
		if strings.Count(g.chatFile(t), "and then?") != n+1 {
			t.Errorf("the file holds:\n%s", g.chatFile(t))
		}
	})
}

// TestSummaryIsNotAskedAbout goes on without a question where the oldest turns have
// become a summary, and says so.
func TestSummaryIsNotAskedAbout(t *testing.T) {
	answer := chaintest.Reply{Func: func(r chains.Request) chaintest.Reply {
		if strings.HasPrefix(r.Messages[len(r.Messages)-1].Content, "Before we go on: summarize") {
			return reply("it was all about the weather")
		}
		return reply(strings.Repeat("a long answer about the weather in the garden ", 20))
	}}
	playOn(t, 100, 30, runningWith(band, func(o *chains.Options) { o.Window, o.Count, o.Background.Summaries = 4200, nil, true }, answer), func(t *testing.T, r *uitest.Robot, g *rig) {
		for range 16 {
			ask(r, "and then?", "")
			r.Pass(time.Second)
			if r.Has("in a summary") {
				break
			}
		}
		wantNot(t, r, "To fit the window of")
		want(t, r, "in a summary")
		all := g.model.Requests()
		if m := all[len(all)-1].Messages[2]; m.Content != "it was all about the weather" {
			t.Errorf("the summary is not in the request: %q", m.Content)
		}
		if err := g.desk.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestInspectorPast goes back in time: exact bytes of what was sent, the causes
// of epochs, what stayed here and why, and what changed from one request to the
// next.
func TestInspectorPast(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {140, 45}} {
		playOn(t, size[0], size[1], func(t *testing.T) *rig {
			g := newRig(t, band, reply("first"), reply("second"), reply("third"))
			g.watched()
			return g
		}, func(t *testing.T, r *uitest.Robot, g *rig) {
			r.Pass(time.Second)
			ask(r, "read [[Soil]] please", "first")
			vaulttest.Write(t, g.vault, "Garden/Soil.md", "# Soil\n\nLime in autumn.\n")
			g.batch <- vault.Batch{Paths: []vault.Path{"Garden/Soil.md"}}
			r.Pass(time.Second)
			ask(r, "/refresh", "")
			ask(r, "again", "second")
			r.Press("f2")
			r.Pass(time.Second)
			want(t, r, "next turn")
			r.Press("d")
			r.Pass(time.Second)
			want(t, r, "next turn, compared with turn 2")
			r.Press("G")
			want(t, r, "+second")
			r.Press("j", "j", "k", "esc")
			r.Pass(time.Second)
			wantNot(t, r, "compared")
			r.Press("left")
			r.Pass(time.Second)
			want(t, r, "turn 2, as sent")
			r.Press("d")
			r.Pass(time.Second)
			r.Press("j", "j", "j", "j", "j")
			want(t, r, "turn 2, compared with turn 1", "-Compost in spring", "+Lime in autumn")
			r.Press("f")
			r.Press("esc", "G")
			r.Pass(time.Second)
			want(t, r, "before that: notes arranged in turn 1, with the first message", "  notes arranged in turn 2, when they were read again")
			r.Press("left", "g", "j")
			r.Pass(time.Second)
			r.Press("enter")
			want(t, r, "exact bytes · ")
			r.Press("esc", "]", "]", "j", "j")
			r.Pass(time.Second)
			if r.Press("enter"); !r.Has("Compost in spring") {
				t.Fatalf("the bytes of turn 1 are not those that were sent:\n%s", r.Screen())
			}
			r.Press("esc", "d")
			r.Pass(time.Second)
			want(t, r, "there is no request before this one")
			r.Press("y")
			r.Pass(time.Second)
			if c := r.Clipboard(); !strings.Contains(c, `"turn":1`) || !strings.Contains(c, "Compost in spring") || !strings.Contains(c, `"messages":[`) {
				t.Errorf("copied %.300s", c)
			}
		})
	}
}

// heap is a note that fits no small window.
var heap = "-- Heap.md --\n" + strings.Repeat("words and ", 900) + "\n"

// TestTooLong gives a message back that cannot be sent, says what to do in full,
// and lets a note be forgotten.
func TestTooLong(t *testing.T) {
	playOn(t, 80, 24, runningWith(band+heap, func(o *chains.Options) { o.Window, o.Count = 2000, nil }, reply("ok words and words")), func(t *testing.T, r *uitest.Robot, g *rig) {
		ask(r, "read [[Soil]]", "words and")
		ask(r, "more [[Heap]]", "too long: about")
		want(t, r, "> more [[Heap]]", "the heaviest is", "larger window", "/new: a new")
		if n := len(g.model.Requests()); n != 1 {
			t.Errorf("%d requests were made", n)
		}
		r.Pass(13 * time.Second)
		wantNot(t, r, "ctrl+n:")
		want(t, r, "! 2.8k of 2k")
		r.Press("f2")
		r.Pass(time.Second)
		want(t, r, "Soil", "too long: about")
		r.Press("j", "j", "e")
		r.Pass(time.Second)
		want(t, r, "Forget Garden/Soil.md")
		r.Press("y")
		r.WaitFor("done: forget")
		if file := g.chatFile(t); strings.Contains(file, "more") {
			t.Errorf("what was not sent is in the file:\n%s", file)
		}
	})
}

// TestTooLongForThisModel goes on with a larger model where the chat has outgrown
// the one that answered.
func TestTooLongForThisModel(t *testing.T) {
	playOn(t, 100, 30, func(t *testing.T) *rig {
		g := newRig(t, band+heap, reply("ok words and words"), reply("done"))
		o := g.session(g.store, g.model, "small")
		o.Window, o.Count = 1700, nil
		g.desk = desk.New(desk.Options{
			Vault: g.vault, Gather: g.gather, Store: g.store, StateDir: g.state, Session: o,
			Model: func(_ context.Context, _, name string) (chains.Options, error) {
				return g.session(g.store, g.model, name), nil
			},
		})
		g.change = func(o *ui.Options) {
			o.Service.Models = &modelShelf{offers: []chains.Offer{{Provider: "here", Now: true, Models: []chains.ModelInfo{{ID: "small"}, {ID: "large"}}}}}
		}
		return g
	}, func(t *testing.T, r *uitest.Robot, g *rig) {
		ask(r, "go", "words and")
		ask(r, "and [[Heap]]?", "too long")
		r.Press("ctrl+l")
		r.WaitFor("large")
		r.Press("down", "enter")
		r.WaitFor("model: large")
		r.Pass(time.Second)
		r.Press("enter")
		r.WaitFor("done")
	})
}
