package composer

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"ibid/ui/theme"
)

func plainTheme(ascii bool) theme.Theme {
	return theme.New(theme.Options{Dark: true, NoColor: true, ASCII: ascii})
}

// codes are the keys with names of more than one character.
var codes = map[string]rune{
	"enter": tea.KeyEnter, "backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "left": tea.KeyLeft,
	"right": tea.KeyRight, "up": tea.KeyUp, "down": tea.KeyDown, "home": tea.KeyHome, "end": tea.KeyEnd,
	"esc": tea.KeyEscape, "tab": tea.KeyTab, "space": ' ',
}

// press returns the message of a key such as "ctrl+w" or "enter".
func press(name string) tea.KeyPressMsg {
	var k tea.Key
	for {
		mod, rest, ok := strings.Cut(name, "+")
		if !ok || rest == "" {
			break
		}
		switch mod {
		case "ctrl":
			k.Mod |= tea.ModCtrl
		case "alt":
			k.Mod |= tea.ModAlt
		case "shift":
			k.Mod |= tea.ModShift
		}
		name = rest
	}
	if c, ok := codes[name]; ok {
		k.Code = c
	} else {
		k.Code = []rune(name)[0]
		if k.Mod == 0 {
			k.Text = name
		}
	}
	return tea.KeyPressMsg(k)
}

// edits are scripts, each with the text that it leaves in a new composer.
type edits []struct{ name, script, want string }

// hold plays each script and compares the text.
func (all edits) hold(t *testing.T) {
	for _, tt := range all {
		t.Run(tt.name, func(t *testing.T) {
			m := New(plainTheme(false))
			play(m, tt.script)
			is(t, withCursor(m), tt.want, tt.script)
		})
	}
}

// play types a script into m: text as it is, <key> for keys, <paste:…> for a bracketed paste,
// <accept:…> and <dismiss> for actions of a popup. It returns the actions other than edits and
// movements.
func play(m *Model, script string) []Action {
	var out []Action
	note := func(a Action) {
		if a.Kind != Edited && a.Kind != Moved {
			out = append(out, a)
		}
	}
	for script != "" {
		if script[0] == '<' {
			if name, rest, ok := strings.Cut(script[1:], ">"); ok {
				script = rest
				what, arg, _ := strings.Cut(name, ":")
				switch what {
				case "paste":
					note(m.Update(tea.PasteMsg{Content: strings.ReplaceAll(arg, "¶", "\r")}))
				case "accept":
					text, pick, _ := strings.Cut(arg, "=")
					m.Accept(text, pick)
				case "dismiss":
					m.Dismiss()
				case "take":
					m.Take()
				default:
					note(m.Update(press(name)))
				}
				continue
			}
		}
		g, _ := ansi.FirstGraphemeCluster(script, ansi.GraphemeWidth)
		script = script[len(g):]
		note(m.Update(tea.KeyPressMsg{Code: []rune(g)[0], Text: g}))
	}
	return out
}

