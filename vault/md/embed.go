package md

import (
	"net/url"
	"strings"
	"unicode/utf8"
)

// Embeds lists the targets of the embeds in a text, each once: of ![[target]], and of
// ![text](target) unless that is an address. What stands in code is none.
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

// destination is where the image leads that line begins with, "" if that is an address
// or there is none.
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

// Unescape is a destination without its percent-encoding, as it is if that is none.
func Unescape(dest string) string {
	if target, err := url.PathUnescape(dest); err == nil && utf8.ValidString(target) {
		return target
	}
	return dest
}
