package ui

import (
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/history"
	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// manyChats returns the list of n saved chats.
func manyChats(n int) []history.Summary {
	all := make([]history.Summary, n)
	at := time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC)
	for i := range all {
		all[i] = history.Summary{
			Path:  vault.Path(fmt.Sprintf("Chats/chat %d.md", i)),
			Title: fmt.Sprintf("Chat number %d", i), Modified: at.Add(-time.Duration(i) * time.Hour), Turns: 3,
		}
	}
	return all
}

// BenchmarkManyChats is a key in the prompt and the frame after it: on the page of an
// empty chat beside 3,000 saved ones, while 8 chats are open in the background, and with
// 2,000 messages on the screen that prints them.
func BenchmarkManyChats(b *testing.B) {
	press := func(b *testing.B, m *Model) {
		b.ReportAllocs()
		for b.Loop() {
			m.Update(tea.KeyPressMsg{Code: 'a', Text: "a"})
			m.View()
			m.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
			m.View()
		}
	}
	for _, n := range []int{0, 3000} {
		for _, inline := range []bool{false, true} {
			b.Run(fmt.Sprintf("chats=%d/inline=%v", n, inline), func(b *testing.B) {
				m := benchModel(b, vaulttest.New(b, "-- a.md --\na\n"), 200, 50)
				b.Cleanup(m.Close)
				m.printer.On = inline
				readVault(b, m)
				m.Store = benchStore(b, m)
				m.Update(chatsMsg{all: manyChats(n)})
				press(b, m)
			})
		}
	}
	for _, n := range []int{2, 2000} {
		for _, inline := range []bool{false, true} {
			b.Run(fmt.Sprintf("messages=%d/inline=%v", n, inline), func(b *testing.B) {
				m := benchModel(b, vaulttest.New(b, "-- a.md --\na\n"), 120, 40)
				b.Cleanup(m.Close)
				m.printer.On = inline
				m.Chat.Update(chatview.ConversationChanged{Messages: longChat(n)})
				for range 5 {
					m.Update(tea.FocusMsg{})
					m.View()
				}
				press(b, m)
			})
		}
	}
}

// BenchmarkFilterChats is a letter in the filter of the page of chats over 3,000 saved
// ones, most of which it fits, and the frame after it.
func BenchmarkFilterChats(b *testing.B) {
	m := benchModel(b, vaulttest.New(b, "-- a.md --\na\n"), 120, 40)
	b.Cleanup(m.Close)
	m.Store = benchStore(b, m)
	m.Update(chatsMsg{all: manyChats(3000)})
	m.carryOut(page.Open{ID: page.Chats, Arg: ""})
	benchTyping(b, m, "ch")
}

// TestKeyBesideManyChats: what a key in the prompt of an empty chat and the frame after it
// take does not grow with the saved chats.
func TestKeyBesideManyChats(t *testing.T) {
	m := benchModel(t, vaulttest.New(t, "-- a.md --\na\n"), 200, 50)
	t.Cleanup(m.Close)
	m.Store = benchStore(t, m)
	m.Update(updateMsg{Update: desk.Update{Notes: &desk.Notes{Count: 1}}})
	m.Update(chatsMsg{all: manyChats(3000)})
	if n := len(m.starters()); n != 1 {
		t.Fatalf("%d starters", n)
	}
	allocs := testing.AllocsPerRun(5, func() {
		m.Update(tea.KeyPressMsg{Code: 'a', Text: "a"})
		m.View()
		m.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
		m.View()
	})
	if allocs > 3000 {
		t.Errorf("two keys allocate %.0f times", allocs)
	}
}

func benchStore(b testing.TB, m *Model) *history.Store {
	s, err := history.NewStore(m.Vault, history.Options{StateDir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	return s
}

// TestPricesBehind: what a job changes for a chat in the background makes its prices
// outdated, and leaves those of the chat on the screen.
func TestPricesBehind(t *testing.T) {
	m := benchModel(t, vaulttest.New(t, "-- a.md --\na\n"), 80, 24)
	t.Cleanup(m.Close)
	ref := prompt.Ref{Kind: prompt.Note, ID: "a.md"}
	behind := chatview.New(m.Setup, &desk.Chat{}, m.Desk)
	m.others = append(m.others, behind)
	for _, c := range m.All() {
		c.Weigh([]prompt.Ref{ref})
	}
	state := behind.Desk
	state.Attached = []prompt.Ref{ref}
	m.jobDone(chatview.JobDone{Of: behind, Began: behind.Handle, At: behind.Handle, State: state})
	if behind.Estimate.Prices != nil || m.Estimate.Prices == nil {
		t.Errorf("prices behind %v, on the screen %v", behind.Estimate.Prices, m.Estimate.Prices)
	}
}
