package cells

// Rect is a part of the screen, in cells.
type Rect struct{ X, Y, W, H int }

// Has reports whether a cell is in the rectangle.
func (r Rect) Has(x, y int) bool { return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H }
