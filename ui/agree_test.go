package ui_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ibid/context/prompt"
)

// numberedLines returns n different lines.
func numberedLines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

// TestAgreeToAll: the first yes goes on to what has not been on the screen, the page says
// what that is, and one who has scrolled to the end is believed at once.
func TestAgreeToAll(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {60, 14}} {
		for _, scrolls := range []bool{false, true} {
			t.Run(fmt.Sprintf("%dx%d scrolls %v", size[0], size[1], scrolls), func(t *testing.T) {
				replies := replies(calling("", writing(1, "Long.md", numberedLines(90))), reply("Done."))
				playChanges(t, size[0], size[1], replies, nil, func(r *stage) {
					r.Begin("go", "Write to note?")
					r.Press("y")
					r.Pass(time.Second)
					if exists(filepath.Join(r.dir, "Long.md")) {
						r.Fatal("it was made before keys woke up")
					}
					if size[1] >= 20 {
						r.Want("more rows below, not seen yet")
					}
					if scrolls {
						for range 30 {
							r.Press("J")
						}
						r.Want("line 90")
						if r.Has("not seen yet") {
							r.Errorf("all of it was seen:\n%s", r.Screen())
						}
						r.Press("t", "t") // another layout of the same
					} else {
						r.Press("y")
						r.Pass(time.Second)
						if exists(filepath.Join(r.dir, "Long.md")) {
							r.Fatalf("it was made unseen:\n%s", r.Screen())
						}
						r.Want("not applied yet: ", "more rows below, not seen yet")
						if r.Has("line 1\n") {
							r.Errorf("it did not go on:\n%s", r.Screen())
						}
					}
					r.Press("y")
					r.WaitFor("Done.")
					is(r, r.note("Long.md"), numberedLines(90))
				})
			})
		}
	}
}

// TestAgreeNamesHunks: changes below the screen are counted, and yes to the last of them
// is a yes to all.
func TestAgreeNamesHunks(t *testing.T) {
	after := numberedLines(200)
	for _, n := range []int{10, 80, 150, 190} {
		after = strings.Replace(after, fmt.Sprintf("line %d\n", n), fmt.Sprintf("line %d, changed\n", n), 1)
	}
	playOn(t, 80, 24, func(t *testing.T) *rig {
		return changing(t, calling("", writing(1, "Many.md", numberedLines(200))), reply("Made."),
			calling("", writing(2, "Many.md", after)), reply("Done."))
	}, func(r *stage) {
		r.Begin("go", "Write to note?")
		r.Pass(time.Second)
		r.Press("y", "y")
		r.WaitFor("Made.")
		r.Begin("go", "Write to note?")
		r.Pass(time.Second)
		r.Want("line 10, changed", "more changes below, not seen yet")
		r.Press("y")
		r.Want("not applied yet: ", "line 190, changed", "y again applies it")
		r.Press("y")
		r.WaitFor("Done.")
		is(r, r.note("Many.md"), after)
	})
}

// TestAgreeToPath: a long path keeps its file name, and letters of two scripts are named.
func TestAgreeToPath(t *testing.T) {
	long := strings.Repeat("A folder of a long name/", 8) + "The very note.md"
	odd := "Money/p\u0430yroll.md"
	var calls []prompt.ToolCall
	for i := range 6 {
		calls = append(calls, writing(i+2, fmt.Sprintf("New %d.md", i), "text\n"))
	}
	calls = append([]prompt.ToolCall{writing(0, long, "text\n"), writing(1, odd, "text \U000e0041\n")}, calls...)
	playChanges(t, 80, 10, replies(calling("", calls...), reply("Done.")), nil,
		func(r *stage) {
			r.Begin("go", "Change many notes?")
			r.Pass(time.Second)
			r.Want("…/The very note.md", "pаyroll.md  ! two scripts: Latin, Cyrillic", "2 more changes below, not seen yet")
			r.Press("y")
			r.Want("Change many notes?", "New 5.md")
			r.Resize(80, 24)
			r.Press("y")
			r.WaitFor("Write to note?")
			r.Want("…/The very note.md")
			r.Pass(time.Second)
			r.Press("y")
			r.WaitFor("letters of two scripts: Latin, Cyrillic")
			r.Want("text ‹U+E0041›")
		})
}
