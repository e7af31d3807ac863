package ui_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"ibid/ui"
	"ibid/ui/page"
	"ibid/ui/uitest"
)

// settingsDesk is a configuration in memory.
type settingsDesk struct {
	all   []page.Setting
	calls []string
}

func (d *settingsDesk) List(context.Context) ([]page.Setting, error) { return d.all, nil }

func (d *settingsDesk) Set(_ context.Context, key, value string) (page.Setting, string, error) {
	d.calls = append(d.calls, key+"="+value)
	i := slices.IndexFunc(d.all, func(s page.Setting) bool { return s.Key == key })
	if i < 0 {
		return page.Setting{}, "", errors.New("there is no setting " + key)
	}
	s := &d.all[i]
	if s.Value, s.From = value, "config"; value == "default" {
		s.Value, s.From = "true", "default"
	}
	return *s, key + " = " + s.Value, nil
}

func newSettings() *settingsDesk {
	onOff := []string{"true", "false"}
	return &settingsDesk{all: []page.Setting{
		{Key: "vault", Help: "folder of notes that is opened outside of any vault", Value: "~/band", From: "config"},
		{Key: "model", Help: "the model, as the provider spells it", Value: "test-model", From: "--model"},
		{
			Key: "cache.layout", Help: "when notes move into the cached part", Value: "auto", From: "default",
			Values: []string{"auto", "strict", "append"},
		},
		{Key: "screen.ascii", Help: "draw with ASCII only", Value: "false", From: "default", Values: onOff, AtOnce: true},
		{Key: "screen.mouse", Help: "the mouse selects, clicks and scrolls", Value: "true", From: "default", Values: onOff, AtOnce: true},
		{Key: "screen.vim", Help: "edit the prompt with the keys of vi", Value: "false", From: "default", Values: onOff, AtOnce: true},
		{Key: "keys.retry", Help: "Send the last message again", From: "default"},
		{
			Key: "providers.work.headers", Help: "of every request", Value: "is set; it is not shown", From: "config",
			Fixed: "it may hold a secret: write it into the file",
		},
	}}
}

// playSettings runs a script with a configuration in memory.
func playSettings(t *testing.T, w, h int, script func(t *testing.T, r *uitest.Robot, d *settingsDesk)) {
	t.Helper()
	var d *settingsDesk
	make := rigWithOptions(band, func(o *ui.Options) { d = newSettings(); o.Service.Settings = d })
	playOn(t, w, h, make, func(r *stage) { script(r.T, r.Robot, d) })
}

// TestSettings: the page lists each setting with its value and source, filters as the user
// types, and changes values at once where possible.
func TestSettings(t *testing.T) {
	onSizes(t, sizes[:4], func(t *testing.T, w, h int) {
		playSettings(t, w, h, func(t *testing.T, r *uitest.Robot, d *settingsDesk) {
			r.Ask("/config", "Settings")
			golden.RequireEqual(t, r.Screen())

			r.Type("mouse")
			r.Press("enter") // a switch
			r.WaitFor("screen.mouse = false")
			r.Press("esc", "esc")
			r.Type("/config ascii")
			r.Press("enter", "enter")
			r.WaitFor("screen.ascii = true")
			is(t, d.calls, []string{"screen.mouse=false", "screen.ascii=true"})
		})
	})
}

// TestSettingValues: a value is picked from a list or typed. For a setting that cannot be
// changed the reason is shown.
func TestSettingValues(t *testing.T) {
	playSettings(t, 80, 24, func(t *testing.T, r *uitest.Robot, d *settingsDesk) {
		r.Type("/config layout")
		r.Press("enter", "enter")
		r.Begin("str", "cache.layout = strict; it counts from the next start")
		r.Want("cache", "strict")
		r.Press("ctrl+d")
		r.WaitFor("cache.layout = true")
		r.Press("ctrl+u")
		r.WaitFor("~/band")
		r.Press("home", "enter")
		r.WaitFor("vault = ~/band")
		r.Press("ctrl+u")
		r.Begin("vault ~/other notes", "vault = ~/other notes; it counts")
		r.Press("ctrl+u")
		r.WaitFor("headers")
		r.Press("end", "enter")
		r.WaitFor("it may hold a secret")
		r.Press("esc")
		r.Begin("/config screen.mouse off", "screen.mouse = off")
		r.Type("/config nothing at all")
		r.Press("enter")
		r.WaitFor("there is no setting nothing")
		is(t, d.calls, []string{
			"cache.layout=strict", "cache.layout=default", "vault=~/other notes", "screen.mouse=off",
			"nothing=at all",
		})
	})
}

// TestSettingsAtOnce: a change of vim applies at once; for others the list says that they do not.
func TestSettingsAtOnce(t *testing.T) {
	playSettings(t, 100, 30, func(t *testing.T, r *uitest.Robot, _ *settingsDesk) {
		r.Begin("/config keys.retry alt+t", "from the next start")
		r.Begin("/config screen.vim true", "screen.vim = ")
		r.Type("text")
		r.Press("esc")
		r.WaitFor("N text")
		r.Press("esc")
		r.Begin("cc/config layout", "from the next start")
	})
}

// TestSettingsSayWhen: the list and the message after a change agree about when the setting
// applies.
func TestSettingsSayWhen(t *testing.T) {
	var d *settingsDesk
	make := rigWithOptions(band, func(o *ui.Options) { d = &settingsDesk{}; o.Service.Settings = d })
	playOn(t, 100, 30, make, func(r *stage) {
		for _, name := range []string{"ascii", "mouse", "vim", "inline", "links", "motion", "images", "suggestions"} {
			for _, on := range []string{"true", "false"} {
				d.all = []page.Setting{{
					Key: "screen." + name, Help: "what it does", Value: on, From: "config",
					Values: []string{"true", "false"}, AtOnce: name != "inline",
				}}
				r.Ask("/config screen."+name, "what it does")
				later := r.Has("from the next start")
				is(r, later, name == "inline", name)
				r.Press("enter")
				r.WaitFor("screen." + name + " = ")
				is(r, r.Has("counts from the next start"), later, name, on, r.Screen())
				r.Press("esc", "esc")
				r.Pass(7 * time.Second)
				if r.Press("i"); r.Has("> i") { // not with the keys of vi
					r.Press("ctrl+u")
				}
			}
		}
	})
}

// TestSuggestionsAtOnce: suggestions can be turned on and off on the screen.
func TestSuggestionsAtOnce(t *testing.T) {
	d := &settingsDesk{all: []page.Setting{{
		Key: "screen.suggestions", Help: "suggest notes", Value: "false",
		From: "config", Values: []string{"true", "false"}, AtOnce: true,
	}}}
	playOn(t, 100, 30, func(t *testing.T) *rig {
		g := suggesting(t)
		g.usage.Off.Store(true)
		g.change(func(o *ui.Options) { o.Service.Settings = d })
		return g
	}, func(r *stage) {
		r.Ask("/active Setlist", "active note")
		r.Pass(7 * time.Second)
		r.WantNot("alt+1")
		r.Ask("/config screen.suggestions true", "screen.suggestions = true")
		r.Pass(7 * time.Second)
		r.Want("alt+1 Rehearsal", "with Setlist in 3 chats")
		r.Ask("/config screen.suggestions false", "screen.suggestions = false")
		r.Pass(7 * time.Second)
		r.WantNot("alt+1")
		if !r.usage.Off.Load() {
			r.Error("what is used together is still kept")
		}
	})
}
