package chains_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
	"ibid/vault/vaulttest"
)

func (r *rig) retry() happened { r.Helper(); return collect(r, r.session.Retry(r.Context())) }

func (r *rig) undo() chains.Undone {
	r.Helper()
	u, _, err := r.session.Undo(r.Context())
	if err != nil {
		r.Fatal(err)
	}
	return u
}

func (r *rig) redo() {
	r.Helper()
	value(r.session.Redo())(r)
}

func (r *rig) apply(c chains.Change) {
	r.Helper()
	value(r.session.Apply(c))(r)
}

func TestRetry(t *testing.T) {
	r := newRig(t, garden, said("One. [NOTE TO SELF: first]", "Two. [NOTE TO SELF: second]", "Better. [NOTE TO SELF: third]")...)
	r.say("1")
	r.say("2", note("beds.md"))
	vaulttest.Write(t, r.vault, "beds.md", "Lilies now. Marker: heron.\n")
	h := r.retry().ended(chains.FinishStop)
	if e, ok := h.events[0].(chains.TurnStarted); !ok || e.N != 2 {
		t.Errorf("began with %+v", h.events[0])
	}
	r.holds("u 1", "a One.", "n first", "u 2", "a Better.", "n third")
	r.wants(r.sent(), "heron", "first")
	r.lacks(r.sent(), "oriole", "Two.", "second")
	r.model.Add(said("Three.")...)
	r.say("3")
	r.lacks(r.sent(), "Two.", "second")
	r.wants(r.sent(), "Better.", "third")
}

// TestRetryFails: as long as nothing of a new reply has come, the old one stands:
// in memory, in what the engine knows, and in the file at every moment.
func TestRetryFails(t *testing.T) {
	r := newRig(t, garden, said("One.", "Two. [NOTE TO SELF: second]")...)
	r.say("1", note("beds.md"))
	r.say("2", note("tools/rake.md"))
	before := r.file()
	r.model.Add(chaintest.Reply{Func: func(chains.Request) chaintest.Reply {
		if r.file() != before {
			t.Errorf("while nothing has come, the file is\n%s", r.file())
		}
		return chaintest.Reply{Err: &chains.ProviderError{Kind: chains.ErrRate, Message: "Later."}}
	}})
	r.retry().ended(chains.FinishError)
	r.holds("u 1", "a One.", "u 2", "a Two.", "n second")
	for _, partial := range []chaintest.Reply{{}, {Chunks: []string{"  "}, Err: &chains.ProviderError{Kind: chains.ErrCutOff, Message: "gone"}, ErrAfter: 1}} {
		r.model.Add(partial)
		if d := r.retry().done(); d.Finish == chains.FinishStop {
			t.Errorf("%+v", d)
		}
		if r.file() != before {
			t.Errorf("the file is\n%s\nwas\n%s", r.file(), before)
		}
	}
	r.model.Add(said("Three.")...)
	h := r.say("3", note("beds.md"), note("tools/rake.md"))
	for _, a := range h.envelope().Attached {
		if a.State != "known" {
			t.Errorf("%+v", a)
		}
	}
	r.wants(r.sent(), "Two.", "second")
}

// TestRetryBreaksOff: a whole reply is shown until another is whole, while the new
// one streams and however it breaks off; one that had broken off itself makes way
// for what comes. The other is kept beside it.
func TestRetryBreaksOff(t *testing.T) {
	r := newRig(t, garden, said("One. [NOTE TO SELF: kept]")...)
	r.say("1", note("beds.md"))
	whole := r.visible()
	gone := &chains.ProviderError{Kind: chains.ErrCutOff, Message: "gone"}
	for _, reply := range []chaintest.Reply{
		{Chunks: []string{"Better, ", "but"}}, // left by the person
		{Chunks: []string{"Better, "}, Err: gone, ErrAfter: 1},
	} {
		r.model.Add(reply)
		h := happened{TB: t}
		for e, err := range r.session.Retry(t.Context()) {
			h.events, h.err = append(h.events, e), err
			if _, ok := e.(chains.TextDelta); ok && reply.Err == nil {
				break
			}
			if r.visible() != whole {
				t.Fatalf("while the new reply comes, the file is\n%s", r.file())
			}
		}
		if r.visible() != whole {
			t.Errorf("the file is\n%s\nwas\n%s", r.file(), whole)
		}
		r.holds("u 1", "a One.", "n kept")
		if reply.Err != nil {
			if d := h.ended(chains.FinishCutOff).done(); !d.Restored || len(h.notices("kept_reply")) != 1 {
				t.Errorf("nothing says that the old reply stays:\n%s", h)
			}
		}
	}
	r.model.Add(said("More.")...)
	r.say("2")
	r.wants(r.sent(), "One.", "kept")
	r.lacks(r.sent(), "Better")
	r.turns("*1/One. 1/Better, (cancelled) 1/Better, (cut)", "*2/More.")

	r.model.Add(chaintest.Reply{Chunks: []string{"Half "}, Err: gone, ErrAfter: 1}, chaintest.Reply{Chunks: []string{"Three quarters "}, Err: gone, ErrAfter: 1})
	r.send(chains.Input{Text: "3"}).ended(chains.FinishCutOff)
	if d := r.retry().ended(chains.FinishCutOff).done(); d.Restored {
		t.Error("half a reply came back")
	}
	r.holds("u 1", "a One.", "n kept", "u 2", "a More.", "u 3", "a Three quarters (cut)")
	r.turns("*1/One. 1/Better, (cancelled) 1/Better, (cut)", "*2/More.", "3/Half (cut) *3/Three quarters (cut)")
}

