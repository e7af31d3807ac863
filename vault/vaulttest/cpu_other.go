//go:build !unix

package vaulttest

import "time"

var startTime = time.Now()

// CPU returns the time since the program started.
func CPU() time.Duration { return time.Since(startTime) }
