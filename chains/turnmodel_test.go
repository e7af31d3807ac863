package chains_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
)

// TestTurnModel: another model answers one turn, also when that runs again; the chat
// keeps its own.
func TestTurnModel(t *testing.T) {
	r := newRig(t, garden, textReplies("One.", "Two.", "Two again.", "Three.", "Two once more.")...)
	other := chains.Input{Text: "2", Model: &chains.Options{Model: r.model, ModelName: "other"}}
	r.say("1")
	r.send(other).ended(chains.FinishStop)
	if now := r.session.Snapshot(); now.Model != "m" || r.session.Options().ModelName != "m" || r.chat().Model != "m" {
		t.Errorf("after the turn the chat has %q, %q and %q", now.Model, r.session.Options().ModelName, r.chat().Model)
	}
	collect(t, r.session.Retry(t.Context())).ended(chains.FinishStop)
	if _, err := r.session.Undo(t.Context()); err != nil { // the other reply
		t.Fatal(err)
	}
	r.holds("u 1", "a One.", "u 2", "a Two.")
	r.say("3")
	if u, err := r.session.Undo(t.Context()); err != nil || u.Change != "" || u.Turn.Text != "3" {
		t.Errorf("undo: %+v, %v", u, err)
	}
	collect(t, r.session.Retry(t.Context())).ended(chains.FinishStop)
	var asked []string
	for _, q := range r.model.Requests() {
		asked = append(asked, q.Model)
	}
	is(t, asked, []string{"m", "other", "other", "m", "other"})
	if !strings.Contains(r.file(), "modelKey: \"m\"") {
		t.Errorf("the file names another model:\n%s", r.file())
	}
}

// TestRetryWith: another model answers the last question once more; a retry asks the
// chat's own again.
func TestRetryWith(t *testing.T) {
	r := newRig(t, garden, textReplies("One.", "One of another.", "One again.")...)
	r.say("1")
	collect(t,
		chains.RetryWith(t.Context(), r.session,
			&chains.Options{Model: r.model, ModelName: "other"})).ended(chains.FinishStop)
	chat := r.chat()
	ends, shown := chat.Ends(0)
	if len(ends) != 2 || ends[0].Model != "m" || ends[1].Model != "other" || shown != 1 || chat.Model != "m" ||
		r.session.Options().ModelName != "m" {
		t.Errorf("%d of %+v, of a chat with %s", shown, ends, chat.Model)
	}
	collect(t, r.session.Retry(t.Context())).ended(chains.FinishStop)
	if q := r.model.Requests(); q[1].Model != "other" || q[2].Model != "m" {
		t.Errorf("asked %q and then %q", q[1].Model, q[2].Model)
	}
}

// TestTurnModelFails: a turn with another model that does not begin leaves the chat as
// it was.
func TestTurnModelFails(t *testing.T) {
	r := newRig(t, garden)
	r.disk.before = func() error { return errors.New("no room") }
	h := r.send(chains.Input{Text: "1", Model: &chains.Options{Model: r.model, ModelName: "other"}})
	if now := r.session.Snapshot(); h.err == nil || now.Model != "m" || now.Turns != 0 {
		t.Errorf("%v, then %+v", h.err, now)
	}
}

// TestFoundModel: a chat without a model names the one that was found for it before
// anything of the reply, and its file does too, however the turn ends.
func TestFoundModel(t *testing.T) {
	broken := &chains.ProviderError{Kind: chains.ErrServer, Message: "The server failed."}
	tests := map[string]struct {
		reply chaintest.Reply
		stop  bool // at once
		ends  chains.Finish
	}{
		"whole":   {reply("One."), false, chains.FinishStop},
		"stopped": {reply("One."), true, chains.FinishCancelled},
		"failed":  {chaintest.Reply{Err: broken}, false, chains.FinishError},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, garden)
			tt.reply.Model = &chains.Options{Model: r.model, ModelName: "found", Window: 9000}
			r.model.Add(tt.reply, reply("Two."))
			r.begin(func(o *chains.Options) { o.ModelName = "" })
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var end chains.Finish
			named := false
			for e := range eventsOf(t, r.session.Send(ctx, chains.Input{Text: "1"})) {
				switch e := e.(type) {
				case chains.AnsweringModel:
					named = e.Options.ModelName == "found"
				case chains.Saved:
					if named && tt.stop {
						cancel()
					}
				case chains.TextDelta:
					if !named {
						t.Error("text comes before the model is named")
					}
				case chains.Done:
					end = e.Finish
				}
			}
			if end != tt.ends || !named {
				t.Errorf("ended with %q, model named: %t", end, named)
			}
			if now := r.session.Options(); now.ModelName != "found" || now.Window != 9000 ||
				r.session.Snapshot().Model != "found" {
				t.Errorf("the chat goes on with %q, window %d", now.ModelName, now.Window)
			}
			if !strings.Contains(r.file(), `modelKey: "found"`) {
				t.Errorf("the file does not name it:\n%s", r.file())
			}
			r.say("2")
			if all := r.model.Requests(); all[len(all)-1].Model != "found" {
				t.Errorf("the next turn asks %q", all[len(all)-1].Model)
			}
		})
	}
}
