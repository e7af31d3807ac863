package tokens

import (
	_ "embed"
	"encoding/binary"
	"math"
	"unicode/utf8"
)

// vocabularyFile is the vocabulary o200k_base, in a form that is used as it lies in the
// program: nothing is unfolded, and only the pages that are read are loaded. It holds a
// hash table of slots 32-bit little-endian numbers, and after it all tokens by rank,
// each behind its length in a byte. An empty slot is 0; another has the offset of its
// token, plus 1, in its low offsetBits bits, and above them the high bits of the
// token's hash. A slot that is taken is followed by the next. TestVocabulary makes the
// file and holds it against the module that it was taken from.
//
//go:embed o200k.bin
var vocabularyFile string

const (
	slots      = 1 << 18
	tokensFrom = 4 * slots
	offsetBits = 21
	noToken    = math.MaxUint32
	longest    = 128 // bytes of the longest token
)

// hashOf is FNV-1a.
func hashOf(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

// rankOf is a number that grows with the rank of a token, noToken if s is none.
func rankOf(s string) uint32 {
	if len(s) == 0 || len(s) > longest {
		return noToken
	}
	h := hashOf(s)
	for at := h % slots; ; at = (at + 1) % slots {
		v := binary.LittleEndian.Uint32([]byte(vocabularyFile[4*at : 4*at+4]))
		if v == 0 {
			return noToken
		}
		if v>>offsetBits != h>>offsetBits {
			continue
		}
		rank := v&(1<<offsetBits-1) - 1
		if token := vocabularyFile[tokensFrom+rank:]; int(token[0]) == len(s) && token[1:1+len(s)] == s {
			return rank
		}
	}
}

// merger counts the tokens of pieces of text. It is one to keep its memory.
type merger struct {
	parts []part
	queue []uint64 // a binary heap of pairs: the rank above, the offset of the left part below
}

// part is a part of a piece, at the index of its first byte.
type part struct {
	prev, next int32
	rank       uint32 // of it and the next part as one token
}

// count is the number of tokens in text. A byte that is no UTF-8 counts as U+FFFD.
func (m *merger) count(text string) int {
	if !utf8.ValidString(text) {
		text = string([]rune(text))
	}
	n := 0
	for len(text) > 0 {
		end := pieceEnd(text)
		if rankOf(text[:end]) != noToken {
			n++
		} else {
			n += m.merge(text[:end])
		}
		text = text[end:]
	}
	return n
}

// merge is the number of parts that are left of a piece, whose parts are single bytes
// to begin with, once no two neighbours are a token: those of the lowest rank become
// one first, the leftmost of several.
func (m *merger) merge(piece string) int {
	size := int32(len(piece))
	m.parts, m.queue = m.parts[:0], m.queue[:0]
	for i := range size {
		m.parts = append(m.parts, part{prev: i - 1, next: i + 1, rank: noToken})
	}
	look := func(i int32) {
		p := &m.parts[i]
		if p.rank = noToken; p.next == size {
			return
		}
		if p.rank = rankOf(piece[i:m.parts[p.next].next]); p.rank != noToken {
			m.push(uint64(p.rank)<<32 | uint64(i))
		}
	}
	for i := range size {
		look(i)
	}
	n := int(size)
	for len(m.queue) > 0 {
		first := m.pop()
		i := int32(first & math.MaxUint32)
		left := &m.parts[i]
		if left.rank != uint32(first>>32) {
			continue // something else became of one of the two
		}
		m.parts[left.next].rank = noToken
		if left.next = m.parts[left.next].next; left.next < size {
			m.parts[left.next].prev = i
		}
		n--
		look(i)
		if left.prev >= 0 {
			look(left.prev)
		}
	}
	return n
}

// push adds to the queue.
func (m *merger) push(v uint64) {
	q := append(m.queue, v)
	m.queue = q
	for i := len(q) - 1; i > 0 && q[i] < q[(i-1)/2]; i = (i - 1) / 2 {
		q[i], q[(i-1)/2] = q[(i-1)/2], q[i]
	}
}

// pop takes the least out of the queue.
func (m *merger) pop() uint64 {
	q := m.queue
	least, last := q[0], len(q)-1
	q[0], q = q[last], q[:last]
	for i := 0; ; {
		child := 2*i + 1
		if child+1 < last && q[child+1] < q[child] {
			child++
		}
		if child >= last || q[i] <= q[child] {
			m.queue = q
			return least
		}
		q[i], q[child] = q[child], q[i]
		i = child
	}
}
