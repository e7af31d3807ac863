package theme

import (
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
	Human    Color // the person's gutter and name
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

func tokens(o Options) Tokens {
	switch {
	case o.NoColor:
		return each(sixteen(o.Dark), func(Color) Color { return lipgloss.NoColor{} })
	case o.Profile == ANSI16:
		return sixteen(o.Dark)
	}
	t := light()
	if o.Dark {
		t = dark()
	}
	if o.Profile == ANSI256 {
		t = each(t, func(c Color) Color { return ansi.Convert256(c) })
		// The nearest entry to Surface is a blue in which text drowns.
		t.Surface = ansi.IndexedColor(254)
		if o.Dark {
			t.Surface = ansi.IndexedColor(236)
		}
	}
	return t
}

func dark() Tokens {
	c := lipgloss.Color
	return Tokens{
		Text: c("#e8eaed"), Muted: c("#b3bac5"), Border: c("#8b93a1"),
		Surface: c("#2f3542"), Accent: c("#8cc8ff"), OnAccent: c("#10141c"),
		Human: c("#ffc680"), Link: c("#86d3ea"), Good: c("#93d98f"),
		Warn: c("#f2cc60"), Bad: c("#ffa9a3"), Cached: c("#7ddcb5"),
		New: c("#d3bdff"), Drifted: c("#ffb86b"),
		Code: CodeTokens{
			Keyword: c("#d3bdff"), Name: c("#8cc8ff"), String: c("#a9dd95"),
			Number: c("#ffc680"), Comment: c("#b3bac5"), Operator: c("#d5d9e0"),
		},
	}
}

func light() Tokens {
	c := lipgloss.Color
	return Tokens{
		Text: c("#1c2027"), Muted: c("#4c535e"), Border: c("#767d89"),
		Surface: c("#e6e8ec"), Accent: c("#0a4fa3"), OnAccent: c("#ffffff"),
		Human: c("#7d4200"), Link: c("#005a73"), Good: c("#1a5c1e"),
		Warn: c("#6b4b00"), Bad: c("#a01319"), Cached: c("#00583c"),
		New: c("#5b2da8"), Drifted: c("#8a3a00"),
		Code: CodeTokens{
			Keyword: c("#5b2da8"), Name: c("#0a4fa3"), String: c("#1a5c1e"),
			Number: c("#7d4200"), Comment: c("#4c535e"), Operator: c("#333a44"),
		},
	}
}

// sixteen uses the terminal's own palette, whose actual colours only its owner
// knows: text is left in the terminal's foreground, which they made readable,
// and "bright black", which many palettes draw almost invisible, is never used
// for text.
func sixteen(dark bool) Tokens {
	none := lipgloss.NoColor{}
	t := Tokens{
		Text: none, Muted: none, Border: lipgloss.BrightBlack,
		Surface: none, Accent: lipgloss.Blue, OnAccent: lipgloss.White,
		Human: lipgloss.Magenta, Link: lipgloss.Blue, Good: lipgloss.Green,
		Warn: lipgloss.Magenta, Bad: lipgloss.Red, Cached: lipgloss.Green,
		New: lipgloss.Magenta, Drifted: lipgloss.Red,
		Code: CodeTokens{
			Keyword: lipgloss.Magenta, Name: lipgloss.Blue, String: lipgloss.Green,
			Number: lipgloss.Red, Comment: none, Operator: none,
		},
	}
	if !dark {
		return t
	}
	t.Accent, t.OnAccent, t.Human = lipgloss.BrightCyan, lipgloss.Black, lipgloss.BrightYellow
	t.Link, t.Good, t.Warn = lipgloss.BrightCyan, lipgloss.BrightGreen, lipgloss.BrightYellow
	t.Bad, t.Cached, t.New = lipgloss.BrightRed, lipgloss.BrightGreen, lipgloss.BrightMagenta
	t.Drifted = lipgloss.BrightYellow
	t.Code.Keyword, t.Code.Name = lipgloss.BrightMagenta, lipgloss.BrightCyan
	t.Code.String, t.Code.Number = lipgloss.BrightGreen, lipgloss.BrightYellow
	return t
}

// each returns t with f applied to every colour.
func each(t Tokens, f func(Color) Color) Tokens {
	for _, c := range []*Color{
		&t.Text, &t.Muted, &t.Border, &t.Surface, &t.Accent, &t.OnAccent, &t.Human,
		&t.Link, &t.Good, &t.Warn, &t.Bad, &t.Cached, &t.New, &t.Drifted,
		&t.Code.Keyword, &t.Code.Name, &t.Code.String, &t.Code.Number, &t.Code.Comment,
		&t.Code.Operator,
	} {
		*c = f(*c)
	}
	return t
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
