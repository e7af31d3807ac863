package review

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/ui/keys"
	"ibid/ui/page"
	"ibid/ui/theme"
	"ibid/vault/edit"
)

// TestKeysOfPages: the help lists the keys in the last rows of pages.
func TestKeysOfPages(t *testing.T) {
	listed := map[string][]string{}
	for _, k := range Keys() {
		listed[k.Where] = append(listed[k.Where], k.Keys...)
	}
	change := &edit.Change{Hunks: make([]edit.Hunk, 2)}
	asked := proposedChange{
		Proposal: &chains.Proposal{}, current: change, views: make([]view, 1), turn: &askingTurn{},
	}
	for where, hints := range map[string][]keys.Hint{
		"page: question of a tool": (&approval{}).Hints(),
		"page: change": append((&changePage{change: asked}).Hints(),
			(&changePage{change: asked, h: 40}).Hints()...),
		"page: changes of several notes": (&batchPage{}).Hints(),
	} {
		for _, h := range hints {
			for name := range strings.FieldsFuncSeq(h.Key, func(r rune) bool { return r == ' ' || r == '/' }) {
				if name == "↑↓" {
					name = "up"
				}
				if !slices.Contains(listed[where], name) {
					t.Errorf("%s: %s (%s) is not listed", where, name, h.Does)
				}
			}
		}
	}
}

// askingTurn is a turn with open questions.
type askingTurn struct {
	asked []chains.Asked
	why   [2]string // the call, and what was typed
}

func (a *askingTurn) Asked() []chains.Asked { return a.asked }
func (a *askingTurn) LastWords() string     { return "because" }

func (a *askingTurn) Reason() (call, text string) { return a.why[0], a.why[1] }
func (a *askingTurn) SetReason(call, text string) { a.why = [2]string{call, text} }

// stand is a page with a clock, on a screen of a fixed size.
type stand struct {
	page.Page
	now time.Time
}

// newStand opens the page of the first question of a turn.
func newStand(turn Turn, w, h int) *stand {
	s := &stand{now: time.Date(2026, 3, 14, 10, 30, 0, 0, time.UTC)}
	env := page.NewEnv(theme.Options{NoColor: true})
	env.Now = func() time.Time { return s.now }
	s.Page = Ask(env, turn)
	s.Update(tea.WindowSizeMsg{Width: w, Height: h})
	s.Update(page.RefreshMsg{})
	return s
}

// press sends keys, some by their names, and returns the request for the last one.
func (s *stand) press(names ...string) (last page.Request) {
	for _, name := range names {
		key := tea.KeyPressMsg{Code: rune(name[0]), Text: name}
		switch name {
		case "enter":
			key = tea.KeyPressMsg{Code: tea.KeyEnter}
		case "esc":
			key = tea.KeyPressMsg{Code: tea.KeyEscape}
		case "space":
			key = tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
		}
		last, _ = s.Update(key)
	}
	return last
}

// wake passes the time in which a new question ignores keys.
func (s *stand) wake() {
	s.now = s.now.Add(page.GuardTime)
	s.Update(page.GuardMsg{})
}

// decisionOf returns the decision in a request, and false if the request has none.
func decisionOf(r page.Request) (chains.Decision, bool) {
	steps, _ := r.(page.Steps)
	for _, step := range steps {
		if post, ok := step.(page.Post); ok {
			if answer, ok := post.Msg.(Answer); ok {
				return answer.Decision, true
			}
		}
	}
	return chains.Decision{}, false
}

// change returns the proposal to add a line at several places of a note.
func change(path string, hunks int) *chains.Proposal {
	before := strings.Repeat("line\n", 12*hunks)
	after := strings.Repeat(strings.Repeat("line\n", 12)+"more\n", hunks)
	return &chains.Proposal{
		Path: path, Change: edit.Compare(before, after),
		Apply: func(context.Context, chains.Decision) (chains.AppliedProposal, error) {
			return chains.AppliedProposal{}, nil
		},
	}
}

