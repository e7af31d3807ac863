package ui

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"ibid/ui/composer"
)

// leaderAction is the name of the leader key in a configuration.
const leaderAction = "leader"

// Key is an action of the screen with its keys.
type Key struct {
	Action string   `json:"action,omitempty"` // its name in a configuration, "" if its keys cannot be changed
	Keys   []string `json:"keys"`
	Where  string   `json:"where"` // anywhere, prompt, transcript, rail, or "list: " or "page: " and what it is
	Slash  string   `json:"command,omitempty"`
	Does   string   `json:"does"`
}

// KeyError is why an action cannot have the keys that it is given.
type KeyError struct {
	Action  string
	Unknown bool // there is no such action
	text    string
}

func (e *KeyError) Error() string { return e.text }

// ListKeys lists the keys of the screen, where some actions are given others, by their
// names; none leaves an action without. It also says, one line each, where a key that
// was given means two things. An error is a *KeyError.
func ListKeys(given map[string][]string) (all []Key, conflicts []string, err error) {
	k, conflicts, err := newKeyMap(given)
	all = []Key{{Action: leaderAction, Keys: k.lead.Keys(), Where: anywhere.String(), Does: "The next key is one behind the leader key"}}
	for i := range k.all {
		b := &k.all[i]
		one := Key{Action: b.id, Keys: append([]string{}, b.key.Keys()...), Where: b.where.String(), Does: b.name}
		if b.leader != "" {
			one.Keys = append(one.Keys, k.leads(b))
		}
		if b.slash != "" {
			one.Slash = "/" + b.slash
		}
		all = append(all, one)
	}
	for _, b := range composer.Keys() {
		if !k.uses(b) {
			all = append(all, Key{Keys: b.Keys(), Where: inPrompt.String(), Does: capital(b.Help().Desc)})
		}
	}
	for _, h := range fixedKeys() {
		all = append(all, Key{Keys: []string{h.Key}, Where: anywhere.String(), Does: capital(h.Does)})
	}
	for _, l := range fixedLists() {
		where := "list: " + l.options().Title
		for _, a := range l.actions() {
			if name := a.key.Help().Key; name != "enter" && name != "esc" && name != "" {
				all = append(all, Key{Keys: a.key.Keys(), Where: where, Does: capital(a.key.Help().Desc)})
			}
		}
	}
	return append(all, pageKeys()...), conflicts, err
}

// fixedLists are the lists with keys of their own, which always mean the same there.
func fixedLists() []source {
	k := &known{conversation: &conversation{}, opt: Options{Editor: []string{"editor"}}}
	return []source{&chatList{k: k}, &modelList{k: k}, &providerList{k: k}, &settingList{k: k}, &vaultList{k: k}, &promptList{k: k}, &noteSearch{noteList: noteList{k: k}}, &themeList{k: k}, linkList{k: k}}
}

// fixedKeys are those that no action can have.
func fixedKeys() []Hint {
	return []Hint{{"esc", "close; stop the reply"}, {"esc esc", "go back to a message of yours"}, {"ctrl+c", "clear the prompt (kept); twice quits"}}
}

func (f focus) String() string { return [...]string{"anywhere", "prompt", "transcript", "rail"}[f] }

// newKeyMap is the usual keys, but for actions that are given others. The map can be
// used whatever the error is.
func newKeyMap(given map[string][]string) (k keyMap, conflicts []string, err error) {
	k = keyMap{lead: bind("ctrl+x", "more")}
	k.all = slices.Concat(globalKeys(), promptKeys(), transcriptKeys(), railKeys())
	r := remap{keyMap: &k, usual: slices.Clone(k.all), given: map[string]bool{}}
	if keys, ok := given[leaderAction]; ok {
		if err := r.setLeader(keys); err != nil {
			return k, nil, err
		}
	}
	for i := range r.usual { // in the order of the table, so that it decides which of two has a key
		id := r.usual[i].id
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
			return k, nil, &KeyError{id, true, fmt.Sprintf("there is no action %q: `ibid keys` lists them", id)}
		}
	}
	r.settle()
	return k, r.conflicts, nil
}

