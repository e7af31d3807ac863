package theme

import (
	"fmt"
	"image/color"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme/colors"
)

// Backgrounds people use: plain ones, and those of widespread colour schemes.
var (
	darkBackgrounds  = []string{"#000000", "#0d1117", "#1e1e1e", "#002b36", "#1a1b26", "#282a36", "#282c34", "#2e3440"}
	lightBackgrounds = []string{"#ffffff", "#fafafa", "#eff1f5", "#fdf6e3", "#fbf1c7", "#eee8d5"}
)

func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	lin := func(v uint32) float64 {
		f := float64(v) / 0xffff
		if f <= 0.04045 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	return 0.2126*lin(r) + 0.7152*lin(g) + 0.0722*lin(b)
}

// contrast is the WCAG 2 contrast ratio, 1 to 21.
func contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestContrast(t *testing.T) {
	if got := contrast(lipgloss.Color("#000000"), lipgloss.Color("#ffffff")); math.Abs(got-21) > 0.01 {
		t.Fatalf("contrast of black and white = %v, want 21", got)
	}
	palettes := colors.Known()
	if len(palettes) < 7 {
		t.Errorf("%d palettes", len(palettes))
	}
	for i := range palettes {
		if err := palettes[i].Check(); err != nil {
			t.Errorf("%s: %v", palettes[i].Name, err)
		}
		for _, p := range []Profile{TrueColor, ANSI256} {
			for _, dark := range []bool{true, false} {
				tok := New(Options{Dark: dark, Profile: p, Palette: &palettes[i]}).Tokens
				grounds := []color.Color{tok.Surface}
				names := lightBackgrounds
				if dark {
					names = darkBackgrounds
				}
				for _, n := range names {
					grounds = append(grounds, lipgloss.Color(n))
				}
				checkContrast(t, fmt.Sprintf("%s dark=%v profile=%d", palettes[i].Name, dark, p), tok, grounds)
			}
		}
	}
}

// A palette colours what it names, source code like what is like it, and leaves the
// sixteen colours of a terminal alone.
func TestPalette(t *testing.T) {
	p := &colors.Palette{Name: "own", Dark: map[string]string{"accent": "#aabbcc", "number": "#ddeeff"}}
	own, usual := New(Options{Dark: true, Palette: p}).Tokens, New(Options{Dark: true}).Tokens
	if own.Accent != lipgloss.Color("#aabbcc") || own.Code.Name != own.Accent || own.Code.Number != lipgloss.Color("#ddeeff") || own.Bad != usual.Bad {
		t.Errorf("%v", own)
	}
	if light := New(Options{Palette: p}).Tokens; light != New(Options{}).Tokens {
		t.Errorf("light: %v", light)
	}
	sixteen := Options{Dark: true, Palette: p, Profile: ANSI16}
	if got := New(sixteen).Tokens; got != New(Options{Dark: true, Profile: ANSI16}).Tokens {
		t.Errorf("sixteen colours: %v", got)
	}
	for text, bad := range map[string]*colors.Palette{
		"no colour \"akzent\"": {Dark: map[string]string{"akzent": "#aabbcc"}},
		"link is \"blue\"":     {Light: map[string]string{"link": "blue"}},
	} {
		if err := bad.Check(); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v, want %s", err, text)
		}
	}
}

