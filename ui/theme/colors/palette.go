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

// Palette is the colours of a look, for terminals with a dark and with a light
// background: "#rrggbb" by the name of what they colour, the names of theme.Tokens and
// theme.CodeTokens in lower case. What is missing is as in the program's own palette;
// of source code, as what is like it.
type Palette struct {
	Name string
	Base string `toml:"base" help:"the theme that has what is missing here" default:"ibid"`

	Dark  map[string]string `toml:"dark" help:"colours on a dark background"`
	Light map[string]string `toml:"light" help:"colours on a light background"`
}

// OwnName is the name of the program's own palette.
const OwnName = "ibid"

// Find is the palette that a name means, and the kind of background that stands behind
// it: "dark", "light", or "" for that of the terminal. The kind alone is that of the
// program's own palette, and so is "auto". The error is for people.
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
		return nil, "", fmt.Errorf("there is no theme %q; there are auto, %s, each also with dark or light behind it", name, strings.Join(ThemeNames(all), ", "))
	}
	return &all[i], kind, nil
}

// ThemeNames are the names of palettes.
func ThemeNames(all []Palette) (names []string) {
	for i := range all {
		names = append(names, all[i].Name)
	}
	return names
}

// With is the known palettes with a user's own ones in front, by their names. What one of
// these lacks is as in its base; one that is called like a known one stands in its place. An
// error is about the one that bad names.
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
	return append(all, slices.DeleteFunc(known, func(p Palette) bool { _, _, none := Find(all, p.Name); return none == nil })...), "", nil
}

// standIns says for each colour of source code which other one stands in for it.
var standIns = map[string]string{
	"keyword": "new", "name": "accent", "string": "good", "number": "human", "comment": "muted", "operator": "text",
}

// Color is the colour for a token in a palette, that of the program's own one if it has none
// or is nil.
func (p *Palette) Color(token string, dark bool) string {
	own := of(allPalettes()[1], dark)[token]
	if p == nil {
		return own
	}
	mine := of(*p, dark)
	return cmp.Or(mine[token], mine[standIns[token]], own)
}

// Sixteen is the number of the colour for a token among the terminal's own sixteen, "-" for its
// foreground.
func Sixteen(token string, dark bool) string { return of(allPalettes()[0], dark)[token] }

func of(p Palette, dark bool) map[string]string {
	if dark {
		return p.Dark
	}
	return p.Light
}

// Check reports names that nothing goes by, and what is no colour.
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

// palettes is two lines for each palette, with the colours in the order of the first line. The
// first palette is that of terminals with sixteen colours.
//
//go:embed palettes.txt
var palettes string

// Names is what a Palette can colour: the tokens of a theme and those of source code, in lower
// case.
var Names = strings.Fields(palettes[:strings.IndexByte(palettes, '\n')])[2:]

// allPalettes are the palettes; that of sixteen colours is the first one.
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

// Palettes lists the palettes that are known by name, the program's own first. Those
// of widespread colour schemes have their hues, lighter or darker where text could
// not be read on the usual backgrounds.
func Palettes() []Palette { return slices.Clone(allPalettes()[1:]) }
