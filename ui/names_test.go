package ui_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
	"ibid/ui"
	"ibid/ui/page"
	"ibid/ui/setup"
	"ibid/ui/theme/colors"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// hostile is a name that would set a title, blink, clear the screen and go back to the
// beginning of the line.
const hostile = "Evil \x1b]0;own\a\x1b[5;31m\x1b[2J\u009b31m\u202e\rname"

// hostileFile is one that a file can have.
const hostileFile = "Evil \x1b[5;31m\x1b[2J\u009b31m\u202ename"

// hostilePlaces sets options in which every name is hostile.
func hostilePlaces(o *ui.Options) {
	o.Notices = []string{hostile}
	o.FirstRun = ui.FirstRun{
		New: true, Vault: hostile, Provider: hostile, Model: hostile, Chats: hostile, Questions: []string{hostile},
		Servers: func(context.Context) []string { return []string{hostile} },
	}
	models := newShelf()
	models.offers = []chains.Offer{
		{Provider: hostile, Models: []chains.ModelInfo{{ID: hostile, Window: 1000}}},
		{Provider: hostile + "2", Err: errors.New(hostile)},
	}
	models.slow, models.favourites = chains.Offer{Provider: hostile + "3"}, []string{hostile + "/" + hostile}
	o.Service = ui.Service{
		Models: models,
		Providers: &providerDesk{all: []setup.Provider{
			{Name: hostile, Address: hostile, State: hostile, Ready: true},
			{Name: hostile + "2", Address: hostile, Known: true},
		}},
		Settings: &settingsDesk{all: []page.Setting{{
			Key: hostile, Help: hostile, Value: hostile, From: hostile,
			Values: []string{hostile, "b"},
		}, {Key: "b" + hostile, Value: hostile, Fixed: hostile}}},
		Vaults: &vaultsDesk{wrong: []string{hostile}, all: []setup.Place{
			{Dir: "/" + hostile, Shown: hostile, Group: hostile, About: hostile, Warning: hostile},
			{Dir: "/b", Shown: "~/" + hostile, Now: true},
		}},
	}
	o.Themes = ui.Themes{Fixed: true, All: []colors.Palette{{Name: hostile}}}
	o.Input.Recent, o.Input.Keys = []string{hostile}, map[string][]string{hostile: {hostile}, "retry": {hostile}}
	o.Editor = []string{hostile}
}

// hostileRig returns a rig with a vault and a model in which every name is hostile.
func hostileRig(t *testing.T) *rig {
	archive := band + "-- Chats/" + hostileFile +
		".md --\n---\nepoch: 1773000000000\ntitle: \"Evil \\e]0;own\\a\\e[5;31m\\e[2J\\rname\"\ntags: [\"" +
		"e\u009b31m" + "\"]\n---\n\n" +
		"**user**: Where do I start?\n[Context: Notes: Band/\x1b[5;31mGone.md]\n[Timestamp: 2026/03/01 09:00:00]\n\n**ai**: There.\n[Timestamp: 2026/03/01 09:00:05]\n" +
		"-- Evil dir\x1b[5;31m/" + hostileFile + ".md --\n# " + hostileFile + "\n\nSee [[Setlist]] #e\u009b31m\n" +
		strings.Repeat("Very many words.\n", 60) +
		"-- Prompts/" + hostileFile + ".md --\nSay {" + hostileFile + "} and {}\n"
	call := func(n int, name, args string) prompt.ToolCall {
		return prompt.ToolCall{ID: string(rune('a' + n)), Name: name, Arguments: args}
	}
	g := newRig(
		t, archive,
		chaintest.Reply{Text: "So: " + hostile, ToolCalls: []prompt.ToolCall{
			call(0, hostile, hostile),
			call(1, "webSearch", `{"query":"\u001b[5;31m evil\u009b31m"}`), writing(3, hostileFile+".md", hostile),
		}},
		reply("Done. [["+hostile+"]]"),
		chaintest.Reply{Err: &chains.ProviderError{Kind: chains.ErrServer, Message: hostile}},
		reply("More."), reply("More."), reply("More."), reply("More."),
	)
	g.tools = []chains.Tool{asking(), changer(g)}
	g.large = chains.LargePolicy{AskAbove: 100}
	g.store, g.desk = g.open(t, g.model, hostile)
	g.change(hostilePlaces)
	g.watched()
	return g
}

