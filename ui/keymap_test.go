package ui

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/vault/edit"
)

// TestKeysGiven gives actions other keys: one row each of what is given, which of the
// actions have which keys then, and what is said.
func TestKeysGiven(t *testing.T) {
	rows := map[string]struct {
		given map[string][]string
		want  string // action where: keys
		said  string
		err   string
	}{
		"a letter and one behind the leader key": {given: map[string][]string{"retry": {"r", "ctrl+x ."}}, want: "retry anywhere: ctrl+x .|retry transcript: r"},
		"a chord works everywhere":               {given: map[string][]string{"retry": {"Alt+R"}}, want: "retry anywhere: alt+r|retry transcript:"},
		"none":                                   {given: map[string][]string{"suspend": {}, "retry": nil}, want: "suspend anywhere:|retry anywhere:|retry transcript:"},
		"a letter for what has none":             {given: map[string][]string{"copy": {"c", "shift+c"}}, want: "copy transcript: c C"},
		"both places":                            {given: map[string][]string{"page-up": {"alt+u", "U"}}, want: "page-up prompt: alt+u|page-up transcript: U alt+u"},
		"in a rail":                              {given: map[string][]string{"rail-down": {"down", "m"}}, want: "rail-down rail: down m"},
		"in the transcript alone":                {given: map[string][]string{"fold": {"enter", "alt+o"}}, want: "fold transcript: enter alt+o"},
		"another leader key":                     {given: map[string][]string{"leader": {"alt+space"}, "copy": {"leader w", "ctrl+y"}}, want: "leader anywhere: alt+space|copy anywhere: ctrl+y alt+space w", said: "keys: ctrl+y is copy; in the prompt it was: put back what was deleted"},
		"from one that has it":                   {given: map[string][]string{"find": {"ctrl+s"}}, want: "find anywhere: ctrl+s|chats anywhere: ctrl+x l", said: "keys: ctrl+s is find now, and no longer chats"},
		"from one that is given another":         {given: map[string][]string{"find": {"ctrl+s"}, "chats": {"ctrl+f"}}, want: "find anywhere: ctrl+s|chats anywhere: ctrl+f"},
		"to two":                                 {given: map[string][]string{"find": {"f5"}, "chats": {"F5"}}, want: "find anywhere:|chats anywhere: f5", said: "keys: f5 is given to chats and to find: it is chats"},
		"two behind the leader key":              {given: map[string][]string{"find": {"ctrl+x l"}}, want: "find anywhere: ctrl+x l|chats anywhere: ctrl+s", said: "keys: ctrl+x l is find now, and no longer chats"},
		"the leader key":                         {given: map[string][]string{"find": {"ctrl+x"}}, want: "find anywhere:|leader anywhere: ctrl+x", said: "keys: ctrl+x is the leader key, so it is not find"},
		"no such action":                         {given: map[string][]string{"retri": {"r"}}, err: "there is no action"},
		"enter":                                  {given: map[string][]string{"retry": {"enter"}}, err: "always means the same"},
		"esc":                                    {given: map[string][]string{"retry": {"Escape"}}, err: "always means the same"},
		"ctrl+c":                                 {given: map[string][]string{"retry": {"control+C"}}, err: "always means the same"},
		"ctrl+i":                                 {given: map[string][]string{"retry": {"ctrl+i"}}, err: "tab to most terminals"},
		"no key":                                 {given: map[string][]string{"retry": {"return of"}}, err: "is no key"},
		"nothing":                                {given: map[string][]string{"retry": {""}}, err: "is no key"},
		"no modifier":                            {given: map[string][]string{"retry": {"cmd+r"}}, err: "no modifier cmd"},
		"a leader key that writes":               {given: map[string][]string{"leader": {"x"}}, err: "cannot be the leader key"},
		"no leader key":                          {given: map[string][]string{"leader": {}}, err: "cannot be without"},
		"two seconds":                            {given: map[string][]string{"retry": {"ctrl+x a", "ctrl+x b"}}, err: "second key behind"},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			all, said, err := ListKeys(row.given)
			if row.err != "" {
				if wrong := (*KeyError)(nil); !errors.As(err, &wrong) || !strings.Contains(err.Error(), row.err) || row.given[wrong.Action] == nil {
					t.Fatalf("error %v, want %s", err, row.err)
				}
				return
			}
			if err != nil || strings.Join(said, "|") != row.said {
				t.Errorf("error %v, said %q, want %q", err, said, row.said)
			}
			for want := range strings.SplitSeq(row.want, "|") {
				if !slices.ContainsFunc(all, func(k Key) bool {
					return strings.TrimSpace(k.Action+" "+k.Where+": "+strings.Join(k.Keys, " ")) == want
				}) {
					t.Errorf("no %q", want)
				}
			}
		})
	}
}

// TestUsualKeys: no key of the usual ones means two things, each can be given as it is
// listed, and each action can be found.
func TestUsualKeys(t *testing.T) {
	all, _, err := ListKeys(nil)
	if err != nil {
		t.Fatal(err)
	}
	given := map[string][]string{}
	for _, k := range all {
		if k.Action == "" {
			continue
		}
		for _, name := range k.Keys {
			if !slices.Contains(given[k.Action], name) {
				given[k.Action] = append(given[k.Action], name)
			}
		}
		if given[k.Action] == nil {
			given[k.Action] = []string{}
		}
	}
	_, said, err := ListKeys(given)
	for _, line := range said {
		if !strings.Contains(line, "in the prompt it was") { // the table takes a few from readline
			t.Error(line)
		}
	}
	if err != nil {
		t.Error(err)
	}
}

// TestKeysOfLists: the keys of lists are listed too, without a name to change them by.
func TestKeysOfLists(t *testing.T) {
	all, _, err := ListKeys(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []Key{{Keys: []string{"ctrl+d"}, Where: "list: Chats", Does: "Delete"}, {Keys: []string{"alt+f"}, Where: "list: Models", Does: "Favourite"}} {
		if !slices.ContainsFunc(all, func(k Key) bool { return reflect.DeepEqual(k, want) }) {
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
	for where, hints := range map[string][]Hint{
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
