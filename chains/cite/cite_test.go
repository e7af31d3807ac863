package cite

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"ibid/vault/vaulttest"
)

// catalogue returns a Lookup of the numbers in a map.
func catalogue(links map[int]string) Lookup {
	return func(n int) (string, bool) {
		link, ok := links[n]
		return link, ok
	}
}

var abc = catalogue(map[int]string{1: "[[A]]", 2: "[[B]]", 3: "[[C]]", 4: "[[A]]"})

func TestDraw(t *testing.T) {
	type list []string
	for _, c := range []struct {
		name, reply, text string
		links             list
		struck            []int
	}{
		{"S0-91", "One [^2]. Two [^1].", "One [1]. Two [2].", list{"[[B]]", "[[A]]"}, nil},
		{"no references", "Nothing.", "Nothing.", nil, nil},
		{"the same source twice", "One [^1], two [^4].", "One [1], two [1].", list{"[[A]]"}, nil},
		{"side by side", "One [^1][^4] and [^2], [^1].", "One [1] and [2].", list{"[[A]]", "[[B]]"}, nil},
		{"in one pair of brackets", "One [^1, ^4, ^2].", "One [1, 2].", list{"[[A]]", "[[B]]"}, nil},
		{"to nothing", "One [^9]. Two [^2][^8].", "One. Two [1].", list{"[[B]]"}, []int{9, 8}},
		{"without the sign", "One [2], arr[0], [1](x), [[1]], [7].", "One [2], arr[0], [1](x), [[1]], [7].", nil, nil},
		{"years are names", "In [[2024]] and [2024].", "In [[2024]] and [2024].", nil, nil},
		{
			"not in code", "`[^1]` and\n\n```\nx[^1] [1]\n```\n\n    [^1]\n\nbut [^2]",
			"`[^1]` and\n\n```\nx[^1] [1]\n```\n\n    [^1]\n\nbut [1]",
			list{"[[B]]"},
			nil,
		},
		{
			"not in a block of tags", "<writeToFile>\n[^1]\n</writeToFile>\n\nbut [^2]",
			"<writeToFile>\n[^1]\n</writeToFile>\n\nbut [1]",
			list{"[[B]]"},
			nil,
		},
		{"below a line and a rule", "One [^1].\n\nSources\n---\n[^1]: [[Own]]", "One [1].\n\nSources", list{"[[A]]"}, nil},
		{"an unclosed mark of code", "a ` b [^1]", "a ` b [1]", list{"[[A]]"}, nil},
		{"escaped", `not \[^1] here`, `not \[^1] here`, nil, nil},
		{"its own list", "One [^7].\n\n#### Sources:\n\n[^7]: [[Own]]\n[^8]: [[Unused]]", "One [1].", list{"[[Own]]"}, nil},
		{"its own list below a rule", "One [^2].\n\n---\n\n- [^2]: [[Own]]\n", "One [1].", list{"[[B]]"}, nil},
		{
			"its own list in another language", "Eins [^5].\n\n**Quellen**\n\n## Quellen\n[^5]: [[E]]",
			"Eins [1].\n\n**Quellen**",
			list{"[[E]]"},
			nil,
		},
		{"definitions that are no list", "[^1]: is cited\n\nso [^1].", "[^1]: is cited\n\nso [1].", list{"[[A]]"}, nil},
		{"a heading alone", "x [^1]\n\n## Sources", "x [1]\n\n## Sources", list{"[[A]]"}, nil},
		{"over lines", "One [^1]\n[^1] two", "One [1]\n[1] two", list{"[[A]]"}, nil},
		{
			"in a table and a list", "| a | b |\n|---|---|\n| x [^3] | y |\n\n- z [^1]",
			"| a | b |\n|---|---|\n| x [1] | y |\n\n- z [2]",
			list{"[[C]]", "[[A]]"},
			nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := Drawing{Text: c.text, Links: c.links, Struck: c.struck}
			is(t, Draw(c.reply, abc), want, c.reply)
		})
	}
}

