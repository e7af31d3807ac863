package ui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/ui/chatview"
	"ibid/ui/composer"
	"ibid/ui/keys"
	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/ui/transcript"
	"ibid/vault/vaulttest"
)

// brokenPage panics in the method of the given name.
type brokenPage struct {
	in string
}

func (p *brokenPage) fail(in string) {
	if p.in == in {
		panic("oh: " + in)
	}
}

func (p *brokenPage) Update(msg tea.Msg) (page.Request, bool) {
	p.fail("Update")
	p.fail(fmt.Sprintf("Update %T", msg))
	if key, ok := msg.(tea.KeyPressMsg); ok && key.String() == "w" {
		return page.Do{Work: func(context.Context) tea.Msg {
			p.fail("work")
			return nil
		}}, true
	}
	return nil, true
}

func (p *brokenPage) View(w, h int) []string {
	p.fail("View")
	return make([]string, h)
}

func (p *brokenPage) Cursor() *tea.Cursor {
	p.fail("Cursor")
	return nil
}

func (p *brokenPage) Hints() []keys.Hint {
	p.fail("Hints")
	return nil
}

// FootRows makes it a page.FootedPage.
func (p *brokenPage) FootRows() int {
	p.fail("FootRows")
	return 1
}

// besidePage is a broken page over the prompt.
type besidePage struct{ brokenPage }

func (*besidePage) BesidePrompt() {}

// faultModel returns a screen of w columns and 42 rows, with a chat and a text in the prompt, and the faults that it
// reports.
func faultModel(t *testing.T, w int) (*Model, *[]*term.Fault) {
	v := vaulttest.New(t, "-- a.md --\nA.\n")
	var faults []*term.Fault
	m := benchModel(t, v, w, 42)
	t.Cleanup(m.Close)
	m.opt.Report = func(f *term.Fault) string {
		faults = append(faults, f)
		return "state/fault.txt has what a bug report needs"
	}
	m.Chat.Update(chatview.ConversationChanged{Messages: []transcript.Message{{
		ID: "m0", Role: transcript.You, Text: "what was said before",
	}}})
	m.Composer.SetValue("half a thought")
	m.View()
	return m, &faults
}

// runAll runs a command and passes its messages to the screen, except those that wait.
func runAll(m *Model, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	done := make(chan tea.Msg, 1)
	go func() { done <- cmd() }()
	select {
	case msg := <-done:
		if batch, ok := msg.(tea.BatchMsg); ok {
			for _, c := range batch {
				runAll(m, c)
			}
		} else if msg != nil {
			_, next := m.Update(msg)
			runAll(m, next)
		}
	case <-time.After(50 * time.Millisecond):
	}
}

// checkAlive fails the test unless the chat and the prompt are on the screen, the fault is told, and a key is taken.
func checkAlive(t *testing.T, m *Model, faults []*term.Fault, told string) {
	t.Helper()
	m.drawing.version++
	screen := ansi.Strip(m.View().Content)
	for _, text := range []string{"what was said before", "half a thought", told, "fault.txt"} {
		if !strings.Contains(strings.Join(strings.Fields(screen), " "), text) {
			t.Errorf("%q is not on the screen:\n%s", text, screen)
		}
	}
	if len(faults) != 1 || len(faults[0].Stack) == 0 {
		t.Errorf("reported: %v", faults)
	}
	m.Update(tea.KeyPressMsg{Code: '!', Text: "!"})
	if m.page != nil || m.Composer.Value() != "half a thought!" {
		t.Errorf("the page is %v, the prompt %q", m.page, m.Composer.Value())
	}
	m.View()
}

// TestBrokenPage: a page that panics, wherever it does, is closed and told, and the rest stays.
func TestBrokenPage(t *testing.T) {
	for _, in := range []string{
		"Update", "View", "Cursor", "Hints", "FootRows", "work", "Update tea.KeyPressMsg", "Update tea.WindowSizeMsg",
		"Update page.RefreshMsg", "Update tea.PasteMsg", "Update tea.MouseWheelMsg", "Update tea.MouseClickMsg",
	} {
		for name, p := range map[string]page.Page{"whole": &brokenPage{in}, "beside": &besidePage{brokenPage{in}}} {
			t.Run(in+" "+name, func(t *testing.T) {
				if name == "beside" && (in == "FootRows" || strings.Contains(in, "Mouse")) {
					t.Skip("not called")
				}
				m, faults := faultModel(t, 160)
				m.carryOut(page.Show{Page: p})
				m.drawing.version++
				m.View()
				for _, msg := range []tea.Msg{
					tea.WindowSizeMsg{Width: 160, Height: 42},
					page.RefreshMsg{},
					tea.KeyPressMsg{Code: 'w', Text: "w"},
					tea.PasteMsg{Content: "w"},
					tea.MouseWheelMsg{X: 3, Y: 3, Button: tea.MouseWheelDown},
					tea.MouseClickMsg{X: 3, Y: 3, Button: tea.MouseLeft},
					tea.MouseReleaseMsg{X: 3, Y: 3, Button: tea.MouseLeft},
				} {
					if m.page == nil {
						break
					}
					_, cmd := m.Update(msg)
					runAll(m, cmd)
					m.View()
				}
				if in == "Hints" && m.page != nil { // it has no rows with keys to click
					t.Skip("not called")
				}
				m.Composer.SetValue("half a thought")
				checkAlive(t, m, *faults, "a fault of ibid")
			})
		}
	}
}

