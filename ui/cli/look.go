package cli

import (
	"os"
	"regexp"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"ibid/ui/plain"
	"ibid/ui/theme"
	"ibid/ui/theme/colors"
)

// lookOf returns the theme for the terminal, and the background that the settings choose: light, dark, or "" for that
// of the terminal.
func lookOf(c *ScreenConfig, getenv func(string) string) (o theme.Options, kind string) {
	term := getenv("TERM")
	palette, kind, _ := colors.Find(c.palettes(), c.Theme) // the configuration was checked
	return theme.Options{
		Dark: kind != "light", NoColor: getenv("NO_COLOR") != "" || lacksColours.MatchString(term),
		ASCII: c.ASCII, Palette: palette,
		Still:   getenv("NO_MOTION") != "" || !c.Motion,
		NoLinks: !c.Links || lacksLinks(term),
	}, kind
}

// lacksLinks reports whether a terminal would print the escapes of hyperlinks as text.
func lacksLinks(term string) bool { return term == "dumb" || term == "linux" }

// lacksColours matches the names of terminals without colours, which the library takes for terminals of sixteen.
var lacksColours = regexp.MustCompile(`^vt(52|100|102|220|320|420)(-|$)|-m(ono)?$`)

// drawingOf returns a drawing of markdown on standard output, nil if that is no terminal or --raw or --json is given.
func drawingOf(a *app) *plain.Drawing {
	out, ok := a.env.Stdout.(*os.File)
	if !ok || !terminal(out) || a.flags.Raw || a.flags.JSON || a.env.Getenv("TERM") == "dumb" {
		return nil
	}
	c, _ := a.settings() // a broken file is reported elsewhere
	look, kind := lookOf(&c.Screen, a.env.Getenv)
	if kind == "" { // asking the terminal could mix its answer into what is typed next
		ground := a.env.Getenv("COLORFGBG")
		look.Dark = !strings.HasSuffix(ground, ";15") && !strings.HasSuffix(ground, ";7")
	}
	return plain.NewDrawing(out, look.For(tea.ColorProfileMsg{Profile: lipgloss.Writer.Profile}, true))
}
