package ui

import (
	"reflect"
	"slices"
	"testing"

	"ibid/ui/keys"
)

// TestKeysOfLists: the keys of lists are listed too, without a name to change them by.
func TestKeysOfLists(t *testing.T) {
	all, _, err := ListKeys(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []keys.Key{
		{Keys: []string{"ctrl+d"}, Where: "list: Chats", Does: "Delete"},
		{Keys: []string{"alt+f"}, Where: "list: Models", Does: "Favourite"},
	} {
		if !slices.ContainsFunc(all, func(k keys.Key) bool { return reflect.DeepEqual(k, want) }) {
			t.Errorf("%+v is not listed", want)
		}
	}
}

// TestActions: each key does something, and nothing is there that no key does.
func TestActions(t *testing.T) {
	table, _, _ := keys.NewTable(nil)
	all, done := newActions(), map[string]bool{}
	for i := range table.All {
		name := table.All[i].Does()
		if done[name] = true; all[name] == nil {
			t.Errorf("%s does nothing", name)
		}
	}
	for name := range all {
		if !done[name] {
			t.Errorf("no key does %s", name)
		}
	}
}
