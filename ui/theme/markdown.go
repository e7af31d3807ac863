package theme

import (
	gansi "charm.land/glamour/v2/ansi"
)

// Markdown returns the style of rendered markdown, for glamour. Running text keeps the terminal's own
// foreground, which is readable for its owner in any case and needs no escape sequences. The style is
// for the text in paragraphs and headings only: the package that lays a document out draws its lists,
// tables and rules, and highlights code itself, because glamour registers one code style for the whole
// process and would keep the first theme's colours for ever.
//
// Without colour, and in ASCII, the marks of inline code (`), strikethrough (~~) and, in ASCII,
// emphasis (* and **) stay visible, because the terminal may not show attributes.
func (t Theme) Markdown() gansi.StyleConfig {
	tok, g := t.Tokens, t.Glyphs
	c := gansi.StyleConfig{
		Heading:       gansi.StyleBlock{StylePrimitive: gansi.StylePrimitive{Bold: new(true)}},
		Emph:          gansi.StylePrimitive{Italic: new(true)},
		Strong:        gansi.StylePrimitive{Bold: new(true)},
		Strikethrough: gansi.StylePrimitive{Color: colorName(tok.Muted), CrossedOut: new(true)},
		Link:          gansi.StylePrimitive{Color: colorName(tok.Link), Underline: new(true)},
		LinkText:      gansi.StylePrimitive{Color: colorName(tok.Link), Bold: new(true)},
		Image:         gansi.StylePrimitive{Color: colorName(tok.Link), Underline: new(true)},
		ImageText:     gansi.StylePrimitive{Color: colorName(tok.Muted), Format: g.Image + " {{.text}}"},
		Code:          gansi.StyleBlock{StylePrimitive: gansi.StylePrimitive{Color: colorName(tok.Code.String)}},
	}
	c.H2.Color, c.H2.Underline = colorName(tok.Accent), new(t.Options.NoColor && !t.Options.ASCII)
	for _, h := range []*gansi.StyleBlock{&c.H4, &c.H5, &c.H6} {
		h.Color, h.Italic = colorName(tok.Muted), new(t.Options.NoColor)
	}
	if t.Options.NoColor || t.Options.ASCII {
		c.Code.Prefix, c.Code.Suffix = "`", "`"
		c.Strikethrough.BlockPrefix, c.Strikethrough.BlockSuffix = "~~", "~~"
	}
	if t.Options.ASCII {
		c.Emph.BlockPrefix, c.Emph.BlockSuffix = "*", "*"
		c.Strong.BlockPrefix, c.Strong.BlockSuffix = "**", "**"
	}
	return c
}