// TestScripts plays keys and compares the text, in which | is the cursor.
func TestScripts(t *testing.T) {
	edits{
		{"typing", "hello", "hello|"},
		{"left and insert", "helo<left>l", "hell|o"},
		{"shift enter", "a<shift+enter>b", "a\nb|"},
		{"alt enter", "a<alt+enter>b", "a\nb|"},
		{"ctrl j", "a<ctrl+j>b", "a\nb|"},
		{"backslash enter", `a\<enter>b`, "a\nb|"},
		{"backspace joins lines", "a<ctrl+j>b<home><backspace>", "a|b"},
		{"delete joins lines", "a<ctrl+j>b<up><end><delete>", "a|b"},
		{"line start and end", "one<ctrl+a>x<ctrl+e>y", "xoney|"},
		{"word left", "one two<alt+b>x", "one x|two"},
		{"word right", "one two<home><alt+f>x", "onex| two"},
		{"kill word and yank", "one two<ctrl+w><home><ctrl+y>", "two|one "},
		{"words end at signs", "go see/what-is x.y<alt+b><alt+b><alt+b>", "go see/what-|is x.y"},
		{"words to the right", "see/what x<ctrl+a><alt+f><alt+f>", "see/what| x"},
		{"delete a word right", "see/what x<ctrl+a><alt+d>", "|/what x"},
		{"delete a word left", "see/what<alt+backspace>", "see/|"},
		{"delete to the blank", "go see/what<ctrl+w>", "go |"},
		{"delete over a mention", "see @x<accept:[[Two words]]><alt+backspace>", "see |"},
		{"kill to end", "one two<alt+b><ctrl+k>", "one |"},
		{"kill to start", "one two<alt+b><ctrl+u>", "|two"},
		{"kill word right", "one two<home><alt+d>", "| two"},
		{"kill at line end joins", "a<ctrl+j>b<up><end><ctrl+k>", "a|b"},

		{"cluster goes as one", "a👩‍👩‍👧‍👦<backspace>", "a|"},
		{"flag typed in halves", "🇩🇪<left>x", "x|🇩🇪"},
		{"combining mark joins", "e\u0301<left>x", "x|e\u0301"},
		{"skin tone joins", "👍🏽<backspace>", "|"},
		{"wide runes", "日本語<left><backspace>", "日|語"},
		{"deleting between halves joins them", "🇩x🇪<left><backspace><backspace>", "|"},

		{"mention is one cell", "see @les<accept:[[Lesson 4]]><backspace><backspace>", "see |"},
		{"mention by wikilink", "see [[les<accept:[[Lesson 4]]>!", "see [[Lesson 4]]!|"},
		{"mention eats closing brackets", "[[les]]<left><left><accept:[[Lesson 4]]>", "[[Lesson 4]] |"},
		{"mention keeps what follows", "@les and more<home><right><right><right><right><accept:[[L]]>", "[[L]] |and more"},
		{"step over mention", "a@x<backspace><backspace> @x<accept:[[Long name]]><left><left>b", "a b|[[Long name]] "},
		{"word left over mention", "go @x<accept:[[Two words]]><alt+b>", "go |[[Two words]] "},
		{"quoted form", `@"my n<accept:@"my note">`, `@"my note" |`},
		{"one blank behind a mention", "@x<accept:[[N]]> and", "[[N]] and|"},
		{"two if they are typed", "@x<accept:[[N]]>  and", "[[N]]  and|"},
		{
			"a sign takes the place of the blank", "(@x<accept:[[N]]>) or @y<accept:[[M]]>, and @z<accept:[[O]]>'s?",
			"([[N]]) or [[M]], and [[O]]'s?|",
		},
		{"but not one that begins something", "@x<accept:[[N]]>(a) @x<accept:[[N]]>-b", "[[N]] (a) [[N]] -b|"},
		{"nor when something was done since", "@x<accept:[[N]]><left><right>a<backspace>.", "[[N]] .|"},
		{"a paste behind a mention", "@x<accept:[[N]]><paste:, b> @x<accept:[[N]]><paste:c>", "[[N]], b [[N]] c|"},
		{"a line break behind a mention", "@x<accept:[[N]]><ctrl+j>a", "[[N]]\na|"},
		{"mention behind a word", "see<accept:[[N]]>", "see [[N]] |"},
		{"command is text", "/ch<accept:/chats > x", "/chats  x|"},
		{"argument is text", `/pin so<accept:"Garden/Soil.md">`, `/pin "Garden/Soil.md"|`},
		{"accept without trigger", "see <accept:[[N]]>", "see [[N]] |"},

		{"paste", "a<paste:b¶c>", "ab\nc|"}, // terminals send CR for a line break
		{"paste keeps tabs", "<paste:\tx>", "\tx|"},
		{"paste drops escapes", "<paste:a\x1b[31mb\x1b]c>", "ab]c|"},

		{"white space at the end is not taken", "  a b <shift+enter> <take><up>", "  a b|"},
		{"history", "one<take>two<take>dra<up><up>", "one|"},
		{"history comes back to the draft", "one<take>two<take>dra<up><up><down><down>", "dra|"},
		{"history keeps mentions", "@l<accept:[[L 4]]=note:l.md><take><up><backspace>", "|"},
		{"up inside the text first", "one<take>a<ctrl+j>b<up>", "a|\nb"},
		{"edited entry becomes the draft", "one<take><up>x<up><down>", "onex|"},
	}.hold(t)
}

