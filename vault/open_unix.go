//go:build unix

package vault

import "syscall"

// withoutWaiting opens a pipe without waiting for its writer.
const withoutWaiting = syscall.O_NONBLOCK
