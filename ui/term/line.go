package term

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// Line is the text field of one line that every part of the screen uses: filters, the find bar, the reason of a
// refusal. It edits by itself and not with the textinput of bubbles, whose keys read beyond the end of a text
// (v2.2.1), halve emoji and put the cursor beside wide characters. Its cursor stands only between characters as a
// reader counts them, and each key of the table lineKeys is safe at each of these places. The zero value is an empty
// line without the focus.
type Line struct {
	Prompt      string
	Placeholder string // text of an empty line
	Secret      bool   // drawn as stars; keys for words act on the whole line, so that they do not tell the words

	value   string
	pos     int // of the cursor, in bytes: one of the stops of value
	focused bool
	width   int // columns of the text, besides the cursor behind it; 0 for no limit

	promptStyle      lipgloss.Style
	placeholderStyle lipgloss.Style
}

// NewLine returns an input line.
func NewLine(prompt string) Line { return Line{Prompt: prompt} }

// SetTheme gives the line the colours of a theme.
func (l *Line) SetTheme(t *theme.Theme) {
	l.promptStyle = lipgloss.NewStyle().Foreground(t.Tokens.Accent)
	l.placeholderStyle = lipgloss.NewStyle().Foreground(t.Tokens.Muted)
}

// SetWidth sets the number of columns of the text. View draws one more, for the cursor.
func (l *Line) SetWidth(w int) { l.width = max(w, 0) }

// Focus lets the line take keys.
func (l *Line) Focus() { l.focused = true }

// Blur takes the keys from the line.
func (l *Line) Blur() { l.focused = false }

// Value returns the text.
func (l *Line) Value() string { return l.value }

// Position returns the number of bytes before the cursor.
func (l *Line) Position() int { return l.pos }

// SetValue replaces the text and puts the cursor at its end.
func (l *Line) SetValue(s string) { l.set(plainLine(s), "") }

// lineKey says what keys do in a line.
type lineKey struct {
	names []string
	does  func(*Line)
}

// lineKeys are the keys of a line. All other keys insert their text.
var lineKeys = []lineKey{
	{[]string{"left", "ctrl+b"}, func(l *Line) { l.pos = l.before() }},
	{[]string{"right", "ctrl+f"}, func(l *Line) { l.pos = l.behind() }},
	{[]string{"alt+left", "ctrl+left", "alt+b"}, func(l *Line) { l.pos = l.wordStart() }},
	{[]string{"alt+right", "ctrl+right", "alt+f"}, func(l *Line) { l.pos = l.wordEnd() }},
	{[]string{"home", "ctrl+a"}, func(l *Line) { l.pos = 0 }},
	{[]string{"end", "ctrl+e"}, func(l *Line) { l.pos = len(l.value) }},
	{[]string{"backspace", "ctrl+h"}, func(l *Line) { l.cut(l.before(), l.pos) }},
	{[]string{"delete", "ctrl+d"}, func(l *Line) { l.cut(l.pos, l.behind()) }},
	{[]string{"alt+backspace", "ctrl+backspace", "ctrl+w"}, func(l *Line) { l.cut(l.wordStart(), l.pos) }},
	{[]string{"alt+delete", "ctrl+delete", "alt+d"}, func(l *Line) { l.cut(l.pos, l.wordEnd()) }},
	{[]string{"ctrl+u"}, func(l *Line) { l.cut(0, l.pos) }},
	{[]string{"ctrl+k"}, func(l *Line) { l.cut(l.pos, len(l.value)) }},
}

// Update handles a key or a paste while the line has the focus.
func (l *Line) Update(msg tea.Msg) {
	if !l.focused {
		return
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		l.press(msg)
	case tea.PasteMsg:
		l.insert(msg.Content)
	}
}

func (l *Line) press(msg tea.KeyPressMsg) {
	name := msg.String()
	for _, k := range lineKeys {
		if slices.Contains(k.names, name) {
			k.does(l)
			return
		}
	}
	l.insert(msg.Text)
}

func (l *Line) insert(text string) {
	l.set(l.value[:l.pos]+plainLine(text), l.value[l.pos:])
}

// cut removes the text from one stop to another.
func (l *Line) cut(from, to int) { l.set(l.value[:from], l.value[to:]) }

// set makes the text of the parts before and behind the cursor. Where the two join into one character, such as an
// accent behind its letter, the cursor goes behind it.
func (l *Line) set(before, behind string) {
	l.value = before + behind
	all := stops(l.value)
	at, _ := slices.BinarySearch(all, len(before))
	l.pos = all[at]
}

