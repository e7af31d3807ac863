package keys

import (
	"charm.land/bubbles/v2/key"
)

// globalKeys work wherever the focus is.
func globalKeys() []Binding {
	return []Binding{
		{ID: "chats", Key: Bind("ctrl+s", "chats"), Leader: "l", Command: "chats", Name: "Saved chats", Words: "history sessions resume open switch conversations threads recent old previous load trash restore archive rename", foot: true},
		{ID: "new", Key: Bind("ctrl+n", "new chat"), Leader: "n", Command: "new", Name: "New chat", Words: "clear reset start fresh conversation session thread"},
		{ID: "next-chat", Key: namedBinding("next open chat"), Leader: "c", Name: "Next chat that is busy or has a new reply", Words: "switch background unread busy running tab cycle"},
		{ID: "model", Key: Bind("ctrl+l", "model"), Leader: "m", Command: "model", Name: "Choose a model", Words: "provider switch llm ai gpt claude favourite"},
		{ID: "settings", Key: namedBinding("settings"), Command: "config", Name: "Settings: the configuration", Words: "config preferences options configure setup"},
		{ID: "vaults", Key: namedBinding("vaults"), Command: "vault", Name: "Open another vault", Words: "vaults folder directory workspace switch notes obsidian"},
		{ID: "providers", Key: namedBinding("providers"), Command: "provider", Name: "Providers and their keys", Words: "api key login logout sign setup connect auth token endpoint url server account settings openai anthropic ollama"},
		{ID: "palette", Key: Bind("ctrl+p", "palette"), Name: "Everything that can be done", Words: "commands actions menu", foot: true},
		{ID: "saved-prompts", Key: namedBinding("prompts"), Leader: "p", Command: "prompt", Name: "Saved prompts", Words: "templates snippets custom commands library"},
		{ID: "notes", Key: Bind("ctrl+o", "notes"), Leader: "o", Command: "search", Name: "Find notes by name or text", Words: "search vault quick switcher open files documents omnisearch grep obsidian"},
		{ID: "find", Key: Bind("ctrl+f", "find"), Leader: "f", Command: "find", Args: "[WORDS]", Name: "Find in this chat", Words: "search text conversation"},
		{ID: "thinking", Key: Bind("ctrl+t", "thinking"), Leader: "h", Command: "thinking", Name: "Show or hide thinking", Words: "reasoning thoughts details collapse fold verbose toggle"},
		{ID: "rails", Key: Bind("ctrl+b", "rails"), Leader: "b", Command: "rails", Name: "Show or hide the rails", Words: "sidebar panels toggle layout"},
		{ID: "compose", Key: Bind("ctrl+g", "$EDITOR"), Leader: "e", Name: "Compose in $EDITOR", Words: "vim nano external write long multiline"},
		{ID: "help", Key: Bind("f1", "help"), Leader: "?", Command: "help", Name: "Help", Words: "keys keybindings keyboard shortcuts hotkeys manual tutorial introduction"},
		{ID: "context", Key: Bind("f2", "context"), Leader: "i", Command: "context", Name: "What enter would send", Words: "tokens inspect window usage request attached compact summarize debug ls", foot: true},
		{ID: "active", Key: Bind("f3", "active note"), Leader: "a", Name: "Active note: off, follow, this one", Words: "current file open tab lock"},
		{ID: "chain", Key: Bind("shift+tab", "chain"), Name: "What a turn sends: the next chain", Words: "mode switch agent plan ask"},
		{ID: "mouse", Key: Bind("f9", "mouse"), Command: "mouse", Name: "Leave the mouse to the terminal", Words: "select selection text scroll"},
		{ID: "retry", Key: namedBinding("send again"), Leader: ".", Command: "retry", Name: "Send the last message again", Words: "regenerate rerun resend repeat"},
		{ID: "stop", Key: namedBinding("stop"), Name: "Stop the reply; what came is kept", Words: "cancel interrupt abort"},
		{ID: "undo", Key: namedBinding("undo"), Leader: "u", Command: "undo", Name: "Undo: a change, a retry, a turn, a deleted chat", Words: "revert back rollback restore"},
		{ID: "reply-before", Key: namedBinding("reply before"), Leader: "[", Name: "Show the reply before the last one; nothing is sent", Words: "variants alternatives previous version"},
		{ID: "reply-after", Key: namedBinding("reply after"), Leader: "]", Name: "Show the reply after it", Words: "variants alternatives next version"},
		{ID: "rewind", Key: namedBinding("go back"), Leader: "g", Name: "Go back to a message of yours", Words: "rewind edit timeline checkpoint jump history"},
		{ID: "redo", Key: namedBinding("redo"), Leader: "r", Command: "redo", Name: "Bring back what undo took", Words: "again unrevert"},
		{ID: "copy", Key: namedBinding("copy last reply"), Leader: "y", Command: "copy", Args: "[all|code]", Name: "Copy the last reply", Words: "clipboard yank answer response output"},
		{ID: "dark", Key: namedBinding("dark or light"), Leader: "t", Name: "Dark or light", Words: "theme mode colours colors appearance toggle"},
		{ID: "theme", Key: namedBinding("themes"), Command: "theme", Args: "[NAME]", Name: "Theme: the colours of the screen", Words: "colors look appearance style skin"},
		{ID: "suspend", Key: Bind("ctrl+z", "suspend"), Name: "Go to the shell; fg comes back", Words: "suspend background job terminal"},
		{ID: "quit", Key: namedBinding("quit"), Leader: "q", Command: "quit", Name: "Quit; the chat is saved", Words: "exit close leave"},
	}
}

