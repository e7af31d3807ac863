package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/ui/transcript"
)

// focus says where a key works.
type focus int

const (
	anywhere focus = iota
	inPrompt
	inTranscript
)

// binding is one thing that a person can do: its key, its form behind the leader
// key, its slash command if that has the same meaning, and what it is called.
// The table of bindings is the dispatch, the palette, the help and the footer.
type binding struct {
	key    key.Binding // without keys: leader or palette only
	leader string
	slash  string // name of the command that this is, "" if there is none
	name   string
	words  string // other words that people look for
	where  focus
	foot   bool // worth a place in the footer
	does   intent
}

// keyMap is all bindings, and the state of the leader key.
type keyMap struct {
	all  []binding
	lead key.Binding
	held bool // the leader key was pressed, its second key is due
}

func newKeyMap() keyMap {
	k := keyMap{lead: bind("ctrl+x", "more")}
	k.all = append(k.all, globalKeys()...)
	k.all = append(k.all, promptKeys()...)
	k.all = append(k.all, transcriptKeys()...)
	return k
}

// find is the binding of a key where the focus is.
func (k *keyMap) find(msg tea.KeyPressMsg, where focus) *binding {
	return k.first(func(b *binding) bool {
		return (b.where == anywhere || b.where == where) && key.Matches(msg, b.key)
	})
}

// first is the first binding that is wanted, nil if there is none.
func (k *keyMap) first(wanted func(*binding) bool) *binding {
	for i := range k.all {
		if wanted(&k.all[i]) {
			return &k.all[i]
		}
	}
	return nil
}

// second is the binding behind the leader key.
func (k *keyMap) second(msg tea.KeyPressMsg) *binding {
	name := strings.TrimPrefix(msg.String(), "ctrl+")
	return k.first(func(b *binding) bool { return b.leader != "" && b.leader == name })
}

func globalKeys() []binding {
	return []binding{
		{key: bind("ctrl+s", "chats"), leader: "l", slash: "chats", name: "Saved chats", words: "history sessions resume open switch", foot: true, does: openPage{kind: pageChats}},
		{key: bind("ctrl+n", "new chat"), leader: "n", slash: "new", name: "New chat", words: "clear reset start", does: doNewChat},
		{key: bind("ctrl+l", "model"), leader: "m", slash: "model", name: "Choose a model", words: "provider switch", does: openPage{kind: pageModels}},
		{key: named("providers"), slash: "provider", name: "Providers and their keys", words: "api key login server", does: openPage{kind: pageProviders}},
		{key: bind("ctrl+p", "palette"), name: "Everything that can be done", foot: true, does: openPage{kind: pagePalette}},
		{key: named("prompts"), leader: "p", slash: "prompt", name: "Saved prompts", words: "templates snippets", does: openPage{kind: pagePrompts}},
		{key: bind("ctrl+o", "notes"), leader: "o", slash: "search", name: "Find notes by name or text", does: openPage{kind: pageNotes}},
		{key: bind("ctrl+f", "find"), leader: "f", slash: "find", name: "Find in this chat", words: "search", does: doFind},
		{key: bind("ctrl+t", "thinking"), leader: "h", slash: "thinking", name: "Show or hide thinking", words: "reasoning", does: doToggleThinking},
		{key: bind("ctrl+b", "rails"), leader: "b", slash: "rails", name: "Show or hide the rails", words: "sidebar panel", does: doToggleRails},
		{key: bind("ctrl+g", "$EDITOR"), leader: "e", name: "Compose in $EDITOR", words: "vim write", does: doCompose},
		{key: bind("f1", "help"), leader: "?", slash: "help", name: "Help", words: "keys shortcuts", does: openPage{kind: pageHelp}},
		{key: bind("f2", "context"), leader: "i", slash: "context", name: "What enter would send", words: "tokens inspect", foot: true, does: openPage{kind: pageContext}},
		{key: bind("f3", "active note"), leader: "a", name: "Active note: off, follow, this one", does: doCycleActive},
		{key: bind("shift+tab", "chain"), name: "What a turn sends: the next chain", does: atDesk{command{line: "/chain next"}}},
		{key: bind("f9", "mouse"), slash: "mouse", name: "Leave the mouse to the terminal", words: "select", does: doToggleMouse},
		{key: named("send again"), leader: ".", slash: "retry", name: "Send the last message again", words: "regenerate", does: doRetry},
		{key: named("undo"), leader: "u", slash: "undo", name: "Undo: a change, a retry, the last turn", does: atDesk{command{line: "/undo"}}},
		{key: named("reply before"), leader: "[", name: "Show the reply before the last one; nothing is sent", does: steps{move((*transcript.Transcript).Bottom), stepVariant(-1)}},
		{key: named("reply after"), leader: "]", name: "Show the reply after it", does: steps{move((*transcript.Transcript).Bottom), stepVariant(1)}},
		{key: named("go back"), leader: "g", name: "Go back to a message of yours", words: "rewind edit timeline", does: openPage{kind: pageRewind}},
		{key: named("redo"), leader: "r", slash: "redo", name: "Bring back what undo took", does: atDesk{command{line: "/redo"}}},
		{key: named("copy last reply"), leader: "y", slash: "copy", name: "Copy the last reply", words: "clipboard yank", does: doCopyLast},
		{key: named("dark or light"), leader: "t", name: "Dark or light", words: "theme colours colors", does: doToggleDark},
		{key: named("themes"), slash: "theme", name: "Theme: the colours of the screen", words: "colors look appearance", does: openPage{kind: pageThemes}},
		{key: bind("ctrl+z", "suspend"), name: "Go to the shell; fg comes back", words: "suspend background job", does: doSuspend},
		{key: named("quit"), leader: "q", slash: "quit", name: "Quit; the chat is saved", words: "exit close", does: doQuit},
	}
}

