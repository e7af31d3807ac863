package ui

import (
	"maps"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/transcript"
)

// shiftBy is by how many columns a key or the wheel moves long lines of code.
const shiftBy = 8

// newActions is what the actions of the keys want, by their names.
func newActions() map[string]intent {
	all := map[string]intent{
		"chats":           openPage{kind: pageChats},
		"new":             doNewChat,
		"next-chat":       fromScreen(nextChat),
		"model":           openPage{kind: pageModels},
		"settings":        openPage{kind: pageSettings},
		"vaults":          openPage{kind: pageVaults},
		"providers":       openPage{kind: pageProviders},
		"palette":         openPage{kind: pagePalette},
		"saved-prompts":   openPage{kind: pagePrompts},
		"notes":           openPage{kind: pageNotes},
		"find":            doFind,
		"thinking":        doToggleThinking,
		"rails":           doToggleRails,
		"compose":         doCompose,
		"help":            openPage{kind: pageHelp},
		"context":         openPage{kind: pageContext},
		"active":          doCycleActive,
		"chain":           atDesk{command{line: "/chain next"}},
		"mouse":           doToggleMouse,
		"retry":           doRetry,
		"stop":            doStop,
		"undo":            undoLast{},
		"reply-before":    steps{move((*transcript.Transcript).Bottom), stepVariant(-1)},
		"reply-after":     steps{move((*transcript.Transcript).Bottom), stepVariant(1)},
		"rewind":          openPage{kind: pageRewind},
		"redo":            atDesk{command{line: "/redo"}},
		"copy":            fromScreen(copyLast),
		"dark":            doToggleDark,
		"theme":           openPage{kind: pageThemes},
		"suspend":         doSuspend,
		"quit":            doQuit,
		"to-transcript":   doFocusTranscript,
		"history":         openPage{kind: pageHistory},
		"suggestion-1":    takeSuggestion(0),
		"suggestion-2":    takeSuggestion(1),
		"suggestion-3":    takeSuggestion(2),
		"page-up":         move((*transcript.Transcript).PageUp),
		"page-down":       move((*transcript.Transcript).PageDown),
		"previous-prompt": move((*transcript.Transcript).PrevPrompt),
		"next-prompt":     move((*transcript.Transcript).NextPrompt),
	}
	maps.Copy(all, moveActions())
	return all
}

// moveActions are those that work in the transcript or in a rail.
func moveActions() map[string]intent {
	shift := func(by int) move { return func(t *transcript.Transcript) { transcript.Shift(t, by) } }
	lines := func(n int) move { return func(t *transcript.Transcript) { t.ScrollBy(n) } }
	const far = 1 << 20
	return map[string]intent{
		"to-prompt":      doFocusPrompt,
		"to-next":        doFocusNext,
		"line-down":      lines(1),
		"line-up":        lines(-1),
		"half-down":      move((*transcript.Transcript).HalfDown),
		"half-up":        move((*transcript.Transcript).HalfUp),
		"beginning":      move((*transcript.Transcript).Top),
		"end":            move((*transcript.Transcript).Bottom),
		"fold":           foldPart{},
		"code-right":     shift(shiftBy),
		"code-left":      shift(-shiftBy),
		"next-part":      stepPart{by: 1},
		"previous-part":  stepPart{by: -1},
		"more-parts":     stepPart{by: 1, extend: true},
		"fewer-parts":    stepPart{by: -1, extend: true},
		"copy-message":   fromScreen(copyMessage),
		"copy-code":      fromScreen(copyCode),
		"links":          openPage{kind: pageLinks},
		"write":          writeReply{},
		"append":         writeReply{appends: true},
		"edit":           fromScreen(editSelected),
		"variant-before": stepVariant(-1),
		"variant-after":  stepVariant(1),
		"ask-retry":      openPage{kind: pageRetry},
		"next-match":     move((*transcript.Transcript).FindNext),
		"previous-match": move((*transcript.Transcript).FindPrev),
		"rail-open":      pressRow{},
		"rail-next":      doFocusNext,
		"rail-down":      stepRail(1),
		"rail-up":        stepRail(-1),
		"rail-page-down": pageRail(1),
		"rail-page-up":   pageRail(-1),
		"rail-first":     stepRail(-far),
		"rail-last":      stepRail(far),
	}
}

// doAction does what an action of the keys does, by its name.
type doAction string

func (i doAction) carryOut(m *Model) tea.Cmd { return m.carryOut(m.actions[string(i)]) }
