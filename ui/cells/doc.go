// Package cells handles the drawn screen as cells: the rectangles of its parts, and the selection of
// text as it stands there.
package cells
