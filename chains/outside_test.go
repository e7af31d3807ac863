package chains_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
	"ibid/history"
)

const theirs = "\n\n**user**: written elsewhere\n[Timestamp: 2025/01/27 12:00:00]\n\n**ai**: so it was\n[Timestamp: 2025/01/27 12:00:01]"

func appended(file string) string { return file + theirs }

// TestOutsideProperty: a property or a blank line is nothing that was said: the
// conversation goes on, and so does the provider's cache.
func TestOutsideProperty(t *testing.T) {
	r := newRig(t, garden, textReplies("One.", "Two.", "Three.", "Four.")...)
	r.begin(func(o *chains.Options) { o.Layout = prompt.Append })
	r.say("1", note("beds.md"))
	r.outside(func(s string) string { return strings.Replace(s, "ibid:\n", "mood: sunny\nibid:\n", 1) })
	if e := r.say("2").envelope().Epoch; e.New {
		t.Errorf("a property began an epoch: %+v", e)
	}
	r.wants(r.file(), "mood: sunny")
	path := value(r.store.Rename(r.chat().Path, "Beds and tools"))(t)
	check(t, r.session.SetTitle("Beds and tools"))
	if e := r.say("3").envelope().Epoch; e.New || r.session.Snapshot().Path != string(path) {
		t.Errorf("a name began an epoch: %+v, %s", e, r.session.Snapshot().Path)
	}
}

// TestOutsideWhileStreaming: the same while a reply is being written, the same
// question twice included.
func TestOutsideWhileStreaming(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, garden, textReplies("One.")...)
		r.say("again")
		r.model.Add(chaintest.Reply{
			Chunks: []string{"Two ", "is ", "here. [NOTE TO SELF: n]"},
			Delay:  1200 * time.Millisecond,
		}, reply("Three."))
		edited := false
		for e := range eventsOf(t, r.session.Send(t.Context(), chains.Input{Text: "again"})) {
			if _, ok := e.(chains.TextDelta); ok && !edited {
				edited = true
				r.outside(func(s string) string {
					return strings.Replace(s, "\n\n**ai**: One.", "\n\n**ai**: An older thought.\n[Timestamp: 2025/01/27 12:00:01]\n\n**user**: again\n[Timestamp: 2025/01/27 12:00:01]\n\n**ai**: One.", 1)
				})
			}
		}
		r.holds("u again", "a An older thought.", "u again", "a One.", "u again", "a Two is here.", "n n")
		r.say("on")
		r.wants(r.sent(), "An older thought.", "Two is here.")
	})
}

// TestOutsideAndRetry: what was written elsewhere while a turn ran again is not
// lost when nothing comes of the turn.
func TestOutsideAndRetry(t *testing.T) {
	r := newRig(t, garden, textReplies("One.")...)
	r.say("1")
	r.model.Add(chaintest.Reply{Func: func(chains.Request) chaintest.Reply {
		r.outside(appended)
		return chaintest.Reply{Err: &chains.ProviderError{Kind: chains.ErrServer, Message: "down"}}
	}})
	r.retry().ended(chains.FinishError)
	r.model.Add(textReplies("Two.")...)
	r.say("2")
	r.holds("u 1", "a One.", "u written elsewhere", "a so it was", "u 2", "a Two.")
}

// TestOutsideRewritten: where both changed the same, the chat goes on in a file
// of its own.
func TestOutsideRewritten(t *testing.T) {
	r := newRig(t, garden, textReplies("One.", "Two.", "Three.")...)
	r.say("1")
	old := r.chat().Path
	r.outside(func(string) string { return "**user**: mine now\n" })
	h := r.say("2")
	is(t, len(h.notices("conflict")), 1, h.notices(""))
	r.holds("u 1", "a One.", "u 2", "a Two.")
	if r.chat().Path == old || r.read(old) != "**user**: mine now\n" {
		t.Errorf("%s: %q", r.chat().Path, r.read(old))
	}
	r.say("3")
	r.holds("u 1", "a One.", "u 2", "a Two.", "u 3", "a Three.")
}

// TestReadOnly: a chat that another process has open is shown and not changed.
func TestReadOnly(t *testing.T) {
	locks := t.TempDir()
	r := newRig(t, garden, textReplies("One.")...)
	first := value(history.NewStore(r.vault, history.Options{StateDir: locks}))(t)
	defer func() { _ = first.Close() }()
	r.begin(func(o *chains.Options) { o.Store = first })
	r.say("1")
	second := value(history.NewStore(r.vault, history.Options{StateDir: locks}))(t)
	defer func() { _ = second.Close() }()
	before := r.file()
	chat, warnings, err := second.Open(r.chat().Path)
	if err != nil || !chat.ReadOnly || len(warnings) != 1 {
		t.Fatalf("%v, %v", warnings, err)
	}
	r.opts.Store = second
	if r.session, _, err = chains.Reopen(t.Context(), r.opts, chat); err != nil || !r.session.Snapshot().ReadOnly {
		t.Fatal(err)
	}
	for name, h := range map[string]turnResult{"send": r.send(chains.Input{Text: "2"}), "retry": r.retry()} {
		if h.err == nil || !strings.Contains(h.err.Error(), "read-only") || len(h.events) > 0 {
			t.Errorf("%s: %v\n%s", name, h.err, h)
		}
	}
	if _, err := r.session.Undo(t.Context()); err == nil {
		t.Error("undone")
	}
	if env, _, err := r.session.Preview(t.Context(), chains.Input{Text: "2"}); err != nil ||
		!strings.Contains(env.Dump(), "One.") {
		t.Errorf("%v", err)
	}
	if r.file() != before || len(r.chat().Messages) != 2 || len(r.model.Requests()) != 1 {
		t.Errorf("changed:\n%s", r.file())
	}
}
