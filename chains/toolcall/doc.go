// Package toolcall stands between a model and a tool: it puts right what a model sends
// to one, and brings what one has found under the limits of a turn; it says a call in words for people. All
// of it is pure.
package toolcall
