package ui_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestSlowPage: while a chat waits for a page, another one is begun, answered, saved and
// left, and a third is opened. The page goes with the turn that it was named in.
func TestSlowPage(t *testing.T) {
	var pageOpen chan struct{}
	playOn(t, 100, 30, rigWith(band, func(g *rig) {
		pageOpen = make(chan struct{})
		g.loads = func(string) <-chan struct{} { return pageOpen }
		g.reopen()
	}, slow("two words"), reply("about the page"), reply("three")), func(r *stage) {
		r.Begin("alpha @https://example.com/slow", "▌ alpha")
		r.Press("ctrl+n")
		r.WaitFor("Ask anything")
		r.Want("1 writing")
		r.Ask("beta", "two words")
		r.WaitFor("saved")
		if n := len(r.model.Requests()); n != 1 {
			r.Fatalf("%d requests before the page came", n)
		}
		r.Press("ctrl+n")
		r.Ask("gamma", "about the page")
		r.Press("ctrl+x", "c")
		r.WaitFor("▌ alpha")
		close(pageOpen)
		r.WaitFor("three")
		if file := r.chatText("alpha"); !strings.Contains(file, "example.com/slow") || !strings.Contains(file, "three") {
			r.Errorf("the file is\n%s", file)
		}
		if last := fmt.Sprint(r.model.Requests()[2].Messages); !strings.Contains(last, "A page.") {
			r.Errorf("the page did not go along:\n%s", last)
		}
	})
}