// named is a binding without a key of its own.
func named(does string) key.Binding { return key.NewBinding(key.WithHelp("", does)) }

func promptKeys() []binding {
	return []binding{
		{key: bind("tab", "transcript"), name: "Go to the transcript", where: inPrompt, foot: true, does: doFocusTranscript},
		{key: bind("ctrl+r", "earlier prompts"), name: "Search your earlier prompts", where: inPrompt, does: openPage{kind: pageHistory}},
		{key: bind("alt+1", "take the first"), name: "Attach the first suggestion", where: inPrompt, does: takeSuggestion(0)},
		{key: bind("alt+2", "take the second"), name: "Attach the second suggestion", where: inPrompt, does: takeSuggestion(1)},
		{key: bind("alt+3", "take the third"), name: "Attach the third suggestion", where: inPrompt, does: takeSuggestion(2)},
		{key: bind("pgup", "scroll up"), name: "Scroll up", where: inPrompt, does: move((*transcript.Transcript).PageUp)},
		{key: bind("pgdown", "scroll down"), name: "Scroll down", where: inPrompt, does: move((*transcript.Transcript).PageDown)},
		{key: bind("ctrl+up", "previous prompt"), name: "Previous prompt of the chat", where: inPrompt, does: move((*transcript.Transcript).PrevPrompt)},
		{key: bind("ctrl+down", "next prompt"), name: "Next prompt of the chat", where: inPrompt, does: move((*transcript.Transcript).NextPrompt)},
	}
}

func transcriptKeys() []binding {
	in := func(keys, does, name string, wants intent) binding {
		return binding{key: bind(keys, does), name: name, where: inTranscript, does: wants}
	}
	lines := func(n int) move { return func(t *transcript.Transcript) { t.ScrollBy(n) } }
	foot := func(b binding) binding { b.foot = true; return b }
	return []binding{
		foot(in("tab i", "prompt", "Go to the prompt", doFocusPrompt)),
		in("j down", "line down", "Line down", lines(1)),
		in("k up", "line up", "Line up", lines(-1)),
		foot(in("J ]", "next prompt", "Next prompt", move((*transcript.Transcript).NextPrompt))),
		foot(in("K [", "previous prompt", "Previous prompt", move((*transcript.Transcript).PrevPrompt))),
		in("d", "half a page down", "Half a page down", move((*transcript.Transcript).HalfDown)),
		in("u", "half a page up", "Half a page up", move((*transcript.Transcript).HalfUp)),
		in("f pgdown", "page down", "Page down", move((*transcript.Transcript).PageDown)),
		in("b pgup", "page up", "Page up", move((*transcript.Transcript).PageUp)),
		in("g home", "beginning", "Beginning", move((*transcript.Transcript).Top)),
		in("G end", "end", "End", move((*transcript.Transcript).Bottom)),
		in("space enter", "fold or open", "Fold or open", move(func(t *transcript.Transcript) { t.Toggle() })),
		in("}", "next part", "Choose the next part of a reply: a paragraph, a list, a block of code", stepPart{by: 1}),
		in("{", "part before", "Choose the part before it", stepPart{by: -1}),
		in("shift+down", "one part more", "Choose one part more, or one less above", stepPart{by: 1, extend: true}),
		in("shift+up", "one part less", "Choose one part less, or one more above", stepPart{by: -1, extend: true}),
		foot(in("y", "copy", "Copy the message, or what is chosen of it", doCopyMessage)),
		in("Y", "copy code", "Copy the last code block of the message", doCopyCode),
		in("o", "links", "Notes that the message links to", openPage{kind: pageLinks}),
		foot(in("w", "write", "Write the reply, or what is chosen of it, to a new note", writeReply{})),
		in("a", "add", "Add it to a note, or under a heading of one", writeReply{appends: true}),
		in("e", "edit", "Edit a message of yours and send it again", doEditMessage),
		in("left", "reply before", "Show the reply before this one; nothing is sent", stepVariant(-1)),
		in("right", "reply after", "Show the reply after this one; nothing is sent", stepVariant(1)),
		in("r", "send again", "Send the last message again", openPage{kind: pageRetry}),
		in("/", "find", "Find in this chat", doFind),
		in("n", "next match", "Next match", move((*transcript.Transcript).FindNext)),
		in("N", "previous match", "Previous match", move((*transcript.Transcript).FindPrev)),
	}
}

// screenOnly reports whether a binding is a command that only a screen has.
func (b *binding) screenOnly() bool {
	return b.slash != "" && !slices.ContainsFunc(desk.Commands(), func(c desk.Command) bool { return c.Name == b.slash })
}

// slash is the binding that is the same as a command, nil if there is none.
func (k *keyMap) slash(name string) *binding {
	return k.first(func(b *binding) bool { return b.slash == name })
}
