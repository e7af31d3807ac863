package history_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ibid/history"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// TestMoved: a chat is followed anywhere in the vault, by its epoch, and one that
// lost that by what it says.
func TestMoved(t *testing.T) {
	for _, tc := range []struct {
		name string
		to   vault.Path
		edit outside
		more map[vault.Path]outside // other files made of it
		want vault.Path
	}{
		{name: "in the folder", to: "Chats/old/Kept.md", want: "Chats/old/Kept.md"},
		{name: "out of the folder", to: "Projects/Shed/Talk.md", want: "Projects/Shed/Talk.md"},
		{
			name: "and edited", to: "Projects/Talk.md", edit: replace("first answer", "better answer"), want: "Projects/Talk.md",
		},
		{
			name: "with a copy of it", to: "Talk.md", want: "Talk.md",
			more: map[vault.Path]outside{"A.md": replace("first answer", "something else"), "Talk (1).md": add("\n")},
		},
		{
			name: "beside a note that has the number", to: "Talk.md", want: "Talk.md",
			more: map[vault.Path]outside{"Log.md": func(string) string { return "---\nepoch: 1737979200000\n---\n\n**user**: no chat\n" }},
		},
		{
			name: "without its properties", to: "Chats/Bare.md", want: "Chats/Bare.md",
			edit: func(f string) string {
				_, body, _ := strings.Cut(f, "\n---\n\n")
				return strings.ReplaceAll(strings.ReplaceAll(body, "2025/01/27", "yesterday"), "12:00:0", "")
			},
		},
		{
			name: "another chat in its place", to: "Chats/Mine.md", want: "Chats/Mine.md",
			more: map[vault.Path]outside{"Chats/first_question@20250127_120000.md": func(string) string {
				c := talk("another one")
				c.Epoch = noon.Add(time.Hour).UnixMilli()
				return string(history.Encode(&c))
			}},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v, s := fresh(t, history.Options{StateDir: t.TempDir()})
			c := saved(t, s, "first question", "first answer")
			file := onDisk(t, v, c.Path)
			vaulttest.Rename(t, v, c.Path, tc.to)
			if tc.edit != nil {
				vaulttest.Write(t, v, tc.to, tc.edit(file))
			}
			for p, edit := range tc.more {
				vaulttest.Write(t, v, p, edit(file))
			}
			if len(tc.more) == 0 {
				if now, ok := s.Moved(&c); !ok || now != tc.want {
					t.Errorf("it is at %q, %v", now, ok)
				}
			}
			c.Messages = append(c.Messages, talk("", "", "second question").Messages[2])
			if got := kinds(save(t, s, &c)); !strings.HasPrefix(got, "moved") {
				t.Errorf("said %q", got)
			}
			if c.Path != tc.want || !strings.Contains(onDisk(t, v, tc.want), "second question") {
				t.Errorf("saved to %s, want %s", c.Path, tc.want)
			}
			for p, edit := range tc.more {
				if onDisk(t, v, p) != edit(file) {
					t.Errorf("%s was changed", p)
				}
			}
			check(t, s.Release(&c))
			if again, _, err := openNamed(s, fmt.Sprint(noon.UnixMilli())); err != nil || again.Path != tc.want {
				t.Errorf("opened by its epoch: %s, %v", again.Path, err)
			}
		})
	}
}

// TestMovedWhileClosed: a chat is opened by the name that it had in another folder.
func TestMovedWhileClosed(t *testing.T) {
	v := vaulttest.New(t, "-- Log/Shed@20250127_120000.md --\nno chat\n")
	s := store(t, v, history.Options{})
	c := saved(t, s, "Shed", "A")
	was := c.Path
	check(t, s.Release(&c))
	vaulttest.Rename(t, v, was, "Projects/"+vault.Path(was.Name()))
	for _, name := range []string{string(was), was.Base(), "1737979200000"} {
		again, warnings, err := openNamed(s, name)
		if err != nil || again.Path.Dir() != "Projects" || len(warnings) != 0 {
			t.Errorf("%s: %s, %v, %v", name, again.Path, warnings, err)
		}
	}
}

// TestWhatIsAChat: elsewhere than in the folder of chats the properties decide.
func TestWhatIsAChat(t *testing.T) {
	for front, want := range map[string]bool{
		"epoch: 5\nmodelKey: m":                     true,
		"epoch: '5'\ntags: [Copilot-Conversation]":  true,
		"epoch: 5\nibid: 1":                         true,
		"ibid:\n  v: 1\n  epoch: 5":                 true,
		"epoch: soon\nmodelKey: m":                  false,
		"epoch: 5":                                  false,
		"modelKey: m\ntags: [copilot-conversation]": false,
		"topic: T":                                  false,
	} {
		file := "---\n" + front + "\n---\n\n**user**: Q\n"
		v := vaulttest.New(t, "-- Log/a.md --\n"+file+"-- Chats/a.md --\n"+file)
		s := store(t, v, history.Options{})
		_, _, err := s.Open("Log/a.md")
		if got := err == nil; got != want || !got && !errors.Is(err, history.ErrNotChat) {
			t.Errorf("%q: %v", front, err)
		}
		if _, _, err := s.Open("Chats/a.md"); err != nil {
			t.Errorf("%q in the folder of chats: %v", front, err)
		}
	}
}

