package index

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"ibid/vault"
	"ibid/vault/dates"
	"ibid/vault/md"
)

// calendar gives notes their dates.
type calendar struct {
	names  dates.Names // reads the dates in the names of notes
	copied dates.Range // the time of a copy such as a clone: changes in it say nothing about a note
}

// Notes were copied if more than half of them, of at least so many, were changed at
// about the same time.
const (
	sameTime  = 10 * time.Minute
	fewCopied = 3
)

func newCalendar(notes []*vault.Note, names dates.Names) calendar {
	c := calendar{names: names}
	if len(notes) < fewCopied {
		return c
	}
	changed := make([]time.Time, len(notes))
	for i, n := range notes {
		changed[i] = n.ModTime
	}
	slices.SortFunc(changed, time.Time.Compare)
	middle := changed[len(changed)/2]
	around, same := dates.Range{From: middle.Add(-sameTime), Until: middle.Add(sameTime)}, 0
	for _, t := range changed {
		if around.Contains(t) {
			same++
		}
	}
	if 2*same > len(changed) {
		c.copied = around
	}
	return c
}

// calendar returns the calendar of the notes of s.
func (s Searcher) calendar() calendar { return newCalendar(s.Source.Notes(), s.dateNames()) }

// dateNames returns how the notes of s are named by their dates.
func (s Searcher) dateNames() dates.Names {
	if s.DateNames == nil {
		return dates.Names{}
	}
	return s.DateNames()
}

// date returns the day or the longer time in the name of a note, as daily and weekly notes have one, else the moment in
// its property "date" or "created", else that of its last change; ok is false if that was a copy. A moment is a range
// without length.
func (c calendar) date(n *vault.Note) (r dates.Range, ok bool) {
	if r, ok = c.names.InPath(strings.TrimSuffix(string(n.Path), path.Ext(string(n.Path))), time.Local); ok {
		return r, true
	}
	if t, ok := propDate(n); ok {
		return dates.Range{From: t, Until: t}, true
	}
	ok = c.copied == dates.Range{} || !c.copied.Contains(n.ModTime)
	return dates.Range{From: n.ModTime, Until: n.ModTime}, ok
}

// NotesByDate sorts notes by date, the newest first, with those that have none but the time of a
// copy at the end. The date is in the name, as of daily notes, else in the property "date" or
// "created", else that of the last change.
func NotesByDate(notes []*vault.Note, names dates.Names) []DatedNote {
	c := newCalendar(notes, names)
	list := make([]DatedNote, len(notes))
	for i, n := range notes {
		date, known := c.date(n)
		list[i] = DatedNote{Note: n, Date: date.From}
		if !known {
			list[i].copied = 1
		}
	}
	slices.SortFunc(list, func(a, b DatedNote) int {
		return cmp.Or(a.copied-b.copied, b.Date.Compare(a.Date), cmp.Compare(a.Note.Path, b.Note.Path))
	})
	return list
}

// DatedNote is a note with its date.
type DatedNote struct {
	Note   *vault.Note
	Date   time.Time
	copied int // 1 if Date is only the time of a copy
}

// in reports whether the date of a note is in a range. The note of a week or a month is in a range that is at least as
// long and contains the middle of it: weeks begin on different days.
func (c calendar) in(r dates.Range, n *vault.Note) bool {
	date, ok := c.date(n)
	if !ok {
		return false
	}
	length := date.Until.Sub(date.From)
	isBounded := !r.From.IsZero() && !r.Until.IsZero()
	if isBounded && r.Until.Sub(r.From) < length-time.Hour { // of a day on which clocks change
		return false
	}
	return r.Contains(date.From.Add(length / 2))
}

// near rates how well the date of a note fits some times: 1 in one of them, 0.5 within a tenth of
// its length before or after.
func (c calendar) near(n *vault.Note, times []dates.Range) (share float64) {
	for _, r := range times {
		if c.in(r, n) {
			return 1
		}
		if around := r.Until.Sub(r.From) / 10; !r.From.IsZero() && !r.Until.IsZero() &&
			c.in(dates.Range{From: r.From.Add(-around), Until: r.Until.Add(around)}, n) {
			share = 0.5
		}
	}
	return share
}

// propDate returns the date in the properties of a note.
func propDate(n *vault.Note) (date time.Time, ok bool) {
	for _, name := range []string{"date", "created", "date created"} {
		for _, p := range n.Props(name) {
			if date, ok = valueDate(p.Value, n.ModTime); ok {
				return date, true
			}
		}
	}
	return time.Time{}, false
}

// valueDate returns the day or the moment in the value of a property.
func valueDate(v any, now time.Time) (time.Time, bool) {
	switch v := v.(type) {
	case time.Time:
		return time.Date(v.Year(), v.Month(), v.Day(), v.Hour(), v.Minute(), v.Second(), 0, time.Local), true
	case string:
		r, ok := dates.Parse(md.Unlink(v), now.Local())
		return r.From, ok && r.Until.Equal(r.From.AddDate(0, 0, 1))
	}
	return time.Time{}, false
}
