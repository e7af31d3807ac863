// Package cite finds the references of a reply to its sources and checks them.
//
// A model cites with footnotes: "[^3]" refers to source 3 of the request. The original reply is saved. For the
// person, [Draw] numbers the references by their first mention, removes those that lead nowhere, joins adjacent
// references to the same source, and lists the sources. For the file, [Footer] lists the sources of a reply that
// has no list of its own.
//
// Text in code, in a block of tags, or after a backslash is no reference.
//
// The functions have no state; their time is proportional to the length of a reply.
package cite
