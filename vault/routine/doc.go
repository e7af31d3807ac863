// Package routine runs goroutines whose panics reach the goroutine that waits for them. There callers can
// restore the terminal before the process ends, which a panic in any other goroutine would prevent.
//
// A [Group] is a sync.WaitGroup whose Wait panics with the panic of one of its goroutines. [Call] turns a panic
// into a value, for work that nobody waits for, and [Catch] into an error, for one note or query of many: a
// fault costs this one and not the program. [Await] gives up waiting when a context ends. [Share] divides work
// among goroutines.
//
// The methods of a Group may be called from any goroutine; its fields must be set before. Any package may
// import this one, which imports none of the program.
package routine
