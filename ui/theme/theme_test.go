package theme

import (
	"fmt"
	"image/color"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ibid/ui/theme/colors"
)

// Backgrounds of terminals: plain ones, and those of common colour schemes.
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

// contrast returns the WCAG 2 contrast ratio, 1 to 21.
func contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// The smallest contrasts by WCAG 2: for text, for text in high contrast, and for frames and
// rules, which carry no text.
const (
	leastText  = 4.5
	leastHigh  = 7
	leastFrame = 3
)

// TestContrast: every palette is legible on these backgrounds, in 24-bit colours and in 256.
func TestContrast(t *testing.T) {
	if got := contrast(lipgloss.Color("#000000"), lipgloss.Color("#ffffff")); math.Abs(got-21) > 0.01 {
		t.Fatalf("contrast of black and white = %v, want 21", got)
	}
	palettes := colors.Palettes()
	if len(palettes) < 7 {
		t.Errorf("%d palettes", len(palettes))
	}
	for i := range palettes {
		p := &palettes[i]
		if err := p.Check(); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		text, frame := leastText, float64(leastFrame)
		if p.Name == "high-contrast" {
			text, frame = leastHigh, leastText
		}
		for _, profile := range []Profile{TrueColor, ANSI256} {
			for _, dark := range []bool{true, false} {
				th := New(Options{Dark: dark, Profile: profile, Palette: p})
				names := lightBackgrounds
				if dark {
					names = darkBackgrounds
				}
				grounds := []color.Color{th.Tokens.Surface}
				for _, n := range names {
					grounds = append(grounds, lipgloss.Color(n))
				}
				what := fmt.Sprintf("%s dark=%v profile=%d", p.Name, dark, profile)
				for _, bg := range grounds {
					checkPairs(t, what, th, th.Tokens.Text, bg, text, frame, func(c color.Color) color.Color { return c })
				}
			}
		}
	}
}

// TestSixteenColours: the sixteen colours of xterm and of consoles are legible on black and on
// white.
func TestSixteenColours(t *testing.T) {
	for name, hex := range map[string]string{
		"xterm":   "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff",
		"console": "000000 aa0000 00aa00 aa5500 0000aa aa00aa 00aaaa aaaaaa 555555 ff5555 55ff55 ffff55 5555ff ff55ff 55ffff ffffff",
	} {
		all := strings.Fields(hex)
		drawn := func(c color.Color) color.Color {
			if c, ok := c.(ansi.BasicColor); ok {
				return lipgloss.Color("#" + all[c])
			}
			t.Errorf("%s: %v is none of sixteen", name, c)
			return c
		}
		for _, dark := range []bool{true, false} {
			fg, bg := color.Color(color.Black), color.Color(color.White)
			if dark {
				fg, bg = bg, fg
			}
			th := New(Options{Dark: dark, Profile: ANSI16})
			checkPairs(t, fmt.Sprintf("%s dark=%v", name, dark), th, fg, bg, leastText, leastFrame, drawn)
		}
	}
}

// checkPairs checks the contrast of each style of a theme on a terminal with these colours,
// with the background of the style or else of the terminal. drawn maps a colour to the one that
// the terminal draws.
func checkPairs(t *testing.T, what string, th Theme, fg, bg color.Color, text, frame float64,
	drawn func(color.Color) color.Color,
) {
	t.Helper()
	seen := 0
	check := func(name string, st Ink) {
		seen++
		on, behind := inkColors(t, st)
		if on == nil && behind == nil {
			return // the terminal's own
		}
		ink, ground := fg, bg
		if on != nil {
			ink = drawn(on)
		}
		if behind != nil {
			ground = drawn(behind)
		}
		least := text
		if name == "Border" {
			least = frame
		}
		if got := contrast(ink, ground); got < least {
			t.Errorf("%s: %s on %s: contrast %.2f, want at least %v", what, name, *colorName(ground), got, least)
		}
	}
	everyStyle(th.Styles, check)
	for _, tokens := range []any{th.Tokens, th.Tokens.Code} { // what is drawn without a style of its own
		v := reflect.ValueOf(tokens)
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; name != "Surface" && name != "OnAccent" && name != "Code" {
				check(name, InkOf(lipgloss.NewStyle().Foreground(v.Field(i).Interface().(color.Color))))
			}
		}
	}
	if seen < 48 {
		t.Fatalf("%s: %d styles looked at", what, seen)
	}
}

