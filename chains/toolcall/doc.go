// Package toolcall corrects the arguments that a model sends to a tool, cuts the results of tools to the limits of
// a turn, and describes calls in words for the person. It has no state and does no I/O.
package toolcall
