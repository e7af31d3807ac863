package calltext

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var offered = []string{"localSearch", "readNote", "get_current_note"}

// read passes a reply to a Reader in pieces of n bytes.
func read(reply string, n int, textOnly bool) (text string, calls []Call) {
	r := NewReader(offered, textOnly)
	var b strings.Builder
	for len(reply) > n {
		b.WriteString(r.Write(reply[:n]))
		reply = reply[n:]
	}
	b.WriteString(r.Write(reply))
	b.WriteString(r.Close())
	return b.String(), r.Calls()
}

const readAll = "<use_tool name=\"readNote\">\n{\"notePath\":\"a.md\"}\n</use_tool>"

const roof = `localSearch {"query":"barn roof"}`

// replies are replies of models, each with its calls and the text without them.
var replies = []struct{ name, reply, text, calls string }{
	{"plain", "The roof is slate.\n\nIt is old.", "The roof is slate.\n\nIt is old.", ""},
	{
		"the form", "I look.\n\n<use_tool name=\"localSearch\">\n{\"query\":\"barn roof\"}\n</use_tool>\n",
		"I look.\n\n", roof,
	},
	{"two", "<use_tool name=\"localSearch\">{\"query\":\"barn roof\"}</use_tool>\n<use_tool name=\"readNote\">{\"notePath\":\"a.md\"}</use_tool>", "", roof + "; " + `readNote {"notePath":"a.md"}`},
	{"text behind", "A.\n<use_tool name=\"localSearch\">\n{\"query\":\"barn roof\"}\n</use_tool>\n\nB.", "A.\n", roof},
	{"own tag", "<localSearch>{\"query\":\"barn roof\"}</localSearch>", "", roof},
	{
		"own tag, other spelling", "<local_search>\n{\"query\":\"barn roof\"}\n</local_search>", "",
		`local_search {"query":"barn roof"}`,
	},
	{"no arguments", "<use_tool name=\"get_current_note\">\n</use_tool>", "", "get_current_note {}"},
	{
		"hermes", "<tool_call>\n{\"name\": \"localSearch\", \"arguments\": {\"query\": \"barn roof\"}}\n</tool_call>",
		"", roof,
	},
	{"hermes twice", "<tool_call>\n{\"name\":\"localSearch\",\"arguments\":{\"query\":\"barn roof\"}}\n</tool_call>\n<tool_call>\n{\"name\":\"get_current_note\",\"arguments\":{}}\n</tool_call>", "", roof + "; get_current_note {}"},
	{"glm", "<tool_call>localSearch\n<arg_key>query</arg_key>\n<arg_value>barn roof</arg_value>\n</tool_call>", "", roof},
	{"phi", "<|tool_call|>[{\"name\":\"localSearch\",\"arguments\":{\"query\":\"barn roof\"}}]<|/tool_call|>", "", roof},
	{"granite", "<|tool_call|>[{\"arguments\":{\"query\":\"barn roof\"},\"name\":\"localSearch\"}]", "", roof},
	{"mistral", "[TOOL_CALLS] [{\"name\": \"localSearch\", \"arguments\": {\"query\": \"barn roof\"}}]", "", roof},
	{
		"mistral, newer",
		"[TOOL_CALLS]localSearch{\"query\": \"barn roof\"}[TOOL_CALLS]readNote[ARGS]{\"notePath\":\"a.md\"}", "",
		roof + "; " + `readNote {"notePath":"a.md"}`,
	},
	{"llama", "<function=localSearch>{\"query\": \"barn roof\"}</function>", "", roof},
	{
		"llama, token",
		"<|python_tag|>{\"type\":\"function\",\"name\":\"localSearch\",\"parameters\":{\"query\":\"barn roof\"}}<|eom_id|>", "", roof,
	},
	{"llama, code", "<|python_tag|>localSearch.call(query=\"barn roof\")", "", roof},
	{
		"llama, list", "[localSearch(query='barn (roof)', tags=[\"#a\"]), readNote(notePath=\"a.md\", chunkIndex=1)]", "",
		`localSearch {"query":"barn (roof)","tags":["#a"]}; readNote {"chunkIndex":1,"notePath":"a.md"}`,
	},
	{"llama, list without arguments", "[get_current_note()]\n", "", "get_current_note {}"},
	{"llama, list in prose", "[localSearch(query='barn')]\nis a call.", "[localSearch(query='barn')]\nis a call.", ""},
	{"gemma", "I look:\n```tool_code\nlocalSearch(query=\"barn roof\")\n```\n", "I look:\n", roof},
	{"gemma, list", "```tool_code\n[localSearch(query=\"barn roof\")]\n```", "", roof},
	{"attributes", `<localSearch query="barn roof" tag='#a' />`, "", `localSearch query="barn roof" tag='#a'`},
	{"no arguments in one tag", `<use_tool name="get_current_note"/>`, "", "get_current_note {}"},
	{"one tag and text", "<use_tool name=\"localSearch\" query=\"barn roof\"/>\nDone.", "", `localSearch query="barn roof"`},
	{"one tag of nothing", "<use_tool/>\n<tool_call />", "<use_tool/>\n<tool_call />", ""},
	{"gemma, two", "```tool_code\nget_current_note()\nlocalSearch(query=\"barn roof\")\n```\nI wait.", "", "get_current_note {}"},
	{
		"qwen coder",
		"<tool_call>\n<function=localSearch>\n<parameter=query>\nbarn roof\n</parameter>\n</function>\n</tool_call>", "", roof,
	},
	{"deepseek", "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>localSearch\n```json\n{\"query\":\"barn roof\"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>readNote<｜tool▁sep｜>{\"notePath\":\"a.md\"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>", "", roof + "; " + `readNote {"notePath":"a.md"}`},
	{"kimi", "<|tool_calls_section_begin|><|tool_call_begin|>functions.localSearch:0<|tool_call_argument_begin|>{\"query\":\"barn roof\"}<|tool_call_end|><|tool_calls_section_end|>", "", roof},
	{
		"gpt-oss",
		"<|channel|>commentary to=functions.localSearch <|constrain|>json<|message|>{\"query\":\"barn roof\"}<|call|>", "", roof,
	},
	{"claude", "Let me see.\n<function_calls>\n<invoke name=\"localSearch\">\n<parameter name=\"query\">barn roof</parameter>\n</invoke>\n<invoke name=\"readNote\"><parameter name=\"notePath\">a.md</parameter></invoke>\n</function_calls>", "Let me see.\n", roof + "; " + `readNote {"notePath":"a.md"}`},
	{
		"copilot",
		"<use_tool>\n<name>localSearch</name>\n<query>barn's \"roof</query>\n<tags>[\"#a\"]</tags>\n</use_tool>\n",
		"", `localSearch {"query":"barn's \"roof","tags":["#a"]}`,
	},
	{
		"tags in the arguments",
		"<tool_call>\n<function=localSearch>\n<parameter=query>\n    if a < b { <b>x</b>\n</parameter>\n<parameter=limit>\n3\n</parameter>\n</function>\n</tool_call>",
		"", `localSearch {"limit":"3","query":"    if a < b { <b>x</b>"}`,
	},
	{
		"arguments in a tag",
		"<use_tool>\n<name>localSearch</name>\n<arguments>\n{\"query\": \"barn roof\"}\n</arguments>\n</use_tool>", "", roof,
	},
	{
		"tags in a tag of arguments",
		"<use_tool>\n<name>localSearch</name>\n<arguments>\n<query>barn roof</query>\n</arguments>\n</use_tool>", "", roof,
	},
	{
		"fence",
		"I look:\n\n```tool_call\n{\"name\":\"localSearch\",\"arguments\":{\"query\":\"barn roof\"}}\n```\nDone.",
		"I look:\n\n", roof,
	},
	{
		"json fence at the end",
		"Look:\n```json\n{\n  \"name\": \"localSearch\",\n  \"arguments\": {\"query\": \"barn roof\"}\n}\n```\n",
		"Look:\n", roof,
	},
	{
		"json fence in prose",
		"So:\n```json\n{\"name\":\"localSearch\",\"arguments\":{\"query\":\"barn roof\"}}\n```\nThat is it.",
		"So:\n```json\n{\"name\":\"localSearch\",\"arguments\":{\"query\":\"barn roof\"}}\n```\nThat is it.", "",
	},
	{"bare at the end", "{\"name\": \"localSearch\", \"arguments\": {\"query\": \"barn roof\"}}", "", roof},
	{
		"bare list at the end", "Well.\n[{\"name\": \"localSearch\", \"parameters\": {\"query\": \"barn roof\"}}]\n",
		"Well.\n", roof,
	},
	{"bare openai", "{\"tool_calls\":[{\"type\":\"function\",\"function\":{\"name\":\"localSearch\",\"arguments\":\"{\\\"query\\\":\\\"barn roof\\\"}\"}}]}", "", `localSearch "{\"query\":\"barn roof\"}"`},
	{
		"bare in prose", "{\"name\": \"localSearch\", \"arguments\": {}}\nis a call.",
		"{\"name\": \"localSearch\", \"arguments\": {}}\nis a call.", "",
	},
	{
		"bare of others", "{\"name\": \"Ada\", \"arguments\": 3}\n[link](a.md)\n[",
		"{\"name\": \"Ada\", \"arguments\": 3}\n[link](a.md)\n[", "",
	},

	{"single quotes", "<use_tool name='localSearch'>\n{'query': 'barn roof',}\n</use_tool>", "", roof},
	{"no quotes", "<use_tool name=localSearch>{query: \"barn roof\"}</use_tool>", "", roof},
	{
		"python",
		"<tool_call>{'name': 'localSearch', 'arguments': {'query': 'barn roof', 'tags': None, 'x': True}}</tool_call>", "", `localSearch {"query":"barn roof","tags":null,"x":true}`,
	},
	{"missing brace", "<use_tool name=\"localSearch\">\n{\"query\":\"barn roof\"\n</use_tool>\nB.", "", roof},
	{"missing brace and tag", "<tool_call>\n{\"name\":\"localSearch\",\"arguments\":{\"query\":\"barn roof\"}", "", roof},
	{"missing tag", "<use_tool name=\"localSearch\">\n{\"query\":\"barn roof\"}", "", roof},
	{"missing tags", "<tool_call>{\"name\":\"localSearch\",\"arguments\":{\"query\":\"barn roof\"}}\n<tool_call>{\"name\":\"readNote\",\"arguments\":{}}</tool_call>B.", "", roof + "; readNote {}"},
	{"missing tag, a quote in a text", "<tool_call>{\"name\":\"localSearch\",\"arguments\":{\"query\":\"2\" slates\"}}\n<tool_call>{\"name\":\"readNote\",\"arguments\":{}}</tool_call>B.", "", `localSearch {"query":"2\" slates"}; readNote {}`},
	{
		"missing tag, prose", "<tool_call>{\"name\":\"localSearch\",\"arguments\":{\"query\":\"barn roof\"}}\nI wait.",
		"", roof,
	},
	{"other tag", "<use_tool name=\"localSearch\">{\"query\":\"barn roof\"}</tool>\nB.", "", roof},
	{
		"prose inside", "<use_tool name=\"localSearch\">\nHere: {\"query\":\"barn roof\"} and I wait.\n</use_tool>",
		"", roof,
	},
	{
		"text of JSON",
		"<tool_call>{\"name\":\"localSearch\",\"arguments\":\"{\\\"query\\\": \\\"barn roof\\\"}\"}</tool_call>", "", `localSearch "{\"query\": \"barn roof\"}"`,
	},
	{
		"wrapped",
		"<use_tool name=\"localSearch\">{\"name\":\"localSearch\",\"arguments\":{\"query\":\"barn roof\"}}</use_tool>", "", roof,
	},
	{"arguments alone", "<use_tool name=\"localSearch\">{\"arguments\":{\"query\":\"barn roof\"}}</use_tool>", "", roof},
	{"flat", "<tool_call>{\"tool\":\"localSearch\",\"query\":\"barn roof\"}</tool_call>", "", roof},
	{
		"tag in a text", "<use_tool name=\"localSearch\">{\"query\":\"a </use_tool> b\"}</use_tool>", "",
		`localSearch {"query":"a </use_tool> b"}`,
	},
	{
		"line ends in a text", "<use_tool name=\"readNote\">{\"notePath\":\"a\nb\"}</use_tool>", "",
		`readNote {"notePath":"a\nb"}`,
	},
	{
		"quotes in a text", "<use_tool name=\"localSearch\">\n{\"query\": \"the \"old\" roof\"}\n</use_tool>", "",
		`localSearch {"query":"the \"old\" roof"}`,
	},
	{"open text", "<use_tool name=\"localSearch\">\n{\"query\": \"barn roof}\n</use_tool>\nB.", "", roof},
	{
		"code around it",
		"<tool_call>\n```json\n{\"name\":\"localSearch\",\"arguments\":{\"query\":\"barn roof\"}}\n```\n</tool_call>", "", roof,
	},
	{"not JSON", "<use_tool name=\"localSearch\">\nbarn roof\n</use_tool>", "", "localSearch barn roof"},
	{"unknown", "<use_tool name=\"deleteAll\">\n{}\n</use_tool>", "", "deleteAll {}"},

	{"made up", "I look.\n<use_tool name=\"localSearch\">\n{\"query\":\"barn roof\"}\n</use_tool>\n<tool_result>\nSlate.\n</tool_result>\n\nIt is slate [^1].\n" + readAll, "I look.\n", roof},
	{"made up, no end", "<use_tool name=\"localSearch\">\n{\"query\":\"barn roof\"}\n\n<tool_result>\nSlate." +
		readAll, "", roof},
	{
		"made up, prose, no end",
		"<use_tool name=\"localSearch\">\n{\"query\":\"barn roof\"}\n\nThe notes say slate.\n" + readAll, "", roof,
	},
	{"made up, block", "<use_tool name=\"localSearch\">\n{\"query\":\"barn roof\"}\n</use_tool>\n# Additional context:\n\n<localSearch query=\"barn roof\">\nSlate.\n</localSearch>\n", "", roof},
	{"made up, other forms", "<tool_call>{\"name\":\"localSearch\",\"arguments\":{\"query\":\"barn roof\"}}</tool_call>\n<tool_response>\nSlate.\n</tool_response>\nIt is slate.", "", roof},
	{
		"made up behind a bare call",
		"{\"name\": \"localSearch\", \"arguments\": {\"query\": \"barn roof\"}}\n<tool_result>Slate.</tool_result>\nSlate.", "", roof,
	},
	{"made up without a call", "I look.\n<tool_result>\nSlate.\n</tool_result>\nIt is slate.", "I look.\n", ""},
	{"stopped at its end", "I look.\n<use_tool name=\"localSearch\">\n{\"query\":\"barn roof\"}\n", "I look.\n", roof},
	{"stopped in a text", "<use_tool name=\"localSearch\">\n{\"query\":\"what ", "", "localSearch {\"query\":\"what"},
	{"a word of its own", "<tool_resultant>\n<toolbox>\n[TOOL_R", "=", ""},

	{"in a fence of a list", "- So:\n  ```\n  <use_tool name=\"localSearch\">\n  {}\n  </use_tool>\n  <tool_result>\n  ```\n\n1. And:\n\n   ~~~xml\n   <tool_call>{\"name\":\"localSearch\"}</tool_call>\n   ~~~\n", "=", ""},
	{
		"in a fence of a fence",
		"````md\n```tool_call\n{\"name\":\"localSearch\"}\n```\n<use_tool name=\"localSearch\">\n{}\n</use_tool>\n````\nSo.", "=", "",
	},
	{"in other fences", "~~~\n<use_tool name=\"localSearch\">\n{}\n</use_tool>\n<tool_result>\n~~~\n\n> ```\n> <tool_call>{}</tool_call>\n> ```\n\n\t<use_tool name=\"localSearch\">{}</use_tool>", "=", ""},
	{"in a fence, then called", "```\n<use_tool name=\"localSearch\">{}</use_tool>\n```\n<use_tool name=\"localSearch\">{\"query\":\"barn roof\"}</use_tool>\nB.", "```\n<use_tool name=\"localSearch\">{}</use_tool>\n```\n", roof},
	{
		"in a fence", "```\n<use_tool name=\"localSearch\">\n{}\n</use_tool>\n```\n",
		"```\n<use_tool name=\"localSearch\">\n{}\n</use_tool>\n```\n", "",
	},
	{"in a fence of XML", "```xml\n<tool_call>{}</tool_call>\n```", "```xml\n<tool_call>{}</tool_call>\n```", ""},
	{
		"in a line", "Write <use_tool name=\"localSearch\">{}</use_tool> so.",
		"Write <use_tool name=\"localSearch\">{}</use_tool> so.", "",
	},
	{
		"in code", "`<tool_call>` is what it writes, or `[TOOL_CALLS]`.",
		"`<tool_call>` is what it writes, or `[TOOL_CALLS]`.", "",
	},
	{"a token in prose", "[TOOL_CALLS] is the token that it writes.", "[TOOL_CALLS] is the token that it writes.", ""},
	{"a tag in prose", "<tool_call> is the tag that it writes.", "<tool_call> is the tag that it writes.", ""},
	{
		"the block of a result", "<localSearch query=\"roof\">\nAnswer the question.\n</localSearch>",
		"<localSearch query=\"roof\">\nAnswer the question.\n</localSearch>", "",
	},
	{
		"HTML", "<table><tr><td>1</td></tr></table>\n<use>\n< 3\n<3",
		"<table><tr><td>1</td></tr></table>\n<use>\n< 3\n<3", "",
	},
	{"cut tag", "So <\n<use_tool na", "So <\n<use_tool na", ""},
	{"code", "    <use_tool name=\"localSearch\">{}</use_tool>", "    <use_tool name=\"localSearch\">{}</use_tool>", ""},
	{
		"JSON", "```json\n{\"a\": 1}\n```\n```\nx\n```\n{\"b\": [1, 2]}",
		"```json\n{\"a\": 1}\n```\n```\nx\n```\n{\"b\": [1, 2]}", "",
	},
}

