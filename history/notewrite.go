package history

// NoteWrite is a change of a note that was made for a reply, as far as a chat keeps it.
type NoteWrite struct {
	Path   string // vault-relative
	Before string // beginning of the SHA-256 of what the note held, "" if there was none
	After  string // and of what it holds since
	Undo   int    // number of the write, to take it back with; 0 if it was not kept
}

// mostWriteBytes bounds the changes of a turn in the block.
const mostWriteBytes = 500

// writeTag is a change in the block.
type writeTag struct {
	P string `json:"p"`
	B string `json:"b,omitempty"`
	A string `json:"a,omitempty"`
	U int    `json:"u,omitempty"`
}

// writeTags are the changes for a reply as the block holds them, the first of them if
// not all fit.
func (m *Message) writeTags() (tags []writeTag) {
	for _, w := range m.Meta.Writes {
		tags = append(tags, writeTag{w.Path, w.Before, w.After, w.Undo})
	}
	for len(tags) > 0 && len(marshal(tags)) > mostWriteBytes {
		tags = tags[:len(tags)-1]
	}
	return tags
}

// noteWrites reads what writeTags wrote.
func noteWrites(tags []writeTag) (all []NoteWrite) {
	for _, t := range tags {
		all = append(all, NoteWrite{t.P, t.B, t.A, t.U})
	}
	return all
}
