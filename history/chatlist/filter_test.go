package chatlist_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ibid/history"
	"ibid/history/chatlist"
)

var today = time.Date(2026, 3, 31, 15, 30, 0, 0, time.FixedZone("", 3600))

func day(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, today.Location())
}

func TestParseFilter(t *testing.T) {
	for typed, want := range map[string]chatlist.Filter{
		"":                                       {},
		"  two  words ":                          {Text: "two words"},
		`"in a row" last`:                        {Text: `"in a row" last`},
		`note:"Lesson 4" scales`:                 {Notes: []string{"Lesson 4"}, Text: "scales"},
		`note:Les note:"Beds and`:                {Notes: []string{"Les", "Beds and"}},
		"tag:#work tag:pri":                      {Tags: []string{"#work", "pri*"}},
		"tag:work ":                              {Tags: []string{"work"}},
		"Model:gpt chain:agent":                  {Model: "gpt", Chain: "agent"},
		"since:2026-01 until:2026-02-03":         {Since: day(2026, 1, 1), Until: day(2026, 2, 4)},
		"since:2025 until:2025":                  {Since: day(2025, 1, 1), Until: day(2026, 1, 1)},
		`since:"last week" until:march`:          {Since: day(2026, 3, 23), Until: day(2026, 4, 1)},
		"since:today":                            {Since: day(2026, 3, 31)},
		"until:yesterday":                        {Until: day(2026, 3, 31)},
		"since:7d":                               {Since: today.AddDate(0, 0, -7)},
		"since:2w":                               {Since: today.AddDate(0, 0, -14)},
		"since:1m":                               {Since: today.AddDate(0, -1, 0)},
		"until:1y":                               {Until: today.AddDate(-1, 0, 0)},
		"note: tag: since: see":                  {Text: "see"}, // still being typed
		"https://example.org a:b note :x":        {Text: "https://example.org a:b note :x"},
		"a\ttag:x\nb":                            {Tags: []string{"x"}, Text: "a b"},
		`model:"gpt 4" since:2026-03-31 until:2`: {Model: "gpt 4", Since: day(2026, 3, 31)},
	} {
		got, err := chatlist.ParseFilter(typed, today)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", typed, d)
		}
		if bad := typed == `model:"gpt 4" since:2026-03-31 until:2`; bad != (err != nil) {
			t.Errorf("%s: %v", typed, err)
		}
	}
}

func TestNoDate(t *testing.T) {
	for _, s := range []string{"d", "x", "2026-13", "2026-02-30", "-1d", "7", "7h", "99999d", "12-31"} {
		if f, err := chatlist.ParseFilter("since:"+s+" until:"+s, today); err == nil || !f.Since.IsZero() || !f.Until.IsZero() {
			t.Errorf("%q is from %v to %v", s, f.Since, f.Until)
		}
	}
}

func TestFilter(t *testing.T) {
	chat := history.Summary{
		Title: "Scales", Modified: day(2026, 3, 5), Notes: []string{"Band/Lesson 4.md", "Übung.md"}, Tags: []string{"Work/band", "idea"}, Model: "openai/GPT-5", Chain: "chat",
	}
	for _, tc := range []struct {
		filter chatlist.Filter
		want   bool
	}{
		{chatlist.Filter{}, true},
		{chatlist.Filter{Text: "not looked at"}, true},
		{chatlist.Filter{Notes: []string{"lesson 4"}}, true},
		{chatlist.Filter{Notes: []string{"U\u0308BUNG", "band/"}}, true},
		{chatlist.Filter{Notes: []string{"lesson 4", "lesson 5"}}, false},
		{chatlist.Filter{Tags: []string{"work"}}, true},
		{chatlist.Filter{Tags: []string{"#work/BAND", "idea"}}, true},
		{chatlist.Filter{Tags: []string{"wor"}}, false},
		{chatlist.Filter{Tags: []string{"wor*"}}, true},
		{chatlist.Filter{Tags: []string{"idea", "band"}}, false},
		{chatlist.Filter{Model: "gpt-5"}, true},
		{chatlist.Filter{Model: "gpt-5x"}, false},
		{chatlist.Filter{Chain: "CHAT"}, true},
		{chatlist.Filter{Chain: "cha"}, false},
		{chatlist.Filter{Since: day(2026, 3, 5)}, true},
		{chatlist.Filter{Since: day(2026, 3, 6)}, false},
		{chatlist.Filter{Until: day(2026, 3, 6)}, true},
		{chatlist.Filter{Until: day(2026, 3, 5)}, false},
	} {
		if got := tc.filter.Passes(&chat); got != tc.want {
			t.Errorf("%+v: %v", tc.filter, got)
		}
	}
}
