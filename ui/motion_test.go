package ui_test

import (
	"strings"
	"testing"
	"time"

	"ibid/ui"
	"ibid/ui/page"
)

// TestStill checks the screen without animation: the sign of a reply does not change, its
// seconds count, its text comes in few steps, and the terminal gets no progress bar. The
// setting applies in the middle of a reply too.
func TestStill(t *testing.T) {
	var d *settingsDesk
	playOn(t, 80, 24, rigWith(band, func(g *rig) {
		g.change(func(o *ui.Options) {
			d = newSettings()
			d.all = append(d.all, page.Setting{
				Key: "screen.motion", Value: "true", From: "default",
				Values: []string{"true", "false"},
			})
			o.Service.Settings = d
		})
	}, slow(strings.Repeat("word ", 150)), reply("Done.")), func(r *stage) {
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
		if all, frames := signs(2 * time.Second); len(all) < 4 || frames < 15 || r.View().ProgressBar == nil ||
			!r.View().Cursor.Blink {
			r.Errorf("signs %v, %d frames", all, frames)
		}
		r.Type("/config screen.motion false")
		r.Press("enter")
		r.Pass(2 * time.Second)
		all, frames := signs(4 * time.Second)
		if len(all) != 1 || !all["◐"] || frames > 12 { // two a second at most: text, and the seconds
			r.Errorf("signs %v, %d frames", all, frames)
		}
		r.WaitFor("◐ 9 s")
		if v := r.View(); v.ProgressBar != nil || v.Cursor.Blink {
			r.Errorf("progress %v, cursor %v", v.ProgressBar, v.Cursor)
		}
		r.Type("/config screen.motion true")
		r.Press("enter")
		r.Pass(2 * time.Second)
		if all, _ := signs(2 * time.Second); len(all) < 4 {
			r.Errorf("signs %v", all)
		}
		r.Press("esc")
	})
}
