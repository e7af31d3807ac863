package theme

import (
	"charm.land/lipgloss/v2"

	"ibid/ui/theme/colors"
)

// Profile is the colour depth of the terminal.
type Profile int

// The colour depths that palettes exist for. The zero value is TrueColor.
const (
	TrueColor Profile = iota // 24-bit colours
	ANSI256                  // the 256-colour cube
	ANSI16                   // the sixteen colours of the terminal's own palette
)

// Options describes the terminal. The zero value is a true-colour terminal with a light background and
// Unicode glyphs.
type Options struct {
	Dark    bool            // the terminal's background is dark
	NoColor bool            // no colours at all; bold, underline and reverse remain
	ASCII   bool            // glyphs from ASCII only
	NoLinks bool            // no hyperlinks
	Still   bool            // no animation: spinners stand still
	Apart   bool            // the terminal does not draw a cluster of several characters as one (mode 2027)
	Profile Profile         // ignored if NoColor is set
	Palette *colors.Palette // the colours, never changed; nil is the palette of the program
}

// Grounds reports whether the styles of a diff paint a background.
func (o *Options) Grounds() bool { return o.Profile == TrueColor && !o.NoColor }

// Theme is everything that a widget needs to draw itself. Themes made from equal Options are equal, so
// Options may serve as a cache key.
type Theme struct {
	Options Options // arguments of New
	Tokens  Tokens  // the colours by meaning
	Styles  Styles  // the styles by use
	Glyphs  Glyphs  // the signs by meaning
}

// New builds the theme for o.
func New(o Options) Theme {
	t := Theme{Options: o, Tokens: tokens(o), Glyphs: glyphs(o.ASCII)}
	if o.Still {
		t.Glyphs.Spinner = []string{t.Glyphs.Partial}
	}
	t.Styles = styles(t.Tokens, o.Grounds())
	return t
}

// OrDefault returns t, or the theme of no options if t is the zero Theme.
func (t Theme) OrDefault() Theme {
	if t.Glyphs.Ellipsis == "" {
		return New(Options{})
	}
	return t
}

// Styles are the styles of the screen by use. Foregrounds are readable on the terminal's own
// background; only Selected, some matches, Pill and the chips paint a background.
type Styles struct {
	Text        Ink           // body text
	Muted       Ink           // details that may be overlooked
	Strong      Ink           // the first thing to read in a line
	Accent      Ink           // titles, keys, the active tab
	Title       Ink           // heading of a page or a popup
	Border      Ink           // frame of an unfocused box, rules
	BorderFocus Ink           // frame of the focused box
	Selected    Ink           // the row or button under the cursor
	Match       matchStyles   // matches of a query
	Link        Ink           // URLs and wikilinks
	Dead        Ink           // a wikilink without a note
	Good        Ink           // done, saved, as predicted
	Warn        Ink           // costs something or needs a look
	Bad         Ink           // failed, or will not be sent
	Surface     Ink           // background of code, the zero Ink if none is painted
	Chip        Ink           // an attachment in the composer or a message
	ChipFocus   Ink           // the chip under the cursor
	Context     ContextStyles // the states of context, in the colours of their glyphs
	Chat        ChatStyles    // the parts of the transcript
	Diff        diffStyles    // the lines of a change
}

// matchStyles mark matches of a query: in a text, in the row under the cursor, and the current one of n
// and N.
type matchStyles struct{ Text, Chosen, Focus Ink }

// diffStyles colour the lines of a diff, and the words in them that differ. Signs before the lines mark
// them, too.
type diffStyles struct{ Added, AddedWord, Removed, RemovedWord Ink }

// ContextStyles colour the states of a piece of context. Each belongs to the glyph of the same name in
// ContextGlyphs.
type ContextStyles struct {
	Cached  Ink // the provider's prefix cache will hit
	New     Ink // sent at full price
	Drifted Ink // the note changed after it was sent
	Library Ink // already in the library
	Active  Ink // the active note
	Added   Ink // new this turn
}

// ChatStyles colour the parts of the transcript.
type ChatStyles struct {
	Gutter    Ink // the bar beside the text of the user
	You       Ink // the user's header
	Reasoning Ink // thinking, folded or open
	Error     Ink // errors; the advice below them has the style Text
	Pill      Ink // "42 new lines"
}

func styles(t Tokens, ground bool) Styles {
	plain := lipgloss.NewStyle()
	color := func(c Color) lipgloss.Style { return plain.Foreground(c) }
	fg := func(c Color) Ink { return InkOf(color(c)) }
	// if no colour is painted behind text, reverse video replaces it
	bg := func(c Color, st, bare lipgloss.Style) Ink {
		if _, none := c.(lipgloss.NoColor); none {
			return InkOf(bare.Reverse(true))
		}
		return InkOf(st.Background(c))
	}
	added, removed := color(t.Good), color(t.Bad)
	if ground {
		added, removed = added.Background(mix(t.OnAccent, t.Good)), removed.Background(mix(t.OnAccent, t.Bad))
	}
	surface := InkOf(plain.Background(t.Surface))
	return Styles{
		Text:        Ink{}, // the terminal's own foreground
		Muted:       fg(t.Muted),
		Strong:      InkOf(plain.Bold(true)),
		Accent:      fg(t.Accent),
		Title:       InkOf(color(t.Accent).Bold(true)),
		Border:      fg(t.Border),
		BorderFocus: fg(t.Accent),
		Selected:    bg(t.Surface, color(t.Text).Bold(true), plain),
		Match: matchStyles{
			Text:   InkOf(color(t.Warn).Underline(true)),
			Chosen: bg(t.Surface, color(t.Text).Bold(true).Underline(true), plain.Underline(true)),
			Focus:  bg(t.Accent, color(t.OnAccent).Bold(true).Underline(true), plain.Underline(true)),
		},
		Link:      InkOf(color(t.Link).Underline(true)),
		Dead:      InkOf(color(t.Muted).Strikethrough(true)),
		Good:      fg(t.Good),
		Warn:      fg(t.Warn),
		Bad:       fg(t.Bad),
		Surface:   surface,
		Chip:      InkOf(color(t.Text).Background(t.Surface)),
		ChipFocus: bg(t.Accent, color(t.OnAccent), plain),
		Context: ContextStyles{
			Cached:  fg(t.Cached),
			New:     fg(t.New),
			Drifted: fg(t.Drifted),
			Library: fg(t.Cached),
			Active:  InkOf(color(t.Accent).Bold(true)),
			Added:   fg(t.New),
		},
		Chat: ChatStyles{
			Gutter:    fg(t.Human),
			You:       InkOf(color(t.Human).Bold(true)),
			Reasoning: InkOf(color(t.Muted).Italic(true)),
			Error:     InkOf(color(t.Bad).Bold(true)),
			Pill:      bg(t.Accent, color(t.OnAccent), plain),
		},
		Diff: diffStyles{
			Added: InkOf(added), AddedWord: InkOf(added.Bold(true).Underline(true)),
			Removed: InkOf(removed), RemovedWord: InkOf(removed.Bold(true).Underline(true)),
		},
	}
}
