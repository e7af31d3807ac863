package ui_test

import (
	"context"
	"io/fs"
	"path/filepath"
	"testing"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/chains/offline"
	"ibid/ui"
	"ibid/vault"
)

// storyOptions are those of the screens of some stories, by their names.
var storyOptions = map[string]func(*ui.Options){
	"Notices":              func(o *ui.Options) { o.Notices = []string{"config.toml line 3: there is no setting colour"} },
	"ListedModelsComplete": func(o *ui.Options) { o.Service.Models = newShelf() },
	"ChooseAtStart":        func(o *ui.Options) { o.Service = ui.Service{Models: newShelf(), Choose: true} },
	"OtherKeys": func(o *ui.Options) {
		o.Input.Keys = map[string][]string{
			"chats": {"f5"}, "help": {"alt+h"}, "context": {"f7"}, "copy": {"c", "leader w"},
			"palette": {}, "leader": {"ctrl+q"}, "find": {"ctrl+o"},
		}
	},
	"Vim": func(o *ui.Options) { o.Input.Vim = true },
}

// storySessions are those of their conversations.
var storySessions = map[string]func(*chains.Options){
	"TooLong":          func(o *chains.Options) { o.Window, o.Count = 2000, nil },
	"WindowNearlyFull": func(o *chains.Options) { o.Window, o.Count = 1400, nil },
}

// storyRigs make what surrounds the screens of others.
func storyRigs() map[string]func(*testing.T) *rig {
	return map[string]func(*testing.T) *rig{
		"saved": savedRig, "suggesting": suggesting,
		"ExportCommand": rigWith(band+older, func(g *rig) {
			written := map[string]bool{}
			g.export = func(_ context.Context, _ vault.Path, file string, force bool) (string, error) {
				if written[file] && !force {
					return "", fs.ErrExist
				}
				written[file] = true
				return "~/" + filepath.Base(file), nil
			}
			g.reopen()
		}),
		"OfflineSaysSo": rigWith(band, func(g *rig) {
			g.store, g.desk = g.open(g.t, offline.New(offline.Options{}), offline.Name)
		}),
		"NamedOffline": rigWith(band, func(g *rig) {
			g.runWith(func(o *chains.Options) {
				o.ModelName, o.Chain, o.Cache.At = offline.Name, chains.Agent{}, "groq"
			})
			g.firstRun()
		}),
		"AskAboveOnce": largeRig(3),
		"LimitWaits":   largeRig(1),
		"NoModel": rigWith(band, func(g *rig) {
			g.store, g.desk = g.open(g.t, g.model, "")
			g.firstRun()
		}),
		"InspectorPast": rigWith(band, (*rig).watched, reply("first"), reply("second"), reply("third")),
		"TooLongForThisModel": rigWith(band+heap, func(g *rig) {
			g.deskWith(func(o *desk.Options) {
				o.Session.ModelName, o.Session.Window, o.Session.Count = "small", 1700, nil
				o.Model = g.named
			})
			g.change(func(o *ui.Options) {
				o.Service.Models = &modelShelf{offers: []chains.Offer{{
					Provider: "here", Now: true,
					Models: []chains.ModelInfo{{ID: "small"}, {ID: "large"}},
				}}}
			})
		}, reply("ok words and words"), reply("done")),
		"ModelTyped": rigWith(band, func(g *rig) {
			g.deskWith(func(o *desk.Options) { o.Model = g.named })
			g.change(func(o *ui.Options) { o.Service.Models = newShelf() })
		}),
		"NotKeptStays": rigWith(band, (*rig).keepNothing, counting("one", 30), reply("two")),
		"Pull": rigWith(band, func(g *rig) {
			g.pull = slowly
			g.reopen()
		}, reply("Thirds.")),
		"QuestionsSmall": rigWith(band, func(g *rig) {
			g.firstRun()
			g.change(func(o *ui.Options) {
				o.FirstRun.Questions = []string{"How many songs?", "When is it?", "Who plays?"}
			})
		}),
	}
}
