// Package vault manages a folder of markdown notes on disk: it opens, reads, parses, watches and writes them,
// resolves links the way Obsidian does, and finds out which note an editor has open.
//
// # Metadata in memory
//
// Open opens the folder, Scan reads all of it once. From then on the metadata of every note (title, aliases,
// tags, headings, links, block ids, properties) is in memory. The scanner reads each file in one pass; a fast
// path parses the properties that nearly all notes have, and the YAML library the others. Every note is listed.
// Defects of a note (properties that are not YAML, bytes that are not UTF-8, a file that cannot be read) are
// tolerated and described in Note.Warning.
//
// Revalidate compares the whole vault with the disk, Update compares the given files; both return the changes.
// A Revalidate before every turn guarantees that the metadata is right. The Watcher updates it sooner, but may
// fail.
//
// # What leaves the machine
//
// Read and ReadFile are the only way to content that may be sent. They refuse private notes (frontmatter
// "private: true" and all that may mean it, judged on the text just read: see private.go), dot files, files that
// the vault's settings or Options.Ignore exclude, and all files if these rules cannot be read: see rules.go.
// LocalVault and BulkReader do without the last, for what stays on this machine. Of a symbolic link inside the vault,
// both the given name and the file that it leads to are checked; the link is not listed. ReadOwn reads files that the program itself writes.
//
// All paths are relative to the vault and go through os.Root: "..", absolute paths and symbolic links out of
// the vault are refused with ErrOutside. Folders that are linked in from outside are followed only on request,
// and never written.
//
// # Names
//
// Resolve is for links in notes: it follows Obsidian's rules and always chooses one file. Find is for names
// that a person types: it accepts more (titles, aliases, notes that moved) and chooses none when several match
// equally well.
//
// # Writing
//
// WriteFile replaces a file as a whole or not at all, and only if the file still has the content that the
// caller last read. Rename never overwrites; Trash moves files to the vault's .trash. Dot files are
// refused, except in .ibid and .trash.
//
// # Concurrency
//
// All methods of a Vault may be called from any goroutine. Those that only look up (Notes, Note, Resolve, Find,
// WithTag and similar ones) take no lock and do no I/O: they read an immutable snapshot, which Scan, Revalidate
// and Update replace as a whole when they are done. Their results are shared and must not be changed. The first
// Resolve, Find, WithTag or search for similar names after a change computes its table once; later calls look
// it up. Scan, Revalidate and Update run one at a time, and end the goroutines that they start before they
// return. WriteFile, Rename and Trash also run one at a time among themselves. A Vault has no
// goroutine of its own.
package vault
