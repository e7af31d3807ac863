package colors

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Palette is the colours of a look, for terminals with a dark and with a light
// background: "#rrggbb" by the name of what they colour, the names of theme.Tokens and
// theme.CodeTokens in lower case. What is missing is as in the program's own palette;
// of source code, as what is like it.
type Palette struct {
	Name        string
	Dark, Light map[string]string
}

// Own is the name of the program's own palette.
const Own = "ibid"

// Find is the palette that a name means, and the kind of background that stands behind
// it: "dark", "light", or "" for that of the terminal. The kind alone is that of the
// program's own palette, and so is "auto".
func Find(all []Palette, name string) (p *Palette, kind string, ok bool) {
	word, kind, _ := strings.Cut(strings.TrimSpace(name), " ")
	switch word {
	case "", "auto":
		word = Own
	case "dark", "light":
		if kind == "" {
			word, kind = Own, word
		}
	}
	i := slices.IndexFunc(all, func(p Palette) bool { return strings.EqualFold(p.Name, word) })
	if i < 0 || kind != "" && kind != "dark" && kind != "light" {
		return nil, "", false
	}
	return &all[i], kind, true
}

// colorNames is what a Palette can colour: the tokens of a theme and those of source
// code, in lower case.
var colorNames = [...]string{
	"text", "muted", "border", "surface", "accent", "human", "link", "good", "warn", "bad", "cached", "new", "drifted",
	"on_accent", "keyword", "name", "string", "number", "comment", "operator",
}

// standIns says for each colour of source code which other one stands in for it.
var standIns = map[string]string{
	"keyword": "new", "name": "accent", "string": "good", "number": "human", "comment": "muted", "operator": "text",
}

// Color is the colour that a palette has for a token, "" if it has none. A nil palette
// has none.
func (p *Palette) Color(token string, dark bool) string {
	if p == nil {
		return ""
	}
	colors := p.Light
	if dark {
		colors = p.Dark
	}
	if c := colors[token]; c != "" {
		return c
	}
	return colors[standIns[token]]
}

// Check reports names that nothing goes by, and what is no colour.
func (p *Palette) Check() error {
	hex := regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)
	for _, colors := range []map[string]string{p.Dark, p.Light} {
		for _, name := range slices.Sorted(maps.Keys(colors)) {
			if !slices.Contains(colorNames[:], name) {
				return fmt.Errorf("there is no colour %q; there are %s", name, strings.Join(colorNames[:], ", "))
			}
			if !hex.MatchString(colors[name]) {
				return fmt.Errorf("%s is %q; write a colour like \"#8cc8ff\"", name, colors[name])
			}
		}
	}
	return nil
}

// Palettes lists the palettes that are known by name, the program's own first. Those
// of widespread colour schemes have their hues, lighter or darker where text could
// not be read on the usual backgrounds.
func Palettes() []Palette {
	return []Palette{
		{Name: Own},
		scheme("catppuccin",
			"#cdd6f4 #a6adc8 #7f849c #313244 #89b4fa #fab387 #74c7ec #a6e3a1 #f9e2af #f38ba8 #94e2d5 #cba6f7 #fab387",
			"#4c4f69 #64677b #7a7d92 #e6e9ef #0a55ea #993801 #177181 #2e721f #925d13 #c10e34 #127278 #812dee #993801"),
		scheme("dracula",
			"#f8f8f2 #a9b2d6 #7280ad #343746 #bd93f9 #ffb86c #8be9fd #50fa7b #f1fa8c #ff7676 #50fa7b #ff79c6 #ffb86c",
			"#1f1f1f #6c664b #75715f #e6e6df #462f9f #9a4913 #036a96 #14710a #796513 #a52f22 #14710a #a3144d #9a4913"),
		scheme("gruvbox",
			"#ebdbb2 #ab9d88 #897a6e #32302f #83a598 #fe8019 #8ec07c #b8bb26 #fabd2f #fc7464 #8ec07c #d3869b #fe8019",
			"#3c3836 #665c54 #807264 #ebdbb2 #076678 #993203 #396a4c #67620c #85570f #9d0006 #396a4c #71325a #993203"),
		scheme("nord",
			"#e5e9f0 #a3adc2 #7b88a1 #343b49 #88c0d0 #d69581 #8fbcbb #a3be8c #ebcb8b #d4949a #8fbcbb #bd9cb7 #d69581",
			"#2e3440 #4c566a #717f9a #e5e9f0 #4b6a91 #8f462f #396f7c #55703e #886213 #742f36 #39706f #724d6b #8f462f"),
		scheme("rose-pine",
			"#e0def4 #9f9bb6 #7f7b96 #26233a #c4a7e7 #f6c177 #9ccfd8 #9ccfd8 #f6c177 #ec7697 #58a5c4 #ebbcba #ea9a97",
			"#575279 #696582 #807a90 #f2e9e1 #725a8c #723747 #286983 #286983 #945c0f #723747 #416f77 #725a8c #97342f"),
		scheme("solarized",
			"#eee8d5 #93a1a1 #698089 #073642 #4ea3df #ec7d4e #2dada3 #90a600 #cf9c00 #e97d7b #2dada3 #999dd6 #e27bad",
			"#073642 #566b72 #748789 #eee8d5 #1e6da5 #993811 #1e726c #5f6e00 #826200 #c22321 #1e726c #3d439a #be2a72"),
		scheme("tokyo-night",
			"#c0caf5 #a9b1d6 #757ba3 #292e42 #7aa2f7 #ff9e64 #7dcfff #9ece6a #e0af68 #f7768e #73daca #bb9af7 #ff9e64",
			"#343b58 #565a6e #6872a4 #e1e2e7 #1561ca #9a5000 #006d92 #526c35 #725833 #c2093f #0e715d #812eee #9a5000"),
		scheme("high-contrast",
			"#ffffff #e6e6e6 #c8c8c8 #262626 #9fd8ff #ffd37a #8cecff #9dff9d #ffee80 #ffb3b3 #8fffd0 #e6d0ff #ffcf8a",
			"#000000 #262626 #4a4a4a #ebebeb #002f7a #5c2a00 #002f3f #002e07 #432f00 #7a0008 #002e20 #3d1280 #5c2400"),
	}
}

// scheme is a Palette from the colours of the first tokens of colorNames.
func scheme(name, dark, light string) Palette {
	colors := func(text string) map[string]string {
		m := map[string]string{}
		for i, c := range strings.Fields(text) {
			m[colorNames[i]] = c
		}
		return m
	}
	return Palette{Name: name, Dark: colors(dark), Light: colors(light)}
}
