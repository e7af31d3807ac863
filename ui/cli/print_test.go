package cli

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// What is done at once says nothing; what takes longer says how far it is, and
// leaves nothing behind.
func TestProgress(t *testing.T) {
	for took, want := range map[time.Duration]string{
		quietPeriod - time.Millisecond: "",
		quietPeriod + time.Millisecond: "ibid: 1 of 3",
		2 * quietPeriod:                "ibid: 3 of 3",
	} {
		synctest.Test(t, func(t *testing.T) {
			var said bytes.Buffer
			a := &app{env: Env{Stderr: &said}}
			stop, ended, n := make(chan struct{}), make(chan struct{}), 0
			go func() {
				defer close(ended)
				a.show(func() string {
					n++
					return []string{"1 of 3", "2 of 3", "", "3 of 3"}[min(n, 4)-1]
				}, stop)
			}()
			time.Sleep(took)
			close(stop)
			<-ended
			if got := said.String(); want == "" && got != "" || want != "" && !strings.HasSuffix(got, want+"\r\x1b[K") {
				t.Errorf("after %v: %q, want %q", took, got, want)
			}
		})
	}
}
