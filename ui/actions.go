package ui

import (
	"fmt"
	"maps"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/ui/rails"
	"ibid/ui/transcript"
)

// shiftBy is the number of columns by which a key or the wheel moves long lines of code.
const shiftBy = 8

// action carries out a key: it changes the model and returns the command that follows.
type action = func(*Model) tea.Cmd

// requests returns an action that always makes the same request.
func requests(r page.Request) action { return func(m *Model) tea.Cmd { return m.carryOut(r) } }

// opens returns an action that opens a page.
func opens(id page.ID) action { return requests(page.Open{ID: id}) }

// works returns an action whose request depends on the state of the screen.
func works(out func(*screenState) page.Request) action {
	return func(m *Model) tea.Cmd { return m.carryOut(out(&m.screenState)) }
}

// asksChat returns an action whose request comes from the chat on the screen.
func asksChat(out func(*chatview.Chat) page.Request) action {
	return func(m *Model) tea.Cmd { return m.carryOut(out(m.Chat)) }
}

// scrolls returns an action that moves in the transcript.
func scrolls(move func(*transcript.Transcript)) action {
	return func(m *Model) tea.Cmd {
		move(m.Transcript)
		return nil
	}
}

// showsVariant returns an action that goes by variants from the one shown of the selected turn.
func showsVariant(by int) action {
	return asksChat(func(c *chatview.Chat) page.Request { return c.OtherVariant(by) })
}

// showsLastVariant is like showsVariant, for the last turn.
func showsLastVariant(by int) action {
	return asksChat(func(c *chatview.Chat) page.Request {
		c.Transcript.Bottom()
		return c.OtherVariant(by)
	})
}

// newActions maps the names of the actions in the table of keys to functions.
func newActions() map[string]action {
	all := map[string]action{
		"chats":           opens(page.Chats),
		"new":             func(m *Model) tea.Cmd { return m.newChat() },
		"next-chat":       works(func(k *screenState) page.Request { return k.next() }),
		"model":           opens(page.Models),
		"settings":        opens(page.Settings),
		"vaults":          opens(page.Vaults),
		"providers":       opens(page.Providers),
		"palette":         opens(page.Palette),
		"saved-prompts":   opens(page.Prompts),
		"notes":           opens(page.Notes),
		"help":            opens(page.Help),
		"context":         opens(page.Context),
		"chain":           requests(page.Run{Line: "/chain next"}),
		"retry":           func(m *Model) tea.Cmd { return m.Retry("", nil) },
		"undo":            requests(page.Run{Line: "/undo"}),
		"reply-before":    showsLastVariant(-1),
		"reply-after":     showsLastVariant(1),
		"rewind":          opens(page.Rewind),
		"redo":            requests(page.Run{Line: "/redo"}),
		"copy":            asksChat(func(c *chatview.Chat) page.Request { return c.Copy("") }),
		"paste-image":     func(m *Model) tea.Cmd { return m.pasteImage() },
		"theme":           opens(page.Themes),
		"quit":            leave,
		"to-transcript":   toTranscript,
		"history":         opens(page.History),
		"suggestion-1":    takeSuggestion(0),
		"suggestion-2":    takeSuggestion(1),
		"suggestion-3":    takeSuggestion(2),
		"page-up":         scrolls((*transcript.Transcript).PageUp),
		"page-down":       scrolls((*transcript.Transcript).PageDown),
		"previous-prompt": scrolls((*transcript.Transcript).PrevPrompt),
		"next-prompt":     scrolls((*transcript.Transcript).NextPrompt),
		"active":          asksChat(func(c *chatview.Chat) page.Request { return c.Desk.NextActive() }),
		"compose":         func(m *Model) tea.Cmd { return m.editor.OpenText(editDraft(m.Composer.Draft())) },
		"thinking":        scrolls((*transcript.Transcript).ToggleAll),
	}
	maps.Copy(all, newSwitches())
	maps.Copy(all, newMoves())
	return all
}

