package ui

import (
	"charm.land/bubbles/v2/key"

	"ibid/ui/transcript"
)

// globalKeys work wherever the focus is.
func globalKeys() []binding {
	return []binding{
		{id: "chats", key: bind("ctrl+s", "chats"), leader: "l", slash: "chats", name: "Saved chats", words: "history sessions resume open switch conversations threads recent old previous load trash restore archive rename", foot: true, does: openPage{kind: pageChats}},
		{id: "new", key: bind("ctrl+n", "new chat"), leader: "n", slash: "new", name: "New chat", words: "clear reset start fresh conversation session thread", does: doNewChat},
		{id: "next-chat", key: named("next open chat"), leader: "c", name: "Next chat that is busy or has a new reply", words: "switch background unread busy running tab cycle", does: fromScreen(nextChat)},
		{id: "model", key: bind("ctrl+l", "model"), leader: "m", slash: "model", name: "Choose a model", words: "provider switch llm ai gpt claude favourite", does: openPage{kind: pageModels}},
		{id: "settings", key: named("settings"), slash: "config", name: "Settings: the configuration", words: "config preferences options configure setup", does: openPage{kind: pageSettings}},
		{id: "vaults", key: named("vaults"), slash: "vault", name: "Open another vault", words: "vaults folder directory workspace switch notes obsidian", does: openPage{kind: pageVaults}},
		{id: "providers", key: named("providers"), slash: "provider", name: "Providers and their keys", words: "api key login logout sign setup connect auth token endpoint url server account settings openai anthropic ollama", does: openPage{kind: pageProviders}},
		{id: "palette", key: bind("ctrl+p", "palette"), name: "Everything that can be done", words: "commands actions menu", foot: true, does: openPage{kind: pagePalette}},
		{id: "saved-prompts", key: named("prompts"), leader: "p", slash: "prompt", name: "Saved prompts", words: "templates snippets custom commands library", does: openPage{kind: pagePrompts}},
		{id: "notes", key: bind("ctrl+o", "notes"), leader: "o", slash: "search", name: "Find notes by name or text", words: "search vault quick switcher open files documents omnisearch grep obsidian", does: openPage{kind: pageNotes}},
		{id: "find", key: bind("ctrl+f", "find"), leader: "f", slash: "find", args: "[WORDS]", name: "Find in this chat", words: "search text conversation", does: doFind},
		{id: "thinking", key: bind("ctrl+t", "thinking"), leader: "h", slash: "thinking", name: "Show or hide thinking", words: "reasoning thoughts details collapse fold verbose toggle", does: doToggleThinking},
		{id: "rails", key: bind("ctrl+b", "rails"), leader: "b", slash: "rails", name: "Show or hide the rails", words: "sidebar panels toggle layout", does: doToggleRails},
		{id: "compose", key: bind("ctrl+g", "$EDITOR"), leader: "e", name: "Compose in $EDITOR", words: "vim nano external write long multiline", does: doCompose},
		{id: "help", key: bind("f1", "help"), leader: "?", slash: "help", name: "Help", words: "keys keybindings keyboard shortcuts hotkeys manual tutorial introduction", does: openPage{kind: pageHelp}},
		{id: "context", key: bind("f2", "context"), leader: "i", slash: "context", name: "What enter would send", words: "tokens inspect window usage request attached compact summarize debug ls", foot: true, does: openPage{kind: pageContext}},
		{id: "active", key: bind("f3", "active note"), leader: "a", name: "Active note: off, follow, this one", words: "current file open tab lock", does: doCycleActive},
		{id: "chain", key: bind("shift+tab", "chain"), name: "What a turn sends: the next chain", words: "mode switch agent plan ask", does: atDesk{command{line: "/chain next"}}},
		{id: "mouse", key: bind("f9", "mouse"), slash: "mouse", name: "Leave the mouse to the terminal", words: "select selection text scroll", does: doToggleMouse},
		{id: "retry", key: named("send again"), leader: ".", slash: "retry", name: "Send the last message again", words: "regenerate rerun resend repeat", does: doRetry},
		{id: "stop", key: named("stop"), name: "Stop the reply; what came is kept", words: "cancel interrupt abort", does: doStop},
		{id: "undo", key: named("undo"), leader: "u", slash: "undo", name: "Undo: a change, a retry, a turn, a deleted chat", words: "revert back rollback restore", does: undoLast{}},
		{id: "reply-before", key: named("reply before"), leader: "[", name: "Show the reply before the last one; nothing is sent", words: "variants alternatives previous version", does: steps{move((*transcript.Transcript).Bottom), stepVariant(-1)}},
		{id: "reply-after", key: named("reply after"), leader: "]", name: "Show the reply after it", words: "variants alternatives next version", does: steps{move((*transcript.Transcript).Bottom), stepVariant(1)}},
		{id: "rewind", key: named("go back"), leader: "g", name: "Go back to a message of yours", words: "rewind edit timeline checkpoint jump history", does: openPage{kind: pageRewind}},
		{id: "redo", key: named("redo"), leader: "r", slash: "redo", name: "Bring back what undo took", words: "again unrevert", does: atDesk{command{line: "/redo"}}},
		{id: "copy", key: named("copy last reply"), leader: "y", slash: "copy", args: "[all|code]", name: "Copy the last reply", words: "clipboard yank answer response output", does: fromScreen(copyLast)},
		{id: "dark", key: named("dark or light"), leader: "t", name: "Dark or light", words: "theme mode colours colors appearance toggle", does: doToggleDark},
		{id: "theme", key: named("themes"), slash: "theme", args: "[NAME]", name: "Theme: the colours of the screen", words: "colors look appearance style skin", does: openPage{kind: pageThemes}},
		{id: "suspend", key: bind("ctrl+z", "suspend"), name: "Go to the shell; fg comes back", words: "suspend background job terminal", does: doSuspend},
		{id: "quit", key: named("quit"), leader: "q", slash: "quit", name: "Quit; the chat is saved", words: "exit close leave", does: doQuit},
	}
}

