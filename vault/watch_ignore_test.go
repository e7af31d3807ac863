package vault

import "testing"

func TestScratch(t *testing.T) {
	for p, want := range map[Path]bool{
		"A.md": false, "Notes/4913.md": false, "a.tmp/b.md": false, "v1.2": false, "Makefile": false,
		"Report (conflicted copy 2026-01-02).md": false,
		"4913":                                   true, "x/4913": true, "A.md~": true, "A.md.swp": true, "A.TMP": true,
		"~syncthing~A.md.tmp": true, "~$Report.docx": true, "A.md.icloud": true,
	} {
		is(t, isScratch(p), want, p)
	}
}
