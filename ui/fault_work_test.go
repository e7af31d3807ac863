package ui_test

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/ui"
	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/vault"
)

// brokenSettings panics when the settings are listed.
type brokenSettings struct{}

func (brokenSettings) List(context.Context) ([]page.Setting, error) { panic("oh") }

func (brokenSettings) Set(context.Context, string, string) (page.Setting, string, error) {
	return page.Setting{}, "", errors.New("no settings")
}

// brokenModel panics in its first reply, after some text.
type brokenModel struct {
	chains.Model
	failed bool
}

func (m *brokenModel) Stream(ctx context.Context, req chains.Request) iter.Seq2[chains.Delta, error] {
	if m.failed {
		return m.Model.Stream(ctx, req)
	}
	m.failed = true
	return func(yield func(chains.Delta, error) bool) {
		yield(chains.Delta{Text: "the beginning of "}, nil)
		panic("oh")
	}
}

// TestBrokenWork: what panics in the background costs what waits for it: the page, the command, the turn. The chat
// goes on, and so does the text in the prompt.
func TestBrokenWork(t *testing.T) {
	for name, tt := range map[string]struct {
		play func(r *stage)
		told string
	}{
		"page": {func(r *stage) { r.Press("ctrl+p"); r.Type("settings"); r.Press("enter") }, "closed this page"},
		"command": {
			func(r *stage) {
				r.Type("/export")
				r.Press("enter")
			}, "stopped a command",
		},
		"turn": {
			func(r *stage) {
				r.Ask("and now?", "")
				r.Want("the beginning of")
			}, "ended this turn",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var reported []*term.Fault
			prepare := rigWith(band, func(g *rig) {
				g.export = func(context.Context, vault.Path, string, bool) (string, error) { panic("oh") }
				g.reopen()
				if name == "turn" {
					g.store, g.desk = g.open(g.t, &brokenModel{Model: g.model}, "test-model")
				}
				g.watched()
				g.change(allServices)
				g.change(func(o *ui.Options) {
					o.Service.Settings = brokenSettings{}
					o.Report = func(f *term.Fault) string {
						reported = append(reported, f)
						return "fault.txt has what a bug report needs"
					}
				})
			}, reply("Fine."), reply("Fine again."))
			playOn(t, 120, 40, prepare, func(r *stage) {
				if name != "turn" {
					r.Ask("hello", "Fine.")
				}
				tt.play(r)
				r.Pass(time.Second)
				r.Want("a fault of ibid "+tt.told, "fault.txt")
				if len(reported) != 1 || !strings.Contains(string(reported[0].Stack), "fault_work_test") {
					r.Errorf("reported: %v", reported)
				}
				r.Ask("and again", "Fine")
				if text := r.chatText(""); !strings.Contains(text, "and again") || !strings.Contains(text, "Fine") {
					r.Error(text)
				}
			})
		})
	}
}
