package ui_test

import (
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/ui/uitest"
)

// TestReadingFirst: what is read before the request has a sign that turns, its seconds
// and the key that stops it, on every size; they are gone with the request.
func TestReadingFirst(t *testing.T) {
	onSizes(t, []size{{40, 12}, {80, 24}, {120, 40}}, func(t *testing.T, w, h int) {
		var pageOpen chan struct{}
		playOn(t, w, h, rigWith(band, func(g *rig) {
			pageOpen = make(chan struct{})

			g.loads = func(string) <-chan struct{} { return pageOpen }
			g.reopen()
		}, slow("about the pages")), func(r *stage) {
			r.Begin("what @https://example.com/a @https://example.com/b", "preparing")
			signs := map[string]bool{}
			for range 30 {
				r.Pass(120 * time.Millisecond)
				if before, _, ok := strings.Cut(r.Screen(), " preparing"); ok {
					signs[before[len(before)-len("◐"):]] = true
				}
			}
			if len(signs) != 4 {
				r.Errorf("signs %v:\n%s", signs, r.Screen())
			}
			r.Want("preparing · 3 s", "esc stops")
			r.Pass(2 * time.Second)
			r.Want("preparing · 5 s")
			close(pageOpen)
			r.WaitFor("about the pages")
			if r.Has("preparing") {
				r.Errorf("it still prepares:\n%s", r.Screen())
			}
		})
	})
}

// TestReadingStopped: esc while a page is read leaves no sign behind, and the message
// in the prompt.
func TestReadingStopped(t *testing.T) {
	playOn(t, 80, 24, rigWith(band, func(g *rig) {
		g.loads = func(string) <-chan struct{} { return nil }
		g.reopen()
	}), func(r *stage) {
		r.Begin("what @https://example.com/a", "preparing · 1 s")
		r.Press("esc")
		r.WaitFor("your message is back in the prompt")
		r.Pass(10 * time.Second)
		rests(r.T, r.Robot)
		r.Want("what @https://example.com/a")
	})
}

// TestNoSignOutlivesItsRequest: after every end of a turn the screen is at rest.
func TestNoSignOutlivesItsRequest(t *testing.T) {
	failing := func(kind chains.ErrorKind, after int) chaintest.Reply {
		return chaintest.Reply{
			Text: "some of the words that were to come", Split: 5, Delay: 300 * time.Millisecond,
			Err: &chains.ProviderError{Kind: kind, Message: "it failed: " + string(kind)}, ErrAfter: after,
		}
	}
	esc := []string{"esc"}
	tests := map[string]struct {
		replies []chaintest.Reply
		during  string   // what is waited for
		keys    []string // that are pressed then
		end     string   // what is shown at the end
	}{
		"answer":               {replies(slow("two words")), "two", nil, "two words"},
		"nothing":              {[]chaintest.Reply{{}}, "", nil, "sent no text"},
		"error at once":        {replies(failing(chains.ErrServer, 0)), "", nil, "it failed: server"},
		"refused":              {replies(failing(chains.ErrAuth, 0)), "", nil, "it failed: auth"},
		"limit":                {replies(failing(chains.ErrRate, 0)), "", nil, "it failed: rate"},
		"timeout":              {replies(failing(chains.ErrTimeout, 0)), "", nil, "it failed: timeout"},
		"timeout in the reply": {replies(failing(chains.ErrTimeout, 3)), "some", nil, "it failed: timeout"},
		"closed connection":    {replies(failing(chains.ErrNetwork, 2)), "some", nil, "it failed: network"},
		"cut off":              {replies(failing(chains.ErrCutOff, 2)), "some", nil, "it failed: cut_off"},
		"too long":             {replies(failing(chains.ErrContext, 0)), "", nil, "it failed: context"},
		"cancel before a word": {[]chaintest.Reply{{Text: "late", Delay: time.Hour}}, "◐", esc, "back in the prompt"},
		"cancel in the reply":  {replies(slow(strings.Repeat("word ", 500))), "word", esc, "word"},
		"cancel in the thinking": {[]chaintest.Reply{{
			Reasoning: strings.Repeat("hm ", 500), Split: 3,
			Delay: time.Second, Text: "so",
		}}, "thinking", esc, "vault"},
		"cancel while tried again": {
			[]chaintest.Reply{{
				Text:   "late",
				Notice: "No answer yet from x (500), again in 30 s, 1 of 3.", Wait: 30 * time.Second, Delay: time.Hour,
			}},
			"again in 2", esc, "back in the prompt",
		},
		"answer after tried again": {
			[]chaintest.Reply{{
				Text:   "late",
				Notice: "No answer yet from x (500), again in 3 s, 1 of 3.", Wait: 3 * time.Second, Delay: 5 * time.Second,
			}},
			"again in 2", nil, "late",
		},
		"approved": {
			replies(calling("", toolCall("webSearch", 1, "x")), slow("two words")),
			"May the model",
			[]string{"y"},
			"two words",
		},
		"not approved": {
			replies(calling("", toolCall("webSearch", 1, "x")), slow("two words")),
			"May the model",
			[]string{"n", "enter"},
			"two words",
		},
		"esc at the approval": {
			replies(calling("", toolCall("webSearch", 1, "x")), slow("two words")),
			"May the model", esc, "two words",
		},
		"cancel while a tool works": {
			replies(calling("", toolCall("localSearch", 1, "x"))),
			"Searching for", esc,
			"stopped before the answer",
		},
		"error behind a call": {replies(
			calling("Let me see.", toolCall("webSearch", 1, "x")),
			failing(chains.ErrServer, 0),
		), "May the model", []string{"y"}, "it failed: server"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			playTools(t, 80, 24, []chains.Tool{asking(), finder(time.Hour)}, tt.replies,
				func(r *stage) {
					r.Type("go on")
					r.Press("enter")
					if tt.during != "" {
						r.WaitFor(tt.during)
					}
					r.Pass(time.Second) // a question takes no key that was meant for the prompt
					r.Press(tt.keys...)
					r.WaitFor(tt.end)
					r.Pass(20 * time.Second)
					r.WantNot("again in", "again now", "step 1", "preparing", "reading")
					rests(r.T, r.Robot)
				})
		})
	}
}

// rests checks that nothing on the screen is animated or counts.
func rests(t *testing.T, r *uitest.Robot) {
	t.Helper()
	before, frames := r.Content(), r.Frames()
	for range 25 {
		r.Pass(120 * time.Millisecond)
	}
	if now := r.Content(); now != before || strings.ContainsAny(r.Screen(), "◐◓◑◒") || r.Has("esc stops") ||
		r.View().ProgressBar != nil {
		t.Errorf("something turns on, %d frames, progress %v:\n%s", r.Frames()-frames, r.View().ProgressBar, r.Screen())
	}
}
