package codec

import "encoding/binary"

// Coder writes what it is given behind Out, or reads it. The zero value writes. Of what
// is damaged it reads nothing more.
type Coder struct {
	Out []byte

	rest       string
	reads, bad bool
}

// Reader reads what another Coder wrote. The texts that it gives are parts of packed.
func Reader(packed string) *Coder { return &Coder{rest: packed, reads: true} }

// Rest is what was not read yet.
func (c *Coder) Rest() string { return c.rest }

// Whole reports whether all was read, and nothing was missing.
func (c *Coder) Whole() bool { return !c.bad && c.rest == "" }

func (c *Coder) fail() { c.rest, c.bad = "", true }

func (c *Coder) number(n uint64) uint64 {
	if !c.reads {
		c.Out = binary.AppendUvarint(c.Out, n)
		return n
	}
	n = 0
	for i := 0; i < len(c.rest) && i < binary.MaxVarintLen64; i++ {
		b := c.rest[i]
		n |= uint64(b&0x7F) << (7 * i)
		if b < 0x80 {
			c.rest = c.rest[i+1:]
			return n
		}
	}
	c.fail()
	return 0
}

// Number codes numbers. A small one takes a byte, one below zero ten.
func Number[T ~int | ~int64 | ~uint8 | ~uint64](c *Coder, all ...*T) {
	for _, n := range all {
		*n = T(c.number(uint64(*n)))
	}
}

// Bool codes what is true or false.
func (c *Coder) Bool(all ...*bool) {
	for _, b := range all {
		var n uint64
		if *b {
			n = 1
		}
		*b = c.number(n) != 0
	}
}

// Count codes how many things follow, each of which takes a byte at least.
func (c *Coder) Count(n int) int {
	n = int(c.number(uint64(n)))
	if c.reads && uint(n) > uint(len(c.rest)) {
		c.fail()
		return 0
	}
	return n
}

// Text codes texts.
func Text[T ~string](c *Coder, all ...*T) {
	for _, s := range all {
		if n := c.Count(len(*s)); c.reads {
			*s, c.rest = T(c.rest[:n]), c.rest[n:]
		} else {
			c.Out = append(c.Out, *s...)
		}
	}
}

// Texts codes lists of texts.
func (c *Coder) Texts(all ...*[]string) {
	for _, list := range all {
		List(c, list, func(s *string) { Text(c, s) })
	}
}

// List codes a list, each of which codes itself.
func List[T any](c *Coder, list *[]T, each func(*T)) {
	if n := c.Count(len(*list)); c.reads && n > 0 {
		*list = make([]T, n)
	}
	for i := range *list {
		each(&(*list)[i])
	}
}
