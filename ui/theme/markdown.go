package theme

import (
	"strings"

	gansi "charm.land/glamour/v2/ansi"
)

// Markdown is the look of rendered markdown, for glamour. Running text keeps the
// terminal's own foreground, which its owner can read for certain and which
// needs no escape sequences. There are no margins and no colours for source
// code: whoever lays the text out decides where it stands and highlights code
// itself, because glamour registers one code style for the whole process and
// would keep the first theme's colours for ever.
//
// Without colour, and in ASCII, the marks of inline code (`), strikethrough (~~)
// and, in ASCII, emphasis (* and **) stay visible, as attributes may be all that
// is lost.
func (t Theme) Markdown() gansi.StyleConfig {
	tok, g := t.Tokens, t.Glyphs
	c := gansi.StyleConfig{
		Heading:        gansi.StyleBlock{StylePrimitive: gansi.StylePrimitive{Color: colorName(tok.Accent), Bold: yes()}},
		Emph:           gansi.StylePrimitive{Italic: yes()},
		Strong:         gansi.StylePrimitive{Bold: yes()},
		Strikethrough:  gansi.StylePrimitive{Color: colorName(tok.Muted), CrossedOut: yes()},
		HorizontalRule: gansi.StylePrimitive{Color: colorName(tok.Border), Format: g.Rule + g.Rule + g.Rule},
		Item:           gansi.StylePrimitive{BlockPrefix: g.Bullet + " "},
		Enumeration:    gansi.StylePrimitive{BlockPrefix: ". "},
		Task:           gansi.StyleTask{Ticked: "[" + g.Check + "] ", Unticked: "[ ] "},
		Link:           gansi.StylePrimitive{Color: colorName(tok.Link), Underline: yes()},
		LinkText:       gansi.StylePrimitive{Color: colorName(tok.Link), Bold: yes()},
		Image:          gansi.StylePrimitive{Color: colorName(tok.Link), Underline: yes()},
		ImageText:      gansi.StylePrimitive{Color: colorName(tok.Muted), Format: g.Image + " {{.text}}"},
		Code:           gansi.StyleBlock{StylePrimitive: gansi.StylePrimitive{Color: colorName(tok.Code.String)}},
		HTMLBlock:      gansi.StyleBlock{StylePrimitive: gansi.StylePrimitive{Color: colorName(tok.Muted)}},
		HTMLSpan:       gansi.StyleBlock{StylePrimitive: gansi.StylePrimitive{Color: colorName(tok.Muted)}},
	}
	c.H1.Underline = yes()
	for i, h := range []*gansi.StyleBlock{&c.H1, &c.H2, &c.H3, &c.H4, &c.H5, &c.H6} {
		h.Prefix = strings.Repeat("#", i+1) + " "
	}
	column, row, cross := g.Border.Left, g.Rule, "+"
	if !t.Options.ASCII {
		cross = "┼"
	}
	c.Table.ColumnSeparator, c.Table.RowSeparator, c.Table.CenterSeparator = &column, &row, &cross
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

func yes() *bool {
	b := true
	return &b
}
