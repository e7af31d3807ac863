package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"ibid/ui/cli/config"
	"ibid/ui/theme/colors"
)

// ThemeConfig is one table [screen.themes.NAME]: colours of one's own.
type ThemeConfig struct {
	Base  string            `toml:"base" help:"the theme that has what is missing here" default:"ibid"`
	Dark  map[string]string `toml:"dark" help:"colours on a dark background"` // as colors.Palette lists them
	Light map[string]string `toml:"light" help:"colours on a light background"`
}

// palettes lists the themes that there are: own ones first, of those that are known
// only the ones that no own one has the name of.
func (c *Config) palettes() []colors.Palette {
	known := colors.Palettes()
	var all []colors.Palette
	for _, name := range slices.Sorted(maps.Keys(c.Screen.Themes)) {
		own := c.Screen.Themes[name]
		p := colors.Palette{Name: name, Dark: map[string]string{}, Light: map[string]string{}}
		if base, _, ok := colors.Find(known, own.Base); ok {
			maps.Copy(p.Dark, base.Dark)
			maps.Copy(p.Light, base.Light)
		}
		maps.Copy(p.Dark, own.Dark)
		maps.Copy(p.Light, own.Light)
		all = append(all, p)
	}
	for _, p := range known {
		if _, _, own := colors.Find(all, p.Name); !own {
			all = append(all, p)
		}
	}
	return all
}

// checkThemes refuses themes that cannot be drawn, and names that no theme has.
func (c *Config) checkThemes(wrong config.Wrong) error {
	known := colors.Palettes()
	for _, name := range slices.Sorted(maps.Keys(c.Screen.Themes)) {
		own := c.Screen.Themes[name]
		at := config.Key{"screen", "themes", name}
		what := ""
		_, _, base := colors.Find(known, own.Base)
		p := colors.Palette{Dark: own.Dark, Light: own.Light}
		switch err := p.Check(); {
		case name == "" || name == "auto" || name == "dark" || name == "light" || strings.ContainsAny(name, " \t\n"):
			what = "cannot be the name of a theme"
		case !base:
			what = fmt.Sprintf("has the base %q; it can be %s", own.Base, config.OneOf(themeNames(known)))
		case err != nil:
			what = err.Error()
		}
		if what != "" {
			return wrong(at, ": %s", what)
		}
	}
	if all := c.palettes(); c.Screen.Theme != "" {
		if _, _, ok := colors.Find(all, c.Screen.Theme); !ok {
			return wrong(config.Key{"screen", "theme"}, " is %q; it can be auto, dark, light, %s, each with dark or light behind it", c.Screen.Theme, config.OneOf(themeNames(all)))
		}
	}
	return nil
}

func themeNames(all []colors.Palette) []string {
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].Name
	}
	return names
}