func init() {
	for i := range replies {
		if replies[i].text == "=" { // all of it
			replies[i].text = replies[i].reply
		}
	}
}

func spell(calls []Call) string {
	var all []string
	for _, c := range calls {
		all = append(all, c.Name+" "+c.Arguments)
	}
	return strings.Join(all, "; ")
}

// TestReader reads each form, a byte at a time and at once.
func TestReader(t *testing.T) {
	for _, tt := range replies {
		for _, n := range []int{1, 3, 1000} {
			text, calls := read(tt.reply, n, true)
			if got := spell(calls); text != tt.text || got != tt.calls {
				t.Errorf("%s, by %d:\n%q\nhas the text %q, want %q\nand the calls %s, want %s", tt.name, n,
					tt.reply, text, tt.text, got, tt.calls)
				break
			}
		}
	}
}

// TestNativeReader: on a server with calls of its own, text is read as a call only if the tool
// is offered.
func TestNativeReader(t *testing.T) {
	for _, tt := range replies {
		text, calls := read(tt.reply, 7, false)
		if tt.name == "unknown" {
			if text != tt.reply || len(calls) > 0 {
				t.Errorf("%q: text %q, calls %v", tt.reply, text, calls)
			}
			continue
		}
		if got := spell(calls); text != tt.text || got != tt.calls {
			t.Errorf("%s: text %q, calls %s", tt.name, text, got)
		}
	}
	const foreign = "<tool_call>\n{\"name\":\"rm\",\"arguments\":{}}\n</tool_call>\nSo."
	if text, calls := read(foreign, 5, false); text != foreign || len(calls) > 0 {
		t.Errorf("text %q, calls %v", text, calls)
	}
}

