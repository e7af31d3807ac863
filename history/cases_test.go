package history

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ibid/vault"
	"ibid/vault/vaulttest"
)

// cases reads a file of format facts: our own, and of the same shape what other
// programs read and write, where that is named.
func cases[T any](t *testing.T, name string) []T {
	t.Helper()
	all := readCases[T](t, filepath.Join("testdata", "cases", name))
	if dir := vaulttest.Shared(t, "cases"); dir != "" {
		more := readCases[T](t, filepath.Join(dir, name))
		t.Logf("shared: %d cases of %s", len(more), name)
		all = append(all, more...)
	}
	return all
}

func readCases[T any](t *testing.T, name string) []T {
	t.Helper()
	data, err := os.ReadFile(name)
	check(t, err)
	var file struct {
		Cases []T `json:"cases"`
	}
	check(t, json.Unmarshal(data, &file))
	if len(file.Cases) == 0 {
		t.Fatalf("%s holds no cases", name)
	}
	return file.Cases
}

type contextCase struct {
	Notes   []string `json:"notes"`
	URLs    []string `json:"urls"`
	WebTabs []string `json:"webTabs"`
	Tags    []string `json:"tags"`
	Folders []string `json:"folders"`
}

type messageCase struct {
	Sender    string       `json:"sender"`
	Text      string       `json:"text"`
	Timestamp *string      `json:"timestamp"`
	Millis    *int64       `json:"epochMsIfUTC"`
	Context   *contextCase `json:"context"`
}

func (c messageCase) message(t *testing.T) Message {
	t.Helper()
	m := Message{Role: User, Text: c.Text}
	if c.Sender == "ai" {
		m.Role = Assistant
	}
	if c.Timestamp != nil {
		at, err := time.ParseInLocation(stampLayout, *c.Timestamp, time.UTC)
		check(t, err)
		m.Time = at
	}
	if c.Context != nil {
		m.Context = Context{
			Notes: c.Context.Notes, URLs: c.Context.URLs, WebTabs: c.Context.WebTabs, Tags: c.Context.Tags,
			Folders: c.Context.Folders,
		}
	}
	return m
}

func TestCopilotFormat(t *testing.T) {
	type formatCase struct {
		ID       string        `json:"id"`
		Messages []messageCase `json:"messages"`
		Expected string        `json:"expected"`
	}
	for _, tc := range cases[formatCase](t, "chat-format.json") {
		t.Run(tc.ID, func(t *testing.T) {
			want := tc.Expected
			if tc.ID == "probe-comma-path" {
				want = strings.Replace(want, "Ideas, plans", "Ideas%2C plans", 1)
			}
			var c Chat
			for _, m := range tc.Messages {
				c.Messages = append(c.Messages, m.message(t))
			}
			body := bodyOf(Encode(&c))
			if body = strings.TrimPrefix(body, "\n"); body != want {
				t.Errorf("got  %q\nwant %q", body, want)
			}
		})
	}
}

func TestCopilotFrontmatter(t *testing.T) {
	type frontCase struct {
		ID, Note string
		Input    struct {
			Epoch          int64  `json:"epoch"`
			ModelKey       string `json:"modelKey"`
			Topic          string `json:"topic"`
			LastAccessedAt int64  `json:"lastAccessedAt"`
		}
		Expected string
	}
	for _, tc := range cases[frontCase](t, "chat-frontmatter.json") {
		t.Run(tc.ID, func(t *testing.T) {
			in := tc.Input
			want, _, _ := strings.Cut(tc.Expected, "\n---\n")
			if strings.HasPrefix(tc.Note, "UPSTREAM BUG") {
				want = strings.Replace(want, "line1\nline2", "line1 line2", 1)
			}
			c := Chat{Epoch: in.Epoch, ModelKey: in.ModelKey, Title: in.Topic, Accessed: in.LastAccessedAt}
			is(t, string(appendFront(nil, &c, false)), want+"\n---\n")
			if got := string(Encode(&c)); !strings.HasPrefix(got, want+"\nibid:\n  v: 1\n") {
				t.Errorf("our properties do not follow Copilot's:\n%s", got)
			}
		})
	}
}

