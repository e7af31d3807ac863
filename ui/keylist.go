package ui

import (
	"ibid/ui/keys"
	"ibid/ui/theme"
	"ibid/vault/md"
)

// ListKeys lists the keys of the screen, where some actions are given others, by their
// names; none leaves an action without. It also says, one line each, where a key that
// was given means two things. An error is a *KeyError.
func ListKeys(given map[string][]string) (all []keys.Key, conflicts []string, err error) {
	k, conflicts, err := keys.NewTable(given)
	all = k.List()
	for _, l := range fixedLists() {
		where := "list: " + l.options().Title
		for _, a := range l.actions() {
			if name := a.key.Help().Key; name != "enter" && name != "esc" && name != "" {
				all = append(all, keys.Key{Keys: a.key.Keys(), Where: where, Does: md.Capital(a.key.Help().Desc)})
			}
		}
	}
	return append(all, pageKeys()...), conflicts, err
}

// fixedLists are the lists with keys of their own, which always mean the same there.
func fixedLists() []source {
	k := &known{Env: newEnv(theme.Options{}), conversation: &conversation{}, opt: Options{Editor: []string{"editor"}}}
	return []source{&chatList{k: k}, &modelList{k: k}, &providerList{k: k}, &settingList{k: k}, &vaultList{k: k}, &promptList{k: k}, &noteSearch{noteList: noteList{k: k}}, &themeList{k: k}, linkList{k: k}}
}
