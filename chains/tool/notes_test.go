package tool_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/tool"
	"ibid/vault"
	"ibid/vault/state"
	"ibid/vault/vaulttest"
)

const desktop = `
-- Plans/Roof.md --
---
type: project
tags: [house, roof/slate]
created: 2025-01-02
status: open
---
# Roof

See [[Beam]], [[Secret]] and [[Nowhere|the list]]. #urgent

## Slate
-- Beam.md --
The beam holds the [[Roof]].
-- Old/Beam.md --
Another beam.
-- Old/Deep/Down/note.md --
x
-- Old/photo.png --
x
-- Secret.md --
---
private: true
---
Links to [[Roof]]. #hidden
-- Chats/Talk.md --
---
epoch: 1
modelKey: m
---

**user**: [[Roof]] #chatty
`

func around() state.State {
	at := time.Date(2025, 8, 20, 10, 0, 0, 0, time.UTC)
	return state.State{
		Active:  vault.ActiveNote{Path: "Plans/Roof.md", Live: true},
		Pins:    []vault.Pin{{Path: "Beam.md", PinnedAt: at}, {Path: "Gone.md"}, {Path: "Secret.md"}},
		Tabs:    []state.Tab{{Path: "Old/Beam.md", Source: state.Wikilink, Used: at}, {Path: "Secret.md"}},
		Updated: at,
	}
}

func desktopVault(t *testing.T) *vault.Vault {
	t.Helper()
	v := vaulttest.Open(t, vaulttest.Dir(t, desktop), vault.Options{})
	v.SetChats("Chats")
	at := time.Date(2025, 8, 19, 12, 0, 0, 0, time.UTC)
	err := filepath.WalkDir(v.Dir(), func(name string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			err = os.Chtimes(name, at, at)
		}
		return err
	})
	if err == nil {
		err = v.Scan(t.Context())
	}
	check(t, err)
	return v
}

const roof = `{"id":"Plans/Roof.md","title":"Roof","type":"project"`

