// Package cite finds the references of a reply to its sources and checks them.
//
// A model cites with footnotes: "[^3]" refers to source 3 of the request. A [Checker] reads a reply while it streams:
// it takes out references to sources that were never sent, and lists of sources that the model wrote, and makes
// footnotes of other forms of reference; see readMark for these. What it returns is shown, saved and sent later. For
// the file, [Footer] lists the sources of a reply. For the person, [Draw] numbers the references by their first
// mention, joins adjacent references to the same source, and lists the sources.
//
// What is no running text has no references: code, formulas, links, tags, blocks of HTML, proposals of notes, and what
// a backslash escapes. One scanner decides this for all of the package; see scanner and lineReader.
//
// The time of the functions is proportional to the length of a reply, that of a Checker to the length of each piece.
package cite
