// Package reading formats a chat for a person: it numbers the references of replies and lists their sources, and
// draws each proposal to write a note as a line. The file and later requests keep the text with the model's numbers.
//
// The package has no state and does no I/O.
package reading
