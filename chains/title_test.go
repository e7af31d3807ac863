package chains_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
)

// named returns a session whose model answers requests for a title with title.
func named(t *testing.T, title chaintest.Reply, titles chains.Titles) *rig {
	return newRig(t, garden, chaintest.Reply{Func: func(r chains.Request) chaintest.Reply {
		if strings.HasPrefix(r.Messages[len(r.Messages)-1].Content, "Before we go on: give our conversation so far a title") {
			return title
		}
		return chaintest.Reply{
			Text:  "Tulips. [NOTE TO SELF: red]",
			Usage: &chains.Usage{Prompt: 100, Completion: 10, Cached: -1, CacheWrite: -1, Reasoning: -1, Cost: 0.1},
		}
	}}).begin(func(o *chains.Options) { o.Background.Titles = titles })
}

// name asks for a title and applies it.
func (r *rig) name(first bool) (string, error) {
	r.Helper()
	n, err := r.session.Naming(first)
	if err != nil || n == nil {
		return "", err
	}
	n.Ask(r.Context())
	return n.Apply()
}

func (r *rig) onDisk() string {
	r.Helper()
	data := value(os.ReadFile(filepath.Join(r.vault.Dir(), r.session.Snapshot().Path)))(r)
	return string(data)
}

// TestTitle: the title is asked for with one more message behind the request that
// was answered, stands in the file, which keeps its name, and its price is counted.
func TestTitle(t *testing.T) {
	r := named(t,
		chaintest.Reply{
			Text: "\n**Title: \"Tulips: where they stand.\"**\nMore",
			Usage: &chains.Usage{
				Prompt: 130, Cached: 100, Completion: 5, CacheWrite: -1, Reasoning: -1,
				Cost: 0.01,
			},
		}, chains.Titles{Ask: true, Auto: true})
	if got, err := r.name(true); got != "" || err != nil {
		t.Errorf("before anything was said: %q, %v", got, err)
	}
	r.say("Where are the tulips?", note("beds.md"))
	path := r.session.Snapshot().Path
	got, err := r.name(true)
	if err != nil || got != "Tulips where they stand" {
		t.Fatalf("named %q, %v", got, err)
	}
	all := r.model.Requests()
	turn, title := all[len(all)-2], all[len(all)-1]
	if n := len(turn.Messages); len(title.Messages) != n+2 || title.MaxTokens > 30 || title.MaxTokens == 0 ||
		title.CacheKey != turn.CacheKey || title.Model != turn.Model {
		t.Errorf("asked with %+v after %+v", title, turn)
	}
	for i, m := range turn.Messages {
		if !sameMessage(m, title.Messages[i]) {
			t.Errorf("message %d differs: a cache would end there", i)
		}
	}
	if reply := title.Messages[len(turn.Messages)]; reply.Role != prompt.Assistant ||
		reply.Content != "Tulips. [NOTE TO SELF: red]" {
		t.Errorf("the reply went as %+v", reply)
	}
	now := r.session.Snapshot()
	if now.Title != got || now.Path != path || now.Turns != 1 {
		t.Errorf("the session has %+v", now)
	}
	if file := r.onDisk(); !strings.Contains(file, "\ntopic: \"Tulips where they stand\"\n") {
		t.Errorf("the file:\n%s", file)
	}
	chat, err := r.session.Chat()
	if err != nil || len(chat.Totals) != 1 {
		t.Fatalf("%v, %v", chat.Totals, err)
	}
	if u := chat.Totals[0]; u.Turns != 1 || u.Usage.Prompt != 230 || u.Usage.Cached != 100 ||
		u.Usage.Completion != 15 || u.Usage.Cost < 0.109 || u.Usage.Cost > 0.111 {
		t.Errorf("spent %+v", u)
	}
	if got, err := r.name(true); got != "" || err != nil || len(r.model.Requests()) != len(all) {
		t.Errorf("asked twice: %q, %v", got, err)
	}
	// The next turn goes on from the turn, as if nothing had been asked.
	r.say("And?")
	if last := strings.Join(lines(r.model.Requests()[len(all)].Messages), "\n"); strings.Contains(last,
		"title of at most") || strings.Contains(last, "where they stand") {
		t.Errorf("the next turn:\n%s", last)
	}
}

// TestTitleIsThePersons: a title that somebody gave is not overwritten, whenever it
// was given.
func TestTitleIsThePersons(t *testing.T) {
	r := named(t, reply("Tulips"), chains.Titles{Ask: true, Auto: true})
	r.say("Where are the tulips?")
	n, err := r.session.Naming(true)
	if err != nil || n == nil {
		t.Fatal(n, err)
	}
	n.Ask(t.Context())
	check(t, r.session.SetTitle("Mine"))
	if got, err := n.Apply(); got != "" || err != nil {
		t.Errorf("applied as %q, %v", got, err)
	}
	if now := r.session.Snapshot(); now.Title != "Mine" || !strings.Contains(r.onDisk(), "topic: \"Mine\"") {
		t.Errorf("called %q", now.Title)
	}
	if got, err := r.name(true); got != "" || err != nil {
		t.Errorf("asked for %q, %v", got, err)
	}
	if got, err := r.name(false); got != "Tulips" || err != nil {
		t.Errorf("asked by the person: %q, %v", got, err)
	}
}

