package theme

import "charm.land/lipgloss/v2"

// Profile is how many colours the terminal shows.
type Profile int

// The colour depths a palette is made for. The zero value is TrueColor.
const (
	TrueColor Profile = iota // 24-bit colours
	ANSI256                  // the 256-colour cube
	ANSI16                   // the sixteen colours of the terminal's own palette
)

// Options say what the terminal is like. The zero value is a true-colour
// terminal with a light background and Unicode glyphs.
type Options struct {
	Dark    bool    // the terminal's background is dark
	NoColor bool    // no colours at all; bold, underline and reverse remain
	ASCII   bool    // glyphs from ASCII only
	Profile Profile // colour depth; without meaning when NoColor is set
}

// Theme is everything a widget needs to draw itself in one look. Two themes
// made from equal Options look the same, so Options may serve as a cache key.
type Theme struct {
	Options Options // what New was given
	Tokens  Tokens  // the colours by meaning
	Styles  Styles  // the styles by use
	Glyphs  Glyphs  // the signs by meaning
}

// New builds the theme for o.
func New(o Options) Theme {
	t := Theme{Options: o, Tokens: tokens(o), Glyphs: unicodeGlyphs()}
	if o.ASCII {
		t.Glyphs = asciiGlyphs()
	}
	t.Styles = styles(t.Tokens, o.NoColor)
	return t
}

// Styles are the styles of the screen by use. Foregrounds are readable on the
// terminal's own background; only Selected, Chip and the matches paint one.
type Styles struct {
	Text        lipgloss.Style // body text
	Muted       lipgloss.Style // details that may be overlooked
	Strong      lipgloss.Style // what to read first in a line
	Accent      lipgloss.Style // the program's own voice: titles, keys, active tab
	Title       lipgloss.Style // heading of a page or a popup
	Border      lipgloss.Style // frame of an unfocused box, rules
	BorderFocus lipgloss.Style // frame of the focused box
	Selected    lipgloss.Style // the row or button under the cursor
	Match       lipgloss.Style // what a query matched
	MatchFocus  lipgloss.Style // the match that n and N stand on
	Placeholder lipgloss.Style // what an empty input says
	Link        lipgloss.Style // URLs and wikilinks
	Good        lipgloss.Style // done, saved, as predicted
	Warn        lipgloss.Style // costs something or needs a look
	Bad         lipgloss.Style // failed, or will not be sent
	Chip        lipgloss.Style // an attachment in the composer or a message
	ChipFocus   lipgloss.Style // the chip under the cursor
	Context     ContextStyles  // the states of context, as coloured as their glyphs
	Chat        ChatStyles     // the parts of the transcript
	Diff        DiffStyles     // changed lines
}

// ContextStyles colour the states a piece of context can be in. Each goes with
// the glyph of the same name in ContextGlyphs.
type ContextStyles struct {
	Cached  lipgloss.Style // the provider's prefix cache will hit
	New     lipgloss.Style // sent at full price
	Drifted lipgloss.Style // the note changed after it was sent
	Library lipgloss.Style // already in the library
	Active  lipgloss.Style // the active note
	Added   lipgloss.Style // new this turn
}

// ChatStyles colour the parts of the transcript.
type ChatStyles struct {
	Gutter    lipgloss.Style // the bar that marks the human
	You       lipgloss.Style // the human's header
	Assistant lipgloss.Style // the assistant's header
	Reasoning lipgloss.Style // thinking, folded or open
	Tool      lipgloss.Style // tool lines
	Notice    lipgloss.Style // notices of the program
	Error     lipgloss.Style // errors; what to do next follows in Text
	Mark      lipgloss.Style // "cut off", "cancelled"
	Pill      lipgloss.Style // "42 new lines"
}

// DiffStyles colour the lines of a diff. The signs + and - stand beside them.
type DiffStyles struct {
	Add, Del, Hunk lipgloss.Style
}

func styles(t Tokens, noColor bool) Styles {
	fg := func(c Color) lipgloss.Style { return lipgloss.NewStyle().Foreground(c) }
	s := Styles{
		Text:        lipgloss.NewStyle(), // the terminal's own foreground
		Muted:       fg(t.Muted),
		Strong:      lipgloss.NewStyle().Bold(true),
		Accent:      fg(t.Accent),
		Title:       fg(t.Accent).Bold(true),
		Border:      fg(t.Border),
		BorderFocus: fg(t.Accent),
		Selected:    fg(t.Text).Background(t.Surface).Bold(true),
		Match:       fg(t.Warn).Underline(true),
		MatchFocus:  fg(t.OnAccent).Background(t.Accent).Bold(true),
		Placeholder: fg(t.Muted),
		Link:        fg(t.Link).Underline(true),
		Good:        fg(t.Good),
		Warn:        fg(t.Warn),
		Bad:         fg(t.Bad),
		Chip:        fg(t.Text).Background(t.Surface),
		ChipFocus:   fg(t.OnAccent).Background(t.Accent),
		Diff:        DiffStyles{Add: fg(t.Good), Del: fg(t.Bad), Hunk: fg(t.Muted)},
	}
	if noColor {
		s.Selected = lipgloss.NewStyle().Reverse(true)
		s.MatchFocus = lipgloss.NewStyle().Reverse(true).Underline(true)
		s.ChipFocus = lipgloss.NewStyle().Reverse(true)
	}
	s.Context = ContextStyles{
		Cached:  fg(t.Cached),
		New:     fg(t.New),
		Drifted: fg(t.Drifted),
		Library: fg(t.Cached),
		Active:  fg(t.Accent).Bold(true),
		Added:   fg(t.New),
	}
	s.Chat = ChatStyles{
		Gutter:    fg(t.Human),
		You:       fg(t.Human).Bold(true),
		Assistant: fg(t.Muted),
		Reasoning: fg(t.Muted).Italic(true),
		Tool:      fg(t.Muted),
		Notice:    fg(t.Accent),
		Error:     fg(t.Bad).Bold(true),
		Mark:      fg(t.Warn),
		Pill:      fg(t.OnAccent).Background(t.Accent),
	}
	if noColor {
		s.Chat.Pill = lipgloss.NewStyle().Reverse(true)
	}
	return s
}
