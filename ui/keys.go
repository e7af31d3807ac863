package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
)

// focus says where a key works.
type focus int

const (
	anywhere focus = iota
	inPrompt
	inTranscript
	inRail
)

// binding is one thing that a user can do: its key, its form behind the leader
// key, its slash command if that has the same meaning, and what it is called.
// The table of bindings is the dispatch, the palette, the help and the footer.
type binding struct {
	id     string      // what the action is called in a configuration; the same action may have several bindings
	key    key.Binding // without keys: leader or palette only
	leader string
	slash  string // name of the command that this is, "" if there is none
	args   string // what that takes if only a screen has it: "[WORDS]", "" for nothing
	name   string
	words  string // other words that people look for; with some, the palette has it from anywhere
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

// shiftBy is by how many columns a key or the wheel moves long lines of code.
const shiftBy = 8

// screenOnly reports whether a binding is a command that only a screen has.
func (b *binding) screenOnly() bool {
	return b.slash != "" && !slices.ContainsFunc(desk.Commands(), func(c desk.Command) bool { return c.Name == b.slash })
}

// slash is the binding that is the same as a command, nil if there is none.
func (k *keyMap) slash(name string) *binding {
	return k.first(func(b *binding) bool { return b.slash == name })
}