// TestDrawFootnotes: footnotes that refer to no source, and their definitions, stay as they are.
func TestDrawFootnotes(t *testing.T) {
	lookup := catalogue(map[int]string{1: "[[A]]", 7: ""})
	const reply = "One [^7], [^1] and [^7][^1].\n\n[^7]: Smith 1999"
	d := Draw(reply, lookup)
	is(t, d.String(), "One [^7], [1] and [^7][1].\n\n[^7]: Smith 1999\n\n#### Sources:\n\n1. [[A]]")
	is(t, Footer(reply, lookup), "\n\n#### Sources:\n\n[^1]: [[A]]")
	is(t, Footnotes(reply, lookup, 4), "One [^7], [^5] and [^7][^5].\n\n[^7]: Smith 1999\n\n[^5]: [[A]]\n")
	is(t, Footer("Nothing.", lookup, 1), "\n\n#### Sources:\n\n[^1]: [[A]]", "a list without references")
}

func TestFooter(t *testing.T) {
	for reply, want := range map[string]string{
		"One [^2]. Two [^1][^2].":               "\n\n#### Sources:\n\n[^2]: [[B]]\n[^1]: [[A]]",
		"S0-92: nothing is cited.":              "",
		"Only what it knows: [^9], `[^1]`.":     "",
		"S0-92 [^1]\n\n[^1]: [[Its own]]":       "",
		"A number without its sign is none [1]": "",
		"Cut off [^1]\n~~~~ go\nfunc":           "\n~~~~\n\n#### Sources:\n\n[^1]: [[A]]",
	} {
		is(t, Footer(reply, abc), want, reply)
	}
}

// TestPromises checks the properties that every reply has.
func TestPromises(t *testing.T) {
	pieces := []string{
		"[^1]", "[^2]", "[^4]", "[^9]", "[1]", "[3]", "[^1, ^2]", " ", " and ", ", ", ".", "\n",
		"\n\n", "`", "```\n", "#### Sources:", "[^1]: [[A]]", "---", "- ", "[[", "]]", "text", "\\", "[", "]", "é",
	}
	rapid.Check(t, func(t *rapid.T) {
		reply := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 20).Draw(t, "pieces"), "")
		d := Draw(reply, abc)
		if again := Draw(reply+Footer(reply, abc), abc); !cmp.Equal(d.Links, again.Links) {
			t.Fatalf("%q: links %q, with its footer %q", reply, d.Links, again.Links)
		}
		if !strings.Contains(reply, Heading) && !slices.Equal(ListedSources(d.String()), d.Links) {
			t.Fatalf("%q: %q lists %q", reply, d.String(), ListedSources(d.String()))
		}
		seen := map[string]bool{}
		for _, link := range d.Links {
			if seen[link] {
				t.Fatalf("%q: %s is listed twice", reply, link)
			}
			seen[link] = true
		}
		if footer := Footer(reply, abc); footer != "" && Footer(reply+footer, abc) != "" {
			t.Fatalf("%q: a second footer", reply)
		}
	})
}

func FuzzDraw(f *testing.F) {
	f.Add("a [^1], `[^2]` [1][2]\n\n## Sources\n[^1]: x")
	f.Fuzz(func(t *testing.T, reply string) {
		Draw(reply, abc)
		Footer(reply, abc)
	})
}

