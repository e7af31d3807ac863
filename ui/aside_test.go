package ui_test

import (
	"fmt"
	"strings"
	"testing"

	"ibid/ui/uitest"
)

// TestSlowPage: while a chat waits for a page, another one is begun, answered, saved and
// left, and a third is opened. The page goes with the turn that it was named in.
func TestSlowPage(t *testing.T) {
	var pageOpen chan struct{}
	playOn(t, 100, 30, func(t *testing.T) *rig {
		pageOpen = make(chan struct{})
		g := newRig(t, band, slow("two words"), reply("about the page"), reply("three"))
		g.loads = func(string) <-chan struct{} { return pageOpen }
		g.store, g.desk = g.open(t, g.model, "test-model")
		return g
	}, func(t *testing.T, r *uitest.Robot, g *rig) {
		begin(r, "alpha @https://example.com/slow", "▌ alpha")
		r.Press("ctrl+n")
		r.WaitFor("Ask anything")
		want(t, r, "1 writing")
		ask(r, "beta", "two words")
		r.WaitFor("saved")
		if n := len(g.model.Requests()); n != 1 {
			t.Fatalf("%d requests before the page came", n)
		}
		r.Press("ctrl+n")
		ask(r, "gamma", "about the page")
		r.Press("ctrl+x", "c")
		r.WaitFor("▌ alpha")
		close(pageOpen)
		r.WaitFor("three")
		if file := g.chatText(t, "alpha"); !strings.Contains(file, "example.com/slow") || !strings.Contains(file, "three") {
			t.Errorf("the file is\n%s", file)
		}
		if last := fmt.Sprint(g.model.Requests()[2].Messages); !strings.Contains(last, "A page.") {
			t.Errorf("the page did not go along:\n%s", last)
		}
	})
}