// TestNamesAlike: calls of two tools are told apart if the name of one begins with that of the
// other.
func TestNamesAlike(t *testing.T) {
	for _, reply := range []string{`{"name":"readNotes","arguments":{}}`, `[readNotes()]`, `<readNotes>{}</readNotes>`} {
		for n := 1; n <= len(reply); n++ {
			r := NewReader([]string{"readNote", "readNotes"}, true)
			text := r.Write(reply[:n]) + r.Write(reply[n:])
			if text += r.Close(); text != "" || spell(r.Calls()) != "readNotes {}" {
				t.Errorf("%q: text %q, calls %s", reply, text, spell(r.Calls()))
			}
		}
	}
}

// TestCut: an unfinished call at the end of a reply is reported as it is, and not shown as
// text.
func TestCut(t *testing.T) {
	for reply, want := range map[string]string{
		"I look.\n<use_tool name=\"localSearch\">\n{\"query\":\"barn ro":                        `I look.|localSearch {"query":"barn ro`,
		"I look.\n<tool_call>{\"name\":\"localSearch\",\"arguments\":{\"query\":\"barn ro":      `I look.|localSearch {"name":"localSearch","arguments":{"query":"barn ro`,
		"I look.\n<use_tool name=\"localSearch\">{}</use_tool><use_tool name=\"readNote\">{\"n": `I look.|localSearch {}; readNote {"n`,
		"I look.\n{\"name\":\"localSearch\",\"arguments\":{}}":                                  `I look.|localSearch {}`,
		"I look.\nI <": "I look.\nI <|",
	} {
		r := NewReader(offered, true)
		text := r.Write(reply)
		text += r.Cut()
		if got := strings.TrimSpace(text) + "|" + spell(r.Calls()); got != want {
			t.Errorf("%q: %s, want %s", reply, got, want)
		}
	}
}

