// Package codec encodes values as few bytes and decodes them. One function defines the values and their order
// for both:
//
//	func (p *point) code(c *codec.Coder) {
//		codec.Number(c, &p.x, &p.y)
//		codec.Text(c, &p.name)
//	}
//
// A Coder belongs to one goroutine.
package codec