// TestTitleFails: what goes wrong changes nothing, and a title is not asked for
// where that is not wanted.
func TestTitleFails(t *testing.T) {
	for name, reply := range map[string]chaintest.Reply{
		"failure": {Err: &chains.ProviderError{Kind: chains.ErrServer, Message: "down"}},
		"silence": {Text: " \n"},
		"quotes":  {Text: "\"??\""},
		"call":    {ToolCalls: []prompt.ToolCall{{ID: "1", Name: "x"}}},
	} {
		r := named(t, reply, chains.Titles{Ask: true, Auto: true})
		r.say("Where are the tulips?")
		before := r.onDisk()
		if got, err := r.name(true); got != "" || err == nil {
			t.Errorf("%s: named %q, %v", name, got, err)
		}
		is(t, r.onDisk(), before, name)
	}
	r := named(t, reply("Tulips"), chains.Titles{})
	r.say("Where are the tulips?")
	if got, err := r.name(true); got != "" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := r.name(false); got != "" || !errors.Is(err, chains.ErrNoTitle) || len(r.model.Requests()) != 1 {
		t.Errorf("%q, %v", got, err)
	}
	r = named(t, reply("Tulips"), chains.Titles{Ask: true}).begin(func(o *chains.Options) {})
	r.say("Where are the tulips?")
	if got, err := r.name(true); got != "" || err != nil {
		t.Errorf("unbidden: %q, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	n := value(r.session.Naming(false))(t)
	cancel()
	if n.Ask(ctx); func() error { _, err := n.Apply(); return err }() == nil {
		t.Error("a title that was given up came")
	}
}

// TestTitleAfterChange: what was forgotten since the last turn is not sent for a
// title; another model, and a chat that was reopened, get the beginning alone.
func TestTitleAfterChange(t *testing.T) {
	titles := chains.Titles{Ask: true, Auto: true}
	r := named(t, reply("Tulips"), titles)
	r.say("Where are the tulips?", note("beds.md"))
	check(t, r.session.Apply(chains.Change{Forget: []prompt.Ref{note("beds.md")}}))
	if got, err := r.name(false); got != "Tulips" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	r.lacks(r.sent(), "oriole")

	other := chaintest.New(reply("From another"))
	titles.Model, titles.Name = other, "small"
	r = named(t, chaintest.Reply{}, titles)
	r.say("Where are the tulips? "+strings.Repeat("long ", 200), note("beds.md"))
	if got, err := r.name(true); got != "From another" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	asked := other.Requests()[0]
	if text := asked.Messages[0].Content; len(asked.Messages) != 1 || asked.Model != "small" ||
		len(asked.Documents) != 0 || asked.CacheKey != "" || len(text) > 1000 ||
		!strings.Contains(text, "assistant: Tulips.") || strings.Contains(text, "red") {
		t.Errorf("asked with %+v", asked)
	}
	chat := value(r.session.Chat())(t)
	if len(chat.Totals) != 1 || chat.Totals[0].Model != "m" { // the script of the other model reports nothing
		t.Errorf("spent %+v", chat.Totals)
	}
	chat.Title = ""
	again, _, err := chains.Reopen(t.Context(), r.opts, chat)
	check(t, err)
	if n, err := again.Naming(true); n != nil || err != nil {
		t.Errorf("a chat that was reopened is named unbidden: %v, %v", n, err)
	}
	if n, err := again.Naming(false); n == nil || err != nil {
		t.Errorf("%v, %v", n, err)
	}
}

// TestSummaryIsCounted: what a summary costs stands in the totals.
func TestSummaryIsCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newLadderSession(t,
			chaintest.Reply{
				Text:  "They spoke.",
				Usage: &chains.Usage{Prompt: 7, Completion: 3, Cached: -1, CacheWrite: -1, Reasoning: -1, Cost: -1},
			})
		r.climb()
		chat, err := r.session.Chat()
		if err != nil || len(chat.Totals) != 1 || chat.Totals[0].Usage.Prompt != 7 || chat.Totals[0].Turns != 0 {
			t.Errorf("%+v, %v", chat.Totals, err)
		}
		if err := r.session.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestTokensAside: a model that thinks gets room for that in what is no turn.
func TestTokensAside(t *testing.T) {
	thinks := func(string) bool { return true }
	for most, thinking := range map[int]func(string) bool{30: nil, 30 + 8192: thinks} {
		r := named(t, reply("Tulips"), chains.Titles{Ask: true})
		r.begin(func(o *chains.Options) { o.Background.Titles, o.Background.Thinks = chains.Titles{Ask: true}, thinking })
		r.say("Where are the tulips?")
		value(r.name(false))(t)
		all := r.model.Requests()
		is(t, all[len(all)-1].MaxTokens, most)
	}
}