func checkContrast(t *testing.T, what string, tok Tokens, grounds []color.Color) {
	t.Helper()
	walk := func(v reflect.Value, skip ...string) map[string]color.Color {
		out := map[string]color.Color{}
		for i := range v.NumField() {
			if c, ok := v.Field(i).Interface().(color.Color); ok {
				out[v.Type().Field(i).Name] = c
			}
		}
		for _, s := range skip {
			delete(out, s)
		}
		return out
	}
	all := walk(reflect.ValueOf(tok), "Surface", "OnAccent", "Border")
	for name, c := range walk(reflect.ValueOf(tok.Code)) {
		all["Code."+name] = c
	}
	if len(all) != 17 {
		t.Fatalf("%s: %d foregrounds looked at, want 17", what, len(all))
	}
	for name, c := range all {
		for _, bg := range grounds {
			if got := contrast(c, bg); got < 4.5 {
				t.Errorf("%s: %s on %v: contrast %.2f, want at least 4.5", what, name, *colorName(bg), got)
			}
		}
	}
	if got := contrast(tok.OnAccent, tok.Accent); got < 4.5 {
		t.Errorf("%s: OnAccent on Accent: contrast %.2f, want at least 4.5", what, got)
	}
	for _, bg := range grounds {
		if got := contrast(tok.Border, bg); got < 3 {
			t.Errorf("%s: Border on %v: contrast %.2f, want at least 3", what, *colorName(bg), got)
		}
	}
}

// everyStyle visits all styles of s by name.
func everyStyle(s any, visit func(name string, st Ink)) {
	v := reflect.ValueOf(s)
	for i := range v.NumField() {
		switch f := v.Field(i).Interface().(type) {
		case Ink:
			visit(v.Type().Field(i).Name, f)
		default:
			everyStyle(f, func(n string, st Ink) { visit(v.Type().Field(i).Name+"."+n, st) })
		}
	}
}

func TestNoColorHasNoColour(t *testing.T) {
	for _, dark := range []bool{true, false} {
		th := New(Options{Dark: dark, NoColor: true})
		everyStyle(th.Styles, func(name string, st Ink) {
			for _, part := range strings.Split(st.Render("x"), "\x1b[")[1:] {
				params, _, _ := strings.Cut(part, "m")
				for _, p := range strings.Split(params, ";") {
					if n, _ := strconv.Atoi(p); n >= 30 { // all attributes are below
						t.Errorf("dark=%v: %s paints colour: %q", dark, name, st.Render("x"))
					}
				}
			}
		})
		if th.Styles.Selected.Render("x") == th.Styles.Text.Render("x") {
			t.Error("the selected row looks like any other")
		}
	}
}

func TestGlyphsAreOneCellAndKeepTheirMeaning(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		g := New(Options{ASCII: ascii}).Glyphs
		var visit func(v reflect.Value, path string)
		visit = func(v reflect.Value, path string) {
			switch v.Kind() {
			case reflect.String:
				s := v.String()
				want := 1
				if ascii && path == ".Ellipsis" {
					want = 3
				}
				if s != "" && ansi.StringWidth(s) != want {
					t.Errorf("ascii=%v %s = %q: %d cells, want %d", ascii, path, s, ansi.StringWidth(s), want)
				}
				for _, r := range s {
					if ascii && r >= 0x80 {
						t.Errorf("%s = %q is not ASCII", path, s)
					}
				}
			case reflect.Slice:
				for i := range v.Len() {
					visit(v.Index(i), path)
				}
			case reflect.Struct:
				for i := range v.NumField() {
					visit(v.Field(i), path+"."+v.Type().Field(i).Name)
				}
			}
		}
		visit(reflect.ValueOf(g), "")
		seen := map[string]string{}
		v := reflect.ValueOf(g.Context)
		for i := range v.NumField() {
			s, name := v.Field(i).String(), v.Type().Field(i).Name
			if other, dup := seen[s]; dup || s == "" {
				t.Errorf("ascii=%v: %s and %s share the glyph %q", ascii, name, other, s)
			}
			seen[s] = name
		}
	}
}

func TestMarkdownKeepsMeaningWithoutColour(t *testing.T) {
	c := New(Options{NoColor: true}).Markdown()
	if c.Text.Color != nil || c.Link.Color != nil || c.Heading.Color != nil {
		t.Error("a colour in the NO_COLOR style")
	}
	if c.Code.Prefix != "`" || c.Heading.Bold == nil {
		t.Error("inline code or headings cannot be told from text")
	}
}
