package chatlist_test

import (
	"strings"
	"testing"
	"time"

	"ibid/history"
	"ibid/history/chatlist"
	"ibid/vault/vaulttest"
)

var today = time.Date(2026, 3, 31, 15, 30, 0, 0, time.FixedZone("", 3600))

func day(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, today.Location())
}

func TestParseFilter(t *testing.T) {
	for _, row := range vaulttest.Rows(t, "filters.txt", 2) {
		f, err := chatlist.ParseFilter(row[0], today)
		var parts []string
		add := func(name string, values ...string) {
			for _, v := range values {
				if v != "" {
					parts = append(parts, name+" "+v)
				}
			}
		}
		add("text", f.Text)
		add("note", f.Notes...)
		add("tag", f.Tags...)
		add("model", f.Model)
		add("chain", f.Chain)
		for i, at := range []time.Time{f.Since, f.Until} {
			if !at.IsZero() {
				add([]string{"since", "until"}[i], at.In(today.Location()).Format("2006-01-02 15:04"))
			}
		}
		got := strings.Join(parts, ", ")
		if want, wrong := strings.CutSuffix(row[1], "!"); got != want || wrong != (err != nil) || f.Archived {
			t.Errorf("%s: %s, %v, want %s", row[0], got, err, row[1])
		}
	}
}

func TestNoDate(t *testing.T) {
	for _, s := range []string{"d", "x", "2026-13", "2026-02-30", "-1d", "7", "7h", "99999d", "12-31"} {
		if f, err := chatlist.ParseFilter("since:"+s+" until:"+s, today); err == nil || !f.Since.IsZero() ||
			!f.Until.IsZero() {
			t.Errorf("%q is from %v to %v", s, f.Since, f.Until)
		}
	}
}

func TestFilter(t *testing.T) {
	chat := history.Summary{
		Title: "Scales", Modified: day(2026, 3, 5), Notes: []string{"Band/Lesson 4.md", "Übung.md"},
		Tags: []string{"Work/band", "idea"}, Model: "openai/GPT-5", Chain: "chat",
	}
	for _, row := range vaulttest.Rows(t, "passes.txt", 2) {
		f, err := chatlist.ParseFilter(row[0], today)
		if got := map[bool]string{true: "yes", false: "no"}[f.Passes(&chat)]; err != nil || got != row[1] {
			t.Errorf("%s: %s, %v", row[0], got, err)
		}
	}
}