// TestHeldBack: text is delayed only while it may become a call.
func TestHeldBack(t *testing.T) {
	for piece, shown := range map[string]string{
		"The roof":           "The roof",
		"A <use_tool":        "A <use_tool",
		"<u":                 "",
		"<ul":                "<ul",
		"{\"name\": \"local": "",
		"{\"name\": \"x":     "{\"name\": \"x",
		"```json\n{\"na":     "",
		"```go":              "```go",
		"[T":                 "",
		"[Ta":                "[Ta",
	} {
		if got := NewReader(offered, true).Write(piece); got != shown {
			t.Errorf("%q shows %q, want %q", piece, got, shown)
		}
	}
}

// TestSplits: however a reply is split, text and calls are the same.
func TestSplits(t *testing.T) {
	parts := []string{
		"A.", "\n", "\n\n", " ", "```", "```json\n", "<", ">", "</use_tool>",
		"{\"name\": \"localSearch\", ", "\"arguments\": {\"query\": \"x\"}}", "<tool_call>", "</tool_call>", "'",
		"\"", "[TOOL_CALLS]", "<|tool_call|>", "<use_tool name=\"readNote\">", "[", "]", "}", "- ", "é",
	}
	for _, tt := range replies {
		parts = append(parts, tt.reply)
	}
	rapid.Check(t, func(t *rapid.T) {
		reply := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 1, 8).Draw(t, "parts"), "")
		textOnly := rapid.Bool().Draw(t, "text only")
		want, calls := read(reply, len(reply)+1, textOnly)
		r := NewReader(offered, textOnly)
		var b strings.Builder
		for rest := reply; rest != ""; {
			n := rapid.IntRange(1, min(len(rest), 9)).Draw(t, "n")
			b.WriteString(r.Write(rest[:n]))
			rest = rest[n:]
		}
		b.WriteString(r.Close())
		if got := b.String(); got != want || fmt.Sprint(r.Calls()) != fmt.Sprint(calls) {
			t.Fatalf("%q\ntext  %q\nwhole %q\ncalls %v\nwhole %v", reply, got, want, r.Calls(), calls)
		}
	})
}

// TestNothingLost: a reply without calls is let through byte for byte.
func TestNothingLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reply := rapid.StringOf(rapid.SampledFrom([]rune("<>[]{}`'\"/|\n\n  atool_c:,"))).Draw(t, "reply")
		if text, calls := read(reply, rapid.IntRange(1, 5).Draw(t, "n"),
			rapid.Bool().Draw(t, "text only")); len(calls) == 0 && text != reply {
			t.Fatalf("%q became %q", reply, text)
		}
	})
}

// TestReaderCost: what a byte costs does not grow with what is held back.
func TestReaderCost(t *testing.T) {
	for _, reply := range []string{
		`<use_tool name="localSearch">` + strings.Repeat(">", 1<<20), "```json" + strings.Repeat("\n", 1<<20),
		strings.Repeat("`", 1<<20),
	} {
		r := NewReader(offered, true)
		for _, piece := range pieces(reply, 1<<10) { // a text that was looked at again and again would take minutes
			r.Write(piece)
		}
		r.Close()
	}
}
