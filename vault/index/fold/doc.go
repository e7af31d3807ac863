// Package fold brings text into the form in which names and words are compared, whatever the case
// and the accents, and cuts it into the words that a search counts.
//
// Everything is a pure function and safe for concurrent use.
package fold
