package ui_test

import (
	"testing"
	"time"
)

// TestQueryDrawn: the result of a query is a table, or a list whose links can be followed.
func TestQueryDrawn(t *testing.T) {
	playAt(t, 100, 30, nil, func(r *stage) {
		for _, of := range []struct {
			query   string
			want    []string
			wantNot string
		}{
			{`TABLE file.name FROM "Band"`, []string{"┌──", "│ Setlist", "│ Rehearsal"}, "| --- |"},
			{`LIST FROM "Garden"`, []string{"• Garden/Soil", "• Garden/Tomatoes"}, "[[Garden"},
		} {
			r.Type("/query " + of.query)
			r.Press("enter")
			r.Pass(time.Second)
			r.Want(of.want...)
			r.WantNot(of.wantNot)
		}
	})
}
