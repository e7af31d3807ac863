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
}
