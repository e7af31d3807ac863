package chains_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"ibid/chains"
)

// TestTurnModel: another model answers one turn, also when that runs again; the chat
// keeps its own.
func TestTurnModel(t *testing.T) {
	r := newRig(t, garden, said("One.", "Two.", "Two again.", "Three.", "Two once more.")...)
	other := chains.Input{Text: "2", Model: &chains.Options{Model: r.model, ModelName: "other"}}
	r.say("1")
	r.send(other).ended(chains.FinishStop)
	if now := r.session.Snapshot(); now.Model != "m" || r.session.Options().ModelName != "m" || r.chat().Model != "m" {
		t.Errorf("after the turn the chat has %q, %q and %q", now.Model, r.session.Options().ModelName, r.chat().Model)
	}
	collect(t, r.session.Retry(t.Context())).ended(chains.FinishStop)
	if _, _, err := r.session.Undo(t.Context()); err != nil { // the other reply
		t.Fatal(err)
	}
	r.holds("u 1", "a One.", "u 2", "a Two.")
	r.say("3")
	if u, _, err := r.session.Undo(t.Context()); err != nil || u.Change != "" || u.Turn.Text != "3" {
		t.Errorf("undo: %+v, %v", u, err)
	}
	p, err := r.session.BeginRetry(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	collect(t, p.Send(t.Context())).ended(chains.FinishStop)
	var asked []string
	for _, q := range r.model.Requests() {
		asked = append(asked, q.Model)
	}
	if want := []string{"m", "other", "other", "m", "other"}; !slices.Equal(asked, want) {
		t.Errorf("asked %q, want %q", asked, want)
	}
	if !strings.Contains(r.file(), "modelKey: \"m\"") {
		t.Errorf("the file names another model:\n%s", r.file())
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
