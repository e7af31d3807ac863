package history

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// TestCutOff: a chat of which only the beginning is there says what is missing, or goes on
// with the next turn, of which nothing is lost, whatever stands above it.
func TestCutOff(t *testing.T) {
	whole := Chat{Epoch: 1764000000000, Title: "Roof", Tags: []string{chatTag}}
	file := addTurn(&whole, 0)
	for n := range len(file) {
		part := file[:n]
		c, _, err := decode([]byte(part), time.UTC)
		if err != nil {
			if !errors.Is(err, ErrNotChat) ||
				!strings.Contains(err.Error(), "empty") && !strings.Contains(err.Error(), "cut off") {
				t.Fatalf("%q: %v", part, err)
			}
			continue
		}
		before := len(c.Messages)
		now := addTurn(&c, 0)
		again, _, err := decode([]byte(now), time.UTC)
		if err != nil || len(again.Messages) != before+2 {
			t.Fatalf("cut at %d: %d messages and 2 are read as %d, %v\n%s", n, before, len(again.Messages), err, now)
		}
	}
}
