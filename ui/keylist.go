package ui

import (
	"slices"

	"ibid/ui/browse"
	"ibid/ui/keys"
	"ibid/ui/page"
	"ibid/ui/setup"
	"ibid/ui/theme"
	"ibid/vault/md"
)

// ListKeys lists the keys of the screen and its pages. given replaces the keys of actions, by their
// names; an empty list leaves an action without a key. conflicts has one line for each given key that
// means two things. An error is a *keys.Error.
func ListKeys(given map[string][]string) (all []keys.Key, conflicts []string, err error) {
	k, conflicts, err := keys.NewTable(given)
	all = k.List()
	for _, l := range fixedLists() {
		where := "list: " + l.Options().Title
		for _, a := range l.Actions() {
			if name := a.Key.Help().Key; name != "enter" && name != "esc" && name != "" {
				all = append(all, keys.Key{Keys: a.Key.Keys(), Where: where, Does: md.Capital(a.Key.Help().Desc)})
			}
		}
	}
	return append(all, pageKeys()...), conflicts, err
}

// fixedLists returns the lists with keys of their own, which always mean the same there.
func fixedLists() []page.Source {
	env := page.NewEnv(theme.Options{})
	ours, theirs := browse.Lists(env), setup.Lists(env)
	last := len(theirs) - 1
	return slices.Concat(ours[:1], theirs[:last], ours[1:4], theirs[last:], ours[4:])
}
