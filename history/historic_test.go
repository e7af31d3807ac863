package history

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/go-cmp/cmp"
)

// outline returns a chat in the form of the goldens.
func outline(c *Chat, warnings []Warning) string {
	var b strings.Builder
	line := func(name string, v any) {
		if s := fmt.Sprint(v); s != "" && s != "0" && s != "[]" && s != "false" {
			fmt.Fprintf(&b, "%s: %s\n", name, strings.ReplaceAll(s, "\n", "\n  "))
		}
	}
	line("epoch", c.Epoch)
	line("name", c.Name())
	line("model", c.Model)
	line("key", c.ModelKey)
	line("tags", c.Tags)
	line("accessed", c.Accessed)
	line("compat", c.Compat())
	line("preamble", freeText(c.file.src.before)+freeText(c.file.src.after))
	line("extra", extra(c))
	for i, m := range c.Messages {
		fmt.Fprintf(&b, "\n%d %s %q\n", i+1, m.Role, m.Text)
		if !m.Time.IsZero() {
			line("  time", m.Time.Format(time.RFC3339))
		}
		if !m.Context.Empty() {
			fmt.Fprintf(&b, "  context: %+v\n", m.Context)
		}
		line("  status", m.Status)
		line("  after", m.After)
		if c.Compat() && m.Role == User {
			context, question := m.Inlined()
			fmt.Fprintf(&b, "  inlined: %q, question %q\n", context, question)
		}
	}
	for _, w := range warnings {
		fmt.Fprintf(&b, "\nwarning %s: %s\n", w.Kind, w.Text)
	}
	return b.String()
}

// extra returns the properties of a file that are neither Copilot's nor ibid's.
func extra(c *Chat) string {
	var b strings.Builder
	for _, p := range c.file.src.front.All {
		switch p.Key {
		case "epoch", "modelKey", "topic", "title", "lastAccessedAt", "tags", "ibid", "model", "layout":
		default:
			b.WriteString(p.Raw)
		}
	}
	return b.String()
}

// TestHistoric reads a file of every version that wrote chats, and the damage
// that editors do to them (S0-06, S0-106), and checks that saving them in the
// present format changes nothing that is shown.
func TestHistoric(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "historic", "*.md"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".md"), func(t *testing.T) {
			data, err := os.ReadFile(name)
			check(t, err)
			data = []byte(strings.ReplaceAll(string(data), "\r\n", "\n")) // a checkout on Windows
			c, warnings, err := decode(data, time.UTC)
			check(t, err)
			golden.RequireEqual(t, []byte(outline(&c, warnings)))
			for how, changed := range map[string]string{
				"byte order mark": "\uFEFF" + string(data),
				"CRLF":            strings.ReplaceAll(string(data), "\n", "\r\n"),
				"final newlines":  strings.TrimRight(string(data), "\n") + "\n\n\n",
				"no newline":      strings.TrimRight(string(data), "\n"),
			} {
				same := read(t, changed)
				if d := cmp.Diff(c, same, compareChats); d != "" {
					t.Errorf("%s makes a difference:\n%s", how, d)
				}
			}
			c.file.version = version
			saved, _, err := decode(Encode(&c), time.UTC)
			check(t, err)
			if c.file.src.closing == "" { // it gets properties
				c.Tags, c.ModelKey = []string{chatTag}, c.Model
			}
			if d := cmp.Diff(c, saved, compareChats); d != "" {
				t.Errorf("saving changed it:\n%s", d)
			}
		})
	}
}

func TestNoChat(t *testing.T) {
	for name, text := range map[string]string{
		"empty":      "",
		"prose":      "# A note\n\nsome **user**: text\n",
		"properties": "---\ntitle: a\ntags: [x]\n---\ntext",
		"binary":     "\x00\x01\x02\xff",
	} {
		if _, _, err := Decode([]byte(text)); !errors.Is(err, ErrNotChat) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestGolden compares a file of the present format to the byte (S1-46).
func TestGolden(t *testing.T) {
	c := sample()
	golden.RequireEqual(t, Encode(&c))
}

func TestExportGolden(t *testing.T) {
	c := sample()
	golden.RequireEqual(t, Export(&c))
}

// TestEditedOutside: the hidden block of a file whose text was edited is used as
// far as it still fits (P-09).
func TestEditedOutside(t *testing.T) {
	c := sample()
	file := strings.Replace(string(Encode(&c)), "Twice a week.", "Every day.", 1)
	got, warnings, err := decode([]byte(file), time.UTC)
	check(t, err)
	if len(warnings) != 2 || warnings[0].Kind != "appended" || warnings[1].Kind != "metadata" {
		t.Errorf("warnings %+v", warnings)
	}
	if notes := got.NotesToSelf(); len(notes) != 0 {
		t.Errorf("a note to self stayed with a reply that is another one now: %q", notes)
	}
	if got.Messages[0].Meta.Items[0].Revision == "" || got.Messages[2].Meta.Items == nil {
		t.Error("the messages that did not change lost what was known about them")
	}
	if first := read(t, strings.Replace(file, `"turns":`, `"notes":["old"],"turns":`, 1)).Messages[0]; len(first.Notes) != 1 {
		t.Errorf("notes from before the first message: %q", first.Notes)
	}
	for name, broken := range map[string]string{
		"not JSON":    strings.Replace(file, `{"v":1`, `{"v":`, 1),
		"a bad type":  strings.Replace(file, `"v":1`, `"v":"x"`, 1),
		"taken out":   blockPattern.ReplaceAllString(file, ""),
		"never ended": strings.Replace(file, "] -->", "] ->", 1),
	} {
		got, _, err := decode([]byte(broken), time.UTC)
		if err != nil || got.Turns() != 2 || got.Messages[0].Context.Notes[0] != "Garden/Beds.md" {
			t.Errorf("%s: %+v, %v", name, got.Messages, err)
		}
	}
}

// TestZones: a file keeps its wall times when it is opened in another zone.
func TestZones(t *testing.T) {
	tokyo := time.FixedZone("", 9*3600)
	c := Chat{
		Epoch: 1, Messages: []Message{{Role: User, Text: "a", Time: time.Date(2025, 1, 2, 3, 4, 5, 0, tokyo)}},
		Choices: Choices{Active: "off"},
	}
	file := Encode(&c)
	got := read(t, file)
	if at := got.Messages[0].Time.Format(stampLayout); at != "2025/01/02 03:04:05" {
		t.Errorf("the time is %v, was %v", at, c.Messages[0].Time)
	}
	if again := Encode(&got); string(again) != string(file) {
		t.Errorf("the file changed:\n%s", again)
	}
	edited := strings.Replace(string(file), "03:04:05", "03:04:06", 1)
	if got = read(t, edited); got.Messages[0].Time.Second() != 6 {
		t.Errorf("an edited time was not taken: %v", got.Messages[0].Time)
	}
}