// TestRows moves the cursor, which is |, in a text wrapped at ten columns.
func TestRows(t *testing.T) {
	const text = "one two three four<ctrl+j>x" // one two / three four / x
	tests := []struct{ script, want string }{
		{text + "<up><home>", "|one two three four\nx"},
		{text + "<up><up><end>", "one two three four|\nx"},
		{text + "<up><up><ctrl+e>", "one two three four|\nx"},
		{text + "<up><ctrl+a>", "|one two three four\nx"},
		{"one two three<ctrl+j>x<ctrl+j>another on<up><up>", "one two three|\nx\nanother on"},
		{"three four<ctrl+j>x<ctrl+j>another on<left><up><up>", "three fou|r\nx\nanother on"},
		{"three four<ctrl+j>x<ctrl+j>another on<left><up><up><down><down>", "three four\nx\nanother o|n"},
	}
	for _, tt := range tests {
		m := New(plainTheme(false))
		m.SetWidth(13)
		play(m, tt.script)
		is(t, withCursor(m), tt.want, tt.script)
	}
}

func withCursor(m *Model) string {
	var b strings.Builder
	for i, line := range m.buf.lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		for j := 0; j <= len(line); j++ {
			if i == m.buf.row && j == m.buf.col {
				b.WriteByte('|')
			}
			if j < len(line) {
				b.WriteString(line[j].s)
			}
		}
	}
	return b.String()
}

func TestActions(t *testing.T) {
	shelf := Shelf{Chips: []Chip{{ID: "a", Label: "A"}, {ID: "b", Label: "B"}}}
	tests := []struct {
		name, script string
		want         []Action
	}{
		{"enter submits", "hi<enter>", []Action{{Kind: Submit}}},
		{"enter submits nothing too", "<enter>", []Action{{Kind: Submit}}},
		{"foreign keys are ignored", "<tab><esc><ctrl+c><ctrl+p>", make([]Action, 4)},
		{"ctrl+d on an empty prompt is the parent's", "<ctrl+d>", []Action{{}}},
		{"up without history is the parent's", "<up>", []Action{{}}},
		{"left enters the shelf at its end", "<left>x", []Action{{Kind: RemoveChip, Chip: "b"}}},
		{"right enters it at its start", "<right>x", []Action{{Kind: RemoveChip, Chip: "a"}}},
		{"enter cycles", "<right><right><enter>", []Action{{Kind: CycleChip, Chip: "b"}}},
		{"past the end is the text", "<right><right><right>x<enter>", []Action{{Kind: Submit}}},
		{"typing leaves the shelf", "<right>yes<enter>", []Action{{Kind: Submit}}},
		{"esc leaves the shelf", "<right><esc>x<enter>", []Action{{Kind: Submit}}},
		{"left in text stays in text", "ab<left><left><enter>", []Action{{Kind: Submit}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := New(plainTheme(false))
			m.SetShelf(shelf)
			got := play(m, tt.script)
			is(t, fmt.Sprint(got), fmt.Sprint(tt.want), tt.script)
		})
	}
	m := New(theme.Theme{})
	m.SetShelf(shelf)
	m.Blur()
	if a := m.Update(press("enter")); a.Kind != Ignored || m.Cursor() != nil {
		t.Errorf("blurred: action %v, cursor %v", a, m.Cursor())
	}
}

