// Package cells is about the drawn screen as cells: the rectangles of its parts, and the text
// of one of them that is selected as it stands there.
package cells
