package ui_test

import (
	"strings"
	"testing"
	"time"

	"ibid/ui"
)

// TestStill checks the screen with and without animation: without it the sign of a reply does
// not change, its seconds count, its text comes in few steps, and the terminal gets no progress
// bar.
func TestStill(t *testing.T) {
	for _, still := range []bool{false, true} {
		playOn(t, 80, 24, rigWithOptions(band, func(o *ui.Options) { o.Theme.Still = still },
			slow(strings.Repeat("word ", 150)), reply("Done.")), func(r *stage) {
			signs := func(d time.Duration) (all map[string]bool, frames int) {
				all, last := map[string]bool{}, r.Content()
				for range int(d / (50 * time.Millisecond)) {
					r.Pass(50 * time.Millisecond)
					if now := r.Content(); now != last {
						last, frames = now, frames+1
					}
					if _, rest, ok := strings.Cut(r.Screen(), "assistant  "); ok {
						sign, _, _ := strings.Cut(rest, " ")
						all[sign] = true
					}
				}
				return all, frames
			}
			r.Begin("tell me", "word")
			all, frames := signs(4 * time.Second)
			v := r.View()
			if !still {
				if len(all) < 4 || frames < 30 || v.ProgressBar == nil || !v.Cursor.Blink {
					r.Errorf("signs %v, %d frames, progress %v, cursor %v", all, frames, v.ProgressBar, v.Cursor)
				}
				return
			}
			if len(all) != 1 || !all["◐"] || frames > 12 { // two a second at most: text, and the seconds
				r.Errorf("signs %v, %d frames", all, frames)
			}
			r.WaitFor("◐ 9 s")
			if v := r.View(); v.ProgressBar != nil || v.Cursor.Blink {
				r.Errorf("progress %v, cursor %v", v.ProgressBar, v.Cursor)
			}
			r.Press("esc")
		})
	}
}
