package keys

import (
	"cmp"
	"slices"
	"strings"

	"ibid/vault/md"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Focus says where a key works.
type Focus int

// Where keys work.
const (
	Anywhere Focus = iota
	InPrompt
	InTranscript
	InRail
)

// Binding is one thing that a user can do: its key, its form behind the leader
// key, its slash command if that has the same meaning, and what it is called.
// The table of bindings is the dispatch, the palette, the help and the footer.
type Binding struct {
	ID      string      // what the action is called in a configuration; the same action may have several bindings
	Key     key.Binding // without keys: leader or palette only
	Leader  string
	Command string // name of the command that this is, "" if there is none
	Args    string // what that takes if only a screen has it: "[WORDS]", "" for nothing
	Name    string
	Words   string // other words that people look for; with some, the palette has it from anywhere
	where   Focus
	foot    bool   // worth a place in the footer
	action  string // what it does, "" if that is called as id
}

// Does is the name of the action that it does.
func (b *Binding) Does() string { return cmp.Or(b.action, b.ID) }

// Table is all bindings, and the state of the leader key.
type Table struct {
	All  []Binding
	Lead key.Binding
	Held bool // the leader key was pressed, its second key is due
}

// Find is the binding of a key where the focus is.
func (k *Table) Find(msg tea.KeyPressMsg, where Focus) *Binding {
	return k.First(func(b *Binding) bool {
		return (b.where == Anywhere || b.where == where) && key.Matches(msg, b.Key)
	})
}

// First is the first binding that is wanted, nil if there is none.
func (k *Table) First(wanted func(*Binding) bool) *Binding {
	for i := range k.All {
		if wanted(&k.All[i]) {
			return &k.All[i]
		}
	}
	return nil
}

// Second is the binding behind the leader key.
func (k *Table) Second(msg tea.KeyPressMsg) *Binding {
	name := strings.TrimPrefix(msg.String(), "ctrl+")
	return k.First(func(b *Binding) bool { return b.Leader != "" && b.Leader == name })
}

// Command is the binding that is the same as a command, nil if there is none.
func (k *Table) Command(name string) *Binding {
	return k.First(func(b *Binding) bool { return b.Command == name })
}

// Help is the keys of where the focus is, those that work anywhere, and those behind the
// leader key.
func (k *Table) Help(where Focus) (here, all, leader []Hint) {
	for _, b := range k.All {
		name := b.Key.Help().Key
		switch {
		case name != "" && b.where == where:
			here = append(here, Hint{strings.Join(b.Key.Keys(), " "), b.Name})
		case name != "" && b.where == Anywhere:
			all = append(all, Hint{strings.Join(append([]string{name}, b.Key.Keys()[1:]...), " "), b.Name})
		}
		if b.Leader != "" {
			leader = append(leader, Hint{k.leads(&b), b.Name})
		}
	}
	return here, all, leader
}

// Footer is the keys of the footer that work in one place.
func (k *Table) Footer(where Focus) (hints []Hint) {
	for i := range k.All {
		if b := &k.All[i]; b.foot && b.where == where && b.Key.Help().Key != "" {
			hints = append(hints, Hint{b.Key.Help().Key, b.Key.Help().Desc})
		}
	}
	return hints
}

// Bind is a binding of keys, divided by spaces; the first one stands in the help.
func Bind(keys, does string) key.Binding {
	name, _, _ := strings.Cut(keys, " ")
	if len(name) > 1 && name[0] == 'f' && name[1] <= '9' {
		name = strings.ToUpper(name)
	}
	return key.NewBinding(key.WithKeys(strings.Fields(keys)...), key.WithHelp(name, does))
}

// Listed reports whether the palette has a binding.
func (b *Binding) Listed() bool { return b.where == Anywhere || b.Words != "" }

// Hint is a key and what it does.
type Hint struct{ Key, Does string }

// Hints are keys and what they do, in turns.
func Hints(pairs ...string) (all []Hint) {
	for pair := range slices.Chunk(pairs, 2) {
		all = append(all, Hint{pair[0], pair[1]})
	}
	return all
}

// ParseKeys reads a list of keys: a line that says where they work, then below it one line
// for each, "names: what it does".
func ParseKeys(kind, text string) (all []Key) {
	where := ""
	for line := range strings.SplitSeq(text, "\n") {
		if names, does, ok := strings.Cut(line, ": "); ok {
			all = append(all, Key{Keys: strings.Fields(names), Where: where, Does: md.Capital(does)})
		} else {
			where = kind + line
		}
	}
	return all
}
