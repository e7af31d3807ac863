package ui

import (
	"charm.land/bubbles/v2/key"

	"ibid/ui/inspector"
)

// pageKeys are the keys of pages that are no lists: they always mean the same there.
// enter and esc answer or close, as the last row of each page says.
func pageKeys() []Key {
	var all []Key
	for _, page := range []struct {
		title string
		keys  []key.Binding
	}{
		{"question of a tool", []key.Binding{bind("y", "yes, in this chat"), bind("n", "no, and why"), bind("esc", "no")}},
		{"change", []key.Binding{
			bind("y", "apply what is kept"), bind("n", "reject, and why"), bind("space", "keep or drop the hunk"),
			bind("] tab right", "next hunk"), bind("[ shift+tab left", "hunk before"), bind("e", "edit it in $EDITOR first"),
			bind("a", "apply, and all changes of this note in this chat"), bind("t", "side by side or one column"), bind("f", "full screen"),
			bind("v", "before, after, now, of a change that is taken back"), bind("b", "as before all of it, or keep what came later"),
			bind("?", "why this edit, and its links"), bind("j down", "scroll a row down"), bind("k up", "scroll a row up"),
			bind("J pgdown d", "half a page down"), bind("K pgup u", "half a page up"), bind("g home", "beginning"), bind("G end", "end"),
			bind("esc", "reject, or back"),
		}},
		{"changes of several notes", []key.Binding{
			bind("y enter", "go through those that are chosen"), bind("n", "reject all, and why"), bind("space", "choose or leave out"),
			bind("j down", "row down"), bind("k up", "row up"), bind("g home", "first row"), bind("G end", "last row"), bind("esc", "reject all"),
		}},
		{"context", inspector.Keys()},
		{"find", []key.Binding{bind("up ctrl+p shift+enter", "match before"), bind("down ctrl+n ctrl+f", "next match"), bind("enter", "read the matches: n and N go on"), bind("esc", "close")}},
		{"help", []key.Binding{bind("g home", "beginning"), bind("G end", "end"), bind("esc q enter f1", "close")}},
	} {
		for _, b := range page.keys {
			all = append(all, Key{Keys: b.Keys(), Where: "page: " + page.title, Does: capital(b.Help().Desc)})
		}
	}
	return all
}