func TestTrigger(t *testing.T) {
	tests := []struct {
		script string
		kind   TriggerKind
		query  string
	}{
		{"@", At, ""},
		{"compare with @les", At, "les"},
		{"@Lesson 4", At, "Lesson 4"},
		{"(@x", At, "x"},
		{`@"my no`, At, "my no"},
		{"@Lesson#Sca", At, "Lesson#Sca"},
		{"看@笔", At, "笔"},
		{"[[les", Wikilink, "les"},
		{"![[pic", Wikilink, "pic"},
		{"see [[a@b", Wikilink, "a@b"},
		{"/cha", Command, "cha"},
		{"/", Command, ""},
		{"in the middle @les of it<left><left><left><left><left><left>", At, "les"},
		{"first<ctrl+j>@sec", At, "sec"},
		{"`code` @x", At, "x"},
		{"```<ctrl+j>code<ctrl+j>```<ctrl+j>@x", At, "x"},

		{"user@example.com", NoTrigger, ""},
		{"a_@b", NoTrigger, ""},
		{"@ x", NoTrigger, ""},
		{"@a  b", NoTrigger, ""},
		{`@"my note" and`, NoTrigger, ""},
		{"[[Note]] x", NoTrigger, ""},
		{"m[[0", NoTrigger, ""},
		{"[[[x", NoTrigger, ""},
		{"`git log @", NoTrigger, ""},
		{"``a ` @", NoTrigger, ""},
		{"```<ctrl+j>@x", NoTrigger, ""},
		{"~~~ go<ctrl+j>```<ctrl+j>@x", NoTrigger, ""},
		{" /x", NoTrigger, ""},
		{"/usr/bin", NoTrigger, ""},
		{"/chats now", Argument, "chats now"},
		{"/pin ", Argument, "pin "},
		{"/open a b", Argument, "open a b"},
		{"/tag +a -b/c", Argument, "tag +a -b/c"},
		{"pin so", NoTrigger, ""},
		{" /pin so", NoTrigger, ""},
		{"/usr/bin so", NoTrigger, ""},
		{"/ so", NoTrigger, ""},
		{"/pin<ctrl+j>so", NoTrigger, ""},
		{"a<ctrl+j>/x", NoTrigger, ""},
		{"<paste:@les>", NoTrigger, ""},
		{"<paste:@>les", NoTrigger, ""},
		{"<paste:[[les>", NoTrigger, ""},
		{"@x<accept:[[Les]]>", NoTrigger, ""},
		{"@les<dismiss>", NoTrigger, ""},
		{"@les<dismiss>son", NoTrigger, ""},
		{"@les<dismiss><ctrl+u>@les", At, "les"},
		{"@a<dismiss>  @b", At, "b"},
	}
	for _, tt := range tests {
		m := New(plainTheme(false))
		play(m, tt.script)
		kind, query, ok := m.Trigger()
		if kind != tt.kind || query != tt.query || ok != (tt.kind != NoTrigger) {
			t.Errorf("%s: got %v %q %v, want %v %q", tt.script, kind, query, ok, tt.kind, tt.query)
		}
	}
}