// TestCopies: a file with the epoch of another one is a chat of its own, and the
// copies that programs make are told from those that people make.
func TestCopies(t *testing.T) {
	const name = "Chats/Q@20250127_120000"
	for copied, want := range map[string]string{
		name + ".sync-conflict-20250128-101500-ABCDEF7.md": "sync",
		name + " (1).md": "sync",
		name + " 2.md":   "sync",
		name + " (Ann's conflicted copy 2025-01-28).md":    "sync",
		name + " (Conflicted copy laptop 202501281015).md": "sync",
		name + "-conflicted copy 2025-01-28.md":            "sync",
		"Chats/A copy of mine.md":                          "copy",
		"Chats/deep/Q@20250127_120000 (1).md":              "copy",
		"Elsewhere/Q@20250127_120000.md":                   "copy",
		"Chats/Q@20250127_120000 copy.md":                  "copy",
	} {
		v := vaulttest.New(t, "")
		state := t.TempDir()
		s := store(t, v, history.Options{StateDir: state})
		c := talk("Q", "A")
		c.Spend(noon, history.Total{Model: "m", Turns: 1, Usage: history.Usage{Prompt: 100, Cost: 0.5}})
		save(t, s, &c)
		if c.Path != name+".md" {
			t.Fatal(c.Path)
		}
		vaulttest.Write(t, v, vault.Path(copied), onDisk(t, v, c.Path))
		if _, err := v.Revalidate(t.Context()); err != nil {
			t.Fatal(err)
		}
		check(t, s.Release(&c))
		list, err := s.List(t.Context())
		marked := ""
		for _, one := range list {
			if one.Copy != "" {
				marked += string(one.Path) + " of " + string(one.Copy) + ": " + strings.Join(one.Problems, "; ")
			}
		}
		if told := copied + " of " + string(c.Path) + ": a sync program"; err != nil || strings.HasPrefix(marked, told) != (want == "sync") || want != "sync" && marked != "" {
			t.Errorf("the list calls %q a copy, %v", marked, err)
		}

		d, warnings, err := s.Open(vault.Path(copied))
		if err != nil || kinds(warnings) != "copy" || d.Epoch != c.Epoch+1000 || strings.Contains(warnings[0].Text, "sync program") != (want == "sync") {
			t.Errorf("%s: epoch %+d, %+v, %v", copied, d.Epoch-c.Epoch, warnings, err)
			continue
		}
		again, warnings, err := s.Open(c.Path)
		if told := kinds(warnings) == "copies"; err != nil || again.Epoch != c.Epoch || again.ReadOnly || told != (want == "sync") {
			t.Errorf("beside %s the chat is %d: %+v, %v", copied, again.Epoch, warnings, err)
		}
		other := store(t, v, history.Options{StateDir: state})
		if second, warnings, _ := other.Open(vault.Path(copied)); !second.ReadOnly {
			t.Errorf("%s is open twice: %v", copied, warnings)
		}
		d.Messages[1].Text = "B"
		d.Spend(noon, history.Total{Model: "m", Turns: 1, Usage: history.Usage{Prompt: 7}})
		save(t, s, &d)
		spent, err := s.Spent(t.Context(), "")
		prompt, turns, cost := 0, 0, 0.0
		for _, one := range spent {
			prompt, turns, cost = prompt+one.Usage.Prompt, turns+one.Turns, cost+one.Usage.Cost
		}
		if inFolder := strings.HasPrefix(copied, "Chats/"); err != nil || inFolder && (prompt != 107 || turns != 2 || cost != 0.5) {
			t.Errorf("beside %s %d tokens, %d turns and %v $ were spent: %+v, %v", copied, prompt, turns, cost, spent, err)
		}
		if got := texts(open(t, s, c.Path)); got[1] != "A" {
			t.Errorf("beside %s the chat says %q", copied, got)
		}
		if file := onDisk(t, v, vault.Path(copied)); !strings.Contains(file, "epoch: 1737979201000\n") || !strings.Contains(file, "Q\n[Timestamp: 2025/01/27 12:00:01]\n") {
			t.Errorf("%s says now\n%s", copied, file)
		}
		if _, warnings, err := s.Open(vault.Path(copied)); err != nil || len(warnings) != 0 {
			t.Errorf("%s is no copy any more: %v, %v", copied, warnings, err)
		}
	}
}

// TestHalfWritten: a file that another program is writing is looked at twice.
func TestHalfWritten(t *testing.T) {
	v, s := fresh(t, history.Options{})
	c := saved(t, s, "first question", "first answer")
	whole := onDisk(t, v, c.Path) + "\n\n**user**: from elsewhere\n[Timestamp: 2025/01/27 13:00:00]"
	name := filepath.Join(v.Dir(), filepath.FromSlash(string(c.Path)))
	finish := func(half string) {
		vaulttest.Write(t, v, c.Path, half)
		time.AfterFunc(30*time.Millisecond, func() {
			if err := os.WriteFile(name, []byte(whole), 0o644); err != nil {
				t.Error(err)
			}
		})
	}
	finish(whole[:strings.Index(whole, "**ai**")])
	c.Messages = append(c.Messages, talk("", "", "mine").Messages[2])
	if got := kinds(save(t, s, &c)); got != "merged" || strings.Join(texts(c), ", ") != "first question, first answer, from elsewhere, mine" {
		t.Errorf("%s: %q", got, texts(c))
	}
	finish("")
	if again, _, err := s.Open(c.Path); err != nil || len(again.Messages) != 3 {
		t.Errorf("opened with %d messages, %v", len(again.Messages), err)
	}

	finish(whole) // gone for a moment
	check(t, os.Remove(name))
	c = open(t, s, func() vault.Path { time.Sleep(60 * time.Millisecond); return c.Path }())
	c.Messages = append(c.Messages, talk("late").Messages...)
	finish(whole)
	check(t, os.Remove(name))
	if got := kinds(save(t, s, &c)); got != "" || c.Path.Dir() != "Chats" {
		t.Errorf("gone for a moment: %q", got)
	}
}
