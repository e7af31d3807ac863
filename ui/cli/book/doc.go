// Package book is the manual of the program: a page of markdown for each topic, which
// `ibid help` shows and the manual page is made from. What its tables list (flags,
// settings, keys, commands) is written by the tests of ui/cli, which compare them with
// the program.
package book
