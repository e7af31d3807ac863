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

// talked is a chat of questions and replies, a minute apart.
func talked(texts ...string) Chat {
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
	c.Messages = append(c.Messages, Message{Role: Assistant, Text: text, Time: c.Messages[c.LastTurn()].Time.Add(time.Hour)})
}

// ends is what a chat holds of its turns, a line each: the end that is shown has a
// star.
func ends(c *Chat) string {
	var b strings.Builder
	write := func(name string, ends []Variant, shown int) {
		b.WriteString(name)
		for k, v := range ends {
			text, status := v.Reply()
			mark := ""
			if k == shown {
				mark = "*"
			}
			fmt.Fprintf(&b, " %s%s/%s%s", mark, v.Messages[0].Text, text, status)
		}
		b.WriteString("\n")
	}
	for n := range c.Turns() {
		all, shown := c.Ends(turnStart(c, n+1))
		write(fmt.Sprint(n+1), all, shown)
	}
	for _, u := range c.Undone {
		write("-", u, -1)
	}
	return b.String()
}

func wantEnds(t *testing.T, c *Chat, want ...string) {
	t.Helper()
	if got := ends(c); got != strings.Join(want, "\n")+"\n" {
		t.Errorf("the turns are\n%swant\n%s", got, strings.Join(want, "\n"))
	}
}

// saved is a chat after it was written and read.
func saved(t *testing.T, c *Chat) Chat {
	t.Helper()
	got, warnings, err := decode(Encode(c), time.UTC)
	if err != nil || len(warnings) > 0 {
		t.Fatalf("%v, %+v\n%s", err, warnings, Encode(c))
	}
	return got
}

// TestVariants: the ends of turns stay through retries, switching and taking back,
// in memory and in the file, and other programs see the one that is shown.
func TestVariants(t *testing.T) {
	c := talked("q1", "one", "q2", "two")
	again(&c, "second")
	again(&c, "third")
	c = saved(t, &c)
	wantEnds(t, &c, "1 *q1/one", "2 q2/two q2/second *q2/third")
	if c.Show(c.LastTurn(), 2) || c.Show(c.LastTurn(), 3) || c.Show(c.LastTurn(), -1) || !c.Show(c.LastTurn(), 0) {
		t.Error("what can be shown is wrong")
	}
	c = saved(t, &c)
	wantEnds(t, &c, "1 *q1/one", "2 *q2/two q2/second q2/third")
	c.TakeBack()
	c.TakeBack()
	c = saved(t, &c)
	wantEnds(t, &c, "- q1/one", "- q2/two q2/second q2/third")
	c.Post(Message{Role: User, Text: "q1!"})
	c.Messages = append(c.Messages, Message{Role: Assistant, Text: "uno"})
	c = saved(t, &c)
	wantEnds(t, &c, "1 q1/one *q1!/uno", "- q2/two q2/second q2/third")
	if body := bodyOf(encode(&c, false)); strings.Contains(body, "two") || !strings.HasSuffix(body, "**user**: q1!\n[Timestamp: Unknown time]\n\n**ai**: uno\n[Timestamp: Unknown time]") {
		t.Errorf("others read\n%s", body)
	}
	c.Show(0, 0)
	c = saved(t, &c)
	wantEnds(t, &c, "1 *q1/one q1!/uno", "- q2/two q2/second q2/third")
	b := Branch(&c, 2, time.Unix(1764009999, 0))
	wantEnds(t, &b, "1 *q1/one q1!/uno")
}

// TestVariantsOfAnEditedFile: what others do to the messages leaves the variants
// with the turn of their question, or in their place.
func TestVariantsOfAnEditedFile(t *testing.T) {
	c := talked("q", "one", "q", "two", "r", "three")
	again(&c, "third")
	c.Messages[2].Variants = []Variant{{Messages: []Message{c.Messages[2], {Role: Assistant, Text: "second"}}}, {}}
	file := string(Encode(&c))
	turn := func(text string) string {
		_, rest, _ := strings.Cut(file, "**user**: "+text)
		return "**user**: " + text + rest
	}
	for name, tc := range map[string]struct {
		old, new string
		want     []string
	}{
		"nothing":      {"", "", []string{"1 *q/one", "2 q/second *q/two", "3 r/three *r/third"}},
		"a turn above": {turn("q"), "**user**: n\n\n" + turn("q"), []string{"1 *n/", "2 q/second *q/one", "3 *q/two", "4 r/three *r/third"}},
		"the reply":    {"**ai**: third", "**ai**: drittens", []string{"1 *q/one", "2 q/second *q/two", "3 r/three *r/drittens"}},
		"the question": {"**user**: r", "**user**: s", []string{"1 *q/one", "2 q/second *q/two", "3 s/three *s/third"}},
		"turns gone":   {"\n\n" + turn("r"), "", []string{"1 *q/one", "2 q/second *q/two q/three"}},
	} {
		got := read(t, strings.Replace(file, tc.old, tc.new, 1))
		t.Run(name, func(t *testing.T) { wantEnds(t, &got, tc.want...) })
	}
}

