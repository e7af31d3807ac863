package cite

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// signs passes a reply to a SignReader in pieces of n bytes, with three sources.
func signs(reply string, n int) string {
	r := SignReader{Cites: func(number int) bool { return number >= 1 && number <= 3 }}
	var b strings.Builder
	for ; len(reply) > n; reply = reply[n:] {
		b.WriteString(r.Write(reply[:n]))
	}
	b.WriteString(r.Write(reply))
	b.WriteString(r.Close())
	return b.String()
}

func TestSigns(t *testing.T) {
	for reply, want := range map[string]string{
		"It is slate [1].":                    "It is slate [^1].",
		"It is slate.[1] Red [3]":             "It is slate.[^1] Red [^3]",
		"Slate [1][2], red [1] [3].":          "Slate [^1][^2], red [^1] [^3].",
		"Slate [1, 3]; red [^1][2], [4].":     "Slate [^1][^3]; red [^1][^2], [4].",
		"**Slate** [1] and “red” [2]: so.":    "**Slate** [^1] and “red” [^2]: so.",
		"- Slate [1]\n  1. Red [2]\n> So [3]": "- Slate [^1]\n  1. Red [^2]\n> So [^3]",
		"屋顶是石板[1]。红色。[2]":                     "屋顶是石板[^1]。红色。[^2]",
		"See [[Barn]] [1] and `code` [2].":    "See [[Barn]] [^1] and `code` [^2].",
		"A `b` [1] ``c ` d`` [2]":             "A `b` [^1] ``c ` d`` [^2]",
		"One ` tick.\n\nSlate [1].":           "One ` tick.\n\nSlate [^1].",
		"```\nx [1]\n```\nSlate [1].":         "```\nx [1]\n```\nSlate [^1].",
		"| Barn [1] | x |":                    "| Barn [^1] | x |",

		// What is none.
		"arr[0], arr[1], f(x)[2], a_[1], d['k'][1]": "", "In [2024] and [0] and [4] [99999].": "",
		"[1](url), see [1](url), [1][ref], see [a][1].": "", "[1]: https://a.example\n[2] Barn": "",
		"- [1] a\n* [2] b\n1. [3] c\n# [1]\n> [2]": "", "- [ ] task\n- [x] task\n- [1]": "",
		"[[1]] and ![[1]] and \\[1] and [^1]": "", "`x [1]` and ``y [1] ` z``": "",
		"~~~\nx [1]\n\n    ~~~\nx [1]\n~~~": "", "So:\n\n    code [1]\n\tcode [1]": "",
		"- a\n\n  ```\n  x [1]\n  ```": "", "x = [1] + [2, 3]": "", "A [1": "", "A [1, ": "", "A [": "",
		"<div>\nx [1]\n</div>": "", "see [1, 4]": "",
	} {
		if want == "" {
			want = reply
		}
		for _, n := range []int{1, 2, 5, 1000} {
			is(t, signs(reply, n), want, reply, n)
		}
	}
}

// TestSignsHeldBack: text waits only while it may become a reference.
func TestSignsHeldBack(t *testing.T) {
	for piece, shown := range map[string]string{
		"Slate [": "Slate ", "Slate [1": "Slate ", "Slate [1]": "Slate ", "Slate [1].": "Slate [^1].",
		"Slate [a": "Slate [a", "Slate [12345": "Slate [12345", "Slate [^": "Slate [^",
	} {
		r := SignReader{Cites: func(int) bool { return true }}
		is(t, r.Write(piece), shown, piece)
	}
}

// TestSignsAtAnySplit: however a reply comes, it becomes the same, and nothing but signs
// is added.
func TestSignsAtAnySplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := []string{
			"[1]", "[2]", "[9]", "[1, 2]", "[", "]", "(", " ", ", ", ".", "word", "`", "``", "```\n",
			"~~~\n", "\n", "\n\n", "    ", "- ", "> ", "\\", "[^1]", "石", "1", "<div>\n",
		}
		reply := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 20).Draw(t, "pieces"), "")
		whole := signs(reply, len(reply)+1)
		if got := signs(reply, rapid.IntRange(1, 4).Draw(t, "n")); got != whole {
			t.Fatalf("%q: %q, at once %q", reply, got, whole)
		}
		plain := func(s string) string {
			return strings.NewReplacer("[^", "", "[", "", "]", "", ", ", "", "][", "").Replace(s)
		}
		if plain(whole) != plain(reply) {
			t.Fatalf("%q became %q", reply, whole)
		}
	})
}

func FuzzSigns(f *testing.F) {
	f.Add("a [1], `[2]` [1][2]\n\n```\n[1]\n```\n\n    b [1]", 3)
	f.Fuzz(func(t *testing.T, reply string, n int) {
		if got, whole := signs(reply, max(n, 1)), signs(reply, len(reply)+1); got != whole {
			t.Errorf("%q: %q, at once %q", reply, got, whole)
		}
	})
}