// TestCases runs the cases of another program, except for its known errors, for which it
// expects the right result.
func TestCases(t *testing.T) {
	dir := vaulttest.Shared(t, "cases")
	if dir == "" {
		t.Skip("IBID_SHARED is not set")
	}
	data, err := os.ReadFile(filepath.Join(dir, "citations.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			ID, Fn, Note string
			Args         []json.RawMessage
			Expected     json.RawMessage
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	held := 0
	for _, c := range file.Cases {
		fn, _, _ := strings.Cut(c.Fn, " ")
		var reply string
		if err := json.Unmarshal(c.Args[0], &reply); err != nil {
			continue // about another function
		}
		numbered := catalogue(maps.Collect(func(yield func(int, string) bool) {
			for n := range 10 {
				if !yield(n, fmt.Sprint(n)) {
					return
				}
			}
		}))
		one := func(int) (string, bool) { return "the same", true }
		var got, want any
		if err := json.Unmarshal(c.Expected, &want); err != nil {
			t.Fatal(err)
		}
		switch fn {
		case "hasExistingCitations":
			got = len(parse(reply).list) > 0
		case "hasInlineCitations":
			got = len(parse(reply).references) > 0
		case "extractSourcesSection":
			p := parse(reply)
			got = map[string]any{"mainContent": reply[:p.end], "sourcesBlock": reply[p.list[0].mark.from:]}
		case "deduplicateAdjacentCitations":
			got = Draw(signed(reply), numbered).Text
		case "updateCitationsForConsolidation":
			got = Draw(signed(reply), one).Text
		case "normalizeCitations":
			got = keepStops(Draw(reply, numbered).Text)
		case "processInlineCitations":
			d := Draw(reply, func(int) (string, bool) { return "", false })
			sources := []any{}
			for i, link := range d.Links {
				sources = append(sources, map[string]any{"n": float64(i + 1), "source": link})
			}
			got = map[string]any{"body": keepStops(d.Text), "sources": sources}
		default:
			continue
		}
		held++
		is(t, got, want, c.ID, fn, c.Note)
	}
	t.Logf("shared: %d citations", held)
}

// signed returns a text with the sign "^" in each reference, which the shared cases leave out.
func signed(text string) string { return strings.ReplaceAll(text, "[", "[^") }

// keepStops changes a text as the other program does: it removes the full stop after a
// reference.
func keepStops(text string) string {
	return strings.ReplaceAll(text, "].", "]")
}

// TestFootnotes: references in a note become footnotes whose names differ from those of the
// note's own footnotes.
func TestFootnotes(t *testing.T) {
	abc := func(n int) (string, bool) {
		link, ok := map[int]string{1: "[[A]]", 2: "[[B]]", 4: "[[A]]"}[n]
		return link, ok
	}
	for _, c := range []struct {
		name, reply string
		above       int
		want        string
	}{
		{
			"in the order of their mention", "One [^2]. Two [^1, ^2].", 0,
			"One [^1]. Two [^2][^1].\n\n[^1]: [[B]]\n[^2]: [[A]]\n",
		},
		{
			"behind those of the note", "One [^2]. Two [^4] and [^1].\n\n#### Sources:\n\n[^2]: [[B]]\n[^4]: [[A]]", 7,
			"One [^8]. Two [^9].\n\n[^8]: [[B]]\n[^9]: [[A]]\n",
		},
		{"to nothing", "One [^9], two [^1].", 0, "One, two [^1].\n\n[^1]: [[A]]\n"},
		{"none that is known", "A footnote is written [^9].", 3, "A footnote is written [^9]."},
		{"code that does not end", "One [^1].\n\n```\nx[^1]", 0, "One [^1].\n\n```\nx[^1]\n```\n\n[^1]: [[A]]\n"},
	} {
		is(t, Footnotes(c.reply, abc, c.above), c.want, c.name)
	}
	for text, want := range map[string]int{
		"": 0, "a [^3] b": 3, "a [^2, ^11]": 11, "a\n\n[^40]: x": 40,
		"`[^9]`\n\n    [^8]\n\n[2024]": 0, "[^a]": 0,
	} {
		is(t, HighestNumber(text), want, text)
	}
}

// is fails the test with a diff if got differs from want; of names the values.
func is[T any](t testing.TB, got, want T, of ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%v (-want +got)\n%s", of, diff)
	}
}
