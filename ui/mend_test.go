package ui_test

import (
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
)

// TestNothingReported: "nothing cached" and "no report about the cache" are shown differently.
func TestNothingReported(t *testing.T) {
	for _, tt := range []struct {
		name  string
		usage *chains.Usage
		Page  string
		rail  string
	}{
		{
			"no cache", &chains.Usage{Prompt: 420, Cached: -1, Completion: 8, Reasoning: -1, CacheWrite: -1, Cost: -1},
			"sent 420  cached: not reported", "last turn cached: not reported",
		},
		{"nothing", nil, " sent, estimated: the provider reported nothing", " sent, estimated"},
		{"a cost of 0", &chains.Usage{Prompt: 420, Cached: 0, Completion: 8, Cost: 0}, "reply 8", "0 cached"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			playAt(t, 120, 30, []chaintest.Reply{{Text: "yes", Usage: tt.usage}}, func(r *stage) {
				r.Ask("hello", "yes")
				r.Want(tt.rail)
				r.Resize(100, 30)
				r.Press("f2")
				r.Pass(time.Second)
				r.Want(tt.Page)
				r.WantNot("Nothing has been sent", "$", "-1")
				r.Resize(120, 40)
				r.WantNot("nothing has been sent", "$", "-1")
			})
		})
	}
}

// TestFoundModel: while a reply has no text yet, the screen shows the model that was found for
// a chat without one.
func TestFoundModel(t *testing.T) {
	found := chaintest.Reply{Text: "one", Delay: time.Minute, Notice: "answering with oak-7b, the first chat model"}
	playOn(t, 100, 30, rigWith(band, func(g *rig) {
		found.Model = &chains.Options{Model: g.model, ModelName: "oak-7b"}
		g.model.Add(found)
		g.store, g.desk = g.open(g.t, g.model, "")
	}), func(r *stage) {
		r.Begin("hello", "answering with oak-7b")
		r.WantNot("no model")
		if header, _, _ := strings.Cut(r.Screen(), "\n"); !strings.Contains(header, "oak-7b") {
			r.Errorf("the header does not name it:\n%s", r.Screen())
		}
		r.Pass(2 * time.Minute)
		r.WaitFor("one")
		r.Press("ctrl+n")
		r.Pass(time.Second)
		r.WantNot("no model")
	})
}

// TestShortenedIsAskedFirst: before a turn would shorten something, the user is asked, once for
// the same set.
func TestShortenedIsAskedFirst(t *testing.T) {
	long := strings.Repeat("a long answer about the weather in the garden ", 20)
	replies := make([]chaintest.Reply, 16)
	for i := range replies {
		replies[i] = chaintest.Reply{Text: long + "number " + string(rune('a'+i))}
	}
	playOn(t, 100, 30, rigWithSession(band, func(o *chains.Options) {
		o.Window, o.Count = 4200, nil
	}, replies...), func(r *stage) {
		for range 16 {
			r.Ask("and then?", "")
			r.Pass(time.Second)
			if r.Has("To fit the window") {
				break
			}
		}
		n := len(r.model.Requests())
		r.Want("To fit the window of 4.2k tokens", "leaves out turns 1–", "enter sends", "> and then?")
		r.Press("esc")
		r.WantNot("To fit the window")
		r.Want("> and then?")
		r.Press("enter")
		r.WaitFor("To fit the window")
		r.Pass(time.Second)
		r.Press("f2")
		r.WaitFor("Context")
		r.Press("esc")
		if got := len(r.model.Requests()); got != n {
			r.Fatalf("%d requests were made without a word", got-n)
		}
		r.Press("enter")
		r.WaitFor("To fit the window")
		r.Pass(time.Second)
		r.Press("enter")
		r.Pass(2 * time.Second)
		r.WantNot("To fit the window")
		if got := len(r.model.Requests()); got != n+1 {
			r.Fatalf("%d requests were made, want one more", got-n)
		}
		is(r, strings.Count(r.chatText(""), "and then?"), n+1, "the file holds", r.chatText(""))
	})
}

// TestSummaryIsNotAskedAbout: if a summary replaces the oldest turns, the turn is sent without
// a question, and a notice tells the user.
func TestSummaryIsNotAskedAbout(t *testing.T) {
	answer := chaintest.Reply{Func: func(r chains.Request) chaintest.Reply {
		if strings.HasPrefix(r.Messages[len(r.Messages)-1].Content, "Before we go on: summarize") {
			return reply("it was all about the weather")
		}
		return reply(strings.Repeat("a long answer about the weather in the garden ", 20))
	}}
	playOn(t, 100, 30, rigWithSession(band, func(o *chains.Options) {
		o.Window, o.Count, o.Background.Summaries = 4200, nil, true
	}, answer), func(r *stage) {
		for range 16 {
			r.Ask("and then?", "")
			r.Pass(time.Second)
			if r.Has("in a summary") {
				break
			}
		}
		r.WantNot("To fit the window of")
		r.Want("in a summary")
		all := r.model.Requests()
		if m := all[len(all)-1].Messages[2]; m.Content != "it was all about the weather" {
			r.Errorf("the summary is not in the request: %q", m.Content)
		}
		if err := r.desk.Close(); err != nil {
			r.Error(err)
		}
	})
}

// heap is a note that fits no small window.
var heap = "-- Heap.md --\n" + strings.Repeat("words and ", 900) + "\n"