// remap gives actions other keys.
type remap struct {
	*keyMap
	usual     []binding
	given     map[string]bool // the actions that have others
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
			return &KeyError{leaderAction, false, fmt.Sprintf("%q cannot be the leader key: it needs one with ctrl or alt, or F1 to F20", text)}
		}
		all = append(all, name)
	}
	if len(all) == 0 {
		return &KeyError{leaderAction, false, "the leader key cannot be without a key"}
	}
	r.lead = bind(strings.Join(all, " "), r.lead.Help().Desc)
	return nil
}

// set gives an action keys. Those that write text or move the cursor in the prompt work
// in the transcript alone.
func (r *remap) set(id string, keys []string) error {
	r.given[id] = true
	var plain, chords []string
	leader := ""
	for _, text := range keys {
		fail := func(why string) error { return &KeyError{id, false, fmt.Sprintf("%q %s", text, why)} }
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
		case fixedKey(name) && !r.usually(id, name):
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

// spread gives the bindings of an action their keys.
func (r *remap) spread(id string, chords, plain []string, leader string) {
	first := slices.IndexFunc(r.all, func(b binding) bool { return b.id == id })
	everywhere := r.all[first].where == anywhere
	letters := false
	for i := range r.all {
		b := &r.all[i]
		if b.id != id {
			continue
		}
		keys := chords
		if b.where == inTranscript || b.where == inRail {
			if letters = true; everywhere {
				keys = nil
			}
			keys = slices.Concat(plain, keys)
		}
		b.rebind(keys)
		b.leader = ""
	}
	r.all[first].leader = leader
	if len(plain) > 0 && !letters {
		also := r.all[first]
		also.where, also.leader, also.slash, also.words, also.foot = inTranscript, "", "", "", false
		also.rebind(plain)
		r.all = append(r.all, also)
	}
}

// rebind gives a binding other keys.
func (b *binding) rebind(keys []string) {
	does := b.key.Help().Desc
	if b.key = named(does); len(keys) > 0 {
		b.key = bind(strings.Join(keys, " "), does)
	}
}

// behindLeader is the key that follows the leader key in a text such as "ctrl+x r".
func (r *remap) behindLeader(text string) (second string, ok bool) {
	words := strings.Fields(text)
	if len(words) != 2 {
		return "", false
	}
	name, err := parseKey(words[0])
	return words[1], strings.EqualFold(words[0], leaderAction) || err == nil && slices.Contains(r.lead.Keys(), name)
}

// usually reports whether an action has a key without being given it.
func (r *remap) usually(id, name string) bool {
	return slices.ContainsFunc(r.usual, func(b binding) bool { return b.id == id && slices.Contains(b.key.Keys(), name) })
}

// settle takes keys that were given to an action from those that have them else.
func (r *remap) settle() {
	for i := range r.all {
		a := &r.all[i]
		if !r.given[a.id] {
			continue
		}
		for _, name := range a.key.Keys() {
			switch {
			case slices.Contains(r.lead.Keys(), name):
				r.conflict("%s is the leader key, so it is not %s", name, a.id)
				a.rebind(without(a.key.Keys(), name))
				continue
			case a.where != inTranscript && a.where != inRail && !r.usually(a.id, name):
				r.overComposer(a, name)
			}
			r.take(a, name)
		}
		if a.leader != "" {
			r.takeLeader(a)
		}
	}
}

// overComposer says that a key does something in the prompt already.
func (r *remap) overComposer(a *binding, name string) {
	for _, b := range composer.Keys() {
		if slices.Contains(b.Keys(), name) {
			r.conflict("%s is %s; in the prompt it was: %s", name, a.id, b.Help().Desc)
			return
		}
	}
}

// take takes a key of a from the others that work where a does.
func (r *remap) take(a *binding, name string) {
	for i := range r.all {
		b := &r.all[i]
		apart := a.where != b.where && a.where != anywhere && b.where != anywhere
		if b == a || b.id == a.id || apart || !slices.Contains(b.key.Keys(), name) {
			continue
		}
		if r.given[b.id] {
			r.conflict("%s is given to %s and to %s: it is %s", name, a.id, b.id, a.id)
		} else {
			r.conflict("%s is %s now, and no longer %s", name, a.id, b.id)
		}
		b.rebind(without(b.key.Keys(), name))
	}
}

func (r *remap) takeLeader(a *binding) {
	for i := range r.all {
		b := &r.all[i]
		if b == a || b.leader != a.leader {
			continue
		}
		if r.given[b.id] {
			r.conflict("%s is given to %s and to %s: it is %s", r.leads(a), a.id, b.id, a.id)
		} else {
			r.conflict("%s is %s now, and no longer %s", r.leads(a), a.id, b.id)
		}
		b.leader = ""
	}
}

func without(keys []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return k == name })
}

