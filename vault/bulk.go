package vault

import "time"

// BulkReader reads many notes, best in the order of their paths: it keeps the folder
// of the last one open, and does not parse again what the vault knows. It is for one
// goroutine, which closes it.
type BulkReader struct{ l loader }

// BulkReader is a reader of the notes of v.
func (v *Vault) BulkReader() *BulkReader { return &BulkReader{loader{v: v}} }

// Close ends the reading.
func (r *BulkReader) Close() { r.l.close() }

// Read is Vault.Read, but that a note whose file has the size and time that the vault
// knows is not kept in memory, and its Text has no Hash.
func (r *BulkReader) Read(p Path) (Text, error) {
	v := r.l.v
	n, ok := v.Note(p)
	if !ok || n.Private || n.Size > v.opts.MaxNote || racy(n.ModTime, time.Now()) || !r.unchanged(n) {
		return v.Read(p)
	}
	f, err := r.l.open.Open(p.Name())
	if err != nil {
		return v.Read(p)
	}
	defer f.Close()
	v.onRead(p)
	if r.l.buf, err = readInto(r.l.buf[:0], f, n.Size); err != nil || int64(len(r.l.buf)) < n.Size || isBinary(r.l.buf) {
		return v.Read(p)
	}
	t := Text{Note: n, ModTime: n.ModTime, Size: n.Size}
	t.Content, _ = normalize(r.l.buf)
	return t, nil
}

// unchanged reports whether a note is a file, and no link, that is as the vault knows.
func (r *BulkReader) unchanged(n *Note) bool {
	if r.l.enter(n.Path.Dir()) != nil {
		return false
	}
	info, err := r.l.open.Lstat(n.Path.Name())
	return err == nil && info.Mode().IsRegular() && info.Size() == n.Size && info.ModTime().Equal(n.ModTime)
}
