package page

import (
	"time"

	"ibid/ui/keys"
	"ibid/ui/theme"
)

// Env is what every page may read. It is never nil in its parts, and nobody but the
// screen writes to what they point to.
type Env struct {
	Theme *theme.Theme // as the screen is drawn now
	Keys  *keys.Table  // as they are configured
	Now   func() time.Time
	// HasNote reports whether a link leads to a note.
	HasNote func(link string) bool
}

// NewEnv is an Env with the usual keys, of this moment.
func NewEnv(o theme.Options) Env {
	look := theme.New(o)
	table, _, _ := keys.NewTable(nil)
	return Env{Theme: &look, Keys: &table, Now: time.Now, HasNote: func(string) bool { return false }}
}