// TestHostileNames opens every page while every name is hostile. The robot looks for
// controls in each frame; here no style and no title may be theirs.
func TestHostileNames(t *testing.T) {
	tests := []struct{ name, keys string }{
		{"first page", "down up"},
		{"help", "f1 pgdown"},
		{"context", "f2 down enter down x esc"},
		{"palette", "ctrl+p down down enter"},
		{"notes", "ctrl+o :evil down enter"},
		{"chats", "ctrl+s down down enter"},
		{"rename", "ctrl+s :evil ctrl+r enter"},
		{"delete", "ctrl+s :evil ctrl+d ctrl+z"},
		{"archive", "ctrl+s :evil ctrl+k ctrl+g"},
		{"models", "ctrl+l down down enter"},
		{"providers", ":/provider enter down enter :x enter"},
		{"remove a provider", ":/provider enter ctrl+d y"},
		{"settings", ":/config enter down up enter down enter"},
		{"fixed setting", ":/config enter :b enter"},
		{"vaults", ":/vault enter down enter y"},
		{"a vault with a reason", ":/vault enter enter"},
		{"themes", ":/theme enter down down enter"},
		{"saved prompts", "ctrl+x p down enter"},
		{"earlier prompts", "ctrl+r down enter"},
		{"go back", "ctrl+x g down enter"},
		{"mention", ":@evil down enter :more enter 1 enter"},
		{"price", ":@evil enter enter"},
		{"folder", ":@evil tab"},
		{"link", ":[[evil enter enter"},
		{"command", ":/evil down enter"},
		{"argument", ":/open space down enter"},
		{"links", "tab o down enter"},
		{"rail", "tab tab enter"},
		{"rail of chats", "tab tab tab :evil enter"},
		{"pin", ":/pin space :evil enter enter"},
		{"stats", ":/stats enter"},
		{"notes changed", ":/undo-write space :list enter"},
		{"export", ":/export enter"},
		{"editor", "ctrl+s :evil ctrl+o"},
		{"background", ":draft ctrl+n ctrl+s down down enter ctrl+x c"},
		{"leader", "ctrl+x"},
		{"find", "ctrl+f :evil enter"},
		{"unknown", ":/dump enter"},
		{"title", ":/rename space paste enter"},
		{"sent", "paste enter"},
		{"queued", "paste enter paste enter"},
		{"leave", "paste enter ctrl+d paste ctrl+c ctrl+c n"},
	}
	screens := [][2]int{{80, 16}, {160, 40}}
	if !vaulttest.Slow {
		screens = screens[:1]
	}
	for _, size := range screens {
		for _, test := range tests {
			for _, said := range []bool{true, false}[:size[0]/80] { // on the small screen only with a turn
				playOn(t, size[0], size[1], hostileRig, func(r *stage) {
					look := func(key string) {
						r.Helper()
						r.Pass(500 * time.Millisecond)
						v := r.View()
						if strings.Contains(v.Content, "\x1b[5;31m") || strings.Contains(v.Content+v.WindowTitle, "\u202e") ||
							strings.ContainsFunc(v.WindowTitle, unicode.IsControl) {
							r.Fatalf("%v %s, said %v, at %s: title %q\n%q", size, test.name, said, key, v.WindowTitle, v.Content)
						}
					}
					vaulttest.Write(r.T, r.vault, vault.Path("Later"+hostileFile+".md"), "new")
					look("start")
					if said {
						r.Type("go")
						for _, key := range []string{"enter", "y", "y", "y"} {
							r.Press(key)
							look("turn " + key)
						}
					}
					for _, key := range strings.Fields(test.keys) {
						text, typed := strings.CutPrefix(key, ":")
						switch {
						case r.Quit():
							return
						case typed:
							r.Type(text)
						case key == "paste":
							r.Paste(hostile)
						default:
							r.Press(key)
						}
						look(key)
					}
				})
			}
		}
	}
}
