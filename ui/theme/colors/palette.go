package colors

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Palette has the colours of a theme, for terminals with a dark and with a light background. They are
// "#rrggbb" by the name of the token, which is a name in theme.Tokens or theme.CodeTokens in lower
// case. For a missing colour the palette uses a similar token of source code or else the program's own
// palette.
type Palette struct {
	Name string
	Base string `toml:"base" help:"the theme that has what is missing here" default:"ibid"`

	Dark  map[string]string `toml:"dark" help:"colours on a dark background"`
	Light map[string]string `toml:"light" help:"colours on a light background"`
}

// OwnName is the name of the program's own palette.
const OwnName = "ibid"

// Find returns the palette with a name, and the kind of background that the name ends with: "dark",
// "light", or "" for that of the terminal. "auto" and a kind alone mean the program's own palette. The
// error is for the user.
func Find(all []Palette, name string) (p *Palette, kind string, err error) {
	word, kind, _ := strings.Cut(strings.TrimSpace(name), " ")
	switch word {
	case "", "auto":
		word = OwnName
	case "dark", "light":
		if kind == "" {
			word, kind = OwnName, word
		}
	}
	i := slices.IndexFunc(all, func(p Palette) bool { return strings.EqualFold(p.Name, word) })
	if i < 0 || kind != "" && kind != "dark" && kind != "light" {
		return nil, "", fmt.Errorf("there is no theme %q; there are auto, %s, each also with dark or light behind it",
			name, strings.Join(ThemeNames(all), ", "))
	}
	return &all[i], kind, nil
}

// ThemeNames returns the names of palettes.
func ThemeNames(all []Palette) (names []string) {
	for i := range all {
		names = append(names, all[i].Name)
	}
	return names
}

// With returns the built-in palettes with a user's own ones, which are given by their names, before
// them. Each of these gets its missing colours from its base, and replaces a built-in palette of the
// same name. bad is the name of the palette that err is about.
func With(own map[string]Palette) (all []Palette, bad string, err error) {
	known := Palettes()
	for _, name := range slices.Sorted(maps.Keys(own)) {
		p := own[name]
		base, _, err := Find(known, p.Base)
		if name == "" || name == "auto" || name == "dark" || name == "light" || strings.ContainsAny(name, " \t\n") {
			err = errors.New("it cannot be the name of a theme")
		}
		if err = cmp.Or(err, p.Check()); err != nil {
			return known, name, err
		}
		mine := Palette{Name: name, Dark: maps.Clone(base.Dark), Light: maps.Clone(base.Light)}
		maps.Copy(mine.Dark, p.Dark)
		maps.Copy(mine.Light, p.Light)
		all = append(all, mine)
	}
	return append(all, slices.DeleteFunc(known, func(p Palette) bool {
		_, _, none := Find(all, p.Name)
		return none == nil
	})...), "", nil
}

// standIns maps tokens of source code to the tokens that replace them if the palette has no colour for
// them.
var standIns = map[string]string{
	"keyword": "new", "name": "accent", "string": "good", "number": "human", "comment": "muted", "operator": "text",
}

// Color returns the colour of a token in a palette. It returns that of the program's own palette if p
// is nil or has no colour.
func (p *Palette) Color(token string, dark bool) string {
	own := of(allPalettes()[1], dark)[token]
	if p == nil {
		return own
	}
	mine := of(*p, dark)
	return cmp.Or(mine[token], mine[standIns[token]], own)
}

// Sixteen returns the number of the colour of a token among the terminal's sixteen colours, "-" for its
// foreground.
func Sixteen(token string, dark bool) string { return of(allPalettes()[0], dark)[token] }

func of(p Palette, dark bool) map[string]string {
	if dark {
		return p.Dark
	}
	return p.Light
}

// Check returns an error if the palette has an unknown token or an invalid colour.
func (p *Palette) Check() error {
	hex := regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)
	for _, colors := range []map[string]string{p.Dark, p.Light} {
		for _, name := range slices.Sorted(maps.Keys(colors)) {
			if !slices.Contains(Names, name) {
				return fmt.Errorf("there is no colour %q; there are %s", name, strings.Join(Names, ", "))
			}
			if !hex.MatchString(colors[name]) {
				return fmt.Errorf("%s is %q; write a colour like \"#8cc8ff\"", name, colors[name])
			}
		}
	}
	return nil
}

// palettes has two lines for each palette, with the colours in the order of the names in the first line
// of the file. The first palette is for terminals with sixteen colours.
//
//go:embed palettes.txt
var palettes string

// Names are the tokens that a Palette can colour: those of a theme and those of source code, in lower
// case.
var Names = strings.Fields(palettes[:strings.IndexByte(palettes, '\n')])[2:]

// allPalettes returns the palettes; the first one has sixteen colours.
var allPalettes = sync.OnceValue(func() (all []Palette) {
	lines := strings.Split(strings.TrimSpace(palettes), "\n")[1:]
	for pair := range slices.Chunk(lines, 2) {
		p := Palette{Dark: map[string]string{}, Light: map[string]string{}}
		for i, line := range pair {
			words := strings.Fields(line)
			p.Name = words[0]
			for n, c := range words[2:] {
				of(p, i == 0)[Names[n]] = c
			}
		}
		all = append(all, p)
	}
	return all
})

// Palettes returns the built-in palettes, the program's own first. Those of widespread colour schemes
// keep the hues, but are lighter or darker where text would be hard to read on the usual backgrounds.
func Palettes() []Palette { return slices.Clone(allPalettes()[1:]) }