// TestDamagedVariants: a line that cannot be read costs that line.
func TestDamagedVariants(t *testing.T) {
	c := talked("q1", "one", "q2", "two")
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

// TestMergeVariants: both sides keep what they have, also when both answered the
// same turn anew.
func TestMergeVariants(t *testing.T) {
	base := talked("q1", "one", "q2", "two")
	for name, tc := range map[string]struct {
		ours, theirs func(*Chat)
		want         []string
	}{
		"both again": {
			func(c *Chat) { again(c, "ours") }, func(c *Chat) { again(c, "theirs") },
			[]string{"1 *q1/one", "2 q2/two *q2/ours q2/theirs"},
		},
		"they again, we another turn": {
			func(c *Chat) { c.Messages = append(c.Messages, talked("q3", "three").Messages...) }, func(c *Chat) { again(c, "theirs") },
			[]string{"1 *q1/one", "2 q2/two *q2/theirs", "3 *q3/three"},
		},
		"we again, they another turn": {
			func(c *Chat) { again(c, "ours") },
			func(c *Chat) { c.Messages = append(c.Messages, talked("q3", "three").Messages...) },
			[]string{"1 *q1/one", "2 q2/two *q2/ours", "3 *q3/three"},
		},
		"we took it back": {
			func(c *Chat) { c.TakeBack(); c.TakeBack() }, func(c *Chat) { again(c, "theirs") },
			[]string{"- q1/one", "- q2/two"},
		},
		"Copilot rewrote it": {
			func(c *Chat) { again(c, "ours"); c.Messages = append(c.Messages, talked("q3", "three").Messages...) },
			func(c *Chat) { c.file.version = 0 },
			[]string{"1 *q1/one", "2 q2/two *q2/ours", "3 *q3/three"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			was := saved(t, &base)
			ours, theirs := saved(t, &base), saved(t, &base)
			tc.ours(&ours)
			tc.theirs(&theirs)
			if !merge(&ours, &was, &theirs) {
				t.Log("a conflict:", ends(&ours))
			}
			wantEnds(t, &ours, tc.want...)
		})
	}
}

// TestForgottenInVariants: what is withdrawn from a chat is named in no variant.
func TestForgottenInVariants(t *testing.T) {
	ref := prompt.Ref{Kind: prompt.Note, ID: "Secret.md"}
	c := talked("q1", "one", "q2", "two")
	c.Messages[2].Context = ContextOf([]prompt.Ref{ref}, "", nil)
	c.Messages[2].Meta = Meta{Items: []Item{{Ref: ref, Revision: "0123456789abcdef"}}}
	again(&c, "second")
	c.TakeBack()
	c.Withdraw([]prompt.Ref{ref})
	if file := string(Encode(&c)); strings.Contains(file, "Secret") || !strings.Contains(file, "second") {
		t.Errorf("the file is\n%s", file)
	}
}

// TestWithdrawn: what is withdrawn is named nowhere in the file, whatever kind it is of.
func TestWithdrawn(t *testing.T) {
	for _, k := range prompt.Kinds {
		if k.Label == "" {
			continue
		}
		ref := prompt.Ref{Kind: k.Kind, ID: "Secret thing"}
		c := talked("q1", "one")
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
	c := talked("q1", "one", "q2", "two")
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

// turnStart is the index of the question of the n-th turn, counted from 1; -1 if there
// are fewer.
func turnStart(c *Chat, n int) int {
	for turn, at := range c.Questions() {
		if turn == n {
			return at
		}
	}
	return -1
}
