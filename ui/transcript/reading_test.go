package transcript

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"ibid/ui/picture"
	"ibid/ui/theme"
)

// halves returns an image, red above blue.
func halves(t *testing.T) *picture.Picture {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 12, 8))
	for y := range 8 {
		for x := range 12 {
			c := color.RGBA{R: 255, A: 255}
			if y >= 4 {
				c = color.RGBA{B: 255, A: 255}
			}
			img.Set(x, y, c)
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	p, err := picture.Decode(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return &p
}

// readings are replies, by the elements that they contain.
var readings = map[string]string{
	"code":    "Here:\n\n```go\nfunc water(ctx context.Context, pots []Pot, amount int, remark string, retries int) (poured int, err error) {\n\treturn 0, nil // a comment that goes on beyond what a terminal of eighty columns can show at once\n}\n```\n\n- in a list:\n\n  ```sh\n  ibid ask --note 'Garden plan' --vault ~/notes 'which of the pots stand in the shade all day long, and what grows there?'\n  ```\n\nThe end.",
	"callout": "> [!warning]- Frost tonight, and for the rest of the week as it seems\n> Bring **basil** in.\n> - before ten\n>\n> > [!tip]+ Inside\n> > at first\n\nThe end.",
	"details": "<details><summary>What <b>mint</b> wants, and what it does not want at all</summary>\n\nIt spreads, so give it a pot.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n</details>\n\nThe end.",
	"table":   "| Herb | Where it stands on the balcony | Water per day | What people have said about it over the years |\n|:-----|:----:|------:|---|\n| basil | sunny side, next to the door | 200 ml | grows well if you pinch the flowers off; `basil --pinch` |\n| mint 薄荷 | shade | 100 ml | spreads, so keep it in a pot of its own |",
	"images":  "Look at ![[Files/plan.png]] first.\n\n![the plan, small|64x32](Files/plan.png) and ![[gone.png]]; ![a photo](https://example.org/photo.jpg) and ![[Note]].\n\n![[Files/plan.png]] ![[Files/plan.png|8]]![the plan](Files/plan.png)",
	"rtl":     "שלום עולם, זה טקסט בעברית עם english בפנים, והוא ארוך מספיק כדי להישבר לשורה שנייה בכל רוחב.\n\n- مرحبا بالعالم\n- سلام\n\n| שם | name |\n|---|---|\n| גינה | garden |",
	"emoji":   "A 👨‍👩‍👧‍👦 family, a 👩‍🌾 farmer, 🇫🇷🇩🇪 flags, 👍🏽 and ❤️ and 1️⃣.\n\n| who | what |\n|---|---|\n| 👨‍👩‍👧‍👦 | four |\n| 🏳️‍🌈 | one |\n\n```\n👩‍🌾 | code\n```",
	"math":    "Euler said $e^{i\\pi} + 1 = 0$, a price is $5, and \\(\\frac{a+b}{2} \\ge \\sqrt{ab}\\):\n\n$$\n\\sum_{i=1}^{n} \\alpha_i = \\frac{n(n+1)}{2} \\implies \\lim_{x \\to \\infty} f(x) \\in \\mathbb{R}\n$$\n\n\\[\nx_{1,2} = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}\n\\]",
	"footnotes": "Basil wants sun[^1], mint does not[^shade], and chives take both.\n\n" +
		"[^1]: Six hours of it.\n[^shade]: At noon at least, see [the page](https://example.org/mint).\n\n" +
		"    A second paragraph.",
	"marks": "What ==matters most==, [[Soil|the soil note]], [[Nowhere]], " +
		"#garden/herbs, %%hidden%% and ~~old~~ ***both***.\n\n" +
		"```mermaid\ngraph TD; A-->B\n```\n\n<div class=\"note\">\nnot a page\n</div>\n\n" +
		"Vec<T>, <kbd>ctrl</kbd>, H<sub>2</sub>O and <sub>open.",
}

// shownAt returns the screens of some messages, one for each width.
func shownAt(o theme.Options, pictures func(string) *picture.Picture, ms []Message,
	change func(tr *Transcript),
) string {
	var b strings.Builder
	for _, w := range []int{40, 80, 120} {
		tr := New(Options{Theme: theme.New(o), Now: stopped, Picture: pictures})
		tr.SetSize(w, 120)
		tr.Reset(ms)
		tr.ScrollBy(-1000)
		if change != nil {
			change(tr)
		}
		fmt.Fprintf(&b, "%d columns:\n%s\n\n", w, readable.Replace(strings.TrimRight(tr.View(), "\n ")))
	}
	return b.String()
}

// TestReading compares replies on screens of three widths, with the changes that a reader can
// make.
func TestReading(t *testing.T) {
	pic := halves(t)
	draw := func(target string) *picture.Picture {
		if target == "gone.png" {
			return &picture.Picture{Fault: "no such file"}
		}
		return pic
	}
	plain := theme.Options{NoColor: true}
	open := func(tr *Transcript) {
		tr.show(tr.items[0])
		tr.Toggle()
	}
	reply := func(of string) []Message {
		return []Message{{ID: "a", Role: Assistant, Text: readings[of], Dead: []string{"Nowhere", "gone.png"}}}
	}
	for of := range readings {
		t.Run(of, func(t *testing.T) { golden.RequireEqual(t, shownAt(plain, draw, reply(of), nil)) })
	}
	t.Run("images drawn", func(t *testing.T) {
		golden.RequireEqual(t, shownAt(theme.Options{Dark: true}, draw, reply("images"), nil))
	})
	t.Run("images in ASCII", func(t *testing.T) {
		golden.RequireEqual(t, shownAt(theme.Options{NoColor: true, ASCII: true}, draw, reply("images"), nil))
	})
	t.Run("emoji apart", func(t *testing.T) {
		golden.RequireEqual(t, theme.SeparateEmoji(shownAt(theme.Options{NoColor: true, Apart: true}, draw,
			reply("emoji"), nil)))
	})
	t.Run("callout open", func(t *testing.T) { golden.RequireEqual(t, shownAt(plain, draw, reply("callout"), open)) })
	t.Run("code moved", func(t *testing.T) {
		golden.RequireEqual(t, shownAt(plain, draw, reply("code"), func(tr *Transcript) { ShiftCode(tr, 16) }))
	})
	prompt := []Message{{
		ID: "u", Role: You,
		Text: strings.Repeat("A line of a long prompt that was pasted.\n", 20) + "The question.",
	}}
	t.Run("prompt", func(t *testing.T) { golden.RequireEqual(t, shownAt(plain, draw, prompt, nil)) })
	t.Run("prompt open", func(t *testing.T) { golden.RequireEqual(t, shownAt(plain, draw, prompt, open)) })
}
