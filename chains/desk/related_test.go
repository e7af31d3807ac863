package desk_test

import (
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/desk"
	"ibid/chains/tool"
)

// TestRelated: /related lists notes that have to do with a note, with the reasons; alone
// with those that the chat knows.
func TestRelated(t *testing.T) {
	m := chaintest.New(chaintest.Reply{Text: "One."})
	r := newRig(t, "-- Soil.md --\n---\ntags: [garden]\n---\nSee [[Beds]].\n-- Beds.md --\nRaised.\n-- Tools.md --\n---\ntags: [garden]\n---\nA rake.\n-- Bread.md --\nA loaf.\n", m)
	r.wants("/related Soil", "no note is related to it")
	r.equip(m, func(d *desk.Desk) chains.Toolbox {
		o := tool.Options{Vault: r.vault, Searcher: d.Searcher, Links: d.Links}
		return chains.Toolbox{Related: o.Related}
	})
	r.wants("/related", "no note is open, and none went with this chat")
	r.wants("/related Soil", "- [[Beds.md]]: linked from here", "- [[Tools.md]]: 1 shared tag: #garden")
	r.wants("/related Bread", "no note is related to it")
	r.wants("/related nothing", "nothing")
	r.line("What of [[Soil]]?")
	r.wants("/related", "- [[Beds.md]]: linked from here")
}
