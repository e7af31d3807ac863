package history_test

import (
	"slices"
	"strings"
	"testing"

	"ibid/history"
	"ibid/vault/vaulttest"
)

// outside is what somebody else does to a file while it is open here.
type outside func(file string) string

func replace(old, with string) outside {
	return func(file string) string { return strings.Replace(file, old, with, 1) }
}

func add(text string) outside { return func(file string) string { return file + text } }

func TestMerge(t *testing.T) {
	byCopilot := func(f string) string {
		_, body, _ := strings.Cut(f, "**user**")
		return "---\nepoch: 1737979200000\nmodelKey: \"m\"\ntopic: \"Given by Copilot\"\n\ntags:\n  - copilot-conversation\n---\n\n**user**" + body
	}
	for _, row := range vaulttest.Rows(t, "merge.txt", 8) {
		theirs := byCopilot
		if old, with := row[6], row[7]; old != "" {
			theirs = func(f string) string { return strings.ReplaceAll(f, old, with) }
		} else if with != "" {
			theirs = add(with)
		}
		t.Run(row[0], func(t *testing.T) {
			v, s := fresh(t, history.Options{})
			c := saved(t, s, "first question", "first answer")
			path := c.Path
			vaulttest.Write(t, v, path, theirs(onDisk(t, v, path)))
			if row[1] == "grow" {
				c.Messages = append(c.Messages, talk("", "", "new question", "new answer").Messages[2:]...)
			} else {
				c.Messages[1].Text = "first answer, now longer"
			}
			warnings := save(t, s, &c)
			if got := kinds(warnings); got != row[4] {
				t.Errorf("warnings %q, want %q", got, row[4])
			}
			if c.Path != path {
				t.Errorf("the chat moved to %q", c.Path)
			}
			if got := strings.Join(texts(c), " / "); got != row[2] {
				t.Errorf("in memory: %q, want %q", got, row[2])
			}
			again := open(t, s, path)
			if got := strings.Join(texts(again), " / "); got != row[2] {
				t.Errorf("on disk: %q, want %q", got, row[2])
			}
			after := ""
			for _, m := range again.Display() {
				after += m.After
			}
			if after != row[3] {
				t.Errorf("below messages stands %q, want %q", after, row[3])
			}
			if file := onDisk(t, v, path); !strings.Contains(file, row[5]) {
				t.Errorf("no %q in\n%s", row[5], file)
			}
		})
	}
}

// TestConflict: what cannot be merged is kept twice, and nothing is overwritten.
func TestConflict(t *testing.T) {
	stream := func(c *history.Chat) { c.Messages[1].Text = "first answer, now longer" }
	for name, theirs := range map[string]outside{
		"the message that we write": replace("first answer", "their answer"),
		"the last message removed": func(f string) string {
			head, _, _ := strings.Cut(f, "\n\n**ai**")
			return head
		},
		"no chat any more":     func(string) string { return "# shopping\n" },
		"emptied":              func(string) string { return "" },
		"by a newer ibid":      replace("  v: 1\n", "  v: 99\n"),
		"something else there": func(string) string { return "\x00\x01\x02" },
	} {
		t.Run(name, func(t *testing.T) {
			v, s := fresh(t, history.Options{StateDir: t.TempDir()})
			c := talk("first question", "first answer")
			c.Spend(noon, history.Total{Model: "m", Turns: 1, Usage: history.Usage{Prompt: 100}})
			save(t, s, &c)
			path, epoch := c.Path, c.Epoch
			edited := theirs(onDisk(t, v, path))
			vaulttest.Write(t, v, path, edited)
			stream(&c)
			c.Spend(noon, history.Total{Model: "m", Turns: 1, Usage: history.Usage{Prompt: 7}})
			warnings := save(t, s, &c)
			if all, err := s.Spent(t.Context(), ""); err != nil || len(all) == 0 || len(all) == 2 && all[0].Usage.Prompt+all[1].Usage.Prompt != 107 {
				t.Errorf("spent %+v, %v", all, err)
			}
			if kinds(warnings) != "conflict" || !strings.Contains(warnings[0].Text, string(c.Path)) {
				t.Errorf("warnings %+v", warnings)
			}
			if got := onDisk(t, v, path); got != edited {
				t.Errorf("their file is now\n%s", got)
			}
			if c.Path == path || c.Epoch == epoch {
				t.Error("our chat goes on under the old name or identity")
			}
			if got, want := texts(open(t, s, c.Path)), []string{"first question", "first answer, now longer"}; !slices.Equal(got, want) {
				t.Errorf("our copy holds %q", got)
			}
			c.Messages[1].Text += "!"
			if w := save(t, s, &c); len(w) > 0 {
				t.Errorf("the next save warns again: %+v", w)
			}
		})
	}
}

func TestFileGone(t *testing.T) {
	v, s := fresh(t, history.Options{})
	c := saved(t, s, "first question", "first answer")
	check(t, v.Rename(c.Path, "Chats/old/Kept.md"))
	c.Messages[1].Text += " and more"
	if w := save(t, s, &c); kinds(w) != "moved" || c.Path != "Chats/old/Kept.md" {
		t.Fatalf("after a rename: %+v, path %q", w, c.Path)
	}
	if got := texts(open(t, s, c.Path)); got[1] != "first answer and more" {
		t.Errorf("saved %q", got)
	}
	if _, err := v.Trash(c.Path); err != nil {
		t.Fatal(err)
	}
	c.Messages[1].Text += "."
	if w := save(t, s, &c); kinds(w) != "recreated" {
		t.Fatalf("after a deletion: %+v", w)
	}
	if got := texts(open(t, s, c.Path)); got[1] != "first answer and more." {
		t.Errorf("saved %q", got)
	}
}
