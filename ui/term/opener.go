package term

import (
	"fmt"
	"net/url"
	"os/exec"
	"runtime"
	"slices"
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
