package md

import (
	"net/url"
	"unicode/utf8"
)

// Unescape decodes the percent-encoding of a destination. An invalid one is returned as it is.
func Unescape(dest string) string {
	if target, err := url.PathUnescape(dest); err == nil && utf8.ValidString(target) {
		return target
	}
	return dest
}
