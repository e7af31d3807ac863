package term

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// mostPath bounds what a terminal pastes for a file that is dropped on it, in bytes.
const mostPath = 4096

// escapedSign is how terminals write a sign of a path that a shell would take for its own.
var escapedSign = regexp.MustCompile(`\\([^\w\\])`)

// DroppedPath is the absolute path that a paste consists of, as terminals spell the name
// of a file that is dropped on them: plain, in quotes, with escaped signs, or as a file
// address.
func DroppedPath(pasted string) (name string, ok bool) {
	s := strings.TrimSpace(pasted)
	if len(s) > mostPath || strings.ContainsAny(s, "\n\r\t") {
		return "", false
	}
	if n := len(s) - 1; n > 1 && (s[0] == '\'' || s[0] == '"') && s[n] == s[0] {
		s = s[1:n]
	} else if address, err := url.Parse(s); err == nil && address.Scheme == "file" {
		if s = address.Path; runtime.GOOS == "windows" {
			s = strings.TrimPrefix(s, "/")
		}
	} else if runtime.GOOS != "windows" {
		s = escapedSign.ReplaceAllString(s, "$1")
	}
	return filepath.Clean(s), filepath.IsAbs(s)
}

// IsOutside reports whether a path leads to a file that is not in a folder.
func IsOutside(dir, name string) bool {
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return false // no file, then it is only text
	}
	if within, err := filepath.EvalSymlinks(dir); err == nil {
		dir = within
	}
	rel, err := filepath.Rel(dir, real)
	if err == nil && filepath.IsLocal(rel) {
		return false
	}
	info, err := os.Stat(real)
	return err == nil && info.Mode().IsRegular()
}
