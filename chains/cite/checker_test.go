package cite

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// sources is a Catalogue of the sources 1, 2 and 3. The texts that were sent have the footnote 7, which is defined as
// "Smith 1999".
type sources struct{ none, later bool }

func (s sources) Any() bool                      { return !s.none }
func (s sources) Later() bool                    { return s.later }
func (sources) Given(n int) bool                 { return n >= 1 && n <= 3 }
func (sources) Quoted(n int) bool                { return n == 7 }
func (sources) Defined(n int, words string) bool { return n == 7 && words == "Smith 1999" }
func (sources) Bare(int) bool                    { return false }

// check passes a reply to a Checker in pieces of n bytes.
func check(reply string, n int) (string, *Checker) {
	c := &Checker{Catalogue: sources{}}
	var b strings.Builder
	for ; len(reply) > n; reply = reply[n:] {
		b.WriteString(c.Write(reply[:n]))
	}
	b.WriteString(c.Write(reply))
	b.WriteString(c.Close())
	return b.String(), c
}

// checkAll fails the test unless each reply becomes what it should, however it is cut. "" means that it stays as it is.
func checkAll(t *testing.T, replies map[string]string) {
	t.Helper()
	for reply, want := range replies {
		if want == "" {
			want = reply
		}
		for _, n := range []int{1, 2, 3, 5, 1000} {
			got, _ := check(reply, n)
			is(t, got, want, reply, n)
		}
	}
}

func TestInventedMarks(t *testing.T) {
	checkAll(t, map[string]string{
		"It is slate [^9].":                          "It is slate.",
		"It is slate[^9] and red [^1].":              "It is slate and red [^1].",
		"Slate [^9], [^1] and [^8].":                 "Slate [^1].",
		"Slate [^1], [^9] and [^2] so.":              "Slate [^1] and [^2] so.",
		"Slate [^1, 9]; red [^8, ^9].":               "Slate [^1]; red.",
		"Slate ([^9]). **[^9]** ([^1]) (see [^9])":   "Slate. ([^1]) (see)",
		"[^9] Slate\n- [^9] red\n[^9][^8] x":         "Slate\n- red\nx",
		"| a [^9] | b |\n|---|---|\n| [^1] | [^9] |": "| a | b |\n|---|---|\n| [^1] | |",
		"石板[^9]。\n\n# Roof [^9]\n\n> Clay [^9]":      "石板。\n\n# Roof\n\n> Clay",
		"a ` b [^9]":                                  "a ` b",
		"a ` b [^9]\n\n`c`":                           "a ` b\n\n`c`",
		"It costs $5 [^9] or $6 [^9].":                "It costs $5 or $6.",
		"One [^9]\n[^8] two":                          "One\ntwo",
		"Sum [^123456789].":                           "Sum.",
		"a < b [^9] > c":                              "a < b > c",
		"So [^9]: slate.":                             "So: slate.",
		"[a]x [^9] [[Barn]] [^9] ![[b]] [b](c) [^9].": "[a]x [[Barn]] ![[b]] [b](c).",
		"```\nx\n```\n[^9] y\n\n    code\n\nz [^9]":   "```\nx\n```\ny\n\n    code\n\nz",
		"$$\nx\n$$\n\nSo [^9].":                       "$$\nx\n$$\n\nSo.",

		// What stays.
		"`[^9]` ``a ` [^9]``":                                    "",
		"```\nx [^9]\n\n[^9]: y\n```\n~~~~\n[^9]":                "",
		"So:\n\n    code [^9]\n\n\tcode [^9]":                    "",
		"- a\n\n  ```\n  x [^9]\n  ```":                          "",
		"$a[^9]$ and $$b [^9] c$$ \\(x [^9]\\) \\[[^9]\\]":       "",
		"$$\na [^9]\n- b [^9]\n$$":                               "",
		"\\[\na [^9]\n= b\n\\]":                                  "",
		"`a\n[^9] b`":                                            "",
		"[^9](url) [see [^9]](url) [a](b[^9]) [[^9]] [[a|[^9]]]": "[^9](url) [see](url) [a](b[^9]) [[^9]] [[a|[^9]]]",
		"<img alt=\"[^9]\"> and <b x=[^9]>":                      "",
		"<div>\nx [^9]\n</div>":                                  "",
		`not \[^9] here`:                                         "",
		"[^note] [^a1] [^] [^ 9]":                                "",
		"Quoted [^7]: so. [^1][^7]":                              "",
		"<writeToFile>\n<path>A</path>\n<content>\na [^9]\n\nb [^9]\n\n[^9]: x\n</content>\n</writeToFile>": "",
		"  <writeFile>\na [^9]\n\nb [^9]": "",
		"**Bold**\n\n- **x**\n---\n":      "",
		"a  \nb\n\n\n\nc\n":               "",
		"Sources: none.\n\n## Sources\n":  "",
	})
	checkAll(t, map[string]string{
		"<writeToFile>\n<path>A</path>\n<content>\na\n\nb [^9]\n</content>\n</writeToFile>\nDone [^9].": "<writeToFile>\n<path>A</path>\n<content>\na\n\nb [^9]\n</content>\n</writeToFile>\nDone.",
	})
}