func TestPastes(t *testing.T) {
	m := New(plainTheme(false))
	long := strings.Repeat("@line [[x]]\n", 48)
	play(m, "see @n<accept:[[N]]> ")
	m.Update(tea.PasteMsg{Content: strings.ReplaceAll(long, "\n", "\r\n")})
	play(m, " and ")
	m.Update(tea.PasteMsg{Content: strings.Repeat("é", 1500)})
	if got, want := ansi.Strip(strings.Split(m.View(), "\n")[1]),
		"[paste 1 · 48 lines] and [paste 2 · 3.0 kB]"; !strings.Contains(got, want) {
		t.Errorf("row %q lacks %q", got, want)
	}
	d := m.Draft()
	if want := "see [[N]] " + long + " and " + strings.Repeat("é", 1500); d.Text != want {
		t.Errorf("text is %q", d.Text)
	}
	if len(d.Spans) != 2 || d.Text[d.Spans[0].From:d.Spans[0].To] != long {
		t.Errorf("literal spans %v", d.Spans)
	}
	play(m, "<backspace><left><left><left><left><left>")
	for _, want := range []bool{true, false} {
		if _, did := m.ExpandPaste(); did != want {
			t.Errorf("the chip left of the cursor expanded: %v, want %v", did, want)
		}
	}
	if d := m.Draft(); d.Text != "see [[N]] "+long+" and " || d.Text[d.Spans[0].From:d.Spans[0].To] != "@line [[x]]" {
		t.Errorf("expanded: %q %v", d.Text, d.Spans)
	}
	kept := m.Draft()
	m.Reset()
	if !m.Empty() {
		t.Error("not empty after Reset")
	}
	m.SetDraft(kept)
	is(t, m.Value(), kept.Text)
}

// TestEditedDraft: pastes and picks remain in a text that was edited in another program, as far
// as their text remains.
func TestEditedDraft(t *testing.T) {
	m := New(plainTheme(false))
	m.Update(tea.PasteMsg{Content: "an @old\n[[paste]]"})
	m.Insert(" and @n")
	m.Accept("[[N]]", "note:n.md")
	m.Insert(" or @g")
	m.Accept("[[Gone]]", "note:gone.md")
	d := m.Draft().Edited("Now [[N]] first: an @old\n[[paste]] and [[N]].")
	m.SetDraft(d)
	for _, d := range []Draft{d, m.Draft()} {
		var got []string
		for _, s := range d.Spans {
			got = append(got, d.Text[s.From:s.To]+" "+s.Pick)
		}
		is(t, got, []string{"an @old ", "[[paste]] ", "[[N]] note:n.md"})
		if d.Spans[2].From < len("Now [[N]] first") {
			t.Error("the mention was taken for one that was written before it")
		}
	}
	m.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
	m.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
	if v := m.Value(); !strings.HasSuffix(v, " and ") {
		t.Errorf("the mention is not one cell: %q", v)
	}
}

func states() map[string]func(*Model) {
	chips := []Chip{
		{ID: "l4", Label: "Lesson 4", Kind: Active, State: Follow},
		{ID: "ps", Label: "project-spec", State: Known},
		{ID: "l3", Label: "Lesson 3", State: Drifted, Tokens: 84},
		{ID: "api", Label: "api-docs", Tokens: 1156},
		{ID: "gone", Label: "Lesson 2", Kind: Pinned, State: Missing},
	}
	full := Shelf{Chips: chips, Estimate: true, Sends: 13640, Cached: 12400, Price: "≈ $0.004"}
	return map[string]func(*Model){
		"empty": func(*Model) {},
		"off":   func(m *Model) { m.SetShelf(Shelf{Chips: []Chip{{ID: "a", Kind: Active, State: Off}}}) },
		"fixed": func(m *Model) {
			m.SetShelf(Shelf{Chips: []Chip{{ID: "a", Kind: Active, State: Fixed, Label: "日本語ノート", Tokens: 2940}}})
		},
		"idle": func(m *Model) {
			m.SetShelf(Shelf{Chips: []Chip{{ID: "a", Kind: Active, State: Idle, Label: "Week 47", Age: "3 h"}}})
		},
		"shelf":  func(m *Model) { m.SetShelf(full); play(m, "and make Sunday a rest day") },
		"boxed":  func(m *Model) { m.SetBoxed(true); m.SetShelf(full); play(m, "and make Sunday a rest day") },
		"chosen": func(m *Model) { m.SetShelf(full); play(m, "<right><right>") },
		"mixed": func(m *Model) {
			m.SetShelf(Shelf{Queued: 2})
			play(m, "compare @l<accept:[[Lesson 4]]> with 练习计划 👩‍👧 and ")
			m.Update(tea.PasteMsg{Content: strings.Repeat("row\n", 60)})
			play(m, "<ctrl+j>second line")
		},
		"tall": func(m *Model) {
			for i := range 12 {
				play(m, fmt.Sprintf("line %d<ctrl+j>", i))
			}
			play(m, "<up><up>")
		},
		"blurred": func(m *Model) { play(m, "draft"); m.Blur() },
	}
}

