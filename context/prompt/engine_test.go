package prompt

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
)

func note(path, content string) Item {
	title := strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ".md")
	return NewItem(Ref{Note, path}, title, path, content)
}

// say runs one turn and commits the reply.
func say(t *testing.T, c Conversation, turn Turn, reply string) (Conversation, Envelope) {
	t.Helper()
	env, err := c.Prepare(turn)
	check(t, err)
	if env.Break != nil {
		t.Fatalf("prefix broke without a cause: %+v", *env.Break)
	}
	return env.Commit(reply, ""), env
}

func lastMessage(e Envelope) string {
	m := e.Messages()
	return m[len(m)-1].Content
}

// TestUserMessageBytes compares the one block with fixed bytes (S0-28): references to known
// items, one new item, the question.
func TestUserMessageBytes(t *testing.T) {
	set := Settings{L1: "SYSTEM"}
	var c Conversation
	c, _ = say(t, c, Turn{Text: "hi", Settings: set, Layout: Strict, Attached: []Item{
		note("Piano Lessons/Lesson 4.md", "scales"), note("DailyNotes/2025-09-27.md", "monday"),
	}}, "ok")
	fresh := NewItem(Ref{Note, "path/to/new.md"}, "New Note", "path/to/new.md", "full content here")
	_, env := say(t, c, Turn{Text: "What is the lesson plan for today?", Settings: set, Layout: Strict, Attached: []Item{
		note("Piano Lessons/Lesson 4.md", "scales"), note("DailyNotes/2025-09-27.md", "monday"), fresh,
	}}, "ok")
	got := lastMessage(env)
	sum := sha256.Sum256([]byte(got))
	if want := "6749c7ed7c02990b52759913aaa0d2131d5e2e0a0bd76df24781495b2ac4fbcf"; len(got) != 326 ||
		hex.EncodeToString(sum[:]) != want {
		t.Errorf("%d bytes, sha256 %x:\n%s", len(got), sum, got)
	}
}

// TestIncludeImages: of a project's note that the strict layout leaves out nothing
// is said, since no request had it.
func TestIncludeImages(t *testing.T) {
	it := NewItem(Ref{Note, "trip.md"}, "trip", "trip.md", "![[a.png]]")
	it.HasImages = true
	env, err := Conversation{}.Include([]Item{it}).Prepare(Turn{Text: "Where?", Layout: Strict})
	check(t, err)
	if dump := env.Dump(); strings.Contains(dump, "trip.md") {
		t.Errorf("%s", dump)
	}
}

// TestProjectFollowsMove: a note that moves to the path of a project's note is the
// project's from then on, and its changes are sent.
func TestProjectFollowsMove(t *testing.T) {
	var c Conversation
	c, _ = say(t, c, Turn{Text: "one", Attached: []Item{note("draft.md", "text")}}, "ok")
	project := []Ref{{Note, "plan.md"}}
	c, _ = say(t, c, Turn{
		Text: "two", Project: project, Moves: []Move{{Ref{Note, "draft.md"}, note("plan.md", "text")}},
	}, "ok")
	_, env := say(t, c, Turn{
		Text: "three", Project: project,
		Current: map[string]Current{"plan.md": {State: Changed, Item: note("plan.md", "other words")}},
	}, "ok")
	if got := lastMessage(env); !strings.Contains(got, "other words") {
		t.Errorf("the change was not sent:\n%s", got)
	}
}