func TestOwnLists(t *testing.T) {
	checkAll(t, map[string]string{
		"Slate [^1].\n\n[^1]: Wikipedia":                                       "Slate [^1].",
		"Slate [^1] [^9].\n\n[^1]: [[A]]\n[^9]: [[Telefonie]]\n":               "Slate [^1].",
		"Slate [^1].\n\n#### Sources:\n\n[^1]: [[A]]\n[^2]: [[B]]":             "Slate [^1].",
		"Slate [^1].\n\n---\n\n**Quellen**\n\n- [^1]: [[A]]\n- [^9]: x\n\n":    "Slate [^1].",
		"Slate [^1].\n\nSources:\n1. [^1]: A\n2. [^2]: B":                      "Slate [^1].",
		"Slate [^1].\n\n[^1]: Wikipedia,\n    the free\n  encyclopedia\n\nSo.": "Slate [^1].\n\nSo.",
		"Slate [^1].\n\n[^1]: A\n\nRed [^2].\n\n[^2]: B\n\nSo it is.":          "Slate [^1].\n\nRed [^2].\n\nSo it is.",
		"Slate [^1].\n[^1]: A\nRed.":                                           "Slate [^1].\nRed.",
		"Slate [^1].\n\n## Sources\n\n[^9]: x\n\nBut see the shed.":            "Slate [^1].\n\n## Sources\n\nBut see the shed.",
		"Slate [^1].\n\n## Sources\n[1] Wikipedia\n- [2]: B\n【3】 C":            "Slate [^1].",
		"Slate [^1].\n\n## Sources\n- [9] Wikipedia":                           "",
		"Slate [^1].\n\n## Sources\n- [[A]]\n- https://a.example":              "",
		"```\n[^1]: x\n```\n\n> a\n\n    [^1]: x":                              "",
		"Smith says so [^7].\n\n[^7]: Smith 1999":                              "",
		"> Clay [^7].\n>\n> [^7]: Smith 1999\n":                                "",
		"A note [^a].\n\n[^a]: x":                                              "",
		"[1]: https://a.example":                                               "",
	})
}

func TestOtherForms(t *testing.T) {
	checkAll(t, map[string]string{
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

		"Slate 【1】, red【2†source】 and【3†L1-L5】.":                "Slate [^1], red[^2] and[^3].",
		"Slate (^2). So. (^1,^3)":                               "Slate [^2]. So. [^1][^3]",
		"Slate [^1,^2], [^1, 2] and [^2-3] or [^1 and 3].":      "Slate [^1][^2], [^1][^2] and [^2][^3] or [^1][^3].",
		"Slate [1-2] or [1–3].":                                 "Slate [^1][^2] or [^1][^2][^3].",
		"Slate [source 1], [Document 2] ([doc 3]) [Source: 1]":  "Slate [^1], [^2] ([^3]) [^1]",
		"Slate [Sources 1, 2 and 3]; [Source 1, Source 2].":     "Slate [^1][^2][^3]; [^1][^2].",
		"Schiefer [Quelle 1] [Quellen 1 und 2] [来源1] [cite: 2]": "Schiefer [^1] [^1][^2] [^1] [^2]",
		"Slate [^1^] ［2］ （^3）.":                                 "Slate [^1^] [^2] [^3].",

		// What is none.
		"arr[0], arr[1], f(x)[2], a_[1], d['k'][1]": "", "In [2024] and [0] and [4] [99999].": "",
		"[1](url), see [1](url), [1][ref], see [a][1].": "", "[1]: https://a.example\n[2] Barn": "",
		"- [1] a\n* [2] b\n1. [3] c\n# [1]\n> [2]": "", "- [ ] task\n- [x] task\n- [1]": "",
		"[[1]] and ![[1]] and \\[1] and [^1]": "", "`x [1]` and ``y [1] ` z``": "",
		"~~~\nx [1]\n\n    ~~~\nx [1]\n~~~": "", "So:\n\n    code [1]\n\tcode [1]": "",
		"- a\n\n  ```\n  x [1]\n  ```": "", "x = [1] + [2, 3]": "", "A [1": "", "A [1, ": "", "A [": "",
		"<div>\nx [1]\n</div>": "", "see [1, 4]": "", "x(^2) and f (^n)": "", "【1】 Title\n【9】 [source 9] (^9)": "",
		"in [1990-1995], [3-1], [1-9] and [1--2]": "", "[source code] [documents] [doc] [Source 1](url)": "",
		"$x [1]$ and $$y [1-2]$$": "", "`【1】` and [source 1][ref] and [a [1]]": "", "Slate [source": "", "a 【1†": "",
		"x [1 - 2], [1 2], [1,  2]": "", "[一] ［一］ （一） 【一】": "",
	})
}

