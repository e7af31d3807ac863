package ui_test

import (
	"context"
	"io/fs"
	"path/filepath"
	"testing"
	"time"

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
	"WindowLearned":    func(o *chains.Options) { o.Calibrate.Learned = time.Date(2026, 11, 12, 0, 0, 0, 0, time.UTC) },
	"TooLong":          func(o *chains.Options) { o.Window, o.Count = 2000, nil },
	"WindowNearlyFull": func(o *chains.Options) { o.Window, o.Count = 1400, nil },
}

// storyRigs make what surrounds the screens of others.
func storyRigs() map[string]func(*testing.T) *rig {
	return map[string]func(*testing.T) *rig{
		"saved": savedRig, "suggesting": suggesting,
		"ExportCommand": func(t *testing.T) *rig {
			g := newRig(t, band+older)
			written := map[string]bool{}
			g.export = func(_ context.Context, _ vault.Path, file string, force bool) (string, error) {
				if written[file] && !force {
					return "", fs.ErrExist
				}
				written[file] = true
				return "~/" + filepath.Base(file), nil
			}
			g.reopen()
			return g
		},
		"OfflineSaysSo": func(t *testing.T) *rig {
			g := newRig(t, band)
			g.store, g.desk = g.open(t, offline.New(offline.Options{}), offline.Name)
			return g
		},
		"NamedOffline": func(t *testing.T) *rig {
			g := newRig(t, band)
			session := g.session(g.store, g.model, offline.Name)
			session.Chain, session.Cache.At = chains.Agent{}, "groq"
			g.desk = desk.New(desk.Options{Vault: g.vault, Gather: g.gather, StateDir: g.state, Session: session})
			g.firstRun()
			return g
		},
		"AskAboveOnce": largeRig(3),
		"LimitWaits":   largeRig(1),
		"NoModel": func(t *testing.T) *rig {
			g := newRig(t, band)
			g.store, g.desk = g.open(t, g.model, "")
			g.firstRun()
			return g
		},
		"InspectorPast": func(t *testing.T) *rig {
			g := newRig(t, band, reply("first"), reply("second"), reply("third"))
			g.watched()
			return g
		},
		"TooLongForThisModel": func(t *testing.T) *rig {
			g := newRig(t, band+heap, reply("ok words and words"), reply("done"))
			o := g.session(g.store, g.model, "small")
			o.Window, o.Count = 1700, nil
			g.desk = desk.New(desk.Options{
				Vault: g.vault, Gather: g.gather, Store: g.store, StateDir: g.state, Session: o,
				Model: func(_ context.Context, _, name string) (chains.Options, error) {
					return g.session(g.store, g.model, name), nil
				},
			})
			g.change = func(o *ui.Options) {
				o.Service.Models = &modelShelf{offers: []chains.Offer{{
					Provider: "here", Now: true,
					Models: []chains.ModelInfo{{ID: "small"}, {ID: "large"}},
				}}}
			}
			return g
		},
		"ModelTyped": func(t *testing.T) *rig {
			g := newRig(t, band)
			g.desk = desk.New(desk.Options{
				Vault: g.vault, Gather: g.gather, Store: g.store, StateDir: g.state,
				Session: g.session(g.store, g.model, "test-model"),
				Model: func(_ context.Context, _, name string) (chains.Options, error) {
					return g.session(g.store, g.model, name), nil
				},
			})
			g.change = func(o *ui.Options) { o.Service.Models = newShelf() }
			return g
		},
		"NotKeptStays": func(t *testing.T) *rig {
			g := newRig(t, band, counting("one", 30), reply("two"))
			g.store, g.desk = nil, unsaved(g)
			return g
		},
		"Pull": func(t *testing.T) *rig {
			g := newRig(t, band, reply("Thirds."))
			g.pull = slowly
			g.reopen()
			return g
		},
		"QuestionsSmall": func(t *testing.T) *rig {
			g := newRig(t, band)
			g.firstRun()
			first := g.change
			g.change = func(o *ui.Options) {
				first(o)
				o.FirstRun.Questions = []string{"How many songs?", "When is it?", "Who plays?"}
			}
			return g
		},
	}
}