// TestRetrySlowly: a crash in the middle of a new reply finds the old one.
func TestRetrySlowly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, garden, said("One.")...)
		r.say("1")
		whole := r.visible()
		r.model.Add(chaintest.Reply{Text: "slow words here", Split: 5, Delay: 2 * time.Second})
		for e := range begun(t, r.session.Retry(t.Context())) {
			if _, ok := e.(chains.TextDelta); ok && r.visible() != whole {
				t.Errorf("after %v the file is\n%s", e, r.file())
			}
		}
		r.TB = t
		r.holds("u 1", "a slow words here")
		r.turns("1/One. *1/slow words here")
	})
}

// TestRetryOfAFailure sends again what was never answered.
func TestRetryOfAFailure(t *testing.T) {
	r := newRig(t, garden, chaintest.Reply{Err: &chains.ProviderError{Kind: chains.ErrRate, Message: "Later."}}, chaintest.Reply{Text: "Now."})
	r.send(chains.Input{Text: "1 @beds"}).ended(chains.FinishError)
	r.retry().ended(chains.FinishStop)
	r.holds("u 1 @beds", "a Now.")
	r.wants(r.sent(), "oriole")
}

// TestRetryNoteOnly: a reply that is a note alone is a reply.
func TestRetryNoteOnly(t *testing.T) {
	r := newRig(t, garden, said("One.", "[NOTE TO SELF: hm]")...)
	r.say("1")
	r.retry().ended(chains.FinishStop)
	r.holds("u 1", "n hm")
}

func TestUndoRedo(t *testing.T) {
	r := newRig(t, garden, said("One.", "Two. [NOTE TO SELF: second]", "Three.")...)
	if _, _, err := r.session.Undo(t.Context()); !errors.Is(err, chains.ErrNothing) {
		t.Errorf("%v", err)
	}
	if _, err := r.session.Redo(); !errors.Is(err, chains.ErrNothing) {
		t.Errorf("%v", err)
	}
	if h := r.retry(); !errors.Is(h.err, chains.ErrNothing) {
		t.Errorf("%v", h.err)
	}
	r.say("1", note("beds.md"))
	r.say("2", note("tools/rake.md"))
	file := r.file()
	if u := r.undo(); u.Turn.Text != "2" || !slices.Equal(u.Turn.Attach, []prompt.Ref{note("tools/rake.md")}) {
		t.Errorf("%+v", u)
	}
	r.holds("u 1", "a One.")
	r.redo()
	if r.file() != file {
		t.Errorf("brought back\n%s\nwas\n%s", r.file(), file)
	}
	r.undo()
	r.undo()
	r.holds()
	if _, _, err := r.session.Undo(t.Context()); !errors.Is(err, chains.ErrNothing) {
		t.Errorf("%v", err)
	}
	r.say("3", note("tools/rake.md"))
	if _, err := r.session.Redo(); !errors.Is(err, chains.ErrNothing) {
		t.Errorf("after another turn: %v", err)
	}
	r.holds("u 3", "a Three.")
	r.lacks(r.sent(), "oriole", "second", "One.")
	r.wants(r.sent(), "finch")
}

