package history

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"ibid/context/prompt"
)

// newTalk returns a chat of questions and replies, a minute apart.
func newTalk(texts ...string) Chat {
	c := Chat{Epoch: 1764000000000, Model: "m"}
	for i, text := range texts {
		role := User
		if i%2 == 1 {
			role = Assistant
		}
		c.Messages = append(c.Messages, Message{Role: role, Text: text, Time: time.Unix(1764000000+60*int64(i), 0).UTC()})
	}
	return c
}

// again answers the last turn anew.
func again(c *Chat, text string) {
	c.Restart(c.LastTurn())
	c.Messages = append(c.Messages, Message{
		Role: Assistant, Text: text, Time: c.Messages[c.LastTurn()].Time.Add(time.Hour),
	})
}

// saved returns a chat after it was written and read.
func saved(t *testing.T, c *Chat) Chat {
	t.Helper()
	got, warnings, err := decode(Encode(c), time.UTC)
	if err != nil || len(warnings) > 0 {
		t.Fatalf("%v, %+v\n%s", err, warnings, Encode(c))
	}
	return got
}

// TestDamagedVariants: a line that cannot be read costs that line.
func TestDamagedVariants(t *testing.T) {
	c := newTalk("q1", "one", "q2", "two")
	for i := range 10 {
		again(&c, fmt.Sprint("n", i))
	}
	file := Encode(&c)
	start := strings.Index(string(file), variantsOpen)
	end := start + strings.Index(string(file[start:]), "-->")
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		data := slices.Clone(file)
		at := start + len(variantsOpen) + 1 + random.IntN(end-start-len(variantsOpen)-2)
		if data[at] == '\n' {
			continue
		}
		data[at] = byte(32 + random.IntN(95))
		got := read(t, data)
		kept, _ := got.Ends(got.LastTurn())
		first, _ := got.Ends(0)
		if n := len(kept) + len(first) + len(got.Undone); n < 11 {
			t.Fatalf("%d of 12 ends are left of\n%s", n, data[start:end])
		}
		if text, _ := kept[len(kept)-1].Reply(); len(got.Messages) != 4 || text == "" {
			t.Fatalf("the chat is %+v", got.Messages)
		}
	}
	lines := strings.Split(string(file[start:end]), "\n")
	conflict := strings.Replace(string(file), lines[2], "<<<<<<< HEAD\n"+lines[2]+"\n=======\n"+lines[2]+"\n"+
		strings.Replace(lines[2], `"x":"n0"`, `"x":"theirs"`, 1)+"\n>>>>>>> other", 1)
	got, warnings, err := decode([]byte(conflict), time.UTC)
	if kept, _ := got.Ends(got.LastTurn()); err != nil || len(warnings) != 1 || len(kept) != 12 {
		t.Errorf("%v, %+v, %d ends after a conflict", err, warnings, len(kept))
	}
}

// TestWithdrawn: what is withdrawn is named nowhere in the file, whatever kind it is of.
func TestWithdrawn(t *testing.T) {
	for _, k := range prompt.Kinds {
		if k.Label == "" {
			continue
		}
		ref := prompt.Ref{Kind: k.Kind, ID: "Secret thing"}
		c := newTalk("q1", "one")
		c.Messages[0].Context = ContextOf([]prompt.Ref{ref, {Kind: prompt.Note, ID: "a.md"}}, "", nil)
		if !strings.Contains(string(Encode(&c)), "Secret") {
			t.Fatalf("%s: the file does not name it", k.Label)
		}
		c.Withdraw([]prompt.Ref{ref})
		if file := string(Encode(&c)); strings.Contains(file, "Secret") || !strings.Contains(file, "a.md") {
			t.Errorf("%s: the file is\n%s", k.Label, file)
		}
	}
}

// TestThought: what a model thought before a reply comes back from the file, also
// beside other replies, and from one that another program has written anew.
func TestThought(t *testing.T) {
	c := newTalk("q1", "one", "q2", "two")
	c.Messages[1].Thought = "hm\n\n**ai**: hm"
	c.Messages[3].Thought = "first"
	again(&c, "second")
	for _, got := range []Chat{saved(t, &c), func() Chat { once := saved(t, &c); return saved(t, &once) }()} {
		if m := got.Messages[1]; m.Thought != c.Messages[1].Thought || m.Text != "one" || got.Messages[3].Thought != "" {
			t.Errorf("%+v", got.Messages)
		}
		if ok := got.Show(2, 0); !ok || got.Messages[3].Thought != "first" || got.Messages[3].Text != "two" {
			t.Errorf("%v, %+v", ok, got.Messages[3])
		}
	}
	c.Messages[1].Thought = ""
	if got := saved(t, &c); got.Messages[1].Thought != "" || got.Messages[1].Text != "one" {
		t.Errorf("%+v", got.Messages[1])
	}
}

// turnStart returns the index of the question of the n-th turn, counted from 1; -1 if there are
// fewer.
func turnStart(c *Chat, n int) int {
	for turn, at := range c.Questions() {
		if turn == n {
			return at
		}
	}
	return -1
}
