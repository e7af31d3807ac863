package keys

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"ibid/ui/composer"
	"ibid/vault/md"
)

// leaderAction is the name of the leader key in a configuration.
const leaderAction = "leader"

// Key is an action of the screen with its keys, for lists.
type Key struct {
	Action string   `json:"action,omitempty"` // name in a configuration, "" if the keys cannot be changed
	Keys   []string `json:"keys"`
	Where  string   `json:"where"` // anywhere, prompt, transcript, rail, or "list: " or "page: " with the name of that
	Slash  string   `json:"command,omitempty"`
	Does   string   `json:"does"`
}

// Error is the error for an action that cannot have the keys in the configuration.
type Error struct {
	Action  string
	Unknown bool // there is no such action
	text    string
}

// Error returns one line for the user.
func (e *Error) Error() string { return e.text }

// List returns the keys of all actions, of the prompt, and those that no action can have.
func (k *Table) List() []Key {
	all := []Key{{
		Action: leaderAction, Keys: k.Lead.Keys(), Where: Anywhere.String(),
		Does: "The next key is one behind the leader key",
	}}
	for i := range k.All {
		b := &k.All[i]
		one := Key{Action: b.ID, Keys: append([]string{}, b.Key.Keys()...), Where: b.where.String(), Does: b.Name}
		if b.Leader != "" {
			one.Keys = append(one.Keys, k.leaderKeys(b))
		}
		if b.Command != "" {
			one.Slash = "/" + b.Command
		}
		all = append(all, one)
	}
	for _, b := range composer.Keys() {
		if !k.Uses(b) {
			all = append(all, Key{Keys: b.Keys(), Where: InPrompt.String(), Does: md.Capital(b.Help().Desc)})
		}
	}
	for _, h := range FixedKeys() {
		all = append(all, Key{Keys: []string{h.Key}, Where: Anywhere.String(), Does: md.Capital(h.Does)})
	}
	return all
}

// Uses reports whether the screen handles a key of the prompt, so that the prompt does not get it.
func (k *Table) Uses(b key.Binding) bool {
	names := b.Keys()
	return len(names) == 1 && slices.ContainsFunc(k.All, func(other Binding) bool {
		return (other.where == Anywhere || other.where == InPrompt) && slices.Contains(other.Key.Keys(), names[0])
	})
}

// FixedKeys returns the keys that no action can have.
func FixedKeys() []Hint {
	return []Hint{
		{"esc", "close; stop the reply"},
		{"esc esc", "go back to a message of yours"},
		{"ctrl+c", "clear the prompt (kept); twice quits"},
	}
}

// String returns the name of f in lists of keys.
func (f Focus) String() string { return [...]string{"anywhere", "prompt", "transcript", "rail"}[f] }

// NewTable returns the usual keys, with changes for the given actions. conflicts are warnings about
// keys that two actions had. The table can be used even if err is not nil.
func NewTable(given map[string][]string) (k Table, conflicts []string, err error) {
	k = Table{Lead: Bind("ctrl+x", "more"), All: usualKeys()}
	r := remap{Table: &k, usual: slices.Clone(k.All), given: map[string]bool{}}
	if keys, ok := given[leaderAction]; ok {
		if err := r.setLeader(keys); err != nil {
			return k, nil, err
		}
	}
	for i := range r.usual { // in the order of the table, which decides which of two actions gets a key
		id := r.usual[i].ID
		keys, ok := given[id]
		if !ok || r.given[id] {
			continue
		}
		if err := r.set(id, keys); err != nil {
			return k, nil, err
		}
	}
	for id := range given {
		if id != leaderAction && !r.given[id] {
			return k, nil, &Error{id, true, fmt.Sprintf("there is no action %q: `ibid keys` lists them", id)}
		}
	}
	r.resolveConflicts()
	return k, r.conflicts, nil
}

// remap changes the keys of actions.
type remap struct {
	*Table
	usual     []Binding
	given     map[string]bool // actions with changed keys
	conflicts []string
}

func (r *remap) conflict(format string, args ...any) {
	r.conflicts = append(r.conflicts, fmt.Sprintf("keys: "+format, args...))
}

func (r *remap) setLeader(keys []string) error {
	var all []string
	for _, text := range keys {
		name, err := parseKey(text)
		if err != nil || plainKey(name) || fixedKey(name) {
			return &Error{leaderAction, false, fmt.Sprintf("%q cannot be the leader key: "+
				"it needs one with ctrl or alt, or F1 to F20", text)}
		}
		all = append(all, name)
	}
	if len(all) == 0 {
		return &Error{leaderAction, false, "the leader key cannot be without a key"}
	}
	r.Lead = Bind(strings.Join(all, " "), r.Lead.Help().Desc)
	return nil
}

// set changes the keys of an action. Keys that write text or move the cursor in the prompt work only in
// the transcript.
func (r *remap) set(id string, keys []string) error {
	r.given[id] = true
	var plain, chords []string
	leader := ""
	for _, text := range keys {
		fail := func(why string) error { return &Error{id, false, fmt.Sprintf("%q %s", text, why)} }
		if second, ok := r.behindLeader(text); ok {
			name, err := parseKey(second)
			switch {
			case err != nil || fixedKey(name):
				return fail("is no key behind the leader key")
			case leader != "":
				return fail("is a second key behind the leader key: an action can have one")
			}
			leader = name
			continue
		}
		name, err := parseKey(text)
		switch {
		case err != nil:
			return fail(err.Error())
		case fixedKey(name) && !r.isUsualKey(id, name):
			return fail("always means the same: give another key")
		case plainKey(name):
			plain = append(plain, name)
		default:
			chords = append(chords, name)
		}
	}
	r.spread(id, chords, plain, leader)
	return nil
}

