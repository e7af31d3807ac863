package theme

import (
	_ "embed"
	"reflect"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
)

// Glyphs are the signs by meaning. Each is one cell wide, except Ellipsis, Todo and Done, which are
// three in ASCII; none is an emoji, whose width terminals disagree on.
type Glyphs struct {
	Context   ContextGlyphs   // the states of context
	Bar       BarGlyphs       // the cache ribbon and meters
	Border    lipgloss.Border // frame of a box
	Gutter    string          // bar beside the text of the user
	Quote     string          // bar beside quotes, callouts and open reasoning
	Code      string          // bar beside code where no colour is painted behind it
	Rule      string          // one cell of a horizontal rule
	RuleFaint string          // one cell of a rule within a page
	Folded    string          // closed, can be opened
	Unfolded  string          // open, can be closed
	Cursor    string          // the row under the cursor
	Bullet    string          // item of an unordered list
	Ellipsis  string          // text was cut here
	Up, Down  string          // more above, more below
	Back, On  string          // keys to the left and to the right
	Prev      string          // around the number of a variant
	Next      string
	Check     string   // done, allowed, as predicted
	Cross     string   // failed, refused
	Alert     string   // needs a look
	Image     string   // an image
	Partial   string   // some of it; a running reply
	About     string   // before an estimated number
	AtLeast   string   // before a number that may grow
	Dot       string   // separates details in a line
	Todo      string   // box of an open task
	Done      string   // box of a task that is done
	Spinner   []string // frames of the only animation; one sign if nothing may move
}

// ContextGlyphs are the states of a piece of context. No two are alike.
type ContextGlyphs struct {
	Cached  string // the provider's prefix cache will hit
	New     string // sent at full price
	Drifted string // the note changed after it was sent
	Library string // already in the library
	Active  string // the active note
	Added   string // new this turn
}

// BarGlyphs draw the cache ribbon and meters.
type BarGlyphs struct {
	Hit      string // a cell that the cache will hit
	Miss     string // a cell that is paid in full
	Left     string // start of a segment
	Right    string // end of a segment
	Boundary string // where byte stability ends
}

// glyphTable has a line for each sign: its name, the sign and its form in ASCII.
//
//go:embed glyphs.txt
var glyphTable string

// glyphs returns the signs, or their forms in ASCII.
func glyphs(ascii bool) (g Glyphs) {
	column := 1
	if g.Border = lipgloss.RoundedBorder(); ascii {
		column, g.Border = 2, lipgloss.ASCIIBorder()
	}
	for line := range strings.Lines(glyphTable) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		field := reflect.ValueOf(&g).Elem()
		for name := range strings.SplitSeq(cells[0], ".") {
			field = field.FieldByName(name)
		}
		if sign := cells[column]; field.Kind() == reflect.String {
			field.SetString(sign)
		} else {
			g.Spinner = strings.Split(sign, "")
		}
	}
	return g
}

// Dotted joins the parts of a line with dots between them, without the empty ones.
func (g *Glyphs) Dotted(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool {
		return strings.TrimSpace(s) == ""
	}), " "+g.Dot+" ")
}
