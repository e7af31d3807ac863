// Package legible returns the text of a note as a reader gets it: without ibid's own comments, and without the data
// that programs keep in notes: files as data URIs, drawings, encrypted blocks, long runs of base64, hex or percent
// encoding. Such data says nothing to a model or in a search, and costs more than the rest of the note.
//
// [Text] is for reading, [Lines] keeps the numbers of lines. What is left out has a placeholder, and [Restore] puts
// the data back into a text that was written after such a reading.
//
// Prose in any language, code, lists of names, addresses and tables of numbers stay as they are: a run counts as data
// only if it is longer than 2,000 characters and its characters are distributed as those of its encoding.
//
// All functions are pure and take time proportional to the length of the text.
package legible
