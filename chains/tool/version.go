package tool

import (
	"encoding/binary"
	"hash/fnv"

	"ibid/vault"
)

// Version returns a hash of the state of the notes of a vault. Saved chats do not count, because they are written
// while tools are called. See chains.Toolbox.
func Version(v *vault.Vault) uint64 {
	h := fnv.New64a()
	var line []byte
	for _, n := range v.Notes() {
		if n.Chat {
			continue
		}
		line = append(append(line[:0], n.Path...), 0)
		line = binary.LittleEndian.AppendUint64(line, uint64(n.ModTime.UnixNano()))
		line = binary.LittleEndian.AppendUint64(line, uint64(n.Size))
		_, _ = h.Write(line) // never fails
	}
	return h.Sum64()
}
