// Package codec writes values as few bytes and reads them again. One function says for
// both which values there are and in which order:
//
//	func (p *point) code(c *codec.Coder) {
//		codec.Number(c, &p.x, &p.y)
//		codec.Text(c, &p.name)
//	}
//
// A Coder belongs to one goroutine.
package codec
