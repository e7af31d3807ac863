package mdview

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ibid/ui/theme"
)

// stopped is a clock that never changes, so the tail is rendered at every call.
func stopped() time.Time { return time.Unix(0, 0) }

func plain() *Renderer { return NewRenderer(theme.New(theme.Options{NoColor: true})) }

// words deals out numbered words, so that it can be checked that none is lost.
type words struct {
	n        int
	noTables bool // whose words come in another order when cells wrap
}

func (w *words) word(t *rapid.T) string {
	w.n++
	form := rapid.SampledFrom([]string{
		"w%04d", "語%04d", "é%04d", "**w%04d**", "*w%04d*", "`w%04d`", "[[w%04d]]", "~~w%04d~~", "<w%04d>", "a\\_%04d",
		"==w%04d==", "$x_{%04d}$", `\(a < %04d\)`, "$$y = %04d$$", "[^n%04d]", "#t%04d", "[[note|w%04d]]", "![[w%04d.png]]",
		"a &amp; %04d",
	}).Draw(t, "form")
	return fmt.Sprintf(form, w.n)
}

func (w *words) line(t *rapid.T) string {
	var out []string
	for range rapid.IntRange(1, 9).Draw(t, "words") {
		out = append(out, w.word(t))
	}
	return strings.Join(out, " ")
}

// plainLine returns a line of words, for places where markup would have another meaning.
func (w *words) plainLine(prefix string) string {
	w.n += 2
	return fmt.Sprintf("%sx%04d y%04d", prefix, w.n-1, w.n)
}

func (w *words) block(t *rapid.T, depth int) string {
	kinds := 12
	if depth > 1 {
		kinds = 3
	}
	switch rapid.IntRange(0, kinds).Draw(t, "kind") {
	case 0, 1:
		return w.line(t) + "\n" + w.line(t)
	case 2:
		return strings.Repeat("#", rapid.IntRange(1, 6).Draw(t, "level")) + " " + w.line(t)
	case 3:
		mark := rapid.SampledFrom([]string{"```", "~~~", "`````"}).Draw(t, "mark")
		lang := rapid.SampledFrom([]string{"", "go", "python", "nosuch"}).Draw(t, "lang")
		return mark + lang + "\n" + w.plainLine("") + "\n\n" + w.plainLine("\t") + "\n" + mark
	case 4, 5:
		return w.listBlock(t, depth)
	case 6:
		return "> " + strings.ReplaceAll(w.block(t, depth+1), "\n", "\n> ")
	case 7:
		kind := rapid.SampledFrom([]string{"note", "warning", "tip"}).Draw(t, "callout")
		return "> [!" + kind + "] " + w.plainLine("") + "\n> " + strings.ReplaceAll(w.block(t, depth+1), "\n", "\n> ")
	case 8:
		if w.noTables {
			return w.line(t)
		}
		row := func() string { return "|" + w.plainLine("") + "|" + w.plainLine("") + "|" }
		return row() + "\n|---|:-:|\n" + row() + "\n" + row()
	case 9:
		return "$$\n" + w.plainLine("a = ") + "\n$$"
	case 10:
		note := "[^n]: " + w.line(t)
		if rapid.Bool().Draw(t, "more") {
			note += "\n\n    " + w.plainLine("")
		}
		return note
	case 11:
		return "%%\nhidden\n\n- too\n%%"
	default:
		return "---"
	}
}

func (w *words) listBlock(t *rapid.T, depth int) string {
	var items []string
	n := rapid.IntRange(1, 4).Draw(t, "items")
	marker := rapid.SampledFrom([]string{"-", "*", "1.", "7)", "- [ ]", "- [x]"}).Draw(t, "marker")
	indent := strings.Repeat(" ", len(strings.Fields(marker)[0])+1)
	sep := rapid.SampledFrom([]string{"\n", "\n\n"}).Draw(t, "sep")
	for range n {
		item := marker + " " + w.line(t)
		if rapid.IntRange(0, 3).Draw(t, "more") == 0 {
			item += "\n\n" + indent + strings.ReplaceAll(w.block(t, depth+1), "\n", "\n"+indent)
		}
		items = append(items, item)
	}
	return strings.Join(items, sep)
}

// document draws a well-formed document whose words are numbered in order.
func document(t *rapid.T) string { return (&words{}).document(t) }

