package codec

import "encoding/binary"

// Coder encodes values to Out, or decodes them. The zero value encodes. Once it finds damaged data, it decodes
// zero values only.
type Coder struct {
	Out []byte

	rest       string
	reads, bad bool
}

// Reader returns a Coder that decodes packed. Decoded texts are parts of packed.
func Reader(packed string) *Coder { return &Coder{rest: packed, reads: true} }

// Rest returns the data that were not decoded yet.
func (c *Coder) Rest() string { return c.rest }

// Whole reports whether all data were decoded and none were missing.
func (c *Coder) Whole() bool { return !c.bad && c.rest == "" }

func (c *Coder) fail() { c.rest, c.bad = "", true }

func (c *Coder) number(n uint64) uint64 {
	if !c.reads {
		c.Out = binary.AppendUvarint(c.Out, n)
		return n
	}
	n, size := binary.Uvarint([]byte(c.rest[:min(len(c.rest), binary.MaxVarintLen64)]))
	if size <= 0 {
		c.fail()
		return 0
	}
	c.rest = c.rest[size:]
	return n
}

// Number codes numbers. A small one takes a byte, a negative one ten.
func Number[T ~int | ~int64 | ~uint8 | ~uint64](c *Coder, all ...*T) {
	for _, n := range all {
		*n = T(c.number(uint64(*n)))
	}
}

// Bool codes booleans.
func (c *Coder) Bool(all ...*bool) {
	for _, b := range all {
		var n uint64
		if *b {
			n = 1
		}
		*b = c.number(n) != 0
	}
}

// Count codes the number of following elements, each of which must take at least a byte.
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

// List codes a list; each codes one element.
func List[T any](c *Coder, list *[]T, each func(*T)) {
	if n := c.Count(len(*list)); c.reads && n > 0 {
		*list = make([]T, n)
	}
	for i := range *list {
		each(&(*list)[i])
	}
}