// TestUndoChanges: the changes since the last turn are taken back one by one,
// before the turn is.
func TestUndoChanges(t *testing.T) {
	r := newRig(t, garden, said("One.", "Two.")...)
	r.say("1", note("beds.md"), note("tools/rake.md"))
	r.apply(chains.Change{Mute: []prompt.Ref{note("beds.md")}})
	r.apply(chains.Change{Layout: prompt.Strict})
	r.apply(chains.Change{Forget: []prompt.Ref{note("tools/rake.md")}})
	for _, want := range []string{"forget tools/rake.md", "layout strict", "mute beds.md"} {
		if u := r.undo(); u.Change != want {
			t.Errorf("took back %q, want %q", u.Change, want)
		}
	}
	if o := r.session.Options(); o.Layout != "" {
		t.Errorf("layout %q", o.Layout)
	}
	r.redo()
	if c := r.chat(); len(c.Muted) != 1 || len(c.Forgotten) != 0 || c.Layout != "" {
		t.Errorf("%+v", c)
	}
	h := r.say("2", note("beds.md"), note("tools/rake.md"))
	if at := h.envelope().Attached; at[0].State != "muted" || at[1].State != "known" {
		t.Errorf("%+v", at)
	}
}

// TestRedoAfterAChange: something else was done, so nothing can be brought back.
func TestRedoAfterAChange(t *testing.T) {
	r := newRig(t, garden, said("One.", "Two.")...)
	r.say("1", note("beds.md"))
	r.say("2", note("tools/rake.md"))
	r.undo()
	r.apply(chains.Change{Forget: []prompt.Ref{note("beds.md")}})
	if _, err := r.session.Redo(); !errors.Is(err, chains.ErrNothing) {
		t.Errorf("%v", err)
	}
	if c := r.chat(); len(c.Forgotten) != 1 {
		t.Errorf("%+v", c.Forgotten)
	}
}

func TestUndoAfterReopen(t *testing.T) {
	r := newRig(t, garden, said("One.", "Two.", "Three.")...)
	r.say("1", note("beds.md"))
	in := chains.Input{Text: "2", Active: note("tools/rake.md"), Open: note("tools/rake.md"), Pins: []prompt.Ref{note("tools/spade.md")}}
	in.Pinned = in.Pins
	r.send(in).ended(chains.FinishStop)
	r.reopen()
	u := r.undo()
	if u.Turn.Text != "2" || u.Turn.Active != in.Active || !slices.Equal(u.Turn.Pins, in.Pins) || len(u.Turn.Attach) != 0 {
		t.Errorf("%+v", u.Turn)
	}
	r.holds("u 1", "a One.")
	r.say("3")
	r.wants(r.sent(), "oriole")
	r.lacks(r.sent(), "finch", "wren", "Two.")
}

func TestRetryAfterReopen(t *testing.T) {
	r := newRig(t, garden, said("One.", "Two.", "Three.")...)
	r.say("1", note("beds.md"))
	r.send(chains.Input{Text: "2", Active: note("tools/rake.md")}).ended(chains.FinishStop)
	context := r.file()[strings.Index(r.file(), "[Context: Active"):]
	context = context[:strings.Index(context, "\n")]
	r.reopen()
	r.retry().ended(chains.FinishStop)
	r.holds("u 1", "a One.", "u 2", "a Three.")
	r.wants(r.sent(), "<active_note>", "oriole")
	r.wants(r.file(), context)
}

// TestForgotten: what was withdrawn stays so through everything but naming it
// again for a turn.
func TestForgotten(t *testing.T) {
	t.Parallel()
	rake := note("tools/rake.md")
	forgot := func(t *testing.T) *rig {
		r := newRig(t, garden, said("One.", "Two.")...)
		r.model.Add(chaintest.Reply{Func: func(chains.Request) chaintest.Reply { return chaintest.Reply{Text: "Well."} }})
		r.say("1", rake, note("beds.md"))
		r.say("2 @tools/rake.md")
		r.apply(chains.Change{Forget: []prompt.Ref{rake}})
		return r
	}
	for name, act := range map[string]func(r *rig){
		"the next turn": func(r *rig) { r.say("3") },
		"undo":          func(r *rig) { r.say("3"); r.undo(); r.undo(); r.say("3") },
		"retry":         func(r *rig) { r.retry().ended(chains.FinishStop) },
		"retry after a turn": func(r *rig) {
			r.say("3")
			r.retry().ended(chains.FinishStop)
		},
		"reopen":       func(r *rig) { r.reopen(); r.say("3") },
		"retry reopen": func(r *rig) { r.reopen(); r.retry().ended(chains.FinishStop) },
		"undo reopen":  func(r *rig) { r.reopen(); r.undo(); r.say("3") },
		"a folder":     func(r *rig) { r.say("3 @tools/") },
		"a tag":        func(r *rig) { r.say("3 #tools") },
		"a pin": func(r *rig) {
			if h := r.send(chains.Input{Text: "3", Pins: []prompt.Ref{rake}}); len(h.notices("forgotten_note")) != 1 {
				t.Errorf("notices %q", h.notices(""))
			}
		},
		"the active note": func(r *rig) { r.send(chains.Input{Text: "3", Active: rake, Open: rake}) },
		"a failure": func(r *rig) {
			r.model.Add(chaintest.Reply{Func: func(q chains.Request) chaintest.Reply {
				if q.Question == "3" {
					return chaintest.Reply{}
				}
				return chaintest.Reply{Text: "Well."}
			}})
			r.say("fill")
			r.send(chains.Input{Text: "3"}).ended(chains.FinishError)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := forgot(t)
			act(r)
			r.lacks(r.sent(), "finch")
			r.wants(r.sent(), "oriole")
			if c := r.chat(); !slices.Contains(c.Forgotten, rake) {
				t.Errorf("forgotten: %v", c.Forgotten)
			}
			r.reopen()
			r.say("4")
			r.lacks(r.sent(), "finch")
			r.say("5", rake) // naming it takes that back
			r.wants(r.sent(), "finch")
			r.undo()
			r.reopen()
			r.say("6")
			r.lacks(r.sent(), "finch") // and undoing that forgets it again
		})
	}
}

