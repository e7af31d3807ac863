// Package cite finds the references of a reply to its sources and checks them.
//
// A model cites with footnotes, "[^3]": 3 is the number of a source in the
// catalogue that the request held. The reply is kept as it came. What a person
// reads has its references numbered by their first mention, none that leads
// nowhere, no two of the same source side by side, and one list of sources:
// [Draw]. What is kept gets a list of the sources that it refers to, if it has
// none of its own: [Footer].
//
// Nothing inside of code or of a block of tags is a reference, or behind a backslash.
//
// All of it are pure functions, in time proportional to the length of a reply.
package cite
