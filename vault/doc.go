// Package vault is a folder of markdown notes on disk: it opens, reads,
// parses, watches and writes them, resolves links the way Obsidian does, and
// knows which note an editor has open.
//
// # What is known without reading
//
// Open takes the folder, Scan goes through it once. From then on the metadata
// of every note (title, aliases, tags, headings, links, block ids, properties)
// is in memory: one pass of a scanner of our own over each file, with the YAML
// library behind a fast path for the properties that nearly all notes have. No
// note is ever dropped. What is wrong with one (properties that are not YAML,
// bytes that are not UTF-8, a file that cannot be read) is tolerated and said
// in Note.Warning.
//
// Revalidate compares the whole vault with the disk, Update the files that are
// named; both return what changed. A Revalidate before every turn is what
// makes the vault right. The Watcher makes it right sooner and is allowed to
// fail.
//
// # What leaves the machine
//
// Read, ReadFile and a BulkReader are the one gate: they refuse private notes (frontmatter
// "private: true", judged on the text just read; where the frontmatter is broken
// or has no end, a line in it that begins with the word and does not deny it),
// dot files, and what the vault's settings or Options.Ignore exclude. All of that holds for the file
// that a symbolic link inside the vault leads to as for the name that was
// asked for; such a link is not even listed if it leads to a dot file. ReadOwn
// reads what the program itself writes.
//
// All paths are vault-relative and go through os.Root: "..", absolute paths
// and symbolic links out of the vault are refused with ErrOutside. Folders
// that are linked in from outside are followed only on request, and never
// written.
//
// # Names
//
// There are two questions and two answers. Resolve is for links in notes: it
// follows Obsidian's rules and always chooses. Find is for what a person
// types: it accepts more (titles, aliases, notes that moved) and chooses
// nothing when several fit equally well.
//
// # Writing
//
// WriteFile replaces a file as a whole or not at all, and not if the file is
// no longer what the caller last read. Rename and Restore never overwrite;
// Trash moves to the vault's .trash. Dot files are out of bounds, but for .ibid
// and .trash.
//
// # Concurrency
//
// All methods of a Vault may be called from any goroutine. Those that only
// look (Notes, Note, Resolve, Find, WithTag and their like) take no lock and do
// no I/O: they read an immutable snapshot, which Scan, Revalidate and Update
// replace as a whole when they are done. What they return is shared and must
// not be changed. The first Resolve, Find, WithTag or near miss after a
// change computes its table once; later calls look it up. Scan, Revalidate and
// Update run one at a time, and end the goroutines that they start before
// they return. So do WriteFile, Rename, Trash and Restore, among themselves. A
// Vault has no goroutine of its own.
package vault
