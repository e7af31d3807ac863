package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/desk"
	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/ui/chatview"
	"ibid/ui/composer"
	"ibid/ui/page"
	"ibid/ui/theme"
	"ibid/ui/transcript"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// benchModel returns a screen over a vault, before its commands have run.
func benchModel(b testing.TB, v *vault.Vault, w, h int) *Model {
	b.Helper()
	g := gather.New(v, gather.Options{})
	desk := desk.New(desk.Options{
		Vault: v, Gather: g, StateDir: b.TempDir(),
		Session: chains.Options{Model: chaintest.New(), ModelName: "test-model", Gather: g, Window: 128000},
	})
	m := New(b.Context(), Options{Desk: desk, Vault: v, Themes: Themes{Fixed: true}, Theme: theme.Options{Dark: true}})
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	return m
}

// readVault reads the vault of a screen, whose loop does not run.
func readVault(b *testing.B, m *Model) {
	ctx, cancel := context.WithCancel(b.Context())
	m.opt.Desk.Run(ctx, desk.Changes{}, func(u desk.Update) {
		m.Update(updateMsg{Update: u})
		cancel()
	})
}

func notesArchive(n int) string {
	var a strings.Builder
	for i := range n {
		fmt.Fprintf(&a, "-- folder %d/note %d.md --\n---\naliases: [n%d]\ntags: [t%d]\n---\n# Note %d\n\nSee [[note %d]] and more words to read.\n\n## Part\n\nText.\n", i%97, i, i, i%31, i, (i+1)%n)
	}
	return a.String()
}

// BenchmarkFirstFrame draws the first screen on a vault of 10,000 notes as the
// program does, beside the scan; "afterScan" is what waiting for the names would
// cost.
func BenchmarkFirstFrame(b *testing.B) {
	dir := vaulttest.Dir(b, notesArchive(10_000))
	open := func(b *testing.B) *vault.Vault {
		v, err := vault.Open(dir, vault.Options{})
		if err != nil {
			b.Fatal(err)
		}
		return v
	}
	b.Run("beforeScan", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			v := open(b)
			m := benchModel(b, v, 120, 40)
			m.Init()
			if m.View().Content == "" {
				b.Fatal("nothing was drawn")
			}
			m.Close()
			_ = v.Close()
		}
	})
	b.Run("afterScan", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			v := open(b)
			m := benchModel(b, v, 120, 40)
			readVault(b, m)
			if m.View().Content == "" {
				b.Fatal("nothing was drawn")
			}
			m.Close()
			_ = v.Close()
		}
	})
}

// replyText returns a reply of about 4 kB with everything that takes time to draw.
func replyText() string {
	return strings.Repeat("Some *styled* prose about [[Lesson 4]] with a `span` of code and enough words to wrap.\n\n- an item\n- another one\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n", 24)
}

// longChat returns a conversation of n messages.
func longChat(n int) []transcript.Message {
	ms := make([]transcript.Message, n)
	text := replyText()
	for i := range ms {
		ms[i] = transcript.Message{
			ID: fmt.Sprintf("m%d", i), Role: transcript.You,
			Text: fmt.Sprintf("question %d about the plan", i),
		}
		if i%2 == 1 {
			ms[i].Role, ms[i].Text = transcript.Assistant, text
		}
	}
	return ms
}

// benchLong returns a screen with 2,000 messages and a streaming turn.
func benchLong(b *testing.B, w, h int) *Model {
	b.Helper()
	m := benchModel(b, vaulttest.New(b, "-- a.md --\na\n"), w, h)
	b.Cleanup(m.Close)
	m.Chat.Update(chatview.ConversationChanged{Messages: longChat(2000)})
	m.Turn.Begin(func() {}, composer.Draft{Text: "go"}, "test-model", false)
	var conv prompt.Conversation
	env, err := conv.Prepare(prompt.Turn{
		Text:     "go",
		Attached: []prompt.Item{prompt.NewItem(prompt.Ref{Kind: prompt.Note, ID: "a.md"}, "a", "a.md", replyText())},
	})
	if err != nil {
		b.Fatal(err)
	}
	for _, e := range []chains.Event{chains.ContextReady{Envelope: env}, chains.TextDelta{Text: replyText()}} {
		m.Chat.Update(chatview.TurnMsg{Of: m.Chat, ID: 1, Got: []chatview.TurnEvent{{Event: e}}})
	}
	m.View()
	return m
}

