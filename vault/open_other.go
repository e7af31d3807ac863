//go:build !unix

package vault

// withoutWaiting has no effect: pipes have no names among files here.
const withoutWaiting = 0
