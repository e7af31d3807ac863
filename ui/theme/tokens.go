package theme

import (
	"cmp"
	"fmt"
	"image/color"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Color is a terminal colour: 24-bit, an index into the terminal's palette, or
// lipgloss.NoColor for "leave it as it is".
type Color = color.Color

// Tokens are the colours by what they say. Every foreground reaches a WCAG
// contrast of 4.5 on the usual backgrounds of its kind, dark or light, and on
// Surface; Border reaches 3, as it carries no text.
type Tokens struct {
	Text     Color // body text
	Muted    Color // details
	Border   Color // frames and rules, never text
	Surface  Color // background of chips and the selected row
	Accent   Color // the program's own voice
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
	Operator Color // punctuation too
}

// tokens is the program's own palette with the colours of o.Palette over it: each
// colour on dark and on light backgrounds, first in 24 bits and then from the
// terminal's own sixteen, whose actual colours only its owner knows. Of those, text
// is left in the terminal's foreground, which they made readable. "Bright black",
// which many palettes draw almost invisible on dark backgrounds, is for frames on
// light ones only, and green, which is as pale on white as yellow and cyan are, for
// dark ones.
func tokens(o Options) Tokens {
	none := lipgloss.NoColor{}
	c := func(token, dark, light string, dark16, light16 Color) Color {
		if !o.Dark {
			dark, dark16 = light, light16
		}
		dark = cmp.Or(o.Palette.Color(token, o.Dark), dark)
		switch {
		case o.NoColor:
			return none
		case o.Profile == ANSI16:
			return dark16
		case o.Profile == ANSI256:
			return ansi.Convert256(lipgloss.Color(dark))
		}
		return lipgloss.Color(dark)
	}
	t := Tokens{
		Text:     c("text", "#e8eaed", "#1c2027", none, none),
		Muted:    c("muted", "#b3bac5", "#4c535e", none, none),
		Border:   c("border", "#8b93a1", "#767d89", lipgloss.White, lipgloss.BrightBlack),
		Surface:  c("surface", "#2f3542", "#e6e8ec", none, none),
		Accent:   c("accent", "#8cc8ff", "#0a4fa3", lipgloss.BrightCyan, lipgloss.Blue),
		OnAccent: c("on_accent", "#10141c", "#ffffff", lipgloss.Black, lipgloss.White),
		Human:    c("human", "#ffc680", "#7d4200", lipgloss.BrightYellow, lipgloss.Magenta),
		Link:     c("link", "#86d3ea", "#005a73", lipgloss.BrightCyan, lipgloss.Blue),
		Good:     c("good", "#93d98f", "#1a5c1e", lipgloss.BrightGreen, lipgloss.Blue),
		Warn:     c("warn", "#f2cc60", "#6b4b00", lipgloss.BrightYellow, lipgloss.Magenta),
		Bad:      c("bad", "#ffa9a3", "#a01319", lipgloss.BrightRed, lipgloss.Red),
		Cached:   c("cached", "#7ddcb5", "#00583c", lipgloss.BrightGreen, lipgloss.Blue),
		New:      c("new", "#d3bdff", "#5b2da8", lipgloss.BrightMagenta, lipgloss.Magenta),
		Drifted:  c("drifted", "#ffb86b", "#8a3a00", lipgloss.BrightYellow, lipgloss.Red),
		Code: CodeTokens{
			Keyword:  c("keyword", "#d3bdff", "#5b2da8", lipgloss.BrightMagenta, lipgloss.Magenta),
			Name:     c("name", "#8cc8ff", "#0a4fa3", lipgloss.BrightCyan, lipgloss.Blue),
			String:   c("string", "#a9dd95", "#1a5c1e", lipgloss.BrightGreen, lipgloss.Red),
			Number:   c("number", "#ffc680", "#7d4200", lipgloss.BrightYellow, lipgloss.Magenta),
			Comment:  c("comment", "#b3bac5", "#4c535e", none, none),
			Operator: c("operator", "#d5d9e0", "#333a44", none, none),
		},
	}
	if o.Profile == ANSI256 && !o.NoColor {
		// The nearest entry to Surface is a blue in which text drowns.
		t.Surface = ansi.IndexedColor(254)
		if o.Dark {
			t.Surface = ansi.IndexedColor(236)
		}
	}
	return t
}

// mix is a colour with a little of another.
func mix(c, of Color) Color {
	const share = 8 // one part in so many
	r, g, b, _ := c.RGBA()
	r2, g2, b2, _ := of.RGBA()
	part := func(c, of uint32) uint8 { return uint8((c*(share-1) + of) / share >> 8) }
	return color.RGBA{part(r, r2), part(g, g2), part(b, b2), 255}
}

// colorName spells c the way glamour's style config wants it: "#rrggbb", a
// palette index, or nil to leave the colour alone.
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
