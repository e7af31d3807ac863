// Package chaintest stands in for language models in tests.
//
// Script is a chains.Model that plays prepared replies, with pauses that obey
// contexts and so run instantly inside a synctest bubble. Server is a real
// HTTP server that speaks the wire format of chat completions: it streams
// prepared bytes in pieces of any size, slowly, or only in part, and remembers
// what was asked of it. Both fail loudly when they are asked more often than
// they have answers.
//
// # Concurrency
//
// Script and Server may be used by several goroutines at once; replies are
// handed out in the order in which requests arrive. Script starts no
// goroutines. Server's end before its test does.
package chaintest
