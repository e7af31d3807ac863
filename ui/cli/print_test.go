package cli

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestProgress: quick work prints nothing; slow work prints its progress, and removes it at the
// end.
func TestProgress(t *testing.T) {
	for took, want := range map[time.Duration]string{
		quietPeriod - time.Millisecond: "",
		quietPeriod + time.Millisecond: "ibid: 1 of 3",
		2 * quietPeriod:                "ibid: 3 of 3",
	} {
		synctest.Test(t, func(t *testing.T) {
			var said bytes.Buffer
			a := &app{env: Env{Stderr: &said}}
			n := 0
			check(t, a.show(func() string {
				n++
				return []string{"1 of 3", "2 of 3", "3 of 3"}[min(n, 3)-1]
			}, func() error { time.Sleep(took); return nil }))
			if got := said.String(); want == "" && got != "" || want != "" && !strings.HasSuffix(got, want+"\r\x1b[K") {
				t.Errorf("after %v: %q, want %q", took, got, want)
			}
		})
	}
}