// inkColors returns the colours that an ink sets, nil for the terminal's own.
func inkColors(t *testing.T, st Ink) (fg, bg color.Color) {
	t.Helper()
	rest := strings.TrimSuffix(strings.TrimPrefix(st.on, "\x1b["), "m")
	if rest == "" {
		return nil, nil
	}
	var p []int
	for _, s := range strings.Split(rest, ";") {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatalf("%q is no style", st.on)
		}
		p = append(p, n)
	}
	for i := 0; i < len(p); i++ {
		to := &fg
		if n := p[i]; n >= 40 && n < 50 || n >= 100 {
			to = &bg
		}
		switch n := p[i]; {
		case n >= 90:
			*to = ansi.BasicColor(n%10 + 8)
		case n == 38 || n == 48:
			if p[i+1] == 5 {
				*to = ansi.IndexedColor(p[i+2])
				i += 2
				continue
			}
			*to = color.RGBA{uint8(p[i+2]), uint8(p[i+3]), uint8(p[i+4]), 0xff}
			i += 4
		case n >= 30:
			*to = ansi.BasicColor(n % 10)
		}
	}
	return fg, bg
}

// TestPalette: a palette changes the colours that it names and the similar ones of source code,
// and does not change a terminal of sixteen colours.
func TestPalette(t *testing.T) {
	p := &colors.Palette{Name: "own", Dark: map[string]string{"accent": "#aabbcc", "number": "#ddeeff"}}
	own, usual := New(Options{Dark: true, Palette: p}).Tokens, New(Options{Dark: true}).Tokens
	if own.Accent != lipgloss.Color("#aabbcc") || own.Code.Name != own.Accent ||
		own.Code.Number != lipgloss.Color("#ddeeff") || own.Bad != usual.Bad {
		t.Errorf("%v", own)
	}
	is(t, New(Options{Palette: p}).Tokens, New(Options{}).Tokens, "light")
	sixteen := Options{Dark: true, Palette: p, Profile: ANSI16}
	is(t, New(sixteen).Tokens, New(Options{Dark: true, Profile: ANSI16}).Tokens, "sixteen colours")
	for text, bad := range map[string]*colors.Palette{
		"no colour \"akzent\"": {Dark: map[string]string{"akzent": "#aabbcc"}},
		"link is \"blue\"":     {Light: map[string]string{"link": "blue"}},
	} {
		if err := bad.Check(); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v, want %s", err, text)
		}
	}
}

// everyStyle calls visit for each style of s.
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

// TestMarkedWithoutColour: chosen, matched and focused text differs from the rest by more than
// its colours, and by more than bold letters where no background can be drawn.
func TestMarkedWithoutColour(t *testing.T) {
	terminals := map[string]Options{
		"24 bits": {Dark: true}, "256": {Profile: ANSI256}, "16 dark": {Dark: true, Profile: ANSI16},
		"16 light": {Profile: ANSI16},
		"none":     {NoColor: true}, "none in ASCII": {NoColor: true, ASCII: true},
	}
	for name, o := range terminals {
		st := New(o).Styles
		for marked, pair := range map[string][2]Ink{
			"the chosen row":               {st.Selected, st.Text},
			"a match":                      {st.Match.Text, st.Text},
			"a match in the chosen row":    {st.Match.Chosen, st.Selected},
			"the match that n is on":       {st.Match.Focus, st.Match.Text},
			"a link":                       {st.Link, st.Text},
			"a link that leads nowhere":    {st.Dead, st.Link},
			"a word of an added line":      {st.Diff.AddedWord, st.Diff.Added},
			"a word of a removed line":     {st.Diff.RemovedWord, st.Diff.Removed},
			"the chip under the cursor":    {st.ChipFocus, st.Text},
			"lines below that are unread":  {st.Chat.Pill, st.Text},
			"a heading":                    {st.Title, st.Text},
			"what is to be read first":     {st.Strong, st.Text},
			"the name of who wrote a text": {st.Chat.You, st.Text},
		} {
			painted := strings.HasPrefix(name, "24") || strings.HasPrefix(name, "256") || strings.HasPrefix(name, "16")
			a, b := attributes(t, pair[0]), attributes(t, pair[1])
			if _, bg := inkColors(t, pair[0]); a == b && !(painted && bg != nil) {
				t.Errorf("%s: %s is drawn with %q, like the rest", name, marked, a)
			}
		}
		if _, bg := inkColors(t, st.Selected); bg == nil && !strings.Contains(attributes(t, st.Selected), "7") {
			t.Errorf("%s: nothing is painted behind what is selected", name)
		}
	}
}

// attributes returns what an ink sets besides colours: bold, underline, reverse.
func attributes(t *testing.T, st Ink) string {
	t.Helper()
	fg, bg := inkColors(t, st)
	rest := strings.TrimSuffix(strings.TrimPrefix(st.on, "\x1b["), "m")
	if fg == nil && bg == nil {
		return rest
	}
	var kept []string
	for _, p := range strings.Split(rest, ";") { // attributes come first
		if n, err := strconv.Atoi(p); err != nil || n >= 30 {
			break
		}
		kept = append(kept, p)
	}
	return strings.Join(kept, ";")
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
				if ascii && slices.Contains([]string{".Ellipsis", ".Todo", ".Done"}, path) {
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

// is fails the test with a diff if got differs from want; of names the values.
func is[T any](t rapid.TB, got, want T, of ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%v (-want +got)\n%s", of, diff)
	}
}
