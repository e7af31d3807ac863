package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// place says where a key works.
type place int

const (
	anywhere place = iota
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
	where  place
	foot   bool // worth a place in the footer
	run    func(*Model) tea.Cmd
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
func (k *keyMap) find(msg tea.KeyPressMsg, where place) *binding {
	for i := range k.all {
		b := &k.all[i]
		if (b.where == anywhere || b.where == where) && key.Matches(msg, b.key) {
			return b
		}
	}
	return nil
}

// second is the binding behind the leader key.
func (k *keyMap) second(msg tea.KeyPressMsg) *binding {
	for i := range k.all {
		if k.all[i].leader != "" && (k.all[i].leader == msg.String() || "ctrl+"+k.all[i].leader == msg.String()) {
			return &k.all[i]
		}
	}
	return nil
}

func globalKeys() []binding {
	return []binding{
		{key: bind("ctrl+s", "chats"), leader: "l", slash: "chats", name: "Saved chats", foot: true, run: func(m *Model) tea.Cmd { return m.openChats("") }},
		{key: bind("ctrl+n", "new chat"), leader: "n", slash: "new", name: "New chat", run: (*Model).newChat},
		{key: bind("ctrl+l", "model"), leader: "m", slash: "model", name: "Choose a model", run: (*Model).openModels},
		{key: bind("ctrl+p", "palette"), name: "Everything that can be done", foot: true, run: (*Model).openPalette},
		{key: bind("ctrl+o", "notes"), leader: "o", name: "Find a note", run: (*Model).openSwitch},
		{key: bind("ctrl+f", "find"), leader: "f", name: "Find in this chat", run: (*Model).openFind},
		{key: bind("ctrl+t", "thinking"), leader: "h", name: "Show or hide thinking", run: (*Model).toggleThinking},
		{key: bind("ctrl+b", "rails"), leader: "b", name: "Show or hide the rails", run: (*Model).toggleRails},
		{key: bind("ctrl+g", "$EDITOR"), leader: "e", name: "Compose in $EDITOR", run: (*Model).compose},
		{key: bind("f1", "help"), leader: "?", slash: "help", name: "Help", run: (*Model).openHelp},
		{key: bind("f2", "context"), leader: "i", slash: "context", name: "What enter would send", foot: true, run: (*Model).openInspector},
		{key: bind("f3", "active note"), leader: "a", name: "Active note: off, follow, this one", run: (*Model).cycleActive},
		{key: bind("f9", "mouse"), name: "Leave the mouse to the terminal", run: (*Model).toggleMouse},
		{key: named("send again"), leader: ".", slash: "retry", name: "Send the last message again", run: (*Model).retry},
		{key: named("undo"), leader: "u", slash: "undo", name: "Take the last turn back", run: (*Model).undo},
		{key: named("go back"), leader: "g", name: "Go back to a message of yours", run: (*Model).openRewind},
		{key: named("redo"), leader: "r", slash: "redo", name: "Bring back what undo took", run: (*Model).redo},
		{key: named("copy last reply"), leader: "y", name: "Copy the last reply", run: (*Model).copyLast},
		{key: named("dark or light"), leader: "t", name: "Dark or light", run: (*Model).toggleDark},
		{key: named("quit"), leader: "q", slash: "quit", name: "Quit; the chat is saved", run: func(*Model) tea.Cmd { return tea.Quit }},
	}
}

// named is a binding without a key of its own.
func named(does string) key.Binding { return key.NewBinding(key.WithHelp("", does)) }

func promptKeys() []binding {
	return []binding{
		{key: bind("tab", "transcript"), name: "Go to the transcript", where: inPrompt, foot: true, run: (*Model).toTranscript},
		{key: bind("ctrl+r", "earlier prompts"), name: "Search your earlier prompts", where: inPrompt, run: (*Model).openHistory},
		{key: bind("pgup", "scroll up"), name: "Scroll up", where: inPrompt, run: moved(func(m *Model) { m.transcript.PageUp() })},
		{key: bind("pgdown", "scroll down"), name: "Scroll down", where: inPrompt, run: moved(func(m *Model) { m.transcript.PageDown() })},
		{key: bind("ctrl+up", "previous prompt"), name: "Previous prompt of the chat", where: inPrompt, run: moved(func(m *Model) { m.transcript.PrevPrompt() })},
		{key: bind("ctrl+down", "next prompt"), name: "Next prompt of the chat", where: inPrompt, run: moved(func(m *Model) { m.transcript.NextPrompt() })},
	}
}

func moved(f func(*Model)) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { f(m); return nil }
}

func transcriptKeys() []binding {
	in := func(keys, does, name string, run func(*Model) tea.Cmd) binding {
		return binding{key: bind(keys, does), name: name, where: inTranscript, run: run}
	}
	scroll := func(keys, does, name string, f func(*Model)) binding { return in(keys, does, name, moved(f)) }
	half := func(m *Model) int { return max(m.frame.body.h/2, 1) }
	foot := func(b binding) binding { b.foot = true; return b }
	return []binding{
		foot(in("tab i", "prompt", "Go to the prompt", (*Model).toPrompt)),
		scroll("j down", "line down", "Line down", func(m *Model) { m.transcript.ScrollBy(1) }),
		scroll("k up", "line up", "Line up", func(m *Model) { m.transcript.ScrollBy(-1) }),
		foot(scroll("J ]", "next prompt", "Next prompt", func(m *Model) { m.transcript.NextPrompt() })),
		foot(scroll("K [", "previous prompt", "Previous prompt", func(m *Model) { m.transcript.PrevPrompt() })),
		scroll("d", "half a page down", "Half a page down", func(m *Model) { m.transcript.ScrollBy(half(m)) }),
		scroll("u", "half a page up", "Half a page up", func(m *Model) { m.transcript.ScrollBy(-half(m)) }),
		scroll("f pgdown", "page down", "Page down", func(m *Model) { m.transcript.PageDown() }),
		scroll("b pgup", "page up", "Page up", func(m *Model) { m.transcript.PageUp() }),
		scroll("g home", "beginning", "Beginning", func(m *Model) { m.transcript.Top() }),
		scroll("G end", "end", "End", func(m *Model) { m.transcript.Bottom() }),
		scroll("space enter", "fold or open", "Fold or open", func(m *Model) { m.transcript.Toggle() }),
		foot(in("y", "copy", "Copy the message", (*Model).copyMessage)),
		in("Y", "copy code", "Copy the last code block of the message", (*Model).copyCode),
		in("o", "links", "Notes that the message links to", (*Model).openLinks),
		in("e", "edit", "Edit a message of yours and send it again", (*Model).editSelected),
		in("r", "send again", "Send the last message again", (*Model).retry),
		in("/", "find", "Find in this chat", (*Model).openFind),
		in("n", "next match", "Next match", moved(func(m *Model) { m.transcript.FindNext() })),
		in("N", "previous match", "Previous match", moved(func(m *Model) { m.transcript.FindPrev() })),
	}
}