func (w *words) document(t *rapid.T) string {
	var blocks []string
	for range rapid.IntRange(1, 7).Draw(t, "blocks") {
		blocks = append(blocks, w.block(t, 0))
	}
	return strings.Join(blocks, "\n\n") + rapid.SampledFrom([]string{"", "\n", "\n\n"}).Draw(t, "end")
}

// soup draws text in which anything may be broken.
func soup(t *rapid.T) string {
	piece := rapid.SampledFrom([]string{
		"word ", "音楽", "\n", "\n\n", "# ", "- ", "  - ", "1. ", "12) ", "> ", "> [!tip] ", "```", "```go\n",
		"~~~\n", "|", "|-|-|\n",
		"| a | b |\n", "===\n", "---\n", "    ", "\t", "<div>", "</div>\n", "<!-- ", "-->", "[x]",
		"[x]: http://e.example\n", "](", "![", "[[n]]",
		"[[", "**", "_", "`", "\\", "&#27;", "&amp;", "\x1b[31m", "\x1b]0;t\a", "\r\n", "\u202e", "\xff",
		"[ ] ", ": def\n", "<br>",
		"==", "$", "$$", "$$\n", "\\(", "\\)", "\\[", "\\[\n", "\\]", "%%", "%%\n", "[^1]", "[^1]: ", "#tag", "> [!x]- ",
		"> [!y]+ a\n", "- [/] ", "^2", "www.example.org ",
		"<details>", "<details open>\n", "<summary>s</summary>", "</details>", "] ",
		"<kbd>", "</kbd>", "<sub>", "</sub>", "<sup>2</sup>", "![[a.png]] ", "![a](a.png)", "👩\u200d🌾",
		"👍🏽", "\u200d", "שלום ",
	})
	return strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "pieces"), "")
}

// feed appends doc in drawn pieces, looking at the lines in between.
func feed(t *rapid.T, v *View, doc string) {
	for len(doc) > 0 {
		n := rapid.IntRange(1, min(len(doc), 60)).Draw(t, "piece")
		v.Append(doc[:n])
		doc = doc[n:]
		if rapid.Bool().Draw(t, "look") {
			v.Lines()
		}
	}
}

func equalLines(t *rapid.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("%s:\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Whatever the pieces were, the finished view is the direct rendering; and for
// well-formed documents the stream showed the same all along.
func TestStreamEqualsDirectRender(t *testing.T) {
	r := plain()
	rapid.Check(t, func(t *rapid.T) {
		doc := document(t)
		width := rapid.SampledFrom([]int{8, 24, 40, 80}).Draw(t, "width")
		v := New(r, Options{Width: width, Now: stopped})
		feed(t, v, doc)
		// A rule is final at once, so everything above it has to be closed.
		if rapid.Bool().Draw(t, "closed") {
			end := "\n\n***\n"
			if strings.HasSuffix(doc, "\n") {
				end = "\n***\n"
			}
			doc += end
			feed(t, v, end)
			equalLines(t, "before Finish", v.Lines(), r.Render(doc, width))
		}
		closed := slices.Clone(v.lines[:v.stable])
		if v.Finish(); !slices.Equal(v.Lines()[:len(closed)], closed) {
			t.Fatalf("a closed block changed at Finish in %q", doc)
		}
		equalLines(t, "after Finish", v.Lines(), r.Render(doc, width))
	})
}

func TestStreamOfAnythingEqualsDirectRender(t *testing.T) {
	r := plain()
	rapid.Check(t, func(t *rapid.T) {
		doc := soup(t)
		v := New(r, Options{Width: 40, Now: stopped})
		feed(t, v, doc)
		v.Finish()
		equalLines(t, "after Finish", v.Lines(), r.Render(doc, 40))
		v.SetWidth(17, 0)
		equalLines(t, "at another width", v.Lines(), r.Render(doc, 17))
		v.Append("\n\nmore")
		equalLines(t, "after more", v.Lines(), r.Render(doc, 17))
	})
}

// The oracle knows nothing of markdown: every numbered word of the source is on
// screen, in order, at any width.
func TestNothingIsLost(t *testing.T) {
	r := plain()
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.SampledFrom([]int{12, 30, 100}).Draw(t, "width")
		w := &words{noTables: width < 100}
		doc := w.document(t)
		screen := strings.Map(func(c rune) rune {
			if c >= '0' && c <= '9' {
				return c
			}
			if at := slices.Index([]rune("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉"), c); at >= 0 {
				return '0' + rune(at%10)
			}
			return -1
		}, ansi.Strip(strings.Join(r.Render(doc, width), "")))
		at := 0
		for i := 1; i <= w.n; i++ {
			n := strings.Index(screen[at:], fmt.Sprintf("%04d", i))
			if n < 0 {
				t.Fatalf("word %d of %q is not on the screen at width %d: %s", i, doc, width, screen)
			}
			at += n + 4
		}
	})
}

