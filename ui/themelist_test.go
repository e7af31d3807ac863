package ui_test

import (
	"strings"
	"testing"

	"ibid/ui"
	"ibid/ui/page"
	"ibid/ui/theme/colors"
)

// TestThemes: the screen takes the colours of the theme that the cursor is on; esc
// gives those before back, enter keeps it.
func TestThemes(t *testing.T) {
	d := &settingsDesk{all: []page.Setting{{Key: "screen.theme", AtOnce: true}}}
	playOn(t, 100, 30, rigWithOptions(band, func(o *ui.Options) {
		o.Themes.All, o.Service.Settings = colors.Palettes(), d
	}, reply("Thirds.")), func(r *stage) {
		dracula, own := "189;147;249", "140;200;255" // accents, as escape sequences have them
		painted := func(accent string) {
			r.Helper()
			if !strings.Contains(r.Content(), "8;2;"+accent) {
				r.Errorf("nothing is painted in %s", accent)
			}
		}
		painted(own)
		r.Begin("/theme", "✓")
		r.Type("drac")
		r.WaitFor("dracula")
		painted(dracula)
		r.Press("esc")
		painted(own)
		r.Type("/theme")
		r.Press("enter")
		r.Type("drac")
		r.Press("enter")
		r.WaitFor("screen.theme = dracula dark")
		r.Ask("/theme dracula light", "screen.theme = dracula light")
		r.Ask("/theme dracula dark", "screen.theme = dracula dark")
		painted(dracula)
		r.Ask("/theme dark", "screen.theme = dark")
		painted(own)
		r.Ask("/theme pink", "there is no theme \"pink\"; there are auto, ibid, catppuccin")
	})
	is(t, d.calls, []string{
		"screen.theme=dracula dark", "screen.theme=dracula light", "screen.theme=dracula dark", "screen.theme=dark",
	})
}
