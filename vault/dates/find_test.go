package dates_test

import (
	"fmt"
	"strings"
	"testing"

	"ibid/vault/dates"
	"ibid/vault/vaulttest"
)

func TestFind(t *testing.T) {
	for _, row := range vaulttest.Rows(t, "find.txt", 2) {
		var got []string
		for _, f := range dates.Find(row[0], now) {
			got = append(got, f.Text+" "+span(f.Range))
			if !strings.Contains(row[0][f.Start:f.End], f.Text) {
				t.Errorf("%q: %q does not stand in %q", row[0], f.Text, row[0][f.Start:f.End])
			}
		}
		if got := strings.Join(got, "; "); got != row[1] {
			t.Errorf("%q: %s; want %s", row[0], got, row[1])
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{
		"what was last week", "我上周五做了 什么", "[[a]] \"b", "im März, 2025", "..", "3天前2024年",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		end := 0
		for _, r := range dates.Find(s, now) {
			if r.Start < end || r.End <= r.Start || r.End > len(s) || !strings.Contains(s[r.Start:r.End], r.Text) {
				t.Fatalf("%q: %+v", s, r)
			}
			end = r.End
		}
	})
}

func BenchmarkFind(b *testing.B) {
	for b.Loop() {
		dates.Find("what did I decide about the barn roof and its gutters when we met the carpenter last spring?", now)
	}
}

func ExampleFind() {
	for _, f := range dates.Find("What did I decide about the roof in the last week?", now) {
		fmt.Println(f.Text, span(f.Range))
	}
	// Output: last week 2025-08-11..2025-08-17
}
