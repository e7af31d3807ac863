package ui_test

import (
	"strings"
	"testing"
	"time"
)

// TestListsWithoutRows: each list without a row says what it is of and what to do, and
// its keys are those that do something. Empty is what it says where there is nothing at
// all, "" if there always is something.
func TestListsWithoutRows(t *testing.T) {
	rows := []struct{ name, opens, empty, noMatch string }{
		{"chats", "ctrl+s", "no saved chats yet: what you say from now on is one", "no chat holds that; backspace"},
		{"palette", "ctrl+p", "", "nothing matches; backspace"},
		{"no notes", "ctrl+o", "", "the vault has no notes yet: /note"},
		{"no mentions", "@", "", "the vault has no notes yet: /note"},
		{"notes", "ctrl+o", "", "no note, tag or folder matches; backspace"},
		{"models", "ctrl+l", "", "not listed; taken as typed"},
		{"providers", "/provider", "", "no provider of that name is known; type an address"},
		{"settings", "/config", "", "no setting holds that; backspace"},
		{"vaults", "/vault", "", "no vault of that name is known; type a path"},
		{"earlier prompts", "ctrl+r", "nothing was written yet: what you send", "nothing was written yet"},
		{"saved prompts", "ctrl+x p", "no prompts yet: /prompt new NAME", "no prompts yet"},
		{"themes", "/theme", "", "no theme is called that; backspace"},
		{"mentions", "@", "", "no note, tag or folder matches; backspace"},
		{"commands", "/", "", "no command is called that; / alone lists all"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			files := ""
			if row.empty == "" && !strings.HasPrefix(row.name, "no ") {
				files = band
			}
			playOn(t, 100, 30, rigWithOptions(files, allServices), func(r *stage) {
				r.Pass(time.Second)
				switch {
				case strings.HasPrefix(row.opens, "ctrl"):
					r.Press(strings.Fields(row.opens)...)
				case len(row.opens) > 1:
					r.Type(row.opens)
					r.Press("enter")
				default:
					r.Type(row.opens)
				}
				r.Pass(time.Second)
				if row.empty != "" {
					r.WaitFor(row.empty)
				}
				r.Type("zzqx")
				r.Pass(time.Second)
				r.WaitFor(row.noMatch)
				for line := range strings.SplitSeq(r.Screen(), "\n") {
					for _, does := range []string{
						"enter open", "enter attach", "enter choose", "enter run  ", "enter put",
						"enter test", "ctrl+d ",
					} {
						if strings.Contains(line, does) {
							r.Errorf("%q stands in %q", does, line)
						}
					}
				}
				if !r.Has("zzqx") {
					r.Errorf("letters were taken:\n%s", r.Screen())
				}
			})
		})
	}
}