// TestAnswers: the answer to a question for each key, and no answer before the keyboard is
// quiet.
func TestAnswers(t *testing.T) {
	call := chains.Asked{
		Kind: chains.AccessWeb,
		Call: prompt.ToolCall{ID: "1", Name: "fetch", Arguments: `{"url": "https://example.org"}`},
	}
	one := chains.Asked{Kind: chains.AccessWrite, Call: prompt.ToolCall{ID: "1"}, Proposal: change("a.md", 2)}
	many := chains.Asked{
		Kind: chains.AccessWrite, Call: prompt.ToolCall{ID: "1"},
		Batch: []*chains.Proposal{change("a.md", 1), change("b.md", 1)},
	}
	for _, tt := range []struct {
		name  string
		asked chains.Asked
		keys  []string
		want  chains.Decision
	}{
		{"yes to a tool", call, []string{"y"}, chains.Decision{Yes: true}},
		{"no to a tool", call, []string{"esc"}, chains.Decision{}},
		{"no, and why", call, []string{"n", "x", "enter"}, chains.Decision{Reason: "x"}},
		{"yes to a change", one, []string{"y"}, chains.Decision{Yes: true}},
		{"always", one, []string{"a"}, chains.Decision{Yes: true, Always: true}},
		{"but for the first hunk", one, []string{"space", "y"}, chains.Decision{Yes: true, Hunks: []int{1}}},
		{"no to a change", one, []string{"n", "x", "enter"}, chains.Decision{Reason: "x"}},
		{"yes to all of them", many, []string{"enter"}, chains.Decision{Yes: true, Hunks: []int{0, 1}}},
		{"but for the second", many, []string{"j", "space", "y"}, chains.Decision{Yes: true, Hunks: []int{0}}},
		{"all at once", many, []string{"A"}, chains.Decision{Yes: true, All: true, Hunks: []int{0, 1}}},
		{"at once, but for the first", many, []string{"space", "A"}, chains.Decision{Yes: true, All: true, Hunks: []int{1}}},
	} {
		s := newStand(&askingTurn{asked: []chains.Asked{tt.asked}}, 100, 60)
		s.View(100, 60)
		if r, taken := s.Update(tea.KeyPressMsg{Code: 'y', Text: "y"}); taken || r != nil {
			t.Errorf("%s: a key answers at once: %#v", tt.name, r)
		}
		s.wake()
		if got, ok := decisionOf(s.press(tt.keys...)); !ok || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v, %v", tt.name, got, ok)
		}
	}
}

// TestYesGoesOn: the first yes scrolls to the part that was not on the screen.
func TestYesGoesOn(t *testing.T) {
	s := newStand(&askingTurn{asked: []chains.Asked{{Call: prompt.ToolCall{ID: "1"}, Proposal: change("a.md", 6)}}}, 80, 24)
	s.View(80, 24)
	s.wake()
	if r := s.press("y"); r != nil {
		t.Errorf("the first yes asks for %#v", r)
	}
	if rows := strings.Join(s.View(80, 24), "\n"); !strings.Contains(rows, "not applied yet") {
		t.Errorf("nothing is said of it:\n%s", rows)
	}
	if d, ok := decisionOf(s.press("y")); !ok || !d.Yes {
		t.Errorf("the second yes is %+v, %v", d, ok)
	}
}

