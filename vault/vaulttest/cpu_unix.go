//go:build unix

package vaulttest

import (
	"syscall"
	"time"
)

// CPU is the time of processors that this process has taken. Unlike that of a clock
// it says little of what else the machine does.
func CPU() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
