package vault

import "time"

// BulkReader reads many notes for searches and queries, fastest in the order of their paths: it keeps the last folder
// open, and does not parse again what the vault knows. It is for one goroutine, which must close it. What it reads
// stays on this machine: whoever sends some of it asks [Vault.Withheld].
type BulkReader struct{ l loader }

// BulkReader returns a reader of the notes of v.
func (v *Vault) BulkReader() *BulkReader { return &BulkReader{loader{v: v}} }

// Close closes the folder that the reader keeps open.
func (r *BulkReader) Close() { r.l.closeFolder() }

// Read works like LocalVault.Read, except that the Text of a note whose file has the size and time that the vault
// knows is not cached.
func (r *BulkReader) Read(p Path) (Text, error) {
	v := r.l.v
	n, ok := v.Note(p)
	_, _, linked := v.locate(p)
	if ok && !linked && !n.Private && n.Size <= v.opts.MaxNote && !mayChangeUnseen(n.ModTime, time.Now()) {
		if t, ok := r.readUnchanged(n); ok {
			return t, nil
		}
	}
	return v.Local().Read(p)
}

// readUnchanged reads a note whose file is no link and has the size and time that the vault knows; ok is false
// otherwise.
func (r *BulkReader) readUnchanged(n *Note) (_ Text, ok bool) {
	defer func() { _ = recover() }() // after a panic LocalVault.Read reads the note, and reports the cause
	r.l.v.onRead(n.Path)
	data, now, err := r.l.read(n.Path)
	if err != nil || now.size != n.Size || !now.mtime.Equal(n.ModTime) || int64(len(data)) != n.Size {
		return Text{}, false
	}
	content := Judge(data)
	return Text{Note: n, Content: content.Text, ModTime: n.ModTime, Size: n.Size}, !content.Binary
}
