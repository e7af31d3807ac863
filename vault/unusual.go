package vault

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"ibid/vault/ownfile"
)

// UnusualFolder returns the reason to ask a person before a folder is read as a vault, "" for none. home is the
// person's home folder, "" if it is not known.
func UnusualFolder(dir, home string) string {
	if info, err := os.Stat(filepath.Join(dir, defaultConfigDir)); err == nil && info.IsDir() {
		return ""
	}
	for _, name := range []string{filepath.Clean(dir), ownfile.RealPath(dir)} {
		switch {
		case home != "" && name == filepath.Clean(home):
			return "your home folder"
		case home != "" && name != home && isWithin(home, name):
			return "a folder above your home folder"
		case (home == "" || !isWithin(name, home)) && isSystem(name):
			return "a folder of the system"
		}
	}
	return ""
}

// isSystem reports whether a folder belongs to the system: some do with all folders below, others alone.
func isSystem(dir string) bool {
	if dir == filepath.VolumeName(dir)+string(filepath.Separator) {
		return true
	}
	if runtime.GOOS == "windows" {
		dir = strings.ToLower(filepath.ToSlash(strings.TrimPrefix(dir, filepath.VolumeName(dir))))
		return regexp.MustCompile(`^/(windows|program files( \(x86\))?|programdata)(/|$)|^/users$`).MatchString(dir)
	}
	return systemFolders.MatchString(dir) && !strings.HasPrefix(dir, "/dev/shm/") // files in memory are whose they are
}

var systemFolders = regexp.MustCompile(
	`^/(etc|usr|bin|sbin|lib|lib32|lib64|proc|sys|dev|boot|run|System|Library|Applications|private/etc)(/|$)|` +
		`^/(var|opt|home|root|tmp|mnt|media|srv|Users|Volumes|private|private/var|private/tmp)$`)