// BenchmarkKeyEcho types into the prompt with 2,000 messages loaded and a reply
// streaming: the time from key to frame. "laidOut" lays the whole chat out
// again, as a screen without a list of visible lines would.
func BenchmarkKeyEcho(b *testing.B) {
	hints := []tea.KeyPressMsg{{Code: 'a', Text: "a"}, {Code: tea.KeyBackspace}}
	b.Run("messages=2000", func(b *testing.B) {
		m := benchLong(b, 120, 40)
		i := 0
		b.ReportAllocs()
		for b.Loop() {
			m.Update(hints[i%2])
			m.View()
			i++
		}
	})
	b.Run("laidOut", func(b *testing.B) {
		m := benchLong(b, 120, 40)
		i := 0
		b.ReportAllocs()
		for b.Loop() {
			m.Update(hints[i%2])
			m.Transcript.SetSize(m.stage.frame.body.W-i%2, m.stage.frame.body.H)
			m.Transcript.Top()
			for range 40 { // as far as 40 pages: all 2,000 would take minutes
				m.Transcript.PageDown()
				m.Transcript.View()
			}
			i++
		}
	})
}

// BenchmarkStreamFrame takes a piece of a reply in and draws the frame.
func BenchmarkStreamFrame(b *testing.B) {
	for _, size := range []struct{ w, h int }{{80, 24}, {120, 40}, {200, 50}} {
		b.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(b *testing.B) {
			m := benchLong(b, size.w, size.h)
			pieces := strings.SplitAfter(replyText(), " ")
			i := 0
			b.ReportAllocs()
			for b.Loop() {
				m.Update(chatview.TurnMsg{
					Of: m.Chat, ID: 1,
					Got: []chatview.TurnEvent{{Event: chains.TextDelta{Text: pieces[i%len(pieces)]}}},
				})
				m.View()
				i++
			}
		})
	}
}

// BenchmarkResize drags the window over 2,000 messages.
func BenchmarkResize(b *testing.B) {
	m := benchLong(b, 120, 40)
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		m.Update(tea.WindowSizeMsg{Width: 100 + i%60, Height: 30 + i%15})
		m.View()
		i++
	}
}

// BenchmarkIdle asks for a frame when nothing changed.
func BenchmarkIdle(b *testing.B) {
	m := benchLong(b, 120, 40)
	b.ReportAllocs()
	for b.Loop() {
		m.View()
	}
}

// BenchmarkMention opens the list behind @ and types into it, over 50,000 notes.
func BenchmarkMention(b *testing.B) {
	v := vaulttest.New(b, notesArchive(50_000))
	m := benchModel(b, v, 120, 40)
	b.Cleanup(m.Close)
	readVault(b, m)
	m.Update(tea.KeyPressMsg{Code: '@', Text: "@"})
	benchTyping(b, m, "no4")
}

// benchTyping measures a key and the frame after it: a text is typed and taken back.
func benchTyping(b *testing.B, m *Model, text string) {
	hints := slices.Repeat([]tea.KeyPressMsg{{Code: tea.KeyBackspace}}, 2*len(text))
	for i, k := range text {
		hints[i] = tea.KeyPressMsg{Code: k, Text: string(k)}
	}
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		m.Update(hints[i%len(hints)])
		m.View()
		i++
	}
}

// BenchmarkSearchPage types into the page behind ctrl+o, over 10,000 notes, with
// the answer of a search shown: the time from key to frame.
func BenchmarkSearchPage(b *testing.B) {
	m := benchModel(b, vaulttest.New(b, notesArchive(10_000)), 120, 40)
	b.Cleanup(m.Close)
	readVault(b, m)
	settle(m, m.carryOut(page.Open{ID: page.Notes, Arg: "more wor"}), 6)
	if rows := m.page.(*page.List).Source.Rows("more wor"); len(rows.Items) < 30 {
		b.Fatalf("no answer to show: %v", rows)
	}
	benchTyping(b, m, "ds")
}

// settle runs a command, and what comes of it so many times.
func settle(m *Model, cmd tea.Cmd, steps int) {
	if cmd == nil || steps == 0 {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			settle(m, c, steps)
		}
	default:
		_, next := m.Update(msg)
		settle(m, next, steps-1)
	}
}

// BenchmarkArgument is one letter of a note's name behind a command, and one frame, in a
// vault of 10,000 notes.
func BenchmarkArgument(b *testing.B) {
	v := vaulttest.New(b, notesArchive(10_000))
	m := benchModel(b, v, 120, 40)
	b.Cleanup(m.Close)
	readVault(b, m)
	for _, r := range "/pin note" {
		m.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	if !overPrompt(m.page) {
		b.Fatal("there is no list")
	}
	b.ReportAllocs()
	for b.Loop() {
		m.Update(tea.KeyPressMsg{Code: '7', Text: "7"})
		_ = m.View()
		m.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
	}
}
