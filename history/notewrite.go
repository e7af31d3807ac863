package history

// NoteWrite is a change of a note that was made for a reply, as far as a chat keeps it.
type NoteWrite struct {
	Path   string `json:"p"`           // vault-relative
	Before string `json:"b,omitempty"` // beginning of the SHA-256 of what the note held, "" if there was none
	After  string `json:"a,omitempty"` // and of what it holds since
	Undo   int    `json:"u,omitempty"` // number of the write, to take it back with; 0 if it was not kept
}

// mostWriteBytes bounds the changes of a turn in the block.
const mostWriteBytes = 500

// keptWrites are the changes for a reply that the block holds, the first of them if not
// all fit.
func (m *Message) keptWrites() []NoteWrite {
	writes := m.Meta.Writes
	for len(writes) > 0 && len(marshal(writes)) > mostWriteBytes {
		writes = writes[:len(writes)-1]
	}
	return writes
}
