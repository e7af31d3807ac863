package picker

import (
	"fmt"
	"testing"
)

func manyItems(n int) []Item {
	items := make([]Item, n)
	for i := range items {
		items[i] = Item{
			ID: fmt.Sprint(i), Label: fmt.Sprintf("Note number %d", i), Match: []int{0, 5}, Detail: "Folder/",
			Glyph: "+", State: "new", Meta: "+1.2k", Group: fmt.Sprint(i / 50),
		}
	}
	return items
}

// BenchmarkFrame measures one key and one frame, which take the same time for any length of the
// list.
func BenchmarkFrame(b *testing.B) {
	for _, n := range []int{10, 50_000} {
		m := New(Options{})
		m.SetSize(120, 30)
		m.SetRows(Rows{Items: manyItems(n)})
		b.Run(fmt.Sprintf("%d-items", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m.Update(press("down"))
				_ = m.View()
			}
		})
	}
}

// BenchmarkSetRows measures the work of the picker for a new query.
func BenchmarkSetRows(b *testing.B) {
	items := manyItems(50_000)
	m := New(Options{})
	b.ReportAllocs()
	for b.Loop() {
		m.SetRows(Rows{Items: items})
	}
}
