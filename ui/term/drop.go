package term

import (
	"net/url"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// maxPath is the longest paste, in bytes, that is checked for a dropped file.
const maxPath = 4096

// escapedSign matches a character of a path that terminals escape because it is special to a shell.
var escapedSign = regexp.MustCompile(`\\([^\w\\])`)

// DroppedPath returns the absolute path in a paste that consists only of one, as terminals write the
// name of a file dropped on them: plain, in quotes, with escaped characters, or as a file URL.
func DroppedPath(pasted string) (name string, ok bool) {
	s := strings.TrimSpace(pasted)
	if len(s) > maxPath || strings.ContainsAny(s, "\n\r\t") {
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
