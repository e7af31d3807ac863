package ui

import (
	"maps"

	"ibid/ui/page"
	"ibid/ui/transcript"
)

// shiftBy is by how many columns a key or the wheel moves long lines of code.
const shiftBy = 8

// newActions is what the actions of the keys want, by their names.
func newActions() map[string]page.Request {
	all := map[string]page.Request{
		"chats":           page.Open{ID: page.Chats},
		"new":             doNewChat,
		"next-chat":       fromScreen(nextChat),
		"model":           page.Open{ID: page.Models},
		"settings":        page.Open{ID: page.Settings},
		"vaults":          page.Open{ID: page.Vaults},
		"providers":       page.Open{ID: page.Providers},
		"palette":         page.Open{ID: page.Palette},
		"saved-prompts":   page.Open{ID: page.Prompts},
		"notes":           page.Open{ID: page.Notes},
		"find":            doFind,
		"thinking":        doToggleThinking,
		"rails":           doToggleRails,
		"compose":         doCompose,
		"help":            page.Open{ID: page.Help},
		"context":         page.Open{ID: page.Context},
		"active":          doCycleActive,
		"chain":           atDesk{command{line: "/chain next"}},
		"mouse":           doToggleMouse,
		"retry":           doRetry,
		"stop":            doStop,
		"undo":            undoLast{},
		"reply-before":    page.Steps{move((*transcript.Transcript).Bottom), stepVariant(-1)},
		"reply-after":     page.Steps{move((*transcript.Transcript).Bottom), stepVariant(1)},
		"rewind":          page.Open{ID: page.Rewind},
		"redo":            atDesk{command{line: "/redo"}},
		"copy":            fromScreen(copyLast),
		"dark":            doToggleDark,
		"theme":           page.Open{ID: page.Themes},
		"suspend":         doSuspend,
		"quit":            doQuit,
		"to-transcript":   doFocusTranscript,
		"history":         page.Open{ID: page.History},
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
func moveActions() map[string]page.Request {
	shift := func(by int) move { return func(t *transcript.Transcript) { transcript.Shift(t, by) } }
	lines := func(n int) move { return func(t *transcript.Transcript) { t.ScrollBy(n) } }
	const far = 1 << 20
	return map[string]page.Request{
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
		"links":          page.Open{ID: page.Links},
		"write":          writeReply{},
		"append":         writeReply{appends: true},
		"edit":           fromScreen(editSelected),
		"variant-before": stepVariant(-1),
		"variant-after":  stepVariant(1),
		"ask-retry":      page.Open{ID: page.Retry},
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
