package chains_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
	"ibid/vault/vaulttest"
)

// clock is a clock that a test sets.
type clock struct{ time.Time }

func (c *clock) now() time.Time                 { return c.Time }
func (c *clock) pass(d time.Duration)           { c.Time = c.Add(d) }
func (c *clock) use(o *chains.Options)          { o.Now = c.now }
func newClock(t time.Time) *clock               { return &clock{t} }
func noon(day int) time.Time                    { return time.Date(2026, 3, day, 12, 0, 0, 0, time.UTC) }
func lives(life time.Duration) chains.CacheRule { return chains.CacheRule{Lifetime: life} }

// TestColdFromTheClock: once the provider's cache has surely expired, the next
// turn rebuilds everything from current notes, without diffs; before that, and
// when the clock was set back, it goes on as it was.
func TestColdFromTheClock(t *testing.T) {
	for name, tt := range map[string]struct {
		rule chains.CacheRule
		idle time.Duration
		cold bool
	}{
		"within its life":     {lives(10 * time.Minute), 10 * time.Minute, false},
		"after it":            {lives(10 * time.Minute), 10*time.Minute + time.Second, true},
		"for ever":            {lives(0), 1000 * time.Hour, false},
		"a clock set back":    {lives(10 * time.Minute), -24 * time.Hour, false},
		"to before the epoch": {lives(10 * time.Minute), -80 * 365 * 24 * time.Hour, false},
	} {
		t.Run(name, func(t *testing.T) {
			at := newClock(noon(14))
			r := newRig(t, "-- beds.md --\n"+long("oriole")+"-- tools/spade.md --\nThe spade.\n",
				textReplies("One.", "Two.", "Three.", "Four.")...).begin(func(o *chains.Options) {
				at.use(o)
				o.Layout, o.Cache = prompt.Append, tt.rule
			})
			r.say("1", note("beds.md"))
			vaulttest.Write(t, r.vault, "beds.md", long("heron"))
			r.say("2", note("beds.md"))
			r.wants(r.sent(), "<note_update>")
			at.pass(tt.idle)
			vaulttest.Write(t, r.vault, "beds.md", long("plover"))
			now, _, err := r.session.Preview(t.Context(), chains.Input{Text: "3"})
			check(t, err)
			env := r.say("3").envelope()
			if env.Epoch != now.Epoch || env.Predicted != now.Predicted {
				t.Errorf("sent %+v %+v, the forecast was %+v %+v", env.Epoch, env.Predicted, now.Epoch, now.Predicted)
			}
			if cold := env.Epoch.New && env.Epoch.Cause == prompt.CauseCold; cold != tt.cold {
				t.Fatalf("%+v, want cold %v", env.Epoch, tt.cold)
			}
			if !tt.cold {
				r.wants(r.sent(), "<note_update>", "beds.md changed on disk")
				return
			}
			r.wants(r.system(), "## Context Library", "plover")
			r.lacks(r.sent(), "<note_update>", "changed on disk", "oriole", "heron")
			is(t, env.Predicted.Cached, 0)
			if env = r.say("4").envelope(); env.Epoch.New {
				t.Errorf("the turn after it is cold too: %+v", env.Epoch)
			}
		})
	}
}