// namedBinding is a binding without a key of its own.
func namedBinding(does string) key.Binding { return key.NewBinding(key.WithHelp("", does)) }

// promptKeys work while the prompt has the cursor.
func promptKeys() []Binding {
	in := func(id, keys, does, name string) Binding {
		return Binding{ID: id, Key: Bind(keys, does), Name: name, where: InPrompt}
	}
	transcriptKey := in("to-transcript", "tab", "transcript", "Go to the transcript")
	transcriptKey.foot = true
	history := in("history", "ctrl+r", "earlier prompts", "Search your earlier prompts")
	history.Words = "history previous recall reverse"
	return []Binding{
		transcriptKey,
		history,
		in("suggestion-1", "alt+1", "take the first", "Attach the first suggestion"),
		in("suggestion-2", "alt+2", "take the second", "Attach the second suggestion"),
		in("suggestion-3", "alt+3", "take the third", "Attach the third suggestion"),
		in("page-up", "pgup", "scroll up", "Scroll up"),
		in("page-down", "pgdown", "scroll down", "Scroll down"),
		in("previous-prompt", "ctrl+up", "previous prompt", "Previous prompt of the chat"),
		in("next-prompt", "ctrl+down", "next prompt", "Next prompt of the chat"),
	}
}

// transcriptKeys work while the transcript has the focus, and letters do there.
func transcriptKeys() []Binding {
	in := func(id, keys, does, name string) Binding {
		return Binding{ID: id, Key: Bind(keys, does), Name: name, where: InTranscript}
	}
	foot := func(b Binding) Binding { b.foot = true; return b }
	also := func(b Binding, words string) Binding { b.Words = words; return b }
	as := func(action string, b Binding) Binding { b.action = action; return b }
	return []Binding{
		foot(in("to-prompt", "i", "prompt", "Go to the prompt")),
		in("to-next", "tab", "next", "Go to the rails, then to the prompt"),
		in("line-down", "j down", "line down", "Line down"),
		in("line-up", "k up", "line up", "Line up"),
		in("next-prompt", "J ]", "next prompt", "Next prompt"),
		in("previous-prompt", "K [", "previous prompt", "Previous prompt"),
		in("half-down", "d", "half a page down", "Half a page down"),
		in("half-up", "u", "half a page up", "Half a page up"),
		in("page-down", "f pgdown", "page down", "Page down"),
		in("page-up", "b pgup", "page up", "Page up"),
		also(in("beginning", "g home", "beginning", "Beginning"), "top first scroll start"),
		also(in("end", "G end", "end", "End"), "bottom latest last scroll"),
		foot(in("fold", "space enter", "fold or open", "Fold or open: thinking, output, a callout, a long prompt")),
		in("code-right", "shift+right", "code right", "See more of long lines of code, to the right"),
		in("code-left", "shift+left", "code left", "See more of long lines of code, to the left"),
		in("next-part", "}", "next part", "Choose the next part of a reply: a paragraph, a list, a block of code"),
		in("previous-part", "{", "part before", "Choose the part before it"),
		in("more-parts", "shift+down", "one part more", "Choose one part more, or one less above"),
		in("fewer-parts", "shift+up", "one part less", "Choose one part less, or one more above"),
		foot(also(in("copy-message", "y", "copy", "Copy the message, or what is chosen of it"), "clipboard yank")),
		also(in("copy-code", "Y", "copy code", "Copy the last code block of the message"), "clipboard snippet"),
		also(in("links", "o", "links", "Notes that the message links to"), "sources references citations backlinks wikilinks follow obsidian"),
		foot(also(in("write", "w", "write", "Write the reply, or what is chosen of it, to a new note"), "save create file")),
		also(in("append", "a", "add", "Add it to a note, or under a heading of one"), "append insert save reply"),
		foot(also(in("edit", "e", "edit", "Edit a message of yours and send it again"), "change resend correct")),
		as("variant-before", in("reply-before", "left", "reply before", "Show the reply before this one; nothing is sent")),
		as("variant-after", in("reply-after", "right", "reply after", "Show the reply after this one; nothing is sent")),
		foot(as("ask-retry", in("retry", "r", "send again", "Send the last message again"))),
		foot(in("find", "/", "find", "Find in this chat")),
		in("next-match", "n", "next match", "Next match"),
		in("previous-match", "N", "previous match", "Previous match"),
	}
}

// railKeys work while a rail has the focus. Letters filter the chats; in the other rail
// they are the prompt's.
func railKeys() []Binding {
	in := func(id, keys, does, name string, foot bool) Binding {
		return Binding{ID: id, Key: Bind(keys, does), Name: name, where: InRail, foot: foot}
	}
	return []Binding{
		in("rail-open", "enter", "open", "Open the chat, or read the note", true),
		in("rail-next", "tab", "next", "Go to the next rail, or to the prompt", true),
		in("rail-down", "down", "row down", "Row down", false),
		in("rail-up", "up", "row up", "Row up", false),
		in("rail-page-down", "pgdown", "page down", "Page down", false),
		in("rail-page-up", "pgup", "page up", "Page up", false),
		in("rail-first", "home", "first row", "First row", false),
		in("rail-last", "end", "last row", "Last row", false),
	}
}
