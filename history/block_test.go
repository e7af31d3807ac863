package history

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ibid/context/prompt"
	"ibid/vault/md"
	"ibid/vault/vaulttest"
)

// fifty returns a chat of n turns in the form that a session saves: an active note and a pin in
// every turn, some attached notes, edits, one incomplete reply, and costs.
func fifty(n int) Chat {
	c := Chat{Epoch: 1764000000000, Model: "gpt-4.1", Title: "Garden year"}
	at := time.Date(2025, 11, 24, 16, 0, 0, 0, time.FixedZone("", 3600))
	note := func(id string, rev int) Item {
		return Item{Ref: prompt.Ref{Kind: prompt.Note, ID: id}, Revision: fmt.Sprintf("%016x", 0x0123456789ab0000+rev)}
	}
	for i := range n {
		items := []Item{note("Log/2025-11-24.md", i/20), note("Garden/Rota.md", 0)}
		if i%6 == 0 {
			items = append(items, note(fmt.Sprintf("Garden/Bed %d.md", i/6), 0))
		}
		q := Message{
			Role: User, Text: fmt.Sprintf("question %d", i), Time: at.Add(time.Duration(i) * time.Minute),
			Meta: Meta{Items: items},
		}
		q.Context = Context{Active: items[0].Ref.ID, Pins: []string{items[1].Ref.ID}}
		for _, it := range items[2:] {
			q.Context.Notes = append(q.Context.Notes, it.Ref.ID)
		}
		q.Meta.Refs = q.Context.Refs()
		a := Message{Role: Assistant, Text: fmt.Sprintf("reply %d", i), Time: q.Time.Add(5 * time.Second)}
		if i == 30 {
			a.Status = StatusCut
		}
		c.Messages = append(c.Messages, q, a)
		c.Spend(q.Time, Total{
			Model: "gpt-4.1", Turns: 1,
			Usage: Usage{Prompt: 12345, Cached: 12000, CacheWrite: -1, Completion: 321, Reasoning: -1, Cost: 0.0123},
		})
	}
	return c
}

// blockOf returns the hidden block of a file.
func blockOf(t *testing.T, file []byte) string {
	t.Helper()
	start, end, ok := md.FindHidden(string(file))
	if !ok {
		t.Fatalf("no block in\n%s", file)
	}
	return string(file[start:end])
}

func TestBlockSize(t *testing.T) {
	c := fifty(50)
	block := blockOf(t, Encode(&c))
	t.Logf("%d bytes", len(block))
	if len(block) > 2500 {
		t.Errorf("%d bytes for 50 turns:\n%s", len(block), block)
	}
	got, warnings, err := decode(Encode(&c), time.UTC)
	if err != nil || len(warnings) > 0 {
		t.Fatal(warnings, err)
	}
	for i := range c.Messages {
		was, is := &c.Messages[i], &got.Messages[i]
		if !slices.Equal(was.Meta.Items, is.Meta.Items) || !slices.Equal(was.Refs(), is.Refs()) ||
			was.Status != is.Status || was.Time.Format(stampLayout) != is.Time.Format(stampLayout) {
			t.Errorf("message %d is %+v, was %+v", i, is, was)
		}
	}
	if len(got.Totals) != 1 || got.Totals[0].Turns != 50 || got.Totals[0].Usage.Cached != 50*12000 ||
		got.Totals[0].Usage.Reasoning != 0 {
		t.Errorf("totals %+v", got.Totals)
	}
}

