package ui

import (
	"image/color"
	"testing"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/theme"
)

// TestLookOf: a chosen dark or light theme stays dark or light on any background, and uses only
// the colours that the terminal has.
func TestLookOf(t *testing.T) {
	white, sixteen := tea.BackgroundColorMsg{Color: color.White}, profileMsg(t, "ANSI")
	dark := theme.Options{Dark: true}
	if !dark.For(white, true).Dark || dark.For(white, false).Dark {
		t.Error("the background decides although the kind was chosen, or does not although it was not")
	}
	for _, fixed := range []bool{false, true} {
		if o := dark.For(sixteen, fixed); o.Profile != theme.ANSI16 || !o.Dark {
			t.Errorf("fixed %v: with sixteen colours the look is %+v", fixed, o)
		}
		if !dark.For(profileMsg(t, "Ascii"), fixed).NoColor {
			t.Errorf("fixed %v: colours without any", fixed)
		}
	}
}

// profileMsg returns the message of a terminal with this colour profile.
func profileMsg(t *testing.T, name string) (msg tea.ColorProfileMsg) {
	t.Helper()
	for range 16 {
		if msg.Profile.String() == name {
			return msg
		}
		msg.Profile++
	}
	t.Fatalf("no profile is called %s", name)
	return msg
}
