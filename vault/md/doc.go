// Package md has the knowledge of markdown that all parts of this program need: code fences, code spans,
// headings, list marks, wikilinks, tags, frontmatter, and the limits of blocks. All functions are pure and work
// on strings, in time proportional to their length; results are parts of the arguments. [Clip] shortens any
// text for a line of display, and [Plural] words a count.
//
// It is no markdown parser. It reads notes line by line the way Obsidian does, so that it can be used while a
// text is still being written or streamed.
//
// Lines are passed without their line end. "Unindented" means that the caller has removed white space and quote
// marks, see [Indent].
package md