// newSwitches returns the actions that change the screen itself: its parts, colours and modes.
func newSwitches() map[string]action {
	return map[string]action{
		"find": func(m *Model) tea.Cmd {
			m.Find.Begin(m.focus())
			m.place()
			return nil
		},
		"rails": func(m *Model) tea.Cmd {
			m.stage.wantRails = !m.stage.wantRails
			m.place()
			if m.stage.w < oneRail || m.stage.h < page.LowHeight {
				return m.Say(fmt.Sprintf("rails need %d columns and %d rows", oneRail, page.LowHeight))
			}
			return nil
		},
		"mouse": func(m *Model) tea.Cmd {
			if m.stage.mouse = !m.stage.mouse; m.stage.mouse {
				return m.Say("the mouse selects, clicks and scrolls here; " + m.Keys.NameOf("mouse") +
					" leaves it to the terminal")
			}
			return m.Say("the terminal has the mouse: select as usual; " + m.Keys.NameOf("mouse") + " takes it back")
		},
		"dark": func(m *Model) tea.Cmd {
			o := m.Theme.Options
			o.Dark, m.opt.Themes.Fixed = !o.Dark, true
			m.setTheme(o)
			return nil
		},
		"suspend": func(m *Model) tea.Cmd {
			m.printer.Hidden = m.printer.On // the shell would show the drawn rows above its prompt
			return tea.Suspend
		},
		"stop": func(m *Model) tea.Cmd {
			if !m.Turn.Running() {
				return m.Say("no reply is being written")
			}
			m.Turn.Cancel() // keeps the text that came
			return nil
		},
	}
}

// newMoves returns the actions that work in the transcript or in a rail.
func newMoves() map[string]action {
	shift := func(by int) action { return scrolls(func(t *transcript.Transcript) { transcript.ShiftCode(t, by) }) }
	lines := func(n int) action { return scrolls(func(t *transcript.Transcript) { t.ScrollBy(n) }) }
	rail := func(by int) action { return railStep(func(r *rails.Rails, s *rails.Source) { r.Step(s, by) }) }
	const far = 1 << 20
	return map[string]action{
		"to-prompt": func(m *Model) tea.Cmd {
			m.Composer.Focus()
			return nil
		},
		"to-next":        nextPane,
		"line-down":      lines(1),
		"line-up":        lines(-1),
		"half-down":      scrolls((*transcript.Transcript).HalfDown),
		"half-up":        scrolls((*transcript.Transcript).HalfUp),
		"beginning":      scrolls((*transcript.Transcript).Top),
		"end":            scrolls((*transcript.Transcript).Bottom),
		"fold":           fold,
		"code-right":     shift(shiftBy),
		"code-left":      shift(-shiftBy),
		"copy-message":   asksChat((*chatview.Chat).CopyMessage),
		"copy-code":      asksChat((*chatview.Chat).CopyCode),
		"links":          opens(page.Links),
		"write":          writeReply(false),
		"append":         writeReply(true),
		"edit":           works(editSelected),
		"variant-before": showsVariant(-1),
		"variant-after":  showsVariant(1),
		"ask-retry":      opens(page.Retry),
		"next-match":     scrolls((*transcript.Transcript).FindNext),
		"previous-match": scrolls((*transcript.Transcript).FindPrev),
		"rail-open": func(m *Model) tea.Cmd {
			if row := m.rails.Chosen(m.railSource()); row.ID != "" {
				return openRow(m, row)
			}
			return nil
		},
		"rail-next":      nextPane,
		"rail-down":      rail(1),
		"rail-up":        rail(-1),
		"rail-page-down": railStep(func(r *rails.Rails, s *rails.Source) { r.Page(s, 1) }),
		"rail-page-up":   railStep(func(r *rails.Rails, s *rails.Source) { r.Page(s, -1) }),
		"rail-first":     rail(-far),
		"rail-last":      rail(far),
	}
}

// fold folds or unfolds the selected message.
func fold(m *Model) tea.Cmd {
	if !m.Transcript.Toggle() {
		return m.Say("nothing here can be folded")
	}
	return nil
}

// writeReply returns an action that asks where to write the chosen reply: into a new note, or with
// appends to the end of an existing one.
func writeReply(appends bool) action {
	return func(m *Model) tea.Cmd { return m.beginWrite(appends) }
}

// takeSuggestion returns an action that attaches the i-th suggested note, counted from 0. Without such
// a note it takes the i-th starter.
func takeSuggestion(i int) action {
	return func(m *Model) tea.Cmd {
		if cmd, ok := m.TakeSuggestion(i); ok {
			return cmd
		}
		return m.chooseStarter(i)
	}
}