func TestNoteTools(t *testing.T) {
	v := desktopVault(t)
	run := box(t, v, around())
	text := `---\ntype: project\ntags: [house, roof/slate]\ncreated: 2025-01-02\nstatus: open\n---\n# Roof\n\nSee [[Beam]], [[Secret]] and [[Nowhere|the list]]. #urgent\n\n## Slate\n`
	metadata := `"metadata":{"tags":["house","roof/slate","urgent"],"customFields":{"status":"open"},"created":"2025-01-02T00:00:00Z","lastModified":"2025-08-19T12:00:00Z",`
	counts := `"wordCount":22,"characterCount":158,`
	for _, tt := range []struct{ name, args, want string }{
		{
			"get_current_note", `{}`,
			`{"success":true,"data":` + roof + `,"content":"` + text + `",` + metadata + counts +
				`"noteType":{"name":"project"}}},"message":"Current note retrieved"}`,
		},
		{
			"get_current_note", `{"includeMetadata":false,"includeLinks":true,"includeOutline":true}`,
			`{"success":true,"data":` + roof + `,"content":"` + text + `","links":{"outgoing":[{"target":"Beam.md","title":"Beam","exists":true},{"target":"Secret","title":"Secret","exists":false},{"target":"Nowhere","title":"the list","exists":false}],` +
				`"incoming":[{"source":"Beam.md","title":"Beam","context":"The beam holds the [[Roof]]."}]},"outline":[{"level":1,"title":"Roof","line":7},{"level":2,"title":"Slate","line":11}]},"message":"Current note retrieved"}`,
		},
		{"get_current_note", `{"includeMetadata":false,"maxContentLength":100}`, `{"success":true,"data":` + roof + `,"content":"---\ntype: project\ntags: [house, roof/slate]\ncreated: 2025-01-02\nstatus: open\n---\n# Roof\n\n[Content truncated...]"},"message":"Current note retrieved"}`},
		{
			"get_note_by_reference", `{"reference":"plans/roof","includeContent":false}`,
			`{"success":true,"data":` + roof + `},"message":"Note retrieved"}`,
		},
		{"get_note_by_reference", `{"reference":"Old/Beam.md"}`, `{"success":true,"data":{"id":"Old/Beam.md","title":"Beam","type":"note","content":"Another beam.\n"},"message":"Note retrieved"}`},
		{
			"get_note_by_reference", `{"reference":"tab:Old/Beam.md","includeContent":false}`,
			`{"success":true,"data":{"id":"Old/Beam.md","title":"Beam","type":"note"},"message":"Note retrieved"}`,
		},
		{"get_note_by_reference", `{"reference":"Secret"}`, `{"success":false,"error":"Note not found","message":"no note has that path, title or name; localSearch finds notes by their words"}`},
		{
			"get_note_by_reference", `{"reference":"Rof"}`,
			`{"success":false,"error":"Note not found","message":"there is Plans/Roof.md"}`,
		},
		{
			"get_workspace_context", `{"includeMetadata":false}`,
			`{"success":true,"data":{"activeNote":` + roof + `,"lastModified":"2025-08-19T12:00:00Z"},"pinnedNotes":[{"id":"Beam.md","title":"Beam","type":"note","filename":"Beam.md","pinnedAt":"2025-08-20T10:00:00Z"}],` +
				`"temporaryTabs":[{"id":"tab:Old/Beam.md","noteId":"Old/Beam.md","title":"Beam","type":"note","source":"wikilink","lastAccessed":"2025-08-20T10:00:00Z"}],"vaultInfo":VAULT,` +
				`"summary":{"totalNotes":5,"pinnedCount":1,"temporaryTabsCount":1,"lastActivity":"2025-08-20T10:00:00Z"}},"message":"Workspace context retrieved"}`,
		},
		{"readNote", `{"notePath":"Plans/Roof.md"}`, `{"success":true,"data":{"id":"Plans/Roof.md","title":"Roof","chunk":0,"chunks":1,"from":1,"to":11,"content":"` + text + `","linkedNotes":[{"target":"Beam","id":"Beam.md","exists":true},{"target":"Secret","exists":false},{"target":"Nowhere","exists":false}]},"message":"chunk 0 of 1"}`},
		{
			"readNote", `{"notePath":"Plans/Roof.md","chunkIndex":"1"}`,
			`{"success":false,"error":"invalid_chunk_index","message":"the note has 1 chunks, from 0","chunks":1}`,
		},
		{"readNote", `{"notePath":"Secret.md"}`, `{"success":false,"error":"not_found","message":"no note has that path, title or name; localSearch finds notes by their words"}`},
		{"readNote", `{"notePath":"../etc/passwd"}`, `{"success":false,"error":"not_found","message":"no note has that path, title or name; localSearch finds notes by their words"}`},
		{"getFileTree", `{}`, "/ (6)\nChats/ (1)\n  Talk.md\nOld/ (3)\n  Deep/ (1)\n    Down/ (1)\n  Beam.md\n  photo.png\nPlans/ (1)\n  Roof.md\nBeam.md"},
		{"getFileTree", `{"maxEntries":7}`, "/ (6)\nChats/ (1)\nOld/ (3)\n  Deep/ (1)\n    Down/ (1)\nPlans/ (1)\nBeam.md"},
		{"getFileTree", `{"maxEntries":2}`, "/ (6)\nChats/ (1)\nOld/ (3)\n[1 lines are left out: name a folder]"},
		{"getFileTree", `{"folder":"old","depth":1}`, "Old/ (3)\nDeep/ (1)\nBeam.md\nphoto.png"},
		{"getFileTree", `{"folder":"Nowhere"}`, `{"success":false,"error":"folder: there is no folder \"Nowhere\"","message":"leave folder out, or name one that there is"}`},
		{"getTagList", `{}`, "#house 1\n#roof/slate 1\n#urgent 1"},
		{"getTagList", `{"includeInline":false,"maxEntries":1}`, "#house 1\n[1 of 2 tags]"},
	} {
		name := filepath.Base(v.Dir())
		want := strings.ReplaceAll(tt.want, "VAULT", fmt.Sprintf(`{"id":%q,"name":%q,"path":%q}`, name, name, name))
		is(t, run(tt.name, tt.args).Text, want, tt.name, tt.args)
	}
}