func TestCopilotParse(t *testing.T) {
	type parseCase struct {
		ID, Note, Input string
		Vault           []string
		Expected        []messageCase
	}
	better := map[string][]messageCase{
		// A header that an editor trimmed is one; Copilot loses the message.
		"probe-no-space-after-colon":   {{Sender: "user", Text: "hello"}, {Sender: "ai", Text: "A"}},
		"probe-moved-note-full-path":   {{Sender: "user", Text: "Q", Context: &contextCase{Notes: []string{"archive/a.md"}}}},
		"probe-code-fence-with-header": {{Sender: "ai", Text: "example:\n```\n**user**: sample\n```\ndone"}},
	}
	for _, tc := range cases[parseCase](t, "chat-parse.json") {
		t.Run(tc.ID, func(t *testing.T) {
			c, _, err := decode([]byte(tc.Input), time.UTC)
			if err != nil && !(errors.Is(err, ErrNotChat) && len(tc.Expected) == 0) {
				t.Fatal(err)
			}
			archive := ""
			for _, name := range tc.Vault {
				archive += "-- " + name + " --\n"
			}
			v := vaulttest.New(t, archive)
			c, found := Resolve(&c, v, Revisions(v))
			want, improved := better[tc.ID]
			if !improved {
				want = tc.Expected
				if strings.HasPrefix(tc.Note, "UPSTREAM") {
					t.Fatal("a case marks an upstream defect and no better result is known for it")
				}
			}
			if len(c.Messages) != len(want) {
				t.Fatalf("got %d messages, want %d: %+v", len(c.Messages), len(want), c.Messages)
			}
			for i, m := range c.Messages {
				checkParsed(t, m, want[i], improved, dropMissing(m.Context, found))
			}
		})
	}
}

func checkParsed(t *testing.T, m Message, want messageCase, improved bool, got Context) {
	t.Helper()
	expect := want.message(t)
	if m.Role != expect.Role || m.Text != want.Text {
		t.Errorf("got %s %q, want %s %q", m.Role, m.Text, want.Sender, want.Text)
	}
	if !improved {
		if want.Millis == nil && !m.Time.IsZero() || want.Millis != nil && m.Time.UnixMilli() != *want.Millis {
			t.Errorf("time %v, want %v", m.Time, want.Timestamp)
		}
	}
	same := slices.Equal(got.Notes, expect.Context.Notes) && slices.Equal(got.URLs, expect.Context.URLs) &&
		slices.Equal(got.WebTabs, expect.Context.WebTabs) && slices.Equal(got.Tags, expect.Context.Tags) &&
		slices.Equal(got.Folders, expect.Context.Folders)
	if !same {
		t.Errorf("context %+v, want %+v", got, expect.Context)
	}
}

// dropMissing returns the context that a reopened chat attaches; the file keeps the rest.
func dropMissing(c Context, found []ResolvedPath) Context {
	c.Notes = slices.DeleteFunc(slices.Clone(c.Notes), func(note string) bool {
		return slices.ContainsFunc(found, func(r ResolvedPath) bool { return r.Ref == note && r.Path == "" })
	})
	return c
}

func TestCopilotFileNames(t *testing.T) {
	type nameCase struct {
		ID    string
		Input struct {
			Text, Topic, Template string
			Epoch                 int64
		}
		Expected string
	}
	for _, tc := range cases[nameCase](t, "chat-filename.json") {
		if tc.Input.Template != "" {
			continue // Copilot's setting; names here have one shape
		}
		t.Run(tc.ID, func(t *testing.T) {
			c := Chat{Epoch: tc.Input.Epoch, Title: tc.Input.Topic, Messages: []Message{{Role: User, Text: tc.Input.Text}}}
			got := vault.Path("test-folder").Join(fileName(&c, time.UTC, ""))
			is(t, string(got), tc.Expected)
		})
	}
}

func TestCopilotTitles(t *testing.T) {
	type titleCase struct {
		ID, Path     string
		Frontmatter  map[string]any
		Title        string `json:"expectedTitle"`
		LastAccessed *int64 `json:"expectedLastAccessedMs"`
	}
	for _, tc := range cases[titleCase](t, "chat-title.json") {
		t.Run(tc.ID, func(t *testing.T) {
			inside, err := json.Marshal(tc.Frontmatter) // JSON is YAML
			check(t, err)
			f, err := parseFront(string(inside), "")
			check(t, err)
			c := Chat{Path: vault.Path(tc.Path), Title: f.chat.Title}
			is(t, c.Name(), tc.Title)
			if want := tc.LastAccessed; want == nil && f.chat.Accessed != 0 || want != nil && f.chat.Accessed != *want {
				t.Errorf("last access %d, want %v", f.chat.Accessed, want)
			}
		})
	}
}
