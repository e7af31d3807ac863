// Package md knows of markdown what all parts of this program need to know:
// code fences, code spans, headings, list marks, wikilinks, tags, frontmatter,
// and where one block ends and the next begins. All of it are pure functions
// on strings, in time proportional to their length; what they return are parts
// of what they were given. [Clip] shortens any text for a line that people read, and
// [Plural] words a count.
//
// It is no markdown parser. It reads what people write into notes the way
// Obsidian does, line by line, so that it can be asked while a text is still
// being written or streamed.
//
// Lines are given without their line end. Where a function says "unindented",
// the caller has taken white space and quote marks off, see [Indent].
package md
