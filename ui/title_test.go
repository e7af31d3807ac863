package ui_test

import (
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
)

// playTitles is a screen whose model says answers to questions and title to the
// request for a title.
func playTitles(t *testing.T, titles chains.Titles, answer, title chaintest.Reply,
	script func(r *stage),
) {
	t.Helper()
	playOn(t, 100, 30, rigWith(band, func(g *rig) {
		g.titles = titles
		g.reopen()
	}, chaintest.Reply{Func: func(r chains.Request) chaintest.Reply {
		if asksTitle(r) {
			return title
		}
		return answer
	}}), script)
}

func asksTitle(r chains.Request) bool {
	return strings.HasPrefix(r.Messages[len(r.Messages)-1].Content, "Before we go on: give our conversation")
}

func titlesAsked(g *rig) (n int) {
	for _, r := range g.model.Requests() {
		if asksTitle(r) {
			n++
		}
	}
	return n
}

// TestTitleOnScreen: after its first answer a chat gets a title, once; its file
// keeps its name, and /title asks again or takes one.
func TestTitleOnScreen(t *testing.T) {
	playTitles(t, chains.Titles{Ask: true, Auto: true}, reply("Thirds."), reply("\"Practising scales\""),
		func(r *stage) {
			r.Ask("what shall I practise", "Thirds.")
			r.WaitFor("Practising scales")
			if name, text := r.savedChat(""); !strings.HasPrefix(name, "what_shall_I_practise@") ||
				!strings.Contains(text, "\ntopic: \"Practising scales\"\n") {
				r.Errorf("%s:\n%s", name, text)
			}
			r.Ask("and then", "Thirds.")
			is(r, titlesAsked(r.rig), 1)
			r.Ask("/title My own", "My own")
			if name, text := r.savedChat(""); !strings.HasPrefix(name, "My_own@") ||
				!strings.Contains(text, "\ntopic: \"My own\"\n") {
				r.Errorf("%s:\n%s", name, text)
			}
			r.Ask("/title", "the chat is called Practising scales")
			is(r, titlesAsked(r.rig), 2)
		})
}

// TestTitleBehind: a title that comes for a chat in the background is said of that one.
func TestTitleBehind(t *testing.T) {
	slow := chaintest.Reply{Text: "Late title", Delay: 5 * time.Second}
	playTitles(t, chains.Titles{Ask: true}, reply("Thirds."), slow, func(r *stage) {
		r.Ask("first", "Thirds.")
		r.Ask("/title", "asking for a title")
		r.Type("half a thought")
		r.Press("ctrl+n")
		r.WaitFor("Ask anything")
		r.WaitFor("the chat is called")
		r.Want("Late title: the chat is called Late title")
		r.Press("ctrl+x", "c")
		r.Want(" Late title  ·")
	})
}

// TestTitleGivesWay: a message that is sent does not wait for the title, which is
// given up and asked for again after the next answer; so is one at the end.
func TestTitleGivesWay(t *testing.T) {
	slow := chaintest.Reply{Text: "Late title", Delay: 30 * time.Second}
	playTitles(t, chains.Titles{Ask: true, Auto: true}, reply("Thirds."), slow,
		func(r *stage) {
			r.Ask("first", "Thirds.")
			start := r.now()
			r.Ask("second", "")
			for i := 0; i < 100 && strings.Count(r.Screen(), "Thirds.") < 2; i++ {
				r.Pass(50 * time.Millisecond)
			}
			r.Pass(time.Second)
			if wait := r.now().Sub(start); wait > 5*time.Second || titlesAsked(r.rig) != 2 {
				r.Errorf("the second turn took %v, %d titles were asked for", wait, titlesAsked(r.rig))
			}
			r.Pass(40 * time.Second)
			r.WaitFor("Late title")
			r.Ask("/title", "asking for a title")
			start = r.now()
			r.Press("ctrl+n")
			r.WaitFor("Ask anything")
			if wait := r.now().Sub(start); wait > 5*time.Second {
				r.Errorf("a new chat took %v", wait)
			}
			r.Pass(40 * time.Second)
			if _, text := r.savedChat(""); strings.Count(text, "topic: \"Late title\"") != 1 {
				r.Errorf("the file:\n%s", text)
			}
		})
}

// TestTitleFailsSilently: nobody is told of a title that was not asked for, and it
// is not asked for again.
func TestTitleFailsSilently(t *testing.T) {
	down := chaintest.Reply{Err: &chains.ProviderError{Kind: chains.ErrServer, Message: "the server is down"}}
	playTitles(t, chains.Titles{Ask: true, Auto: true}, reply("Thirds."), down,
		func(r *stage) {
			r.Ask("first", "Thirds.")
			r.Pass(time.Second)
			r.WantNot("the server is down")
			r.Ask("second", "Thirds.")
			r.Pass(time.Second)
			is(r, titlesAsked(r.rig), 1)
			r.Ask("/title", "the server is down")
		})
	playTitles(t, chains.Titles{}, reply("Thirds."), reply("Unwanted"), func(r *stage) {
		r.Ask("first", "Thirds.")
		r.Pass(time.Second)
		r.Ask("/title", "/title TEXT sets one")
		is(r, titlesAsked(r.rig), 0)
	})
}

// TestTagAndPinHere: /tag and a bare /pin are about the chat on the desk.
func TestTagAndPinHere(t *testing.T) {
	playTitles(t, chains.Titles{}, reply("Thirds."), reply(""), func(r *stage) {
		r.Ask("first", "Thirds.")
		r.Ask("/tag +music piano", "#music #piano")
		r.Ask("/tag -piano", "#music")
		r.Type("/pin")
		r.Press("enter", "enter") // the list of commands asks for a note first
		r.WaitFor("the chat is pinned")
		if _, text := r.savedChat(""); !strings.Contains(text, "  - copilot-conversation\n  - music\n") ||
			strings.Contains(text, "piano") || !strings.Contains(text, "  pinned: true\n") {
			r.Errorf("the file:\n%s", text)
		}
		r.Type("/unpin")
		r.Press("enter", "enter")
		r.WaitFor("no longer pinned")
		r.Ask("/tag 12", "is no tag")
		if _, text := r.savedChat(""); strings.Contains(text, "pinned") || !strings.Contains(text, "**ai**: Thirds.") {
			r.Errorf("the file:\n%s", text)
		}
	})
}
