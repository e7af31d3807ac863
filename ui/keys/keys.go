package keys

import (
	"cmp"
	"slices"
	"strings"

	"ibid/vault/md"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Focus is the part of the screen where a key works.
type Focus int

// The parts of the screen.
const (
	Anywhere Focus = iota
	InPrompt
	InTranscript
	InRail
)

// Binding is an action of the user with its names: its key, its key after the leader key, its slash
// command if that does the same, and its description. Dispatch, the palette, the help and the footer
// all use the table of bindings.
type Binding struct {
	ID      string      // name of the action in a configuration; several bindings may have the same
	Key     key.Binding // without keys: only the leader key or the palette
	Leader  string
	Command string // name of the slash command, "" for none
	Args    string // arguments of the command if it exists only on the screen, for example "[WORDS]"; "" for none
	Name    string
	Words   string // further search words; a binding with some is in the palette wherever its key works
	where   Focus
	foot    bool   // listed in the footer
	action  string // action to carry out, "" if it has the name ID
}

// Does returns the name of the action that the binding carries out.
func (b *Binding) Does() string { return cmp.Or(b.action, b.ID) }

// Table has all bindings and the state of the leader key.
type Table struct {
	All  []Binding
	Lead key.Binding
	Held bool // the leader key was pressed and waits for a second key
}

// Find returns the binding of a key in the focused part of the screen, nil if there is none.
func (k *Table) Find(msg tea.KeyPressMsg, where Focus) *Binding {
	return k.First(func(b *Binding) bool {
		return (b.where == Anywhere || b.where == where) && key.Matches(msg, b.Key)
	})
}

// First returns the first binding for which wanted returns true, nil if there is none.
func (k *Table) First(wanted func(*Binding) bool) *Binding {
	for i := range k.All {
		if wanted(&k.All[i]) {
			return &k.All[i]
		}
	}
	return nil
}

// Second returns the binding of a key after the leader key, nil if there is none.
func (k *Table) Second(msg tea.KeyPressMsg) *Binding {
	name := strings.TrimPrefix(msg.String(), "ctrl+")
	return k.First(func(b *Binding) bool { return b.Leader != "" && b.Leader == name })
}

// Command returns the binding of a slash command, nil if there is none.
func (k *Table) Command(name string) *Binding {
	return k.First(func(b *Binding) bool { return b.Command == name })
}

// Help returns the keys of the focused part of the screen, those that work anywhere, and those after
// the leader key.
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
			leader = append(leader, Hint{k.leaderKeys(&b), b.Name})
		}
	}
	return here, all, leader
}

// Footer returns the keys of one part of the screen that are listed in the footer.
func (k *Table) Footer(where Focus) (hints []Hint) {
	for i := range k.All {
		if b := &k.All[i]; b.foot && b.where == where && b.Key.Help().Key != "" {
			hints = append(hints, Hint{b.Key.Help().Key, b.Key.Help().Desc})
		}
	}
	return hints
}

// Bind returns a binding of keys, separated by spaces; the help shows the first one.
func Bind(keys, does string) key.Binding {
	name, _, _ := strings.Cut(keys, " ")
	if len(name) > 1 && name[0] == 'f' && name[1] <= '9' {
		name = strings.ToUpper(name)
	}
	return key.NewBinding(key.WithKeys(strings.Fields(keys)...), key.WithHelp(name, does))
}

// Listed reports whether the palette lists the binding.
func (b *Binding) Listed() bool { return b.where == Anywhere || b.Words != "" }

// Hint is a key with its effect.
type Hint struct{ Key, Does string }

// Hints makes hints from keys and their effects, alternately.
func Hints(pairs ...string) (all []Hint) {
	for pair := range slices.Chunk(pairs, 2) {
		all = append(all, Hint{pair[0], pair[1]})
	}
	return all
}

// ParseKeys parses a list of keys. A line without ": " names the place where the keys in the lines
// below it work; each of these reads "names: effect". Where is kind followed by that place.
func ParseKeys(text string) (all []Key) {
	where := ""
	for line := range strings.SplitSeq(text, "\n") {
		if names, does, ok := strings.Cut(line, ": "); ok {
			all = append(all, Key{Keys: strings.Fields(names), Where: where, Does: md.Capital(does)})
		} else {
			where = "page: " + line
		}
	}
	return all
}
