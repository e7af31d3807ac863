// Package syntax reads the search language: a text becomes a tree of what it asks
// for, which package index evaluates.
//
//	apples pears           both words, for the ranking
//	"ripe apples"          next to each other
//	-pears                 not this
//	apples OR pears        either; binds looser than a space
//	(apples OR pears) jam  parentheses
//	path:garden file:plan  parts of the path, of the file name
//	tag:#fruit             the tag or one below it
//	content:jam            in the text, not in names or tags
//	line:(a b)             both in one line; also section: and block:
//	task:x                 in a task; task-todo: in open ones, task-done: in others
//	[status]               has the property; [status:done] with this value
//	/a+b/                  a regular expression, in the syntax of RE2
//	after:2025-01-01       dated later; also before: and on:, with words as in on:yesterday
//	match-case:Jam         upper and lower case count; ignore-case: again not
//
// What stands behind an operator is a word, a "phrase", a /regular expression/ or
// (several things). A word with a colon that looks like a slip of an operator is
// reported and left out; any other, such as localhost:8080, is text. Whatever is
// not closed or not complete is text or means nothing.
//
// Parse is a pure function and takes time in proportion to the text.
package syntax
