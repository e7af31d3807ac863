package tokens

import (
	"strings"
)

// normalise brings a model's name into the form that the table speaks of.
func normalise(model string) string {
	name := strings.ToLower(strings.TrimSpace(model))
	name = name[strings.LastIndexByte(name, '/')+1:]
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "ft:"), ":")
	name, _, _ = strings.Cut(name, "@")
	// Gateways that list vendors by a dot: us.anthropic.claude-…
	if i := strings.LastIndex(name, "anthropic."); i >= 0 {
		name = name[i+len("anthropic."):]
	}
	name = strings.TrimPrefix(name, "meta-")
	name = strings.TrimSuffix(name, "-latest")
	name = strings.ReplaceAll(name, "_", "-")
	return withoutDate(name)
}

// withoutDate cuts a release date off the end: -2026-03-05, -20260305, -08-2024.
func withoutDate(name string) string {
	for _, shape := range []string{"-0000-00-00", "-00000000", "-00-0000"} {
		if n := len(name) - len(shape); n > 0 && shaped(name[n:], shape) {
			return name[:n]
		}
	}
	return name
}

// shaped reports whether s has digits exactly where shape has zeros.
func shaped(s, shape string) bool {
	for i := range len(shape) {
		if shape[i] == '0' && !isDigit(s[i]) || shape[i] != '0' && s[i] != shape[i] {
			return false
		}
	}
	return true
}

// versionOf is the first version number in the rest of a name: one or two
// numbers of one or two digits, with a dot or a dash between, each a word of its
// own but for a leading v or k ("3.3-70b" is 3.3, "4-0613" is 4, "v4-pro" is 4).
func versionOf(rest string) version {
	for i := 0; i < len(rest); i++ {
		if !isDigit(rest[i]) || i > 0 && !starts(rest, i) {
			continue
		}
		major, end := number(rest[i:])
		if end > 2 || !ends(rest, i+end) {
			i += end
			continue
		}
		v := version{major: major}
		if j := i + end; j+1 < len(rest) && (rest[j] == '.' || rest[j] == '-') && isDigit(rest[j+1]) {
			if minor, n := number(rest[j+1:]); n <= 2 && ends(rest, j+1+n) {
				v.minor = minor
			}
		}
		return v
	}
	return version{}
}

// starts reports whether a version may begin at i.
func starts(s string, i int) bool {
	switch s[i-1] {
	case '-', '.':
		return true
	case 'v', 'k', 'm':
		return i == 1 || s[i-2] == '-'
	}
	return false
}

// ends reports whether a number may end before i: sizes such as 70b are none.
func ends(s string, i int) bool { return i >= len(s) || s[i] == '-' || s[i] == '.' }

func number(s string) (value, digits int) {
	for digits < len(s) && digits < 9 && isDigit(s[digits]) {
		value = value*10 + int(s[digits]-'0')
		digits++
	}
	return value, digits
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
