package tool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"ibid/chains"
	"ibid/chains/tool"
	"ibid/context/gather"
	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/state"
	"ibid/vault/vaulttest"
)

// now is a Wednesday.
var now = time.Date(2025, 8, 20, 15, 30, 0, 0, time.Local)

const notes = `
-- Projects/Barn.md --
---
date: 2025-04-02
---
# Barn

## Roof

We decided on slate.[^1] The code is ` + "`[^a-z]`" + `.

[User query]:

[^1]: The carpenter said so.
-- Daily/2025-08-12.md --
Met Ada about the gutter.
-- Daily/2025-08-14.md --
Painted the door.
-- Daily/2025-07-01.md --
The gutter leaks.
-- Garden/Old gutter.md --
---
created: 2019-05-01
tags: [house]
---
Rain runs along the gutter.
-- Secret.md --
---
private: true
---
The treasure lies under the oak.
-- Chats/Talk.md --
---
epoch: 1
modelKey: m
tags: [copilot-conversation]
---

**user**: where is the gutter?
`

// allTools returns the tools of a vault.
func allTools(v *vault.Vault, around state.State) []chains.Tool {
	return tool.New(tool.Options{
		Vault: v, Revision: gather.New(v, gather.Options{}).Revision, Chats: "Chats",
		Searcher: func(context.Context) index.Searcher { return index.Searcher{Source: v} },
		State:    func(string) state.State { return around },
		Now:      func() time.Time { return now },
	})
}

// box returns a function that runs a vault's tools by name.
func box(t *testing.T, v *vault.Vault, around state.State) func(name, args string) chains.ToolOutput {
	t.Helper()
	tools := map[string]chains.Tool{}
	for _, each := range allTools(v, around) {
		tools[each.Spec().Name] = each
	}
	return func(name, args string) chains.ToolOutput {
		t.Helper()
		out := value(chains.RunTool(chains.Caller{Chat: "Chats/Now.md"}.In(t.Context()), tools[name], args))(t)
		if len([]rune(out.Note)) > 120 || out.Note == "" && !strings.Contains(out.Text, "was not run") {
			t.Errorf("%s %s: the note is %q", name, args, out.Note)
		}
		return out
	}
}

func newVault(t *testing.T) *vault.Vault {
	t.Helper()
	v := vaulttest.Open(t, vaulttest.Dir(t, notes), vault.Options{})
	v.SetChats("Chats")
	check(t, v.Scan(t.Context()))
	return v
}

func TestLocalSearch(t *testing.T) {
	run := box(t, newVault(t), state.State{})
	for _, tt := range []struct{ args, attributes, paths, guidance, text string }{
		{
			`{"query":"what did we decide about the roof?"}`, "query=what did we decide about the roof?",
			"Projects/Barn.md", "", "only on the following",
		},
		{`{"query":"what did I do last week"}`, "timeRange=last week", "Daily/2025-08-14.md Daily/2025-08-12.md", "", ""},
		{
			`{"query":"the gutter","timeRange":"last week"}`, "query=the gutter timeRange=last week",
			"Daily/2025-08-12.md Daily/2025-08-14.md Garden/Old gutter.md Daily/2025-07-01.md", "notes of other times", "",
		},
		{`{"query":"gutter","tags":["#house"]}`, "query=gutter", "Garden/Old gutter.md", "", ""},
		{`{"query":"gutter","folder":"garden/","limit":"1"}`, "query=gutter", "Garden/Old gutter.md", "", ""},
		{`{"query":"gutter","limit":1}`, "query=gutter", "*", "1 of 3 sections; narrow", ""},
		{`{"query":"where is the gutter","folder":"Chats"}`, "query=where is the gutter", "Chats/Talk.md", "", ""},
		{
			`{"query":"[[Barn]] paint"}`, "query=[[Barn]] paint",
			"Projects/Barn.md Projects/Barn.md Daily/2025-08-14.md", "", "",
		},
		{`{"query":"notes","timeRange":{"startTime":1554076800000,"endTime":1559347200000}}`, "*", "*", "", ""},
		{`{"query":"the treasure under the oak"}`, "query=the treasure under the oak", "", "", "No note matches."},
		{`{"query":"gutters of Barm"}`, "*", "*", "", ""},
		{`{"query":"gutter","folder":"Nowhere"}`, "", "", "", `"error":"folder: there is no folder \"Nowhere\""`},
		{`{"query":"gutter","timeRange":"whenever"}`, "", "", "", `timeRange is a time such as`},
		{`{"query":""}`, "", "", "", `"success":false`},
		{`{}`, "", "", "", `"success":false`},
		{`{"query":"gutter","depth":2}`, "", "", "", `depth`},
	} {
		out := run("localSearch", tt.args)
		var attributes, paths []string
		for _, a := range out.Attributes {
			attributes = append(attributes, a[0]+"="+a[1])
		}
		for i, d := range out.Documents {
			paths = append(paths, d.Path)
			if s := out.Sources[i]; s.Path != d.Path || s.ID != d.ID || d.ID != i+1 || s.Heading != d.Heading ||
				s.From != d.From || s.To != d.To || len(s.Revision) != 16 {
				t.Errorf("%s: source %+v of %+v", tt.args, s, d)
			}
		}
		if got := strings.Join(attributes, " "); tt.attributes != "*" && got != tt.attributes {
			t.Errorf("%s: attributes %q, want %q", tt.args, got, tt.attributes)
		}
		if got := strings.Join(paths, " "); tt.paths != "*" && got != tt.paths {
			t.Errorf("%s: %q, want %q\n%s", tt.args, got, tt.paths, out.Text)
		}
		if !strings.Contains(out.Guidance, tt.guidance) || !strings.Contains(out.Text, tt.text) {
			t.Errorf("%s: %s\n%s", tt.args, out.Text, out.Guidance)
		}
	}
}

