package tool_test

import (
	"strings"
	"testing"

	"ibid/vault/state"
	"ibid/vault/vaulttest"
)

const drawers = `
-- Barn.md --
# Barn

Old.

## Roof

Slate.

### Gutter

Rain runs. ^rain

## Door

Oak.
-- report.pdf --
%PDF-1.7 all ASCII
-- Board.canvas --
{"nodes":[]}
-- Books.base --
views: []
-- photo.png --
x
-- letter.docx --
x
-- list.csv --
a,b
-- odd.md --
%PDF-1.7 in a note
-- blank.md --
`

// TestArguments: names that models use for an argument are those that the tool has,
// full-width punctuation is as good as that of JSON, and what is beyond a limit is
// brought under it; all of that is said.
func TestArguments(t *testing.T) {
	call := box(t, vaulttest.New(t, drawers), state.State{})
	for _, c := range []struct{ tool, args, want, said string }{
		{"readNote", `{"path":"Barn.md"}`, "Slate.", "path was read as notePath"},
		{"readNote", `{"note_path":"Barn"}`, "Slate.", "note_path was read as notePath"},
		{"get_note_by_reference", `{"title":"Barn"}`, "Slate.", "title was read as reference"},
		{
			"get_related_notes", `{"file":"Barn.md","count":1}`, `"success":true`,
			"count was read as limit; file was read as reference",
		},
		{"localSearch", `{"q":"slate"}`, "Slate.", "q was read as query"},
		{
			"search_workspace", `{"search_query":"slate","limit":900}`, `"id":"Barn.md"`,
			"limit 900 is beyond the limit: 50 was used; search_query was read as query",
		},
		{
			"search_workspace", `{"query":"slate","limit":"\n  5\n","scope":" folder ","folder":"\n  /\n"}`, `"id":"Barn.md"`,
			"limit was a number in quotes",
		},
		{"timeRange", `{"text":"last week"}`, "2025-08-1", "text was read as expression"},
		{"readNote", `{"notePath":"Barn.md","chunkIndex":-4}`, "Slate.", "chunkIndex -4 is beyond the limit: 0 was used"},
		{"localSearch", `{"query":"slate","limit":"0","salientTerms":["a","b","c","d","e","f","g","h","i","j"]}`, "Slate.", "limit was a number in quotes; limit 0 is beyond the limit: 1 was used; salientTerms had 10 elements: the first 8 were used"},
		{
			"localSearch", `{"query":"slate ` + strings.Repeat("屋根", 300) + `"}`, "Slate.",
			"query had 606 characters: the words within the first 500 were used",
		},
		{
			"search_workspace", `{"query":"slate` + strings.Repeat(" roof", 99) + ` gutters"}`, `"id":"Barn.md"`,
			"query had 508 characters: the words within the first 500 were used",
		},
		{"localSearch", `{"query":"slate","salientTerms":["` + strings.Repeat("y", 70) + `","` + strings.Repeat("x",
			61) + `"]}`, "Slate.", "salientTerms had 61 characters: the words within the first 60 were used"},
		{"readNote", `{"notePath":"` + strings.Repeat("x", 501) + `"}`, "maxLength", ""},
		{"timeRange", `{"expression":"last week` + strings.Repeat(" or so", 20) + `"}`, "maxLength", ""},
		{"readNote", `｛“notePath”：“Barn.md”，“chunkIndex”：0｝`, "Slate.", "the punctuation of the arguments was corrected"},
		{"localSearch", `{"query"："slate，“roof”"，　"limit"：3}`, "Slate.", "the punctuation of the arguments was corrected"},
		{"readNote", `{"path":"Barn.md","title":"Barn"}`, `"success":false`, ""},
		{"readNote", `{"path":"Barn.md","notePath":"Barn.md"}`, `"success":false`, ""},
		{"readNote", `{"where":"Barn.md"}`, `"success":false`, ""},
		{"readNote", `｛“notePath”：“Barn.md”`, "not JSON", ""},
	} {
		out := call(c.tool, c.args)
		if text := out.Result(c.tool).Text(nil); !strings.Contains(text, c.want) ||
			strings.Join(out.Repaired, "; ") != c.said {
			t.Errorf("%s %s: %q, %s", c.tool, c.args, out.Repaired, text)
		}
		if text := out.Result(c.tool).Text(nil); c.said != "" && !strings.HasSuffix(text, "("+c.said+")") {
			t.Errorf("%s %s: it is not said: %s", c.tool, c.args, text)
		}
	}
}

// TestParts: a reference names a heading, also one inside another, or a block.
func TestParts(t *testing.T) {
	call := box(t, vaulttest.New(t, drawers), state.State{})
	for ref, want := range map[string]string{
		"Barn#Roof":           "## Roof\n\nSlate.\n\n### Gutter\n\nRain runs. ^rain",
		"Barn.md#roof#gutter": "### Gutter\n\nRain runs. ^rain",
		"[[Barn#^rain]]":      "Rain runs. ^rain", "Barn#Barn#Door": "## Door\n\nOak.", "Barn#L3-L3": "Old.",
	} {
		want = strings.ReplaceAll(want, "\n", `\n`)
		for tool, name := range map[string]string{"readNote": "notePath", "get_note_by_reference": "reference"} {
			text := call(tool, `{"`+name+`":"`+ref+`"}`).Text
			_, content, _ := strings.Cut(text, `"content":"`)
			got, _, _ := strings.Cut(content, `"`)
			for strings.HasSuffix(got, `\n`) {
				got = strings.TrimSuffix(got, `\n`)
			}
			is(t, got, want, tool, ref, text)
		}
	}
	for tool, args := range map[string]string{
		"readNote":              `{"notePath":"Barn#Cellar"}`,
		"get_note_by_reference": `{"reference":"Barn#Cellar"}`,
	} {
		if text := call(tool, args).Text; !strings.Contains(text, `"Barn.md#Roof"`) ||
			!strings.Contains(text, `"success":false`) {
			t.Errorf("%s: %s", tool, text)
		}
	}
	if text := call("readNote", `{"notePath":"Barn#Roof"}`).Text; !strings.Contains(text, `"from":5,"to":12`) {
		t.Errorf("lines: %s", text)
	}
}

// TestOtherFiles: a file that no tool can read is named for what it is.
func TestOtherFiles(t *testing.T) {
	call := box(t, vaulttest.New(t, drawers), state.State{})
	for ref, want := range map[string]string{
		"report.pdf": "report.pdf is a PDF document: ibid cannot read it yet", "Board.canvas": "is a canvas",
		"Books.base": "is a base",
		"photo.png":  "is an image", "letter.docx": "is an office document", "list.csv": "is no note",
		"odd.md": "not a text file",
	} {
		for tool, name := range map[string]string{
			"readNote": "notePath", "get_note_by_reference": "reference",
			"get_related_notes": "reference",
		} {
			if text := call(tool, `{"`+name+`":"`+ref+`"}`).Text; !strings.Contains(text, want) &&
				(ref != "odd.md" || tool != "get_related_notes") {
				t.Errorf("%s %s: %s", tool, ref, text)
			}
		}
	}
	if text := call("readNote", `{"notePath":"blank.md"}`).Text; !strings.Contains(text, `"success":true`) {
		t.Errorf("an empty note: %s", text)
	}
}
