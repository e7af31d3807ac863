// Package stem knows of five languages what a search needs: the stem that the
// forms of a word share, and the words that every text holds. Words are given as
// the search compares them: lower case, Latin letters without accents.
//
// Everything is a pure function and safe for concurrent use.
package stem
