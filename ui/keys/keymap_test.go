package keys

import (
	"errors"
	"slices"
	"strings"
	"testing"
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
		"a letter and one behind the leader key": {
			given: map[string][]string{"retry": {"r", "ctrl+x ."}},
			want:  "retry anywhere: ctrl+x .|retry transcript: r",
		},
		"a chord works everywhere": {
			given: map[string][]string{"retry": {"Alt+R"}},
			want:  "retry anywhere: alt+r|retry transcript:",
		},
		"none": {
			given: map[string][]string{"suspend": {}, "retry": nil},
			want:  "suspend anywhere:|retry anywhere:|retry transcript:",
		},
		"a letter for what has none": {
			given: map[string][]string{"copy": {"c", "shift+c"}},
			want:  "copy transcript: c C",
		},
		"both places": {
			given: map[string][]string{"page-up": {"alt+u", "U"}},
			want:  "page-up prompt: alt+u|page-up transcript: U alt+u",
		},
		"in a rail": {
			given: map[string][]string{"rail-down": {"down", "m"}},
			want:  "rail-down rail: down m",
		},
		"in the transcript alone": {
			given: map[string][]string{"fold": {"enter", "alt+o"}},
			want:  "fold transcript: enter alt+o",
		},
		"another leader key": {
			given: map[string][]string{
				"leader": {"alt+space"},
				"copy":   {"leader w", "ctrl+y"},
			}, want: "leader anywhere: alt+space|copy anywhere: ctrl+y alt+space w",
			said: "keys: ctrl+y is copy; in the prompt it was: put back what was deleted",
		},
		"from one that has it": {
			given: map[string][]string{"find": {"ctrl+s"}},
			want:  "find anywhere: ctrl+s|chats anywhere: ctrl+x l", said: "keys: ctrl+s is find now, and no longer chats",
		},
		"from one that is given another": {
			given: map[string][]string{"find": {"ctrl+s"}, "chats": {"ctrl+f"}},
			want:  "find anywhere: ctrl+s|chats anywhere: ctrl+f",
		},
		"to two": {
			given: map[string][]string{"find": {"f5"}, "chats": {"F5"}},
			want:  "find anywhere:|chats anywhere: f5", said: "keys: f5 is given to chats and to find: it is chats",
		},
		"two behind the leader key": {
			given: map[string][]string{"find": {"ctrl+x l"}},
			want:  "find anywhere: ctrl+x l|chats anywhere: ctrl+s", said: "keys: ctrl+x l is find now, and no longer chats",
		},
		"the leader key": {
			given: map[string][]string{"find": {"ctrl+x"}},
			want:  "find anywhere:|leader anywhere: ctrl+x", said: "keys: ctrl+x is the leader key, so it is not find",
		},
		"no such action":           {given: map[string][]string{"retri": {"r"}}, err: "there is no action"},
		"enter":                    {given: map[string][]string{"retry": {"enter"}}, err: "always means the same"},
		"esc":                      {given: map[string][]string{"retry": {"Escape"}}, err: "always means the same"},
		"ctrl+c":                   {given: map[string][]string{"retry": {"control+C"}}, err: "always means the same"},
		"ctrl+i":                   {given: map[string][]string{"retry": {"ctrl+i"}}, err: "tab to most terminals"},
		"no key":                   {given: map[string][]string{"retry": {"return of"}}, err: "is no key"},
		"nothing":                  {given: map[string][]string{"retry": {""}}, err: "is no key"},
		"no modifier":              {given: map[string][]string{"retry": {"cmd+r"}}, err: "no modifier cmd"},
		"a leader key that writes": {given: map[string][]string{"leader": {"x"}}, err: "cannot be the leader key"},
		"no leader key":            {given: map[string][]string{"leader": {}}, err: "cannot be without"},
		"two seconds":              {given: map[string][]string{"retry": {"ctrl+x a", "ctrl+x b"}}, err: "second key behind"},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			all, said, err := listed(row.given)
			if row.err != "" {
				if wrong := (*Error)(nil); !errors.As(err, &wrong) || !strings.Contains(err.Error(), row.err) ||
					row.given[wrong.Action] == nil {
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
	all, _, err := listed(nil)
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
	_, said, err := listed(given)
	for _, line := range said {
		if !strings.Contains(line, "in the prompt it was") { // the table takes a few from readline
			t.Error(line)
		}
	}
	if err != nil {
		t.Error(err)
	}
}

// listed lists the keys with other ones given.
func listed(given map[string][]string) (all []Key, conflicts []string, err error) {
	k, conflicts, err := NewTable(given)
	return k.List(), conflicts, err
}

// TestKeyNamed reads the names that rows of keys show.
func TestKeyNamed(t *testing.T) {
	for name, want := range map[string]string{
		"ctrl+s": "ctrl+s", "F2": "f2", "enter": "enter", "@": "@",
		"alt+1": "alt+1", "space": "space", "ctrl+x": "ctrl+x", "+": "+",
	} {
		if got, ok := Press(name); !ok || got.String() != want {
			t.Errorf("%s: %q %v", name, got, ok)
		}
	}
	for _, name := range []string{"↑↓", "n N", "step 1 of 6 · esc", ""} {
		if got, ok := Press(name); ok {
			t.Errorf("%s: %q", name, got)
		}
	}
}
