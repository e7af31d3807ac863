// Package tool has the tools with which a model looks things up in a vault: one file and one description a tool. A
// model reads the description and the schema of the arguments; they are the same bytes in every conversation about
// a vault.
//
// [New] makes the tools for a vault. Their results contain no markup: passages are documents with their sources,
// everything else is JSON. Wrong arguments, a search without hits, and whatever else a model can act on, are
// results; the only error is the end of a context. Private and excluded notes do not exist for any tool. Saved
// chats exist only where the arguments name their folder, and never the chat of the caller.
//
// localSearch prefers notes of a time that its query names. It returns only notes of that time if the time is an
// argument, or if the query asks for nothing else: "what did I do last week" searches the notes of last week. It
// does not set State in documents and numbers them from 1, because its caller knows what the model already has and
// which numbers the conversation has given out. Source.Revision is that of the whole note, as in package gather.
//
// Tools have no state. Several goroutines may call them.
package tool
