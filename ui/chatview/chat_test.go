package chatview

import (
	"reflect"
	"testing"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/desk"
	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/history"
	"ibid/ui/composer"
	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/vault/vaulttest"
)

// testHost is a screen that records the requests of a chat.
type testHost struct {
	asked []page.Request
	chats []*Chat
}

func (h *testHost) Ask(_ *Chat, r page.Request) tea.Cmd {
	h.asked = append(h.asked, r)
	return nil
}

func (h *testHost) All() []*Chat { return h.chats }

// newTestChat returns a chat that is not on the screen.
func newTestChat(t *testing.T) (*Chat, *testHost) {
	t.Helper()
	h, tasks := &testHost{}, term.NewTasks(t.Context())
	t.Cleanup(tasks.Close)
	c := New(&Setup{Env: page.NewEnv(theme.Options{}), Host: h, Tasks: tasks}, nil, State{})
	c.Restyle()
	h.chats = []*Chat{c}
	return c, h
}

// showOn makes the chat the one on the screen.
func (c *Chat) showOn() { c.Current, c.Composer = c, composer.New(*c.Theme) }

// TestLateEvents: events of a turn that is over, and a forecast that nobody asks for any
// more, are dropped.
func TestLateEvents(t *testing.T) {
	c, _ := newTestChat(t)
	c.showOn()
	c.Turn.ID = 7
	for id, text := range map[int]string{6: "late", 7: "over"} { // no turn runs
		c.Update(TurnMsg{Of: c, ID: id, Got: []TurnEvent{{Event: chains.TextDelta{Text: text}}}, Ended: true})
	}
	c.Update(runMsg{ID: 6})
	if c.Turn.Tick(c.Tasks, TickMsg{Of: c, ID: 6}, c.Theme) != nil || c.Transcript.Len() != 0 {
		t.Error("a late turn reached the screen")
	}
	c.Estimate.id = 3
	c.Update(forecastMsg{id: 2})
	c.Update(settleMsg{2})
	if c.Estimate.Env != nil || c.work.busy {
		t.Error("a late forecast was taken")
	}
}

// TestFitBehind: what must be decided before a message is sent waits until its chat is
// on the screen; then the message is in the prompt.
func TestFitBehind(t *testing.T) {
	c, h := newTestChat(t)
	c.Turn.Begin(func() {}, composer.Draft{Text: "all of it"}, "", false)
	msg := fitMsg{id: c.Turn.ID, fit: fit{price: 90000}}
	c.Update(msg)
	if !c.WaitsForUser() || len(h.asked) != 0 || c.Draft.Text != "" {
		t.Fatalf("asks: %v, %v, the prompt holds %q", c.WaitsForUser(), h.asked, c.Draft.Text)
	}
	c.showOn()
	late := c.Late
	h.asked, c.Late = nil, nil
	c.Update(late[0])
	if p, ok := h.asked[0].(page.Show); !ok || p.Page == nil || c.Composer.Value() != "all of it" ||
		c.Turn.Running() || c.WaitsForUser() {
		t.Errorf("asked for %v, the prompt holds %q", h.asked, c.Composer.Value())
	}
}

// TestFitQuestion: enter sends the turn as it is.
func TestFitQuestion(t *testing.T) {
	c, _ := newTestChat(t)
	f := &fit{cut: []prompt.ShortenedPart{{What: "turns 1–2", How: "left out", Tokens: 900}}, window: 4000}
	q := f.question(c, true)
	want := page.Steps{page.Close{}, page.Post{Msg: For{c, sendAnyway{true, f.agreementKey()}}}}
	q.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	q.Update(tea.KeyPressMsg{Code: 'x', Text: "x"})
	if got, _ := q.Update(tea.KeyPressMsg{Code: tea.KeyEnter}); !reflect.DeepEqual(got, want) {
		t.Errorf("%#v, want %#v", got, want)
	}
}

// TestTitleWhileBusy: a title that comes while a turn runs is given when that has ended.
func TestTitleWhileBusy(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\nA.\n")
	store, err := history.NewStore(v, history.Options{StateDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	g := gather.New(v, gather.Options{})
	var d *desk.Place
	c, _ := newTestChat(t)
	var during func()
	model := chaintest.New(chaintest.Reply{Text: "One."}, chaintest.Reply{Text: "A title"},
		chaintest.Reply{Func: func(chains.Request) chaintest.Reply {
			during()
			return chaintest.Reply{Text: "Two."}
		}})
	d = desk.New(desk.Options{Vault: v, Gather: g, Store: store, Session: chains.Options{
		Model: model, ModelName: "m", Gather: g, Store: store,
		Background: chains.Background{Titles: chains.Titles{Ask: true, Auto: true}},
	}})
	turn := func(text string) {
		for _, err := range d.Session().Send(t.Context(), d.Input(text)) {
			if err != nil {
				t.Error(err)
			}
		}
	}
	turn("1")
	asks, err := d.Session().Naming(true)
	if err != nil || asks == nil {
		t.Fatalf("%v, %v", asks, err)
	}
	asks.Ask(t.Context())
	job := titleRequestMsg{d.Session(), asks, ""}.apply(c)
	during = func() {
		msg, err := job(t.Context(), d)
		again, ok := msg.(page.Post)
		if later, isTitle := again.Msg.(For); err != nil || !ok || !isTitle || later.Chat != c || again.In == 0 {
			t.Errorf("while a turn runs: %v, %v", msg, err)
		}
	}
	turn("2")
	if _, err := job(t.Context(), d); err != nil || d.Session().Snapshot().Title != "A title" {
		t.Errorf("the chat is called %q, %v", d.Session().Snapshot().Title, err)
	}
}

// TestSavedThinking: thinking that a chat holds is folded, whoever saved it.
func TestSavedThinking(t *testing.T) {
	for _, m := range []history.Message{
		{Role: history.Assistant, Thought: "Sheds first.", Text: "In the shed."},
		{Role: history.Assistant, Text: "<think>\nSheds first.\n</think>\n\nIn the shed."},
	} {
		if got := savedMessage(1, m); got.Reasoning != "Sheds first." || got.Text != "In the shed." {
			t.Errorf("%+v", got)
		}
	}
}
