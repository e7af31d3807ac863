package mdview

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"ibid/ui/theme"
)

// sample has every kind of block, and text that terminals draw wrong.
const sample = `# The herb garden

A plan with **strong**, *soft*, ~~old~~ and ` + "`inline code &amp; more`" + `; see [[Balcony#Sun|the balcony]].
A second line, kept. A [link](https://example.org/herbs), <https://example.org> and Vec<T>.

Setext heading
--------------

- basil
- mint, which spreads
  - in its own pot
    1. clay
    2. plastic
- [x] parsley
- [ ] chives

  A second paragraph makes an item tall.
- 羅勒、薄荷、香菜都需要水。

3) three
4) four

> A quote
> of two lines, with ` + "`code`" + `.

> [!warning]- Frost
> Bring **basil** in.
> - tonight

| Pot | Herb | Water per day |
|:---:|:-----|--------------:|
| 1 | basil 羅勒 | 200 ml |
| 2 | mint and a long remark about mint | 100 ml |

` + "```go" + `
// Water every pot.
func water(pots []Pot) error {
	for i := range pots {
		pots[i].Add(200)
	}
	return nil
}
` + "```" + `

    indented code

<div class="note">
not a page
</div>

***

Water costs $5 and pots $10, but $E = mc^2$ and \(\frac{a}{b} \le \sqrt{x}\) are ==worth **a** look==[^1].
A note %%for nobody%% about #garden/herbs, ![[plan.png|300]] and &copy; 2026, \$x and \*.

$$
\sum_{i=1}^{n} \alpha_i \to \infty
$$

%%
Nobody sees this.

Nor this.
%%

[^1]: A footnote, with ` + "`code`" + `,
    on two lines.

> [!tip]+ Open
> at first

<details><summary>More</summary>

Shown, too.

</details>

` + "```mermaid\ngraph TD; A-->B\n```" + `

👩‍🌾 emoji, 🇫🇷 flags, é combining, and averyveryveryveryveryveryveryverylongwordthatmustbebroken.
`

// readable spells escape sequences out, so that a golden file can be reviewed.
var readable = strings.NewReplacer("\x1b", `\e`, "\a", `\a`)

func TestGolden(t *testing.T) {
	looks := map[string]theme.Options{
		"dark":    {Dark: true},
		"light":   {},
		"ansi16":  {Dark: true, Profile: theme.ANSI16},
		"nocolor": {NoColor: true},
		"ascii":   {NoColor: true, ASCII: true},
	}
	for name, o := range looks {
		for _, w := range []int{24, 40, 80, 120} {
			if w < 80 && name != "nocolor" && name != "ascii" || name == "ansi16" && w != 80 {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", name, w), func(t *testing.T) {
				lines := NewRenderer(theme.New(o)).Render(sample, w)
				for i, line := range lines {
					lines[i] = Paint(new(theme.New(o)), line, w, 0)
				}
				golden.RequireEqual(t, readable.Replace(theme.StripMarks(strings.Join(lines, "\n"))))
			})
		}
	}
}
