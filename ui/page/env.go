package page

import (
	"time"

	"ibid/ui/keys"
	"ibid/ui/theme"
)

// Env holds the values that every page may read. None of its fields is nil, and only the screen changes
// the values that they point to.
type Env struct {
	Theme *theme.Theme // current theme of the screen
	Keys  *keys.Table  // keys as configured
	Now   func() time.Time
	// HasNote reports whether a link leads to a note.
	HasNote func(link string) bool
}

// Pen returns a pen for rows of w columns.
func (e Env) Pen(w int) Pen { return NewPen(e.Theme, w) }

// NewEnv returns an Env with a new theme, the usual keys, the current time and no notes.
func NewEnv(o theme.Options) Env {
	look := theme.New(o)
	table, _, _ := keys.NewTable(nil)
	return Env{Theme: &look, Keys: &table, Now: time.Now, HasNote: func(string) bool { return false }}
}
