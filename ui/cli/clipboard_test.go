package cli

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestClipboardTime: a clipboard that hangs holds up nothing for long.
func TestClipboardTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hangs := make(chan struct{})
		defer close(hangs)
		began := time.Now()
		err := atMost(t.Context(), copyTime, "text", func(string) error { <-hangs; return nil })
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != copyTime {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		var got string
		if err := atMost(t.Context(), copyTime, "text", func(s string) error { got = s; return nil }); err != nil || got != "text" {
			t.Errorf("%q, %v", got, err)
		}
	})
	for _, name := range []string{"SSH_TTY", "SSH_CONNECTION"} {
		getenv := func(asked string) string { return map[string]string{name: "x"}[asked] }
		if clipboardOf(getenv) != nil {
			t.Errorf("with %s the clipboard of the wrong machine is written", name)
		}
	}
}