// leads is the leader key and the key of a binding behind it.
func (k *keyMap) leads(b *binding) string { return k.lead.Help().Key + " " + b.leader }

// name is the shortest way to an action: its key, else the one behind the leader key,
// else its command.
func (k *keyMap) name(id string) string {
	best := "the palette"
	for i := range k.all {
		b := &k.all[i]
		switch {
		case b.id != id || b.where == inTranscript || b.where == inRail:
		case b.key.Help().Key != "":
			return b.key.Help().Key
		case b.leader != "":
			return k.leads(b)
		case b.slash != "":
			best = "/" + b.slash
		}
	}
	return best
}

// matches reports whether a key is one of an action's.
func (k *keyMap) matches(msg tea.KeyPressMsg, id string) bool {
	return k.first(func(b *binding) bool { return b.id == id && key.Matches(msg, b.key) }) != nil
}

// parseKey is a key as the terminal's input names it: its modifiers in their order, and
// its name.
func parseKey(text string) (string, error) {
	rest, mods := strings.TrimSpace(text), map[string]bool{}
	for {
		mod, tail, ok := strings.Cut(rest, "+")
		if !ok || tail == "" || mod == "" {
			break
		}
		mod = strings.ToLower(mod)
		if mod == "control" {
			mod = "ctrl"
		}
		if !slices.Contains(modifiers(), mod) {
			return "", fmt.Errorf("is no key: there is no modifier %s", mod)
		}
		mods[mod], rest = true, tail
	}
	name, err := keyName(rest)
	if err != nil {
		return "", err
	}
	if utf8.RuneCountInString(name) == 1 {
		switch r, _ := utf8.DecodeRuneInString(name); {
		case len(mods) == 1 && mods["shift"]:
			return string(unicode.ToUpper(r)), nil
		case len(mods) > 0:
			name = strings.ToLower(name)
		}
	}
	full := ""
	for _, mod := range modifiers() {
		if mods[mod] {
			full += mod + "+"
		}
	}
	switch full += name; full {
	case "ctrl+m", "ctrl+[", "ctrl+i":
		return "", fmt.Errorf("is %s to most terminals: give another key", map[string]string{"ctrl+m": "enter", "ctrl+[": "esc", "ctrl+i": "tab"}[full])
	}
	return full, nil
}

func modifiers() []string { return []string{"ctrl", "alt", "shift", "meta", "hyper", "super"} }

// keyName is the name of a key without modifiers.
func keyName(text string) (string, error) {
	if r, n := utf8.DecodeRuneInString(text); n == len(text) && n > 0 && unicode.IsGraphic(r) && r != utf8.RuneError {
		if r == ' ' {
			return "space", nil
		}
		return text, nil
	}
	name := strings.ToLower(text)
	switch name {
	case "escape":
		name = "esc"
	case "return":
		name = "enter"
	case "pageup":
		name = "pgup"
	case "pagedown", "pgdn":
		name = "pgdown"
	case "del":
		name = "delete"
	case "ins":
		name = "insert"
	}
	var n int
	if _, err := fmt.Sscanf(name, "f%d", &n); err == nil && name == fmt.Sprintf("f%d", n) && n >= 1 && n <= 20 {
		return name, nil
	}
	if slices.Contains(strings.Fields("up down left right home end pgup pgdown tab enter esc space backspace delete insert"), name) {
		return name, nil
	}
	return "", fmt.Errorf("is no key: a key is a character, or one such as F5, up, pgdown or tab, with ctrl+, alt+ or shift+ before it")
}

// plainKey reports whether a key writes or edits text in the prompt.
func plainKey(name string) bool {
	return utf8.RuneCountInString(name) == 1 || slices.Contains(strings.Fields("up down left right home end space backspace delete enter"), name)
}

// fixedKey reports whether a key always means the same.
func fixedKey(name string) bool { return slices.Contains([]string{"enter", "esc", "ctrl+c"}, name) }