// Whatever comes in, lines fit, and the only sequences are the theme's.
func checkSafe(lines []string, width int) error {
	allowed := func(params string) bool { // bold, italic, underlined, struck through
		return !strings.ContainsFunc(params, func(c rune) bool { return !strings.ContainsRune("[1349;", c) })
	}
	for _, l := range lines {
		l = theme.StripMarks(l)
		if w := ansi.StringWidth(l); w > width {
			return fmt.Errorf("%d cells in %q, want at most %d", w, l, width)
		}
		style, link := pen(l, "", "")
		if style != "" || link != "" {
			return fmt.Errorf("%q does not end its styles", l)
		}
		for i, part := range strings.Split(l, "\x1b") {
			if i > 0 {
				if rest, ok := strings.CutPrefix(part, "]8;"); ok {
					link, tail, ok := strings.Cut(rest, "\a")
					if !ok || theme.Sanitize(link) != link {
						return fmt.Errorf("link %q in %q", rest, l)
					}
					part = tail
				} else if i := strings.IndexByte(part, 'm'); i >= 0 && allowed(part[:i]) {
					part = part[i+1:]
				} else {
					return fmt.Errorf("sequence %q in %q", part, l)
				}
			}
			if theme.Sanitize(part) != part || strings.Contains(part, "\n") {
				return fmt.Errorf("control characters in %q", l)
			}
		}
	}
	return nil
}

func TestLinesAreSafeAndFit(t *testing.T) {
	r := plain()
	rapid.Check(t, func(t *rapid.T) {
		doc := rapid.OneOf(rapid.Custom(soup), rapid.Custom(document)).Draw(t, "doc")
		width := rapid.IntRange(MinWidth, 50).Draw(t, "width")
		if err := checkSafe(r.Render(doc, width), width); err != nil {
			t.Fatalf("%v\nfrom %q", err, doc)
		}
		v := New(r, Options{Width: width, Now: stopped})
		feed(t, v, doc)
		if err := checkSafe(v.Lines(), width); err != nil {
			t.Fatalf("streaming: %v\nfrom %q", err, doc)
		}
	})
}

func FuzzRender(f *testing.F) {
	f.Add("a &#27;[8mhidden&#x9b;2J [l](http://x&#7;y) `&#27;` <a href='\x1b]52;c;x\a'>", 20)
	f.Add("[a](http://x/\u06dc]0;t) <http://x/\u06dc> www.x.org/\u06dc ![i](\u06dc)", 60)
	f.Add("- [ ] a\n  > [!x]- b\n\n| a |\n|--|\n| \x1b[2J |\n", 9)
	r := plain()
	f.Fuzz(func(t *testing.T, doc string, width int) {
		width = clampWidth(width)
		if err := checkSafe(r.Render(doc, width), width); err != nil {
			t.Errorf("%v\nfrom %q", err, doc)
		}
	})
}

func TestReferencesDefinedLast(t *testing.T) {
	r := plain()
	v := New(r, Options{Now: stopped})
	v.Append("See [the spec][s].\n\nAnd more.\n\n")
	if got := strings.Join(v.Lines(), "\n"); !strings.Contains(got, "[the spec][s]") {
		t.Errorf("before the definition: %q", got)
	}
	v.Append("[s]: https://example.org/spec\n")
	v.Finish()
	if got := strings.Join(v.Lines(), "\n"); strings.Contains(got, "][s]") ||
		!strings.Contains(got, "https://example.org/spec") {
		t.Errorf("after: %q", got)
	}
}

