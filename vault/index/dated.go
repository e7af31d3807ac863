package index

import (
	"cmp"
	"slices"
	"time"

	"ibid/vault"
	"ibid/vault/dates"
	"ibid/vault/md"
)

// calendar gives notes their dates.
type calendar struct {
	copied dates.Range // when notes were copied, as by a clone: that they were changed then says nothing
}

// Notes were copied if more than half of them, of at least so many, were changed at
// about the same time.
const (
	sameTime  = 10 * time.Minute
	fewCopied = 3
)

func newCalendar(notes []*vault.Note) (c calendar) {
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

// date is the date of a note: that of its name, as daily notes have one, else of its property "date" or "created", else when it was changed,
// if that says anything.
func (c calendar) date(n *vault.Note) (time.Time, bool) {
	if t, ok := dates.InName(n.Path.Base(), time.Local); ok {
		return t, true
	}
	if t, ok := propDate(n); ok {
		return t, true
	}
	return n.ModTime, c.copied == dates.Range{} || !c.copied.Contains(n.ModTime)
}

// NotesByDate are some notes by their dates, those that have one first and of these the newest;
// the others, which were copied, by when. A note has the date of its name, as daily notes
// have one, else of its property "date" or "created", else of its last change.
func NotesByDate(notes []*vault.Note) []DatedNote {
	c := newCalendar(notes)
	list := make([]DatedNote, len(notes))
	for i, n := range notes {
		date, known := c.date(n)
		if list[i] = (DatedNote{Note: n, Date: date}); !known {
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
	copied int // 1 if Date is no more than when the note was copied
}

// in reports whether a note is of some time.
func (c calendar) in(r dates.Range, n *vault.Note) bool {
	date, ok := c.date(n)
	return ok && r.Contains(date)
}

// near rates how well the date of a note fits some times: 1 in one of them, half of it
// within a tenth of its length.
func (c calendar) near(n *vault.Note, times []dates.Range) (share float64) {
	for _, r := range times {
		if c.in(r, n) {
			return 1
		}
		if around := r.Until.Sub(r.From) / 10; !r.From.IsZero() && !r.Until.IsZero() && c.in(dates.Range{From: r.From.Add(-around), Until: r.Until.Add(around)}, n) {
			share = 0.5
		}
	}
	return share
}

// propDate is the date that the properties of a note give.
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

// valueDate is the day, or the moment, that the value of a property is.
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
