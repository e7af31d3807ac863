package mdview

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// painted has marks of markdown, and between « and » text that looks like a mark.
const painted = "# Herbs\n\n## For the balcony\n\n### In «C#», by «#tag»\n\nSetext\n---\n\n#### Small\n\n" +
	"See [[Pots#Clay]], ![[Beds]] at $x^2$, $$y = 1$$.\n\n- [ ] open\n- [x] done\n\n" +
	"> [!note] Title\n> # In a quote\n>\n> ~~~\n> code\n> ~~~\n\n" +
	"```sh\n«# a comment»\necho «$$»\n```\n\n~~~\nplain\n~~~\n\n1. item\n   ```go\n   x\n   ```\n\n$$\n\\sum x\n$$\n\n\\[ a = b \\]\n\n$$ a^2 $$\n\n" +
	"| a | b |\n|---|---|\n| c | d |\n\n#### Sources:\n\n1. [[Barn#Barn#Roof]]\n2. [[Shed]]\n"

// spelled matches markup in the source.
var spelled = regexp.MustCompile("(?m)#|```|~~~|\\$|\\\\\\[|\\[\\[|\\]\\]|^\\s*[-+*] \\[.\\]|\\|-|\\[!|--- \\|")

// TestNoMarkup: no look shows markup as it is written, also not while it is written, and
// all of them show what only looks like it.
func TestNoMarkup(t *testing.T) {
	doc := strings.NewReplacer("«", "", "»", "").Replace(painted)
	kept := regexp.MustCompile("«.*?»").FindAllString(painted, -1)
	for _, o := range []theme.Options{
		{Dark: true},
		{},
		{Dark: true, Profile: theme.ANSI256},
		{Dark: true, Profile: theme.ANSI16},
		{NoColor: true},
		{NoColor: true, ASCII: true},
	} {
		th := theme.New(o)
		r := NewRenderer(th)
		for _, width := range []int{80, 120} {
			v := New(r, Options{Width: width, Now: stopped})
			for i := range len(doc) {
				v.Append(doc[i : i+1])
				if i == len(doc)-1 {
					v.Finish()
				}
				line, _, _ := strings.Cut(doc[strings.LastIndexByte(doc[:i], '\n')+1:], "\n")
				if doc[i] != '\n' && slices.ContainsFunc(kept, func(word string) bool {
					return strings.Contains(line, strings.Trim(word, "«»"))
				}) {
					continue // a half of what only looks like markup
				}
				var shown []string
				for _, line := range v.Lines() {
					shown = append(shown, ansi.Strip(theme.StripMarks(Paint(&th, line, width, 0))))
				}
				text := strings.Join(shown, "\n")
				for _, word := range kept {
					word = strings.Trim(word, "«»")
					if i == len(doc)-1 && !strings.Contains(text, word) {
						t.Errorf("%v: %q is not shown", o, word)
					}
					text = strings.ReplaceAll(text, word, "")
				}
				if mark := spelled.FindString(text); mark != "" && !strings.HasSuffix(text, mark) {
					t.Fatalf("%v: %q is shown behind %q:\n%s", o, mark, doc[:i+1], text)
				}
			}
		}
	}
}
