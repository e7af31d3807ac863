// Package tool is what a model may look up in a vault: one file and one
// description a tool. The description and the schema of the arguments are what a
// model reads of a tool; they are the same bytes in every conversation about a vault.
//
// [New] makes the tools over a vault. What they return holds no markup: passages
// are documents with what they may be cited as, everything else is JSON. Wrong
// arguments, nothing found and whatever else a model can act on is a result; an
// error is the end of a context. Private and excluded notes do not exist for any
// tool, and saved chats only where a folder names them, never the one that calls.
//
// localSearch takes a time in its query as evidence: notes of that time come first.
// It keeps to a time if it is given one, or if nothing else is asked for: "what did I
// do last week" searches the notes of last week. It sets no State of documents and
// counts their ids from 1: what the model has already, and which numbers a
// conversation gave out, its caller knows. Source.Revision is that of the whole
// note, as gather gives it.
//
// Tools hold no state and may be called from several goroutines.
package tool
