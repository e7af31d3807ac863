package history

import (
	"slices"
	"testing"
	"time"
)

// TestSummaryOrigin: a list knows where a chat was branched off.
func TestSummaryOrigin(t *testing.T) {
	c := talked("q1", "one", "q2", "two")
	b := Branch(&c, 2, time.Unix(1764009999, 0))
	sum, ok := summary("b.md", Encode(&b), time.UTC)
	if want := (Origin{Epoch: c.Epoch, Message: 2}); !ok || sum.Origin != want {
		t.Errorf("%+v", sum)
	}
	l := listedFile{chatFile: chatFile{path: "b.md"}, chat: true, sum: sum}
	if got, ok := decodeListed(l.encode()); !ok || got.sum.Origin != sum.Origin || !slices.Equal(got.sum.Problems, sum.Problems) {
		t.Errorf("%+v", got)
	}
}
