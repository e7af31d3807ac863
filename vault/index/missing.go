package index

import "ibid/vault"

// MissingBytes estimates how much will be written to bring an index up to date, up to an amount
// that can be tried quickly.
func MissingBytes(s *Status, notes []*vault.Note) int64 {
	const most = 16 << 20
	all := int64(0)
	for _, n := range notes {
		all += n.Size
	}
	return min(all*int64(s.Behind)/int64(max(len(notes), 1)), most)
}