// spread distributes the keys of an action to its bindings.
func (r *remap) spread(id string, chords, plain []string, leader string) {
	first := slices.IndexFunc(r.All, func(b Binding) bool { return b.ID == id })
	everywhere := r.All[first].where == Anywhere
	letters := false
	for i := range r.All {
		b := &r.All[i]
		if b.ID != id {
			continue
		}
		keys := chords
		if b.where == InTranscript || b.where == InRail {
			if letters = true; everywhere {
				keys = nil
			}
			keys = slices.Concat(plain, keys)
		}
		b.rebind(keys)
		b.Leader = ""
	}
	r.All[first].Leader = leader
	if len(plain) > 0 && !letters {
		also := r.All[first]
		also.where, also.Leader, also.Command, also.Words, also.foot = InTranscript, "", "", "", false
		also.rebind(plain)
		r.All = append(r.All, also)
	}
}

// rebind replaces the keys of a binding.
func (b *Binding) rebind(keys []string) {
	does := b.Key.Help().Desc
	b.Key = Bind(strings.Join(keys, " "), does)
}

// behindLeader returns the key after the leader key in a text such as "ctrl+x r".
func (r *remap) behindLeader(text string) (second string, ok bool) {
	words := strings.Fields(text)
	if len(words) != 2 {
		return "", false
	}
	name, err := parseKey(words[0])
	return words[1], strings.EqualFold(words[0], leaderAction) || err == nil && slices.Contains(r.Lead.Keys(), name)
}

// isUsualKey reports whether an action has a key without configuration.
func (r *remap) isUsualKey(id, name string) bool {
	return slices.ContainsFunc(r.usual, func(b Binding) bool {
		return b.ID == id && slices.Contains(b.Key.Keys(), name)
	})
}

// resolveConflicts removes the given keys from the other actions that have them, and reports conflicts.
func (r *remap) resolveConflicts() {
	for i := range r.All {
		a := &r.All[i]
		if !r.given[a.ID] {
			continue
		}
		for _, name := range a.Key.Keys() {
			switch {
			case slices.Contains(r.Lead.Keys(), name):
				r.conflict("%s is the leader key, so it is not %s", name, a.ID)
				a.drop(name)
				continue
			case a.where != InTranscript && a.where != InRail && !r.isUsualKey(a.ID, name):
				r.warnComposer(a, name)
			}
			r.takeFrom(a, name, func(b *Binding) bool {
				apart := a.where != b.where && a.where != Anywhere && b.where != Anywhere
				return !apart && b.drop(name)
			})
		}
		if leader := a.Leader; leader != "" {
			r.takeFrom(a, r.leaderKeys(a), func(b *Binding) bool {
				had := b.Leader == leader
				if had {
					b.Leader = ""
				}
				return had
			})
		}
	}
}

// warnComposer reports a conflict if the prompt uses a key for something else.
func (r *remap) warnComposer(a *Binding, name string) {
	for _, b := range composer.Keys() {
		if slices.Contains(b.Keys(), name) {
			r.conflict("%s is %s; in the prompt it was: %s", name, a.ID, b.Help().Desc)
			return
		}
	}
}

// takeFrom removes a key of a from the other actions and reports conflicts. takes removes the key from one
// binding and reports whether that had it.
func (r *remap) takeFrom(a *Binding, name string, takes func(b *Binding) bool) {
	for i := range r.All {
		switch b := &r.All[i]; {
		case b.ID == a.ID || !takes(b):
		case r.given[b.ID]:
			r.conflict("%s is given to %s and to %s: it is %s", name, a.ID, b.ID, a.ID)
		default:
			r.conflict("%s is %s now, and no longer %s", name, a.ID, b.ID)
		}
	}
}

// drop removes a key from a binding and reports whether it had it.
func (b *Binding) drop(name string) bool {
	keys := slices.Clone(b.Key.Keys())
	b.rebind(slices.DeleteFunc(keys, func(k string) bool { return k == name }))
	return len(b.Key.Keys()) < len(keys)
}

// leaderKeys returns the leader key and the key of a binding after it.
func (k *Table) leaderKeys(b *Binding) string { return k.Lead.Help().Key + " " + b.Leader }

// NameOf returns the shortest way to an action: its key, or the key after the leader key, or its
// command, or the palette.
func (k *Table) NameOf(id string) string {
	best := "the palette"
	for i := range k.All {
		b := &k.All[i]
		switch {
		case b.ID != id || b.where == InTranscript || b.where == InRail:
		case b.Key.Help().Key != "":
			return b.Key.Help().Key
		case b.Leader != "":
			return k.leaderKeys(b)
		case b.Command != "":
			best = "/" + b.Command
		}
	}
	return best
}

// Matches reports whether a key belongs to an action.
func (k *Table) Matches(msg tea.KeyPressMsg, id string) bool {
	return k.First(func(b *Binding) bool { return b.ID == id && key.Matches(msg, b.Key) }) != nil
}

// plainKey reports whether a key writes or edits text in the prompt, or moves its cursor.
func plainKey(name string) bool {
	return utf8.RuneCountInString(name) == 1 ||
		slices.Contains(strings.Fields("up down left right home end space backspace delete enter"), name)
}

// fixedKey reports whether a key has a fixed meaning.
func fixedKey(name string) bool { return slices.Contains([]string{"enter", "esc", "ctrl+c"}, name) }