// TestPageThatCannotBeMade: a page whose making panics is told, whether a key or work in the background asked for it.
func TestPageThatCannotBeMade(t *testing.T) {
	m, faults := faultModel(t, 120)
	m.carryOut(page.Make(func(page.Env) page.Page { panic("oh") }))
	checkAlive(t, m, *faults, "a fault of ibid closed this page: oh")
}

// TestBrokenQuestion: a question that cannot be made or drawn is answered with no, and does not come back.
func TestBrokenQuestion(t *testing.T) {
	for name, asked := range map[string]chains.Asked{
		"made":  {Proposal: &chains.Proposal{Path: "a.md", Conflict: &chains.Conflict{}, New: true}},
		"drawn": {Batch: []*chains.Proposal{nil}},
	} {
		t.Run(name, func(t *testing.T) {
			m, faults := faultModel(t, 120)
			var answers []chains.Decision
			asked.Kind, asked.Call = chains.AccessWrite, prompt.ToolCall{ID: "1", Name: "editFile"}
			asked.Answer = func(d chains.Decision) { answers = append(answers, d) }
			m.Turn.Begin(func() {}, composer.Draft{Text: "go"}, "", false)
			m.Turn.Ask(asked)
			if name == "made" {
				m.Env.Now = func() time.Time { panic("oh") }
			}
			m.Update(tea.FocusMsg{})
			m.Env.Now = time.Now
			m.drawing.version++
			m.View()
			m.Update(tea.FocusMsg{})
			if len(answers) != 1 || answers[0].Yes || !answers[0].Nobody {
				t.Errorf("the answers are %+v", answers)
			}
			m.Composer.SetValue("half a thought")
			checkAlive(t, m, *faults, "a fault of ibid closed this page")
		})
	}
}

// TestBrokenParts: a part of the frame that panics is left out, once, and comes back with another size.
func TestBrokenParts(t *testing.T) {
	m, faults := faultModel(t, 160)
	s := screenOf(m)
	rows := s.part(headerPart, 2, func() []string { panic("oh") })
	if len(rows) != 2 || len(s.faults) != 1 {
		t.Fatalf("%q, %v", rows, s.faults)
	}
	m.takeAwayBroken(s.faults)
	m.drawing.version++
	if text := ansi.Strip(m.View().Content); !strings.HasPrefix(text, " ✗ a fault of ibid took the first row off the screen") {
		t.Error(text)
	}
	checkAlive(t, m, *faults, "took the first row off the screen: oh")
	m.Update(tea.WindowSizeMsg{Width: 150, Height: 40})
	if text := ansi.Strip(m.View().Content); strings.HasPrefix(text, " ✗") {
		t.Error(text)
	}
}

// TestBrokenRail: a rail that panics is hidden, and the key for rails brings it back.
func TestBrokenRail(t *testing.T) {
	m, faults := faultModel(t, 160)
	if m.stage.frame.context.W == 0 {
		t.Fatal("no rail is shown")
	}
	m.attempt(railsPart, func() tea.Cmd { panic("oh") })
	m.drawing.version++
	if m.View(); m.stage.frame.context.W != 0 {
		t.Error("the rail is still shown")
	}
	checkAlive(t, m, *faults, "closed the columns at the side: oh")
}

// TestBrokenAction: an action that panics costs its key.
func TestBrokenAction(t *testing.T) {
	m, faults := faultModel(t, 120)
	m.actions["broken"] = func(*Model) tea.Cmd { panic("oh") }
	m.carryOut(page.Act("broken"))
	checkAlive(t, m, *faults, "a fault of ibid left this key without effect: oh")
}

// TestBrokenTask: work in the background that panics is told.
func TestBrokenTask(t *testing.T) {
	m, faults := faultModel(t, 120)
	runAll(m, m.Tasks.Start(func(context.Context) tea.Msg { panic("oh") }))
	checkAlive(t, m, *faults, "a fault of ibid stopped work in the background: oh")
}

// TestBrokenOutcome: an answer whose handler panics is lost, and told.
func TestBrokenOutcome(t *testing.T) {
	m, faults := faultModel(t, 120)
	m.Update(brokenOutcome{})
	checkAlive(t, m, *faults, "a fault of ibid lost the answer of a command: oh")
}

// brokenOutcome panics when it is carried out.
type brokenOutcome struct{}

func (brokenOutcome) carryOut(*screenState) tea.Cmd { panic("oh") }