// before returns the stop before the cursor.
func (l *Line) before() int {
	all := stops(l.value[:l.pos])
	return all[max(len(all)-2, 0)]
}

// behind returns the stop behind the cursor.
func (l *Line) behind() int {
	all := stops(l.value[l.pos:])
	return l.pos + all[min(1, len(all)-1)]
}

// wordStart returns the start of the word at or before the cursor. Blanks divide words.
func (l *Line) wordStart() int {
	if l.Secret {
		return 0
	}
	word := strings.TrimRightFunc(l.value[:l.pos], unicode.IsSpace)
	blank := strings.LastIndexFunc(word, unicode.IsSpace)
	if blank < 0 {
		return 0
	}
	_, n := utf8.DecodeRuneInString(word[blank:])
	return l.stopAt(blank + n)
}

// wordEnd returns the end of the word at or behind the cursor.
func (l *Line) wordEnd() int {
	if l.Secret {
		return len(l.value)
	}
	word := strings.TrimLeftFunc(l.value[l.pos:], unicode.IsSpace)
	end := strings.IndexFunc(word, unicode.IsSpace)
	if end < 0 {
		return len(l.value)
	}
	return l.stopAt(len(l.value) - len(word) + end)
}

// stopAt returns the first stop at or behind a place. A blank with an accent is a character that a word may begin in.
func (l *Line) stopAt(place int) int {
	all := stops(l.value)
	at, _ := slices.BinarySearch(all, place)
	return all[at]
}

// stops returns the places of a text at which a cursor can stand: its start, and the end of each character.
func stops(s string) []int {
	all := make([]int, 1, len(s)+1)
	for at := 0; at < len(s); {
		g, _ := ansi.FirstGraphemeCluster(s[at:], ansi.GraphemeWidth)
		if g == "" {
			_, n := utf8.DecodeRuneInString(s[at:])
			g = s[at : at+n]
		}
		at += len(g)
		all = append(all, at)
	}
	return all
}

// plainLine makes a text one line without control characters.
func plainLine(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\r', r == '\t':
			return ' '
		case r == utf8.RuneError, unicode.IsControl(r):
			return -1
		}
		return r
	}, s)
}

// Window returns the part of the text around the cursor that fits in w columns, as it is drawn, and the column of the
// cursor in it.
func (l *Line) Window(w int) (text string, cursor int) {
	const near = 8 // more than enough characters for each column
	before, behind := lastRunes(l.value[:l.pos], near*w), firstRunes(l.value[l.pos:], near*w)
	if l.Secret {
		before = strings.Repeat("*", utf8.RuneCountInString(before))
		behind = strings.Repeat("*", utf8.RuneCountInString(behind))
	}
	before, behind = theme.SafeLine(before), theme.SafeLine(behind)
	for Width(before) > max(w-1, 0) {
		before = before[stops(before)[1]:]
	}
	return theme.Cut(before+behind, w, ""), min(Width(before), max(w-1, 0))
}

// lastRunes returns the last n runes of a text.
func lastRunes(s string, n int) string {
	from := len(s)
	for ; n > 0 && from > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:from])
		from -= size
	}
	return s[from:]
}

// firstRunes returns the first n runes of a text.
func firstRunes(s string, n int) string {
	to := 0
	for ; n > 0 && to < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[to:])
		to += size
	}
	return s[:to]
}

// columns returns the columns that View draws behind the prompt.
func (l *Line) columns() int {
	if l.width > 0 {
		return l.width + 1
	}
	return max(Width(theme.SafeLine(l.value)), Width(l.Placeholder)) + 1
}

// View draws the prompt and the text, or the placeholder of an empty line.
func (l *Line) View() string {
	w := l.columns()
	prompt := l.promptStyle.Render(l.Prompt)
	if l.value == "" && l.Placeholder != "" {
		return prompt + l.placeholderStyle.Render(Pad(l.Placeholder, w))
	}
	text, _ := l.Window(w)
	return prompt + Pad(text, w)
}

// Cursor returns the cursor in row 0 of what View draws, nil without the focus.
func (l *Line) Cursor() *tea.Cursor {
	if !l.focused {
		return nil
	}
	_, column := l.Window(l.columns())
	return tea.NewCursor(Width(l.Prompt)+column, 0)
}

// CursorIn returns the cursor of the line if it stands in row y of a page, after the margin of one column; nil if the
// line has no cursor.
func (l *Line) CursorIn(y int) *tea.Cursor {
	c := l.Cursor()
	if c != nil {
		c.X, c.Y = c.X+1, y
	}
	return c
}
