package term

import (
	"fmt"
	"net/url"
	"os/exec"
	"runtime"
	"slices"
	"strings"
)

// Open opens a URL with the command argv, nil for that of the system. The command continues after this
// program ends. missing is the name of the command if it is not installed.
func Open(argv []string, address string) (missing string, err error) {
	if len(argv) == 0 {
		argv = systemOpener(runtime.GOOS)
	}
	if _, err := exec.LookPath(argv[0]); err != nil {
		return argv[0], nil
	}
	argv = slices.Concat(argv, []string{address})
	c := exec.Command(argv[0], argv[1:]...) //nolint:noctx // it outlives this program
	if err := c.Start(); err != nil {
		return "", fmt.Errorf("%s: %w", argv[0], err)
	}
	_ = c.Process.Release()
	return "", nil
}

// OpenerCommand returns the command in $BROWSER that opens URLs: the first one there, which may end in "%s"; nil
// for that of the system.
func OpenerCommand(getenv func(string) string) []string {
	first, _, _ := strings.Cut(getenv("BROWSER"), ":")
	words := strings.Fields(first)
	if n := len(words); n > 1 && words[n-1] == "%s" {
		return words[:n-1]
	}
	return words
}

// systemOpener returns the command of an operating system that opens URLs.
func systemOpener(goos string) []string {
	switch goos {
	case "darwin":
		return []string{"open"}
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	}
	return []string{"xdg-open"}
}

// IsPage reports whether a link is the URL of a web page.
func IsPage(link string) bool {
	u, err := url.Parse(link)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}
