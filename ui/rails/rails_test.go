package rails

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ibid/history"
	"ibid/ui/composer"
	"ibid/ui/inspector"
	"ibid/ui/page"
	"ibid/ui/theme"
	"ibid/vault"
)

// chatsBeside returns rails of n chats beside a prompt, and their source.
func chatsBeside(n int) (*Rails, *Source) {
	env := page.NewEnv(theme.Options{})
	s := &Source{
		Env: env, Listed: true, Group: func(*history.Summary) string {
			return "Today"
		}, State: func(string) string { return "" },
		Report: &inspector.Report{},
	}
	for i := range n {
		s.Chats = append(s.Chats, history.Summary{
			Path:  vault.Path(fmt.Sprintf("Chats/%d.md", i)),
			Title: fmt.Sprintf("Chat %d", i), Turns: 3, Modified: time.Unix(int64(1e9-i*7200), 0),
		})
	}
	r := New(composer.New(*env.Theme))
	r.SetSize(Chats, ChatsWidth, 24)
	return r, s
}

// TestWalk: the keys walk through the chats, a filter leaves those that fit, and what is
// chosen stays in sight.
func TestWalk(t *testing.T) {
	r, s := chatsBeside(40)
	r.Next(s)
	if side, focused := r.Focused(); !focused || side != Chats {
		t.Fatalf("the keys are those of %v, %v", side, focused)
	}
	shows := func(text string) {
		t.Helper()
		var rows []string
		r.Changed()
		for _, row := range r.Draw(s, Chats) {
			rows = append(rows, ansi.Strip(row.Text))
		}
		if all := strings.Join(rows, "\n"); !strings.Contains(all, text) || len(rows) != 24 {
			t.Errorf("%q is not shown in\n%s", text, all)
		}
	}
	r.Step(s, 30)
	shows("▸ Chat 30")
	if got := r.Chosen(s); got != (Row{Chats, "Chats/30.md"}) {
		t.Errorf("chosen is %v", got)
	}
	r.Scroll(Chats, -100)
	shows("Chat 0")
	for _, key := range "17" {
		r.Type(s, tea.KeyPressMsg{Code: key, Text: string(key)})
	}
	shows("▸ Chat 17")
	if !r.ClearFilter(s) || r.ClearFilter(s) {
		t.Error("the filter is cleared once")
	}
	if row, ok := r.Click(Chats, 3); !ok || row.ID == "" {
		t.Errorf("a click on the first chat is %v", row)
	}
	if r.Next(s); !r.prompt.Focused() {
		t.Error("the prompt comes behind the last rail")
	}
}

// BenchmarkChats draws the rail beside 100 chats and beside 3,000: a step to another chat
// costs the same.
func BenchmarkChats(b *testing.B) {
	for _, n := range []int{100, 3000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			r, s := chatsBeside(n)
			r.Next(s)
			by := 1
			b.ReportAllocs()
			for b.Loop() {
				if r.Step(s, by); r.row == 0 || r.row == n-1 {
					by = -by
				}
				r.Changed()
				r.Draw(s, Chats)
			}
		})
	}
}

// TestSameTitles: of chats that are called the same the rail says when they were changed.
func TestSameTitles(t *testing.T) {
	r, s := chatsBeside(3)
	s.Chats[2].Title = s.Chats[0].Title
	var rows []string
	for _, row := range r.Draw(s, Chats) {
		rows = append(rows, ansi.Strip(row.Text))
	}
	all := strings.Join(rows, "\n")
	for i, want := range []bool{true, false, true} {
		if line := s.Chats[i].Modified.Format("15:04") + " · 3 turns"; strings.Contains(all, line) != want {
			t.Errorf("%q is shown: %v\n%s", line, !want, all)
		}
	}
}