// named is a binding without a key of its own.
func named(does string) key.Binding { return key.NewBinding(key.WithHelp("", does)) }

// promptKeys work while the prompt has the cursor.
func promptKeys() []binding {
	in := func(id, keys, does, name string, wants intent) binding {
		return binding{id: id, key: bind(keys, does), name: name, where: inPrompt, does: wants}
	}
	transcriptKey := in("to-transcript", "tab", "transcript", "Go to the transcript", doFocusTranscript)
	transcriptKey.foot = true
	history := in("history", "ctrl+r", "earlier prompts", "Search your earlier prompts", openPage{kind: pageHistory})
	history.words = "history previous recall reverse"
	return []binding{
		transcriptKey,
		history,
		in("suggestion-1", "alt+1", "take the first", "Attach the first suggestion", takeSuggestion(0)),
		in("suggestion-2", "alt+2", "take the second", "Attach the second suggestion", takeSuggestion(1)),
		in("suggestion-3", "alt+3", "take the third", "Attach the third suggestion", takeSuggestion(2)),
		in("page-up", "pgup", "scroll up", "Scroll up", move((*transcript.Transcript).PageUp)),
		in("page-down", "pgdown", "scroll down", "Scroll down", move((*transcript.Transcript).PageDown)),
		in("previous-prompt", "ctrl+up", "previous prompt", "Previous prompt of the chat", move((*transcript.Transcript).PrevPrompt)),
		in("next-prompt", "ctrl+down", "next prompt", "Next prompt of the chat", move((*transcript.Transcript).NextPrompt)),
	}
}

