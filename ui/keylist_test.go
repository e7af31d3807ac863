package ui

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/ui/keys"
	"ibid/vault/edit"
)

// TestKeysOfLists: the keys of lists are listed too, without a name to change them by.
func TestKeysOfLists(t *testing.T) {
	all, _, err := ListKeys(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []keys.Key{{Keys: []string{"ctrl+d"}, Where: "list: Chats", Does: "Delete"}, {Keys: []string{"alt+f"}, Where: "list: Models", Does: "Favourite"}} {
		if !slices.ContainsFunc(all, func(k keys.Key) bool { return reflect.DeepEqual(k, want) }) {
			t.Errorf("%+v is not listed", want)
		}
	}
}

// TestKeysOfPages: the keys that pages name in their last row are listed.
func TestKeysOfPages(t *testing.T) {
	listed := map[string][]string{}
	for _, k := range pageKeys() {
		listed[k.Where] = append(listed[k.Where], k.Keys...)
	}
	change := &edit.Change{Hunks: make([]edit.Hunk, 2)}
	asked := proposed{Proposal: &chains.Proposal{Apply: func(context.Context, chains.Decision) (chains.Applied, error) { return chains.Applied{}, nil }}, now: change, whole: change, turn: true}
	for where, hints := range map[string][]keys.Hint{
		"page: question of a tool":       (&approval{}).Hints(),
		"page: change":                   append((&changePage{change: asked}).Hints(), (&changePage{change: proposed{Proposal: &chains.Proposal{}}}).Hints()...),
		"page: changes of several notes": (&batchPage{}).Hints(),
	} {
		for _, h := range hints {
			for name := range strings.FieldsFuncSeq(h.Key, func(r rune) bool { return r == ' ' || r == '/' }) {
				if name == "↑↓" {
					name = "up"
				}
				if !slices.Contains(listed[where], name) {
					t.Errorf("%s: %s (%s) is not listed", where, name, h.Does)
				}
			}
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
