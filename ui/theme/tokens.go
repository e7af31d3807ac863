package theme

import (
	"fmt"
	"image/color"
	"reflect"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme/colors"
)

// Color is a terminal colour: 24-bit, an index into the terminal's palette, or lipgloss.NoColor for the
// default.
type Color = color.Color

// Tokens are the colours by meaning. Every foreground reaches a WCAG contrast of 4.5 on the usual
// backgrounds of its kind, dark or light, and on Surface; Border reaches 3, as it carries no text.
type Tokens struct {
	Text     Color // body text
	Muted    Color // details
	Border   Color // frames and rules, never text
	Surface  Color // background of chips and the selected row
	Accent   Color // titles, keys
	OnAccent Color // text on Accent
	Human    Color // the user's gutter and name
	Link     Color // URLs and wikilinks
	Good     Color // done, added
	Warn     Color // look here
	Bad      Color // failed, removed
	Cached   Color // a cache hit
	New      Color // full price
	Drifted  Color // changed since it was sent
	Code     CodeTokens
}

// CodeTokens are the colours of source code in a reply.
type CodeTokens struct {
	Keyword  Color
	Name     Color // functions, types, tags
	String   Color
	Number   Color
	Comment  Color
	Operator Color // and punctuation
}

// tokens returns the colours of o.Palette, for dark or for light backgrounds, in 24 bits or from the
// terminal's own sixteen, whose actual colours only its owner knows. Of those, text keeps the
// terminal's foreground, which its owner made readable. "Bright black", which many palettes draw almost
// invisible on dark backgrounds, is for frames on light ones only, and green, which is as pale on white
// as yellow and cyan are, for dark ones.
func tokens(o Options) (t Tokens) {
	for _, name := range colors.Names {
		var c Color = lipgloss.NoColor{}
		switch color := o.Palette.Color(name, o.Dark); {
		case o.NoColor:
		case o.Profile == ANSI16:
			if color = colors.Sixteen(name, o.Dark); color != "-" {
				c = lipgloss.Color(color)
			}
		case o.Profile == ANSI256:
			c = ansi.Convert256(lipgloss.Color(color))
		default:
			c = lipgloss.Color(color)
		}
		named := func(field string) bool { return strings.EqualFold(field, strings.ReplaceAll(name, "_", "")) }
		field := reflect.ValueOf(&t).Elem().FieldByNameFunc(named)
		if !field.IsValid() {
			field = reflect.ValueOf(&t.Code).Elem().FieldByNameFunc(named)
		}
		field.Set(reflect.ValueOf(c))
	}
	if o.Profile == ANSI256 && !o.NoColor {
		// the nearest entry to Surface is a blue on which text is unreadable
		t.Surface = ansi.IndexedColor(254)
		if o.Dark {
			t.Surface = ansi.IndexedColor(236)
		}
	}
	return t
}

// mix returns a colour with a little of another.
func mix(c, of Color) Color {
	const share = 8 // one part of share is the other colour
	r, g, b, _ := c.RGBA()
	r2, g2, b2, _ := of.RGBA()
	part := func(c, of uint32) uint8 { return uint8((c*(share-1) + of) / share >> 8) }
	return color.RGBA{part(r, r2), part(g, g2), part(b, b2), 255}
}

// colorName returns c in the form of glamour's style config: "#rrggbb", a palette index, or nil for no
// colour.
func colorName(c Color) *string {
	var s string
	switch c := c.(type) {
	case nil, lipgloss.NoColor:
		return nil
	case ansi.BasicColor:
		s = fmt.Sprint(uint8(c))
	case ansi.IndexedColor:
		s = fmt.Sprint(uint8(c))
	default:
		r, g, b, _ := c.RGBA()
		s = fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
	}
	return &s
}