// TestClockSetBack: no message of a chat is older than the one before it, turns
// are found again, and a reply is saved while it streams.
func TestClockSetBack(t *testing.T) {
	at := newClock(noon(14))
	r := newRig(t, garden, textReplies("One.")...).stateless().begin(at.use)
	r.say("same")
	at.pass(-48 * time.Hour)
	r.model.Add(chaintest.Reply{Chunks: []string{"Two, ", "and ", "more."}})
	saves := 0
	for e := range eventsOf(t, r.session.Send(t.Context(), chains.Input{Text: "same"})) {
		if d, ok := e.(chains.TextDelta); ok && strings.HasPrefix(d.Text, "Two") {
			at.pass(-time.Hour)
			saves = r.disk.saves
		}
	}
	if r.disk.saves < saves+2 {
		t.Errorf(
			"%d saves after the clock was set back during the reply, want one while it streams and one at its end",
			r.disk.saves-saves)
	}
	r.model.Add(textReplies("Two.")...)
	r.retry().ended(chains.FinishStop)
	r.holds("u same", "a One.", "u same", "a Two.")
	var last time.Time
	for _, m := range r.chat().Messages {
		if m.Time.Before(last) {
			t.Errorf("%q is of %v, after a message of %v", m.Text, m.Time, last)
		}
		last = m.Time
	}
	if r.reopen(); r.chat().Messages[3].Time.Before(noon(14)) {
		t.Errorf("opened again: %v", r.chat().Messages[3].Time)
	}
}

// TestImagesSaidOnce: that images are not sent is said once a chat, whichever note
// embeds them, also when the chat was left and opened again; in another chat it is
// said again.
func TestImagesSaidOnce(t *testing.T) {
	r := newRig(t, "-- a.md --\n![[x.png]]\n-- b.md --\n![[y.png]]\n-- web.md --\n![](https://example.org/1.png)\n-- more.md --\n![](https://example.org/1.png) ![](https://example.org/2.png)\n")
	r.begin(func(o *chains.Options) { o.Process = &chains.Process{} })
	turn := func(path string) []string {
		r.model.Add(textReplies("Yes.")...)
		return r.send(chains.Input{Text: "Describe it", Active: note(path)}).ended(chains.FinishStop).notices("image_note")
	}
	wants := func(what string, got []string, want ...string) {
		t.Helper()
		if !slices.EqualFunc(got, want, strings.HasPrefix) {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	wants("first", turn("a.md"), "a.md: images are not sent, since m is not known to take them")
	wants("again", turn("a.md"))
	wants("another note", turn("b.md"))
	r.reopen()
	wants("opened again", turn("a.md"))
	check(t, r.session.Apply(chains.Change{Model: &chains.Options{Model: r.model, ModelName: "eyes", Vision: true}}))
	wants("on the web", turn("web.md"), "web.md: its images on the web are not sent")
	wants("more of them", turn("more.md"))
	r.session = chains.NewSession(r.opts)
	wants("another chat", turn("a.md"), "a.md: images are not sent")
}

// TestDate: the engine is told the day of the session's clock, in its zone; the
// chat and what a person sees are not.
func TestDate(t *testing.T) {
	at := newClock(time.Date(2026, 11, 21, 23, 30, 0, 0, time.FixedZone("", 3600)))
	r := newRig(t, garden, textReplies("One.", "Two.", "Three.")...).begin(func(o *chains.Options) {
		at.use(o)
		o.Layout = prompt.Append
	})
	const saturday = "Today is Saturday, 21 November 2026.\n\n---\n\n[User query]:\n1"
	const sunday = "Today is Sunday, 22 November 2026.\n\n---\n\n[User query]:\n3"
	for i, want := range []string{saturday, "2", sunday} {
		r.say(strconv.Itoa(i + 1))
		all := r.model.Requests()
		messages := all[len(all)-1].Messages
		is(t, messages[len(messages)-1].Content, want, i+1)
		at.pass(20 * time.Minute)
	}
	r.lacks(r.file(), "Today is")
	r.lacks(r.system(), "Today is")
	r.reopen(at.use)
	r.model.Add(textReplies("Four.", "Five.")...)
	for i, want := range []string{"4", "Today is Monday, 23 November 2026.\n\n---\n\n[User query]:\n5"} {
		r.say(strconv.Itoa(i + 4))
		messages := r.model.Requests()[i+3].Messages
		is(t, messages[1].Content, saturday, "after reopening")
		is(t, messages[5].Content, sunday, "after reopening")
		is(t, messages[len(messages)-1].Content, want, "after reopening")
		at.pass(24 * time.Hour)
	}
}