// transcriptKeys work while the transcript has the focus, and letters do there.
func transcriptKeys() []binding {
	in := func(id, keys, does, name string, wants intent) binding {
		return binding{id: id, key: bind(keys, does), name: name, where: inTranscript, does: wants}
	}
	shift := func(by int) move { return func(t *transcript.Transcript) { transcript.Shift(t, by) } }
	lines := func(n int) move { return func(t *transcript.Transcript) { t.ScrollBy(n) } }
	foot := func(b binding) binding { b.foot = true; return b }
	also := func(b binding, words string) binding { b.words = words; return b }
	return []binding{
		foot(in("to-prompt", "i", "prompt", "Go to the prompt", doFocusPrompt)),
		in("to-next", "tab", "next", "Go to the rails, then to the prompt", doFocusNext),
		in("line-down", "j down", "line down", "Line down", lines(1)),
		in("line-up", "k up", "line up", "Line up", lines(-1)),
		in("next-prompt", "J ]", "next prompt", "Next prompt", move((*transcript.Transcript).NextPrompt)),
		in("previous-prompt", "K [", "previous prompt", "Previous prompt", move((*transcript.Transcript).PrevPrompt)),
		in("half-down", "d", "half a page down", "Half a page down", move((*transcript.Transcript).HalfDown)),
		in("half-up", "u", "half a page up", "Half a page up", move((*transcript.Transcript).HalfUp)),
		in("page-down", "f pgdown", "page down", "Page down", move((*transcript.Transcript).PageDown)),
		in("page-up", "b pgup", "page up", "Page up", move((*transcript.Transcript).PageUp)),
		also(in("beginning", "g home", "beginning", "Beginning", move((*transcript.Transcript).Top)), "top first scroll start"),
		also(in("end", "G end", "end", "End", move((*transcript.Transcript).Bottom)), "bottom latest last scroll"),
		foot(in("fold", "space enter", "fold or open", "Fold or open: thinking, output, a callout, a long prompt", foldPart{})),
		in("code-right", "shift+right", "code right", "See more of long lines of code, to the right", shift(shiftBy)),
		in("code-left", "shift+left", "code left", "See more of long lines of code, to the left", shift(-shiftBy)),
		in("next-part", "}", "next part", "Choose the next part of a reply: a paragraph, a list, a block of code", stepPart{by: 1}),
		in("previous-part", "{", "part before", "Choose the part before it", stepPart{by: -1}),
		in("more-parts", "shift+down", "one part more", "Choose one part more, or one less above", stepPart{by: 1, extend: true}),
		in("fewer-parts", "shift+up", "one part less", "Choose one part less, or one more above", stepPart{by: -1, extend: true}),
		foot(also(in("copy-message", "y", "copy", "Copy the message, or what is chosen of it", fromScreen(copyMessage)), "clipboard yank")),
		also(in("copy-code", "Y", "copy code", "Copy the last code block of the message", fromScreen(copyCode)), "clipboard snippet"),
		also(in("links", "o", "links", "Notes that the message links to", openPage{kind: pageLinks}), "sources references citations backlinks wikilinks follow obsidian"),
		foot(also(in("write", "w", "write", "Write the reply, or what is chosen of it, to a new note", writeReply{}), "save create file")),
		also(in("append", "a", "add", "Add it to a note, or under a heading of one", writeReply{appends: true}), "append insert save reply"),
		foot(also(in("edit", "e", "edit", "Edit a message of yours and send it again", fromScreen(editSelected)), "change resend correct")),
		in("reply-before", "left", "reply before", "Show the reply before this one; nothing is sent", stepVariant(-1)),
		in("reply-after", "right", "reply after", "Show the reply after this one; nothing is sent", stepVariant(1)),
		foot(in("retry", "r", "send again", "Send the last message again", openPage{kind: pageRetry})),
		foot(in("find", "/", "find", "Find in this chat", doFind)),
		in("next-match", "n", "next match", "Next match", move((*transcript.Transcript).FindNext)),
		in("previous-match", "N", "previous match", "Previous match", move((*transcript.Transcript).FindPrev)),
	}
}
