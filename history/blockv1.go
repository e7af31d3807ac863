package history

import "encoding/json"

// Blocks of version 1, a line for each message, were written up to November 2026. Saving a chat writes today's
// version.

// messageV1 is one line of a version 1 block.
type messageV1 struct {
	H      string            `json:"h"` // see messageHash
	S      Status            `json:"s"`
	Refs   refList           `json:"refs"`
	Items  []Item            `json:"items"`
	Layers map[string]string `json:"layers"` // layers of the request, if ibid has sent the message
	Usage  *Usage            `json:"usage"`
	Notes  []string          `json:"notes"`
}

// sent reports whether ibid has sent the message; m may be nil.
func (m *messageV1) sent() bool { return m != nil && len(m.Layers) > 0 }

// readV1 converts a line of a version 1 block.
func readV1(line []byte) ([]blockEntry, bool) {
	var m messageV1
	if json.Unmarshal(line, &m) != nil {
		return nil, false
	}
	return []blockEntry{{
		hash: m.H, meta: Meta{Refs: m.Refs, Items: m.Items}, status: m.S, notes: m.Notes, v1: &m,
	}}, true
}