func TestGolden(t *testing.T) {
	for name, set := range states() {
		for _, w := range []int{40, 80, 120, 200} {
			t.Run(fmt.Sprintf("%s/%d", name, w), func(t *testing.T) {
				m := New(plainTheme(false))
				m.SetWidth(w)
				set(m)
				golden.RequireEqual(t, shot(m))
			})
		}
	}
	t.Run("ascii/80", func(t *testing.T) {
		m := New(plainTheme(true))
		states()["shelf"](m)
		golden.RequireEqual(t, shot(m))
	})
}

// TestColour: the text is the same with colours as without, except for the sign of a blurred
// prompt, which is left out only with colours.
func TestColour(t *testing.T) {
	for name, set := range states() {
		bare, coloured := New(plainTheme(false)), New(theme.New(theme.Options{Dark: true}))
		set(bare)
		set(coloured)
		if in := shot(coloured); name == "blurred" && strings.Contains(shot(bare), "> ") ||
			strings.Replace(in, "> draft", "  draft", 1) != strings.Replace(shot(bare), "> draft", "  draft", 1) {
			t.Errorf("%s:\n%s\nin colour:\n%s", name, shot(bare), shot(coloured))
		}
		if name != "empty" && !strings.Contains(coloured.View(), "\x1b[") {
			t.Errorf("%s: no colour at all", name)
		}
	}
}

// shot returns the view as plain text, and the place of the cursor.
func shot(m *Model) string {
	at := "no cursor"
	if c := m.Cursor(); c != nil {
		at = fmt.Sprintf("cursor %d,%d", c.X, c.Y)
	}
	return ansi.Strip(m.View()) + "\n" + at + "\n"
}

// pieces are the texts that TestExact types: wide, joined, combining, invisible and reordering
// runes, and words around them.
var pieces = []string{
	"a", " ", "word ", "日本", "한", "👩‍👩‍👧‍👦", "👍🏽", "🇩", "🇪", "e\u0301", "\u0301", "\u200d", "\ufe0f", "1\ufe0f\u20e3",
	"☺", "☺\ufe0f", "\u202e", "\u200b", "\u0600", "ก็", "नि", "ﷺ", "\t", "\u3000", "longwordwithoutspaces", "`", "@",
	"[[", "\x1b[31m", "\x07",
}

var keysToPress = []string{
	"left", "right", "up", "down", "backspace", "delete", "ctrl+w", "ctrl+k", "ctrl+u", "ctrl+y", "alt+b", "alt+f",
	"alt+d", "home", "end", "ctrl+j", "enter",
}

// TestExact types at random and checks that each row has exactly the width of the widget, and
// that the cursor is inside it, directly after the text in front of it.
func TestExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := New(theme.New(theme.Options{NoColor: rapid.Bool().Draw(t, "nocolor"), ASCII: rapid.Bool().Draw(t, "ascii")}))
		m.SetWidth(rapid.IntRange(0, 60).Draw(t, "w"))
		m.SetShelf(Shelf{Chips: []Chip{
			{ID: "a", Label: "日本語\x1b[2J"},
			{ID: "b", Label: "b", State: Known},
			{ID: "c", Label: "👩‍👧 family", State: Missing},
		}, Estimate: true, Sends: 5000})
		for range rapid.IntRange(1, 40).Draw(t, "n") {
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0, 1, 2, 3:
				s := rapid.SampledFrom(pieces).Draw(t, "piece")
				m.Update(tea.KeyPressMsg{Code: []rune(s)[0], Text: s})
			case 4:
				m.Update(tea.PasteMsg{Content: strings.Repeat(rapid.SampledFrom(pieces).Draw(t, "pasted"),
					rapid.SampledFrom([]int{1, 2000}).Draw(t, "times"))})
			case 5:
				m.Accept("[["+rapid.SampledFrom(pieces).Draw(t, "mention")+"]]", "")
			default:
				m.Update(press(rapid.SampledFrom(keysToPress).Draw(t, "key")))
			}
			checkExact(t, m)
		}
		// Segmenting the text again gives the same cells.
		for _, line := range m.buf.lines {
			got := segmentRuns(line)
			for i := range line {
				if i >= len(got) || got[i].s != line[i].s || got[i].w != line[i].w || len(got) != len(line) {
					t.Fatalf("%q is %v, segmented anew %v", plainText(line), line, got)
				}
			}
		}
	})
}