// A name of several notes gives their paths, but for those that do not exist for a
// model.
func TestAmbiguous(t *testing.T) {
	run := box(t,
		vaulttest.New(t,
			"-- a/Post.md --\na\n-- b/Post.md --\nb\n-- a/Rail.md --\na\n-- b/Rail.md --\n---\nprivate: true\n---\n"), state.State{})
	for _, tt := range []struct{ name, args, want string }{
		{"get_note_by_reference", `{"reference":"post"}`, `{"success":false,"data":{"candidates":["a/Post.md","b/Post.md"]},"error":"Ambiguous reference","message":"name one of the candidates by its path"}`},
		{"readNote", `{"notePath":"Post"}`, `{"success":false,"data":{"candidates":["a/Post.md","b/Post.md"]},"error":"not_unique","message":"name one of the candidates by its path"}`},
		{"get_note_by_reference", `{"reference":"Rail"}`, `{"success":true,"data":{"id":"a/Rail.md","title":"Rail","type":"note","content":"a\n"},"message":"Note retrieved"}`},
	} {
		is(t, run(tt.name, tt.args).Text, tt.want, tt.name, tt.args)
	}
}

// Without an active note, with one that is gone, and with a private one, which is
// none.
func TestNoActiveNote(t *testing.T) {
	v := desktopVault(t)
	for path, want := range map[vault.Path]string{
		"":          `{"success":false,"error":"No note currently active","message":"Open a note to use this tool"}`,
		"Secret.md": `{"success":false,"error":"No note currently active","message":"Open a note to use this tool"}`,
		"Gone.md":   `{"success":false,"error":"Active note not found","message":"The active note may have been deleted"}`,
	} {
		run := box(t, v, state.State{Active: vault.ActiveNote{Path: path}})
		is(t, run("get_current_note", `{}`).Text, want, path)
		if got := run("get_workspace_context", `{}`).Text; strings.Contains(got, "activeNote") ||
			strings.Contains(got, "Secret") {
			t.Errorf("%q: %s", path, got)
		}
	}
}

// What the model has already is not repeated, and what there is room for is shared:
// S3-20, S3-19.
func TestContents(t *testing.T) {
	v := desktopVault(t)
	var reads int
	v2 := vaulttest.Open(t, v.Dir(), vault.Options{OnRead: func(vault.Path) { reads++ }})
	check(t, v2.Scan(t.Context()))
	check(t, os.Remove(filepath.Join(v.Dir(), "Beam.md")))
	by := chains.Caller{Room: 1000 + 300 + 9, Held: func(path string) string {
		return map[string]string{"Old/Beam.md": "r1", "Plans/Roof.md": "old"}[path]
	}}
	for _, each := range tool.New(tool.Options{Vault: v2, State: func(string) state.State {
		return around()
	}, Revision: func(vault.Path) string { return "r1" }}) {
		if each.Spec().Name != "get_workspace_context" {
			continue
		}
		for range 2 {
			out := value(chains.RunTool(by.In(t.Context()), each, `{"includeContent":true,"includeMetadata":false}`))(t)
			var got struct {
				Success bool
				Message string
				Data    struct {
					ActiveNote                 struct{ Content *string }
					PinnedNotes, TemporaryTabs []struct{ Content *string }
				}
			}
			check(t, json.Unmarshal([]byte(out.Text), &got))
			d := got.Data
			if !got.Success ||
				got.Message != "Workspace context retrieved; each content is cut to 100 characters" ||
				d.PinnedNotes[0].Content != nil ||
				*d.TemporaryTabs[0].Content != "[unchanged, see Old/Beam.md above]" ||
				!strings.HasSuffix(*d.ActiveNote.Content, "[Content truncated...]") {
				t.Errorf("%s", out.Text)
			}
		}
	}
	is(t, reads, 2)
}