// TestHeldBack: text waits only as long as it is not decided.
func TestHeldBack(t *testing.T) {
	for piece, shown := range map[string]string{
		"Slate [": "Slate", "Slate [^": "Slate", "Slate [^1": "Slate", "Slate [^1].": "Slate [^1].", "Slate [^1] is": "Slate [^1] is",
		"Slate [a": "Slate [a", "Slate [12345678901": "Slate [12345678901", "Slate (": "Slate", "Slate (a": "Slate (a",
		"Slate `a": "Slate `a", "Slate `a [^9": "Slate `a", "Slate\n\n": "Slate", "Slate\n\nX": "Slate\n\nX", "Slate\n\nS": "Slate",
		"Slate\n\n## Ro": "Slate\n\n## Ro", "Slate\n\n## Sou": "Slate", "Slate\n\n[^9]: x": "Slate", "Slate\n- a": "Slate\n- a",
		"```\nx [^": "```\nx [^", "石\xe3\x80": "石", "Slate [s": "Slate", "Slate [st": "Slate [st",
	} {
		c := &Checker{Catalogue: sources{}}
		is(t, c.Write(piece), shown, piece)
	}
}

// TestWithoutSources: where a chat has no sources, everything stays as it is and nothing is held back.
func TestWithoutSources(t *testing.T) {
	c := &Checker{Catalogue: sources{none: true}}
	for _, piece := range []string{"Slate [", "^9", "] \n\n[^9]: x", "\n\n## Sources"} {
		is(t, c.Write(piece), piece)
	}
	is(t, c.Close(), "")
}

// TestSourcesLater: text in front of the call that finds the first sources is checked; a longer one goes on.
func TestSourcesLater(t *testing.T) {
	long := "One [^1]. " + strings.Repeat("word ", maxWait/5)
	for reply, want := range map[string]string{
		"I guess gold [^1]. Let me see.": "I guess gold. Let me see.",
		"I look.":                        "I look.", "arr[0] [^a] [": "arr[0] [^a] [", "`[^1]` [^1]": "`[^1]`", long: long,
	} {
		for _, found := range []bool{false, true} {
			for cut := range len(reply) {
				late := &lateSources{}
				c := &Checker{Catalogue: late}
				got := c.Write(reply[:cut]) + c.Write(reply[cut:])
				late.found = found
				got += c.Close()
				if expected := map[bool]string{true: want, false: reply}[found]; got != expected {
					t.Fatalf("%q cut at %d: %q", reply, cut, got)
				}
			}
		}
	}
}

// lateSources is a Catalogue of no sources, until some are found.
type lateSources struct{ found bool }

func (s *lateSources) Any() bool                { return s.found }
func (s *lateSources) Later() bool              { return true }
func (s *lateSources) Given(int) bool           { return false }
func (s *lateSources) Quoted(int) bool          { return false }
func (s *lateSources) Defined(int, string) bool { return false }
func (s *lateSources) Bare(int) bool            { return false }

// TestChecked: what a Checker reports.
func TestChecked(t *testing.T) {
	_, c := check("One [^9] [^1] [^7] [^8].\n\n[^2]: x\n[^9]: y\n[^6]: z", 4)
	is(t, c.Struck, []int{9, 8, 6})
	is(t, c.Listed, []int{2})
	is(t, c.Kept, []int{7})
}

// TestRounds: a reply goes on after a part of it was closed.
func TestRounds(t *testing.T) {
	c := &Checker{Catalogue: sources{}}
	var b strings.Builder
	for _, part := range []string{"Slate [^9].\n\n[^1]: x", "\n\nRed [1", "\n\n```\n[^9]", "\n\n[^9]\n```\n\nSo [^9]."} {
		b.WriteString(c.Write(part))
		b.WriteString(c.Close())
	}
	is(t, b.String(), "Slate.\n\nRed [1\n\n```\n[^9]\n\n[^9]\n```\n\nSo.")
}