func segmentRuns(line []cell) []cell {
	var out []cell
	for i := 0; i < len(line); {
		j := i
		for j < len(line) && line[j].kind == text {
			j++
		}
		if j == i {
			out = append(out, line[i])
			i++
			continue
		}
		out = append(out, splitCells(plainText(line[i:j]), false)...)
		i = j
	}
	return out
}

func checkExact(t *rapid.T, m *Model) {
	view := m.View()
	rows := strings.Split(view, "\n")
	if len(rows) != m.Height() {
		t.Fatalf("%d rows, Height says %d", len(rows), m.Height())
	}
	for i, r := range rows {
		if w := ansi.StringWidth(r); w != m.width {
			t.Fatalf("row %d is %d columns, not %d: %q", i, w, m.width, r)
		}
	}
	if stripped := ansi.Strip(view); strings.ContainsFunc(stripped, func(r rune) bool {
		return r < ' ' && r != '\n' || r == 0x202e
	}) {
		t.Fatalf("control characters on screen: %q", stripped)
	}
	c := m.Cursor()
	if c.X < 0 || c.X >= m.width || c.Y < 0 || c.Y >= len(rows) {
		t.Fatalf("cursor %v outside %dx%d", c.Position, m.width, len(rows))
	}
	if _, onShelf := m.Chip(); onShelf {
		return
	}
	at, _ := locate(m.rows, &m.buf, m.textWidth())
	r := m.rows[at]
	var before strings.Builder
	for _, c := range m.buf.line()[r.from:m.buf.col] {
		before.WriteString(theme.Cut(c.screenText(), m.textWidth(), ""))
	}
	if want := min(ansi.StringWidth(before.String()), m.textWidth()); c.X-m.gutter() != want && m.textWidth() > 12 {
		t.Fatalf("cursor at column %d of the text, %q before it is %d wide", c.X-m.gutter(), before.String(), want)
	}
}

// TestASCII: a theme with ASCII glyphs draws everything but the user's text in ASCII.
func TestASCII(t *testing.T) {
	m := New(plainTheme(true))
	if s := ansi.Strip(m.View()); strings.ContainsFunc(s, notASCII) {
		t.Errorf("empty prompt:\n%s", s)
	}
	var chips []Chip
	for s := Fresh; s <= Idle; s++ {
		chips = append(chips, Chip{ID: fmt.Sprint(s), Label: "note", State: s, Age: "2 h"})
	}
	m.SetShelf(Shelf{Chips: chips, Estimate: true, Sends: 7, Cached: 4})
	m.Update(tea.PasteMsg{Content: strings.Repeat("x\n", 50)})
	for _, w := range []int{40, 80, 300} {
		m.SetWidth(w)
		if s := ansi.Strip(m.View()); strings.ContainsFunc(s, notASCII) {
			t.Errorf("%d columns:\n%s", w, s)
		}
	}
}

func notASCII(r rune) bool { return r > 0x7e }

// is fails the test with a diff if got differs from want; of names the values.
func is[T any](t testing.TB, got, want T, of ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%v (-want +got)\n%s", of, diff)
	}
}
