package cli

import (
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
func (c *Config) palettes() (all []colors.Palette) {
	known := colors.Palettes()
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
	return append(all, slices.DeleteFunc(known, func(p colors.Palette) bool { _, _, own := colors.Find(all, p.Name); return own })...)
}

// checkThemes refuses themes that cannot be drawn, and names that no theme has.
func (c *Config) checkThemes(wrong config.ErrorMaker) error {
	known := colors.Palettes()
	for _, name := range slices.Sorted(maps.Keys(c.Screen.Themes)) {
		own := c.Screen.Themes[name]
		at := config.Key{"screen", "themes", name}
		_, _, base := colors.Find(known, own.Base)
		p := colors.Palette{Dark: own.Dark, Light: own.Light}
		switch err := p.Check(); {
		case name == "" || name == "auto" || name == "dark" || name == "light" || strings.ContainsAny(name, " \t\n"):
			return wrong(at, ": cannot be the name of a theme")
		case !base:
			return wrong(at, ": has the base %q; it can be %s", own.Base, config.OneOf(themeNames(known)))
		case err != nil:
			return wrong(at, ": %w", err)
		}
	}
	all := c.palettes()
	if _, _, ok := colors.Find(all, c.Screen.Theme); !ok && c.Screen.Theme != "" {
		return wrong(config.Key{"screen", "theme"}, " is %q; it can be auto, dark, light, %s, each with dark or light behind it", c.Screen.Theme, config.OneOf(themeNames(all)))
	}
	return nil
}

func themeNames(all []colors.Palette) (names []string) {
	for i := range all {
		names = append(names, all[i].Name)
	}
	return names
}
