package ui_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ibid/chains/chaintest"
	"ibid/ui"
	"ibid/ui/theme"
	"ibid/ui/uitest"
)

// TestSmallScreen opens every page and list where there is little room: each says what
// it is, and the prompt is there again afterwards. The robot holds each frame to its
// size.
func TestSmallScreen(t *testing.T) {
	pages := map[string][]string{
		"f1": {"Help", "help"}, "f2": {"Context"}, "ctrl+s": {"Chats"}, "ctrl+l": {"Models", "models", "model"}, "ctrl+o": {"Notes", "notes"},
		"ctrl+p": {"Palette", "do", ">"}, "/theme": {"Themes"}, "@set": {"Setlist"}, "/": {"/chats", "/add"}, "/prompts": {"rompt"},
		"ctrl+f": {"enter g", "/"}, "ctrl+x": {"then one of these"},
	}
	for _, look := range []theme.Options{{Dark: true}, {ASCII: true, NoColor: true}} {
		for _, h := range []int{12, 10} {
			t.Run(fmt.Sprintf("40x%d ascii %v", h, look.ASCII), func(t *testing.T) {
				playOn(t, 40, h, changed(band+older, func(o *ui.Options) { o.Theme = look }, chaintest.Reply{Text: plan}, slow("one two three four five six seven")), func(t *testing.T, r *uitest.Robot, _ *rig) {
					ask(r, "plan it", "your vault")
					begin(r, "more", "one")
					r.Pass(5 * time.Second)
					for keys, shows := range pages {
						if strings.ContainsAny(keys[:1], "/@") {
							r.Type(keys)
							if len(keys) > 2 && keys[0] == '/' {
								r.Press("enter")
							}
						} else {
							r.Press(keys)
						}
						r.Pass(time.Second)
						found := false
						for _, text := range shows {
							found = found || r.Has(text)
						}
						if !found {
							t.Errorf("%s shows none of %q:\n%s", keys, shows, r.Screen())
						}
						r.Press("esc")
						r.Pass(2 * time.Second)
						r.Press("ctrl+u")
						r.Pass(2 * time.Second)
						if !r.Has("your vault") {
							t.Fatalf("after %s the prompt is not there:\n%s", keys, r.Screen())
						}
					}
					r.Resize(39, h)
					want(t, r, "ibid needs 40 columns and 10 rows.")
					r.Resize(40, h)
					want(t, r, "your vault")
				})
			})
		}
	}
}

// TestSmallWelcome: what the page of an empty chat says of what leaves the machine, and
// of the first keys, is broken into rows where it has room for a few words.
func TestSmallWelcome(t *testing.T) {
	for _, archive := range []string{band, ""} {
		playOn(t, 40, 20, func(t *testing.T) *rig { return newRig(t, archive) }, func(t *testing.T, r *uitest.Robot, _ *rig) {
			r.Pass(time.Second)
			words := strings.Join(strings.Fields(r.Screen()), " ")
			if !strings.Contains(words, "Nothing leaves this machine until you press enter.") || archive == "" && !strings.Contains(words, "and what is cached") {
				t.Errorf("a sentence is cut:\n%s", r.Screen())
			}
		})
	}
}

// TestSmallWaiting: a narrow screen says when what failed is tried again.
func TestSmallWaiting(t *testing.T) {
	for _, h := range []int{12, 10} {
		refused := chaintest.Reply{Text: "late", Notice: "The model is busy or the limit is reached (429), trying again in 30 s (2/3).", Wait: 30 * time.Second, Delay: 40 * time.Second}
		play(t, 40, h, []chaintest.Reply{refused}, func(t *testing.T, r *uitest.Robot, _ *rig) {
			r.Type("go")
			r.Press("enter")
			r.WaitFor("again in 30 s (2/3)")
			r.Pass(1500 * time.Millisecond)
			want(t, r, "again in 29 s (2/3)", "esc stops")
		})
	}
}
