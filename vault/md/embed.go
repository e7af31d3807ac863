package md

import (
	"net/url"
	"strings"
	"unicode/utf8"
)

// Embeds returns the distinct targets of the embeds in a text: of ![[target]], and of ![text](target) unless
// that is a URL. Code is skipped.
func Embeds(text string) []string {
	return targets(text, '!', func(rest string) (target string, n int) {
		switch {
		case strings.HasPrefix(rest, "![["):
			inner, n := Wikilink(rest[1:])
			target, _ = Target(inner)
			return target, n + 1
		case strings.HasPrefix(rest, "!["):
			return destination(rest), 1
		}
		return "", 1
	})
}

// destination returns the target of the image at the beginning of line, "" if that is a URL or there is none.
func destination(line string) string {
	_, rest, ok := strings.Cut(line, "](")
	end := ")"
	inner, pointed := strings.CutPrefix(rest, "<")
	if pointed {
		rest, end = inner, ">"
	}
	dest, _, closed := strings.Cut(rest, end)
	if !pointed {
		dest, _, _ = strings.Cut(dest, " ")
	}
	if !ok || !closed || strings.Contains(dest, ":") {
		return ""
	}
	return Unescape(dest)
}

// Unescape decodes the percent-encoding of a destination. An invalid one is returned as it is.
func Unescape(dest string) string {
	if target, err := url.PathUnescape(dest); err == nil && utf8.ValidString(target) {
		return target
	}
	return dest
}