// TestSalvage: of a block that a merge or an editor has damaged, every line that
// can be read counts.
func TestSalvage(t *testing.T) {
	c := fifty(8)
	c.Muted = []prompt.Ref{{Kind: prompt.Note, ID: "x.md"}}
	c.Messages[len(c.Messages)-1].Notes = []string{"kept"}
	file := string(Encode(&c))
	lines := strings.Split(blockOf(t, []byte(file)), "\n")
	last := len(lines) - 2
	known := func(file string) (n int, c Chat) {
		c, warnings, err := decode([]byte(file), time.UTC)
		if err != nil || len(warnings) == 0 || warnings[0].Kind != "metadata" {
			t.Errorf("warnings %+v, %v", warnings, err)
		}
		for _, m := range c.Messages {
			if len(m.Meta.Items) > 0 {
				n++
			}
		}
		return n, c
	}
	if n, _ := known(strings.Replace(file, lines[4], lines[4][:len(lines[4])-4], 1)); n != 7 {
		t.Errorf("with one broken line, %d of 8 messages are known", n)
	}
	conflict := "<<<<<<< HEAD\n" + strings.Join(lines[last-1:last+1], "\n") + "\n=======\n" +
		`{"h":"AAAABBBB","i":[["note","theirs.md","0123456789abcdef"],0]}` + "\n>>>>>>> other"
	n, got := known(strings.Replace(file, strings.Join(lines[last-1:last+1], "\n"), conflict, 1))
	if n != 8 || len(got.NotesToSelf()) != 1 || len(got.Muted) != 1 ||
		!slices.Equal(got.Messages[12].Meta.Items, c.Messages[12].Meta.Items) {
		t.Errorf("after a conflict at the end, %d of 8 messages are known", n)
	}
	heads := "<<<<<<< HEAD\n" + lines[0] + "\n=======\n" + strings.Replace(lines[0], "x.md", "y.md", 1) + "\n>>>>>>> other"
	if n, got := known(strings.Replace(file, lines[0], heads, 1)); len(got.Muted) != 2 || n != 0 && n != 8 {
		t.Errorf("after a conflict of the first line, %d of 8 messages are known, muted %v", n, got.Muted)
	}
	whole := "<<<<<<< HEAD\n" + strings.Join(lines, "\n") + "\n=======\n" + strings.Join(lines, "\n") + "\n>>>>>>> other"
	if n, _ := known(strings.Replace(file, strings.Join(lines, "\n"), whole, 1)); n != 8 {
		t.Errorf("after a conflict of the whole block, %d of 8 messages are known", n)
	}
}

// TestManyLines: items, header lines and quoted headers cost time in proportion.
func TestManyLines(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	for name, file := range map[string]func(int) string{
		"items": func(n int) string { c := fifty(n); return string(Encode(&c)) },
		"variants": func(n int) string {
			var b strings.Builder
			b.WriteString("<!-- ibid-variants\n")
			for i := range n {
				fmt.Fprintf(&b,
					"{\"n\":%d,\"m\":\"m%d\"}\n{\"n\":1,\"a\":[{\"x\":\"again %d\"}]}\n{\"n\":%d,\"q\":{\"x\":\"q\"}}\n",
					i%2+1, i, i, i+1)
			}
			return b.String() + "-->\n\n" + strings.Repeat("**user**: y\n[Timestamp: 2025/01/02 03:04:05]\n\n", n)
		},
		"quoted headers": func(n int) string {
			return "**user**: x\n" + strings.Repeat("**ai**: y\n", n) + "[Timestamp: 2025/01/02 03:04:05]"
		},
		"stamped headers": func(n int) string {
			return strings.Repeat("**user**: y\n[Timestamp: 2025/01/02 03:04:05]\n\n", n)
		},
		"blank lines": func(n int) string {
			return "**user**: x\n[Timestamp: 2025/01/02 03:04:05]\n" + strings.Repeat("\n", n) + "**ai**: y" +
				strings.Repeat("\n", n)
		},
		"CRLF": func(n int) string { return strings.Repeat("**user**: y\r\n[Timestamp: 2025/01/02 03:04:05]\r\n", n) },
	} {
		t.Run(name, func(t *testing.T) {
			vaulttest.Linear(t, 10_000, func(n int) {
				c := read(t, file(n))
				addTurn(&c, 0)
			})
		})
	}
}