var replyPieces = []string{
	"[^1]", "[^2]", "[^9]", "[^7]", "[1]", "[9]", "[1, 2]", "[^1, 9]", "[1-3]", "【1】", "【2†s】", "(^2)", "[source 1]", "[Doc",
	"[", "]", "(", ")", "**", " ", "  ", ", ", " and ", ".", ":", "word", "`", "``", "```\n", "~~~\n", "\n", "\n\n", "    ",
	"- ", "1. ", "> ", "\\", "$", "$$", "\\[", "\\]", "石", "1", "<div>\n", "<b>", "<", "[[", "]]", "](u)", "---\n", "## Sources\n",
	"Sources:\n", "[^9]: x\n", "[^1]: [[A]]\n", "[^7]: Smith 1999\n", "<writeToFile>\n", "</writeToFile>", "| a |", "\r\n", "\t", "\f",
}

// TestAtAnySplit: however a reply is cut, it becomes the same; nothing else is taken out, and once checked it stays
// as it is.
func TestAtAnySplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reply := strings.Join(rapid.SliceOfN(rapid.SampledFrom(replyPieces), 0, 20).Draw(t, "pieces"), "")
		whole, all := check(reply, len(reply)+1)
		for cut := range len(reply) {
			c := &Checker{Catalogue: sources{}}
			if got := c.Write(reply[:cut]) + c.Write(reply[cut:]) + c.Close(); got != whole {
				t.Fatalf("%q cut at %d: %q, at once %q", reply, cut, got, whole)
			}
			if !slices.Equal(c.Struck, all.Struck) || !slices.Equal(c.Listed, all.Listed) || !slices.Equal(c.Kept, all.Kept) {
				t.Fatalf("%q cut at %d: %v %v %v, at once %v %v %v",
					reply, cut, c.Struck, c.Listed, c.Kept, all.Struck, all.Listed, all.Kept)
			}
		}
		if got, _ := check(reply, rapid.IntRange(1, 4).Draw(t, "n")); got != whole {
			t.Fatalf("%q in pieces: %q, at once %q", reply, got, whole)
		}
		lookup := func(n int) (string, bool) {
			return map[int]string{1: "A", 2: "B", 3: "C"}[n], n >= 1 && n <= 3 || n == 7
		}
		glued := strings.ContainsAny(whole, "`$\\<~") // a mark that was taken out may have kept two of them apart
		if d := Draw(whole, lookup); !glued && len(d.Struck) > 0 {
			t.Fatalf("%q became %q, of which %v is struck when it is drawn", reply, whole, d.Struck)
		}
	})
}

func FuzzChecker(f *testing.F) {
	f.Add("a [1], `[^9]` [1][^9]\n\n```\n[^9]\n```\n\n    b [1]\n\n## Sources\n[^9]: x", 3)
	f.Fuzz(func(t *testing.T, reply string, n int) {
		got, _ := check(reply, max(n, 1))
		if whole, _ := check(reply, len(reply)+1); got != whole {
			t.Errorf("%q: %q, at once %q", reply, got, whole)
		}
	})
}

// BenchmarkChecker checks a reply of 200 kB that comes in pieces of a few bytes, beside a copy of it; the time for a
// piece must not grow with the reply, nor with a line or an open code span.
func BenchmarkChecker(b *testing.B) {
	for name, part := range map[string]string{
		"prose":     "The shed is of slate [^1] and clay, as *we* said [2], see [[Barn]]. It costs $5 (or so).\n\n",
		"line":      "The shed is of slate [^1] and clay, as we said [2], see [[Barn]]. It costs $5 (or so). ",
		"brackets":  "[[[[((((``$<[^1",
		"lines":     "- a\n",
		"code span": "word ",
	} {
		reply := strings.Repeat(part, 200_000/len(part))
		if name == "code span" {
			reply = "`[^9] " + reply
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(reply)))
			for b.Loop() {
				c := &Checker{Catalogue: sources{}}
				for at := 0; at < len(reply); at += 4 {
					c.Write(reply[at:min(at+4, len(reply))])
				}
				c.Close()
			}
		})
	}
	reply := strings.Repeat("The shed is of slate. ", 10_000)
	b.Run("copy", func(b *testing.B) {
		b.SetBytes(int64(len(reply)))
		for b.Loop() {
			var all strings.Builder
			for at := 0; at < len(reply); at += 4 {
				all.WriteString(reply[at:min(at+4, len(reply))])
			}
		}
	})
}