// TestWaits: a page stays open until the turn has its answer. If it opens again, the reason
// that the user was typing is in it.
func TestWaits(t *testing.T) {
	turn := &askingTurn{asked: []chains.Asked{{Kind: chains.AccessWeb, Call: prompt.ToolCall{ID: "1", Name: "fetch"}}}}
	s := newStand(turn, 80, 24)
	s.wake()
	s.press("n", "n", "o", "t")
	if turn.why != [2]string{"1", "not"} {
		t.Errorf("kept is %+v", turn.why)
	}
	if rows := strings.Join(newStand(turn, 80, 24).View(80, 24), "\n"); !strings.Contains(rows, "not") {
		t.Errorf("what was typed is gone:\n%s", rows)
	}
	if asking := s.Page.(AskingPage); !asking.Waits() {
		t.Error("nobody waits for the answer")
	}
	turn.asked = nil
	if asking := s.Page.(AskingPage); asking.Waits() {
		t.Error("somebody waits for the answer")
	}
}

// TestOwnChange: a change by the user is accepted or dropped with one key.
func TestOwnChange(t *testing.T) {
	own := OwnChange{change("a.md", 1), "it is wanted"}
	env := page.NewEnv(theme.Options{NoColor: true})
	for key, want := range map[rune]page.Request{
		'y': page.Steps{page.Close{}, page.Post{Msg: AgreedChange{own, chains.Decision{Yes: true}}}},
		'n': page.Steps{page.Close{}, page.Toast{Text: "nothing was written"}},
	} {
		p := NewPage(env, own)
		p.Update(tea.WindowSizeMsg{Width: 100, Height: 60})
		p.View(100, 60)
		if got, _ := p.Update(tea.KeyPressMsg{Code: key, Text: string(key)}); !reflect.DeepEqual(got, want) {
			t.Errorf("%c: %#v", key, got)
		}
	}
}

// manyChanges returns the question about changes of n notes.
func manyChanges(n int) chains.Asked {
	asked := chains.Asked{Kind: chains.AccessWrite, Call: prompt.ToolCall{ID: "1"}}
	for i := range n {
		asked.Batch = append(asked.Batch, change(fmt.Sprintf("note %d.md", i), 1+i%2))
	}
	return asked
}

// TestAllAtOnce: 200 changes take two keys: the first one goes to those that were not on the screen.
func TestAllAtOnce(t *testing.T) {
	s := newStand(&askingTurn{asked: []chains.Asked{manyChanges(200)}}, 80, 24)
	s.View(80, 24)
	s.wake()
	if r := s.press("A"); r != nil {
		t.Errorf("the first key asks for %#v", r)
	}
	if rows := strings.Join(s.View(80, 24), "\n"); !strings.Contains(rows, "nothing is made yet") {
		t.Errorf("nothing is said of it:\n%s", rows)
	}
	if d, ok := decisionOf(s.press("A")); !ok || !d.All || len(d.Hunks) != 200 {
		t.Errorf("the second key is %+v, %v", d, ok)
	}
}

// TestBatchTells: the list tells what will be done, what cannot be, and the warnings of the row under the cursor.
func TestBatchTells(t *testing.T) {
	asked := manyChanges(4)
	asked.Batch[1].Warnings = []string{"the note becomes private"}
	asked.Unfit = []chains.UnfitChange{{
		Call: prompt.ToolCall{Name: "editFile", Arguments: `{"path":"gone.md"}`}, Reason: "Note not found",
	}}
	s := newStand(&askingTurn{asked: []chains.Asked{asked}}, 100, 24)
	s.wake()
	has := func(texts ...string) {
		t.Helper()
		view := strings.Join(s.View(100, 24), "\n")
		for _, text := range texts {
			if !strings.Contains(view, text) {
				t.Errorf("%q is not in\n%s", text, view)
			}
		}
	}
	has("4 notes · 6 hunks · +6 −0 · 1 cannot be made", "A all of these as they are shown",
		"cannot be made: editFile gone.md: Note not found", "1 warning")
	s.press("space", "j")
	has("3 notes · 5 hunks · +5 −0", "the note becomes private")
	s.press("G", "space") // the row that cannot be made cannot be chosen
	if d, ok := decisionOf(s.press("A")); !ok || !slices.Equal(d.Hunks, []int{1, 2, 3}) {
		t.Errorf("%+v, %v", d, ok)
	}
}
