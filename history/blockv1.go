package history

import "encoding/json"

// Blocks of version 1 were written up to November 2026, a line for each message. A chat
// that is saved gets one of today.

// messageV1 is a line of such a block.
type messageV1 struct {
	H      string            `json:"h"` // see messageHash
	T      int64             `json:"t"`
	S      Status            `json:"s"`
	Refs   refList           `json:"refs"`
	Items  []Item            `json:"items"`
	Layers map[string]string `json:"layers"` // of the request, if ibid has sent the message
	Usage  *Usage            `json:"usage"`
	Notes  []string          `json:"notes"`
}

// sent reports whether ibid has sent the message; there may be no line for it.
func (m *messageV1) sent() bool { return m != nil && len(m.Layers) > 0 }

// readV1 reads a line as today's blocks have it.
func readV1(line []byte) ([]knownMessage, bool) {
	var m messageV1
	if json.Unmarshal(line, &m) != nil {
		return nil, false
	}
	return []knownMessage{{hash: m.H, meta: Meta{Refs: m.Refs, Items: m.Items}, status: m.S, notes: m.Notes, v1: &m}}, true
}
