// Package routine runs goroutines whose panics do not end the process where they
// happen, without the terminal being given back: they go to whoever waits, who has
// callers that know what is to be done first.
//
// A [Group] is a sync.WaitGroup whose Wait panics with what one of its goroutines
// panicked with. [Call] turns a panic into a value, for work that is left to itself, and [Catch] into
// an error, for one note or query of many: a fault costs this one and not the program.
// [Await] does not wait for what hangs. [Share] divides many things among goroutines.
//
// The methods of a Group may be called from any goroutine, its fields are set before.
// Any package may import this one, which imports none of the program.
package routine