func TestOpenBlocksAreShownAsWritten(t *testing.T) {
	for _, tt := range []struct{ name, doc, want string }{
		{"fence", "```go\nx := 1\ny :=", "▏ go\n▏ x := 1\n▏ y :="},
		{"fence with tabs", "```\n\tx\n", "▏     x"},
		{
			"table", "| a | b |\n|---|---|\n| 1 |",
			"┌───┬───┐\n│ \x1b[1ma\x1b[m │ \x1b[1mb\x1b[m │\n├───┼───┤\n│ 1 │   │\n└───┴───┘",
		},
		{"half an emphasis", "some **bo", "some \x1b[1mbo\x1b[m"},
		{"an emphasis that begins", "some **", "some"},
		{"half a character", "caf\xc3", "caf"},
		{"half an escape", "red \x1b[3", "red"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := New(plain(), Options{Now: stopped})
			v.Append(tt.doc)
			is(t, theme.StripMarks(strings.Join(v.Lines(), "\n")), tt.want)
		})
	}
}

// A clock that jumps ahead at each look makes every rendering seem slow.
func TestSlowTailIsRenderedLessOften(t *testing.T) {
	now, cost := time.Unix(0, 0), 10*time.Millisecond
	v := New(plain(), Options{Now: func() time.Time { now = now.Add(cost); return now }})
	v.Append("one")
	v.Lines()
	cost = 0
	v.Append(" two")
	if got := v.Lines(); len(got) != 1 || got[0] != "one" {
		t.Errorf("rendered again at once: %q", got)
	}
	now = now.Add(4*10*time.Millisecond - 1) // four times the time that rendering took
	if got := v.Lines(); len(got) != 1 || got[0] != "one" || !v.Lags() {
		t.Errorf("rendered again too early: %q", got)
	}
	now = now.Add(1)
	if got := v.Lines(); got[0] != "one two" {
		t.Errorf("after waiting: %q", got)
	}
	if v.Lags() {
		t.Error("still waiting, with everything shown")
	}
	v.Append(" three")
	v.Finish()
	if got := v.Lines(); got[0] != "one two three" {
		t.Errorf("Finish waited: %q", got)
	}
}

// An open table is drawn five times a second at most, and at once when it ends.
func TestOpenTableIsDrawnLessOften(t *testing.T) {
	now := time.Unix(0, 0)
	v := New(plain(), Options{Now: func() time.Time { return now }})
	shows := func(want string, is bool) {
		t.Helper()
		if got := strings.Join(v.Lines(), "\n"); strings.Contains(got, want) != is {
			t.Errorf("%s is there: %v in\n%s", want, !is, got)
		}
	}
	v.Append("Text.\n\n| a | b |\n|---|---|\n| one |")
	shows("one", true)
	v.Append(" two |\n| three |")
	shows("two", false)
	now = now.Add(tablePace - 1)
	if shows("two", false); !v.Lags() {
		t.Error("there is nothing to wait for")
	}
	now = now.Add(1)
	shows("three", true)
	v.Append(strings.Repeat("\n| more | rows |", 2000)) // more than any other tail
	now = now.Add(tablePace)
	shows("rows │", true)
	v.Append("\n| last |\n\nEnd\n\n")
	shows("last", true)
	if v.Lags() {
		t.Error("there is something to wait for behind the table")
	}
}

// Lines above the tail keep their place while text streams in.
func TestNothingAboveTheTailMoves(t *testing.T) {
	doc := "# Week\n\nA plan.\n\n- one\n- two\n\n  tall\n- three\n\n```go\nfunc f() {}\n```\n\n| a |\n|---|\n| b |\n\nEnd.\n"
	v := New(plain(), Options{Width: 40, Now: stopped})
	var before []string
	for i := range len(doc) {
		v.Append(doc[i : i+1])
		v.Lines()
		if !slices.Equal(v.lines[:len(before)], before) {
			t.Fatalf("at byte %d stable lines changed:\n%q\nwere\n%q", i, v.lines[:len(before)], before)
		}
		if !v.fence.on { // an open fence is plain until it closes
			before = slices.Clone(v.lines[:v.stable])
		}
	}
}

// is fails the test with a diff if got differs from want; of names the values.
func is[T any](t rapid.TB, got, want T, of ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%v (-want +got)\n%s", of, diff)
	}
}