// TestForgetWhole: a folder, a tag and a note take along what they brought.
func TestForgetWhole(t *testing.T) {
	for _, ref := range []prompt.Ref{{Kind: prompt.Folder, ID: "tools/"}, {Kind: prompt.Tag, ID: "#tools"}, note("tools/rake.md")} {
		t.Run(ref.ID, func(t *testing.T) {
			r := newRig(t, garden, said("One.", "Two.", "Three.", "Four.")...)
			r.say("1 @tools/rake.md#L1-L1 #tools")
			r.wants(r.sent(), "finch")
			r.apply(chains.Change{Forget: []prompt.Ref{ref}})
			r.say("2")
			r.lacks(r.sent(), "finch")
			r.reopen()
			r.say("3")
			r.lacks(r.sent(), "finch")
			r.say("4", ref)
			r.wants(r.sent(), "finch")
		})
	}
}

// TestRetryKeepsRefresh: what was asked for between the turns holds for the turn
// that runs again.
func TestRetryKeepsRefresh(t *testing.T) {
	r := newRig(t, garden, said("One.", "Two.", "Three.")...)
	r.begin(func(o *chains.Options) { o.Layout = prompt.Append })
	r.say("1", note("beds.md"))
	r.say("2")
	r.apply(chains.Change{Refresh: true})
	h := r.retry().ended(chains.FinishStop)
	if e := h.envelope().Epoch; !e.New || e.Cause != prompt.CauseRefresh {
		t.Errorf("%+v", e)
	}
}

// TestUnmutedSince: a turn that runs again sees what is muted now.
func TestUnmutedSince(t *testing.T) {
	r := newRig(t, garden, said("One.", "Two.", "Three.", "Four.")...)
	r.say("1", note("beds.md"))
	r.apply(chains.Change{Mute: []prompt.Ref{note("beds.md")}})
	r.say("2", note("beds.md"))
	r.apply(chains.Change{Unmute: []prompt.Ref{note("beds.md")}})
	if at := r.retry().ended(chains.FinishStop).envelope().Attached; len(at) != 1 || at[0].State == "muted" {
		t.Errorf("%+v", at)
	}
}

// TestEditAndSendAgain holds S0-65: a message that is taken back, edited and sent
// again has the context that it had; of its request only the question differs.
func TestEditAndSendAgain(t *testing.T) {
	for _, layout := range []prompt.Layout{prompt.Auto, prompt.Strict, prompt.Append} {
		r := newRig(t, garden, said("One.", "Two.", "Three.")...).begin(func(o *chains.Options) { o.Layout = layout })
		r.say("1", note("beds.md"))
		before := r.say("2 of @tools/rake.md", note("tools/spade.md")).envelope()
		in := r.undo().Turn
		in.Text = strings.Replace(in.Text, "2", "another question", 1)
		after := r.send(in).ended(chains.FinishStop).envelope()
		for _, layer := range []string{"L1", "L2", "L3", "L4"} {
			if before.Text(layer) != after.Text(layer) {
				t.Errorf("%s: %s was\n%s\nis\n%s", layout, layer, before.Text(layer), after.Text(layer))
			}
		}
		if after.Text("L5") != in.Text {
			t.Errorf("%s: %q", layout, after.Text("L5"))
		}
	}
}