// TestChunks: every line of a note is in one chunk, and a chunk is not too large.
func TestChunks(t *testing.T) {
	var b strings.Builder
	for i := range 900 {
		switch {
		case i%70 == 0:
			fmt.Fprintf(&b, "# Part %d\n", i)
		case i%7 == 0:
			b.WriteString("\n")
		default:
			fmt.Fprintf(&b, "line %d\n", i)
		}
	}
	b.WriteString(strings.Repeat("é", 40_000) + "\nend")
	v := vaulttest.New(t, "-- Long.md --\n"+b.String()+"\n")
	run := box(t, v, state.State{})
	var all strings.Builder
	before := ""
	for i, n := 0, 1; i < n; i++ {
		var got struct {
			Data struct {
				Chunks, From, To int
				Content          string
			}
		}
		check(t, json.Unmarshal([]byte(run("readNote", fmt.Sprintf(`{"notePath":"Long.md","chunkIndex":%d}`, i)).Text), &got))
		d := got.Data
		n = d.Chunks
		all.WriteString(d.Content)
		well := strings.HasPrefix(d.Content, "# Part") || strings.HasSuffix(before, "\n\n") || len(before) > 16_000 || i == 0
		if before = d.Content; d.To-d.From >= 200 || len([]rune(d.Content)) > 16_000 || !well && d.From < 900 {
			t.Errorf("chunk %d: lines %d-%d, %d bytes: %.20q", i, d.From, d.To, len(d.Content), d.Content)
		}
	}
	is(t, all.String(), b.String()+"\n")
}

// TestRestOfChunk: where a chunk is cut, the number that is given for the rest leads there,
// however often, and no other number does.
func TestRestOfChunk(t *testing.T) {
	var b strings.Builder
	for i := range 500 {
		fmt.Fprintf(&b, "Line %d is é.\n", i)
	}
	run := box(t, vaulttest.New(t, "-- Long.md --\n"+b.String()), state.State{})
	var all strings.Builder
	from, chunks := 0, 1
	for next, rest := 0, 0; next < chunks; {
		n := next
		if rest > 0 {
			n = rest
		}
		out := run("readNote", fmt.Sprintf(`{"notePath":"Long.md","chunkIndex":%d}`, n))
		var got struct {
			Data struct {
				Chunks, From int
				Content      string
			}
		}
		if err := json.Unmarshal([]byte(out.Text), &got); err != nil || got.Data.From != from+1 {
			t.Fatalf("chunk %d: %v, %.100s", n, err, out.Text)
		}
		chunks = got.Data.Chunks
		text := []rune(got.Data.Content)
		rest = 0
		if shown := 1000; len(text) > shown {
			text = text[:shown]
			value(fmt.Sscanf(out.Rest(shown), "chunk %d", &rest))(t)
		} else {
			next++
		}
		all.WriteString(string(text))
		from = strings.Count(all.String(), "\n")
	}
	is(t, all.String(), b.String())
	for _, n := range []int{chunks, 7 * chunks, 99*chunks + 1, 1 << 40} {
		if out := run("readNote",
			fmt.Sprintf(`{"notePath":"Long.md","chunkIndex":%d}`, n)); !strings.Contains(out.Text, "invalid_chunk_index") {
			t.Errorf("chunk %d: %.100s", n, out.Text)
		}
	}
}

// TestCreated: a note without a date of its own has that of its file; its own date comes first.
func TestCreated(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\ntext\n-- b.md --\n---\ncreated: 2025-01-02\n---\n")
	run := box(t, v, state.State{Pins: []vault.Pin{{Path: "a.md"}, {Path: "b.md"}}})
	out := run("get_workspace_context", `{"includeMetadata":true}`).Text
	born := vault.CreatedAt(v, "a.md").UTC().Format(time.RFC3339)
	for _, want := range []string{born, "2025-01-02T00:00:00Z"} {
		if strings.Count(out, `"created":"`+want+`"`) != 1 {
			t.Errorf("want %s in %s", want, out)
		}
	}
}
