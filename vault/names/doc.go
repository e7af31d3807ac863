// Package names finds what a vault has a name for, while a person types the name into a list:
// notes by title, alias, file name and path, and tags, folders and attachments.
//
// A List holds the names, folded for comparison by package fold. A Finder orders what fits a
// query by tier (the whole name, its beginning, the beginning of words, anywhere, in the path,
// letters in order), then by what the moment makes likely: use in this chat, links to the
// active note, recency. A keystroke over 50,000 names takes a few milliseconds.
//
// Private notes are left out. A List never changes and may be shared between goroutines.
package names