// TestTimeInQuestion: a time excludes other times only if the question asks for nothing else,
// or if the model says so.
func TestTimeInQuestion(t *testing.T) {
	run := box(t, newVault(t), state.State{})
	for want, questions := range map[string]string{
		"(only)": "what did I do last week|What happened in August 2025?|what changed last week?|which notes did I edit yesterday|what did I write on August 12|show me last week|" +
			"was habe ich letzte Woche gemacht|Was ist gestern passiert?|was wurde gestern geändert|qu'ai-je fait la semaine dernière ?|qu'est-ce que j'ai modifié hier ?|¿qué hice la semana pasada?|¿qué cambió ayer?|" +
			"我上周写了什么|上周我做了什么？|昨天发生了什么事|昨天改了哪些笔记|先週何をしましたか|昨日何を書いた？|先週したこと|前年写了什么|last week",
		"(preferred)": "how high was inflation in 2022?|what did Anna write last week|which gutter did I order in August 2025|was habe ich letzte Woche gekocht|qu'ai-je mangé hier|¿qué comí ayer?|上周的会议|昨天买了什么|先週の会議",
		"":            "how much is Budget 2025|what is new in 2.5|the kiln at 10:30|what did I do in the second week of August",
	} {
		for question := range strings.SplitSeq(questions, "|") {
			out := run("localSearch", fmt.Sprintf(`{"query":%q}`, question))
			got, when := "", ""
			for _, a := range out.Attributes {
				if a[0] == "timeRange" {
					when = a[1]
				}
			}
			for _, mode := range []string{"(only)", "(preferred)"} {
				if strings.Contains(out.Guidance, fmt.Sprintf("timeRange=%q %s", when, mode)) {
					got = mode
				}
			}
			if got != want || (when == "") != (want == "") {
				t.Errorf("%s: %q %s, want %s", question, when, got, want)
			}
		}
	}
	out := run("localSearch", `{"query":"the gutter","timeRange":"since august 2025"}`)
	if !strings.Contains(out.Guidance, `timeRange="since august 2025" (only)`) &&
		!strings.Contains(out.Guidance, "notes of other times") {
		t.Error(out.Guidance)
	}
}

