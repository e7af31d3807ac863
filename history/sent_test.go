package history

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"ibid/context/prompt"
)

// drawSent generates the last request of a chat of so many turns.
func drawSent(t *rapid.T, turns int) LastRequest {
	word := func(n int) string {
		return rapid.StringOfN(rapid.RuneFrom([]rune("abc+/-*")), n, n, -1).Draw(t, "hash")
	}
	number := rapid.IntRange(0, turns)
	a := prompt.Arrangement{
		Turn: rapid.IntRange(1, turns).Draw(t, "turn"), Epoch: rapid.IntRange(1, 9).Draw(t, "epoch"),
		Cause: prompt.CausePromote, Layout: rapid.SampledFrom([]prompt.Layout{prompt.Auto, prompt.Strict}).Draw(t, "layout"),
		L1: word(hashLen), L2: word(hashLen), Settings: word(hashLen), Base: word(sumLen), Turns: turns,
	}
	for i := range rapid.IntRange(0, 9).Draw(t, "library") {
		a.Library = append(a.Library, prompt.ArrangedCopy{
			Ref:      prompt.NoteRef(fmt.Sprintf("%d--%s.md", i, word(2))),
			Revision: "0123456789abcdef", Outline: rapid.Bool().Draw(t, "outline"),
		})
	}
	if rapid.Bool().Draw(t, "folded") {
		a.Folded, a.Dropped, a.Covered = number.Draw(t, "folded"), number.Draw(t, "dropped"), number.Draw(t, "covered")
		a.Folded++
		a.Summary = hostileText().Filter(func(s string) bool { return strings.ToValidUTF8(s, "") == s }).Draw(t, "summary")
	}
	if rapid.Bool().Draw(t, "left") {
		a.Left = []prompt.Ref{{Kind: prompt.Picture, ID: "a.png"}}
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "traces") {
		a.Traces = append(a.Traces, prompt.Trace{
			Turn: i + 1, LookedUp: rapid.Bool().Draw(t, "looked up"), Called: true, Cut: number.Draw(t, "cut"),
			Tail: rapid.SampledFrom([]string{"", "\n[NOTE TO SELF: \x00] -->"}).Draw(t, "tail"),
			Day:  rapid.SampledFrom([]string{"", "2026-11-29"}).Draw(t, "day"),
		})
	}
	a.Places = []int{1935, 1936, 20_000}
	for range min(turns, 20) {
		a.Sums = append(a.Sums, word(sumLen))
	}
	return LastRequest{At: time.Unix(rapid.Int64Range(1, 4e9).Draw(t, "at"), 0), Arrangement: a}
}

// TestSentRoundTrip: how the last request was arranged is read as it was saved.
func TestSentRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := fifty(rapid.IntRange(1, 9).Draw(t, "turns"))
		c.Sent = drawSent(t, c.Turns())
		got, warnings, err := decode(Encode(&c), time.UTC)
		check(t, err)
		if len(warnings) > 0 {
			t.Fatal(warnings)
		}
		traces := cmpopts.SortSlices(func(a, b prompt.Trace) bool { return a.Turn < b.Turn })
		if d := cmp.Diff(c.Sent, got.Sent, cmpopts.EquateEmpty(), traces); d != "" {
			t.Fatal(d)
		}
	})
}

// TestSentSize: the arrangement of a long chat fits the block, and one that would not is left out.
func TestSentSize(t *testing.T) {
	c := fifty(50)
	sums := make([]string, 20)
	for i := range sums {
		sums[i] = "q3Ab"
	}
	a := prompt.Arrangement{
		Turn: 3, Epoch: 2, Cause: prompt.CausePromote, L1: "q3Ab9x/1", L2: "q3Ab9x/1", Settings: "q3Ab9x/1", Base: "q3Ab",
		Turns: 50, Sums: sums, Places: []int{1935, 4711},
		Traces: []prompt.Trace{{Turn: 4, Tail: " [NOTE TO SELF: \x00]"}, {Turn: 5, Tail: " [NOTE TO SELF: \x00]"}},
	}
	for _, k := range c.Library() {
		a.Library = append(a.Library, prompt.ArrangedCopy{Ref: k.Ref, Revision: k.Revision})
	}
	c.Sent = LastRequest{At: time.Unix(1764417600, 0), Arrangement: a}
	block := blockOf(t, Encode(&c))
	if t.Logf("%d bytes", len(block)); len(block) > 2500 {
		t.Errorf("%d bytes for 50 turns:\n%s", len(block), block)
	}
	for i := range 200 {
		a.Library = append(a.Library, prompt.ArrangedCopy{Ref: prompt.NoteRef(fmt.Sprintf("elsewhere/%d.md", i))})
	}
	c.Sent.Arrangement = a
	if block := blockOf(t, Encode(&c)); strings.Contains(block, `"sent"`) {
		t.Errorf("%d bytes:\n%s", len(block), block)
	}
}

// FuzzSent: whatever stands in the place of the last request, the rest of the block counts, and what is read is written
// within the limit.
func FuzzSent(f *testing.F) {
	for _, s := range []string{
		`5`, `null`, `[]`, `{}`, `{"t":-1,"at":1}`, `{"o":"0-999999999"}`, `{"o":"9223372036854775807"}`, `{"fold":[1]}`,
		`{"at":1764417600,"t":1,"n":1,"c":"first","l":"q3Ab9x/1q3Ab9x/1q3Ab9x/1","o":"0,1","m":1,"w":"q3Abq3Ab"}`,
		`{"at":1,"t":1,"n":1,"c":"x","l":"q3Ab9x/1q3Ab9x/1q3Ab9x/1","o":"0-1","s":"7","x":[{"c":-5,"t":"1-9"}],"fold":[-1,99,7],"m":-1,"w":"q3Ab"}`,
	} {
		f.Add(s)
	}
	c := fifty(3)
	file := string(Encode(&c))
	f.Fuzz(func(t *testing.T, tag string) {
		if !json.Valid([]byte(tag)) || strings.ContainsAny(tag, "\n") || strings.Contains(tag, "--") {
			return
		}
		got := read(t, strings.Replace(file, `"turns":[`, `"sent":`+tag+`,"turns":[`, 1))
		if len(got.Library()) != len(c.Library()) {
			t.Fatalf("the rest of the block is lost: %v", got.Library())
		}
		again := Encode(&got)
		if n := len(again) - len(file); n > maxSent+6*maxSummary+len(`"sent":,`) {
			t.Fatalf("%d bytes more", n)
		}
		read(t, string(again))
	})
}
