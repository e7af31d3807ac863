package dates

import (
	"testing"
	"time"
)

func TestFormat(t *testing.T) {
	at := time.Date(2025, 2, 3, 15, 4, 5, 67_000_000, time.FixedZone("", -5400))
	for format, want := range map[string]string{
		"YYYY-MM-DD": "2025-02-03", "YYYY/MMMM/DD": "2025/February/03", "DD-MMM-Y": "03-Feb-2025",
		"日记-YYYYMMDD":   "日记-20250203",
		"dddd, Do MMMM": "Monday, 3rd February", "ddd dd E": "Mon Mo 1",
		"M D DDD DDDD": "2 3 34 034",
		"w ww W WW":    "6 06 6 06", "gggg GGGG": "2025 2025", "Q": "1",
		"[Week] ww [of] YYYY": "Week 06 of 2025", `\Y\MYY`: "YM25", "HH:mm:ss": "15:04:05",
		"h:mm A a hh H": "3:04 PM pm 03 15",
		"YYYY-[W]WW":    "2025-W06", "": "",
	} {
		if got := Format(format, at); got != want {
			t.Errorf("%q is %q, want %q", format, got, want)
		}
	}
	for day, want := range map[string]string{
		"2024-12-28": "2024 52 2024 52", "2024-12-29": "2025 1 2024 52", "2024-12-31": "2025 1 2025 1",
		"2025-01-01": "2025 1 2025 1",
		"2025-01-05": "2025 2 2025 1", "2022-01-01": "2022 1 2021 52", "2020-12-27": "2021 1 2020 52",
		"2021-01-02": "2021 1 2020 53",
	} {
		at, err := time.Parse(time.DateOnly, day)
		if got := Format("gggg w GGGG W", at); err != nil || got != want {
			t.Errorf("the weeks of %s are %q, want %q", day, got, want)
		}
	}
	for n, want := range map[int]string{
		1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th", 21: "21st", 31: "31st", 111: "111th",
		122: "122nd",
	} {
		if got := ordinal(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}