// TestFootnotesOfNotes: text of a note that looks like a citation is changed, except in code.
func TestFootnotesOfNotes(t *testing.T) {
	out := box(t, newVault(t), state.State{})("localSearch", `{"query":"slate"}`)
	text := out.Result("localSearch").Text([]string{"localSearch"})
	for _, want := range []string{
		"We decided on slate. The code is `[^a-z]`.", "\n: The carpenter said so.",
		"\n\\[User query]:\n", "<heading>Roof</heading>", "<lines>6-12</lines>", "[^1]: [[Projects/Barn#Roof]]",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func TestSearchWorkspace(t *testing.T) {
	run := box(t, newVault(t),
		state.State{
			Pins: []vault.Pin{{Path: "Projects/Barn.md"}},
			Tabs: []state.Tab{{Path: "Garden/Old gutter.md"}, {Path: "Secret.md"}},
		})
	for _, tt := range []struct{ args, ids, message string }{
		{`{"query":"gutter"}`, "Garden/Old gutter.md *", "3 of 3"},
		{`{"query":"gutter","limit":1}`, "Garden/Old gutter.md", "1 of 3"},
		{`{"query":""}`, "*", "5 of 5"},
		{`{"query":"","scope":"pinned"}`, "Projects/Barn.md", "1 of 1"},
		{`{"query":"","scope":"tabs"}`, "Garden/Old gutter.md", "1 of 1"},
		{`{"query":"","scope":"folder","folder":"Daily","since":"2025-08-13"}`, "Daily/2025-08-14.md", "1 of 1"},
		{`{"query":"","scope":"folder","folder":"Daily","until":"July"}`, "Daily/2025-07-01.md", "1 of 1"},
		{`{"query":"treasure"}`, "", "0 of 0"},
		{`{"query":"","since":"never"}`, "", "since is a time"},
	} {
		out := run("search_workspace", tt.args)
		var got struct {
			Success bool
			Message string
			Data    struct {
				Hits []struct {
					ID, Title, Modified string
					Line                int
				}
				Total int
			}
		}
		check(t, json.Unmarshal([]byte(out.Text), &got))
		var ids []string
		for _, h := range got.Data.Hits {
			ids = append(ids, h.ID)
			if h.Line == 0 || h.Title == "" || h.Modified == "" {
				t.Errorf("%s: %+v", tt.args, h)
			}
		}
		all := strings.Join(ids, " ")
		if first, more := strings.CutSuffix(tt.ids, "*"); !strings.HasPrefix(all, first) || !more &&
			all != tt.ids || !strings.Contains(got.Message, tt.message) {
			t.Errorf("%s: %s %q, want %s %q", tt.args, all, got.Message, tt.ids, tt.message)
		}
	}
}

func TestTimes(t *testing.T) {
	run := box(t, newVault(t), state.State{})
	for _, tt := range []struct{ name, args, want string }{
		{
			"timeRange", `{"expression":" last  week"}`,
			`{"start":"2025-08-11","end":"2025-08-17","range":"2025-08-11/2025-08-17","label":"last week"}`,
		},
		{
			"timeRange", `{"expression":"until may"}`,
			`{"start":"","end":"2025-05-31","range":"/2025-05-31","label":"until may"}`,
		},
		{"timeRange", `{"expression":"some day"}`, `{"success":false,"error":"expression: \"some day\" is not understood as a time","message":"expression is a time such as`},
		{"timeRange", `{"expression":" "}`, `{"success":false,"error":"expression: it is empty"`},
		{
			"getCurrentTime", `{"timezone":"Asia/Tokyo"}`,
			now.In(time.FixedZone("", 9*3600)).Format("2006-01-02T15:04:05+09:00 Monday"),
		},
		{"getCurrentTime", ``, now.Format("2006-01-02T15:04:05Z07:00 Monday")},
		{
			"getCurrentTime", `{"timezone":"Mars/Olympus"}`,
			`{"success":false,"error":"timezone: there is no time zone \"Mars/Olympus\"`,
		},
	} {
		if got := run(tt.name, tt.args).Text; !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s %s: %s, want %s", tt.name, tt.args, got, tt.want)
		}
	}
}

// TestSpecs: the list of tools is small, sorted and constant, since it is in every request.
func TestSpecs(t *testing.T) {
	last, size := "", 0
	for i, each := range tool.New(tool.Options{}) {
		spec := each.Spec()
		if spec != tool.New(tool.Options{})[i].Spec() || spec.Name <= last || spec.Writes ||
			spec.Description == "" || !json.Valid([]byte(spec.Schema)) {
			t.Errorf("%+v after %s", spec, last)
		}
		last = spec.Name
		size += len(spec.Name) + len(spec.Description) + len(spec.Schema)
	}
	if size > 9000 {
		t.Errorf("the list has %d bytes", size)
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"what did we decide about the roof?": "decide roof",
		"Thanks!":                            "",
		"shorter, please":                    "",
		"translate that":                     "",
		"fass das bitte kürzer zusammen":     "",
		"merci, plus court":                  "",
		"gracias, más corto":                 "",
		"谢谢":                                 "",
		"谢谢，继续":                              "",
		"go on":                              "",
		"And now?":                           "",
		"und jetzt?":                         "",
		"what is due now?":                   "due now",
		"what did I do last week?":           "last week",
		"was habe ich gestern gemacht":       "gestern",
		"我上周做了什么":                            "上周",
		"the gutter last week":               "gutter",
		"花园的笔记":                              "花园 笔记",
		"":                                   "",
	} {
		is(t, strings.Join(tool.Words(text), " "), want, text)
	}
}

// value returns the result of a call, and ends the test if the call failed.
func value[T any](v T, err error) func(rapid.TB) T {
	return func(t rapid.TB) T {
		t.Helper()
		check(t, err)
		return v
	}
}

// check ends the test if there is an error.
func check(t rapid.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// is fails the test with a diff if got differs from want; of names the values.
func is[T any](t rapid.TB, got, want T, of ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%v (-want +got)\n%s", of, diff)
	}
}
