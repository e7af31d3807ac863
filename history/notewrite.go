package history

// NoteWrite records a change of a note that was made for a reply.
type NoteWrite struct {
	Path   string `json:"p"`           // vault-relative
	Before string `json:"b,omitempty"` // beginning of the SHA-256 of the note's old content, "" if the note was new
	After  string `json:"a,omitempty"` // beginning of the SHA-256 of its new content
	Undo   int    `json:"u,omitempty"` // number of the write, for undoing it; 0 if it is not recorded
}

// maxWriteBytes limits the size of a turn's changes in the block.
const maxWriteBytes = 500

// keptWrites returns the changes that the block stores: the first ones, as many as fit.
func (m *Message) keptWrites() []NoteWrite {
	writes := m.Meta.Writes
	for len(writes) > 0 && len(marshal(writes)) > maxWriteBytes {
		writes = writes[:len(writes)-1]
	}
	return writes
}
