package vault

import "time"

// fileID identifies a file in its file system.
type fileID struct{ dev, ino uint64 }

// entry is the known state of one file on disk.
type entry struct {
	walkedFile
	note    *Note  // nil for attachments and excluded files
	sum     uint64 // checksum of a note's bytes
	ignored bool
	failed  bool // the note could not be read
	kept    bool // the file of Options.Keep has the note
	again   bool // read it again next time: it may have changed unnoticed, or could not be read
}

// diskState is the state of the folder at the last refresh. Vault.refreshing guards it.
type diskState struct {
	entries  map[Path]*entry
	dirs     map[Path]bool
	warnings []string
	kept     keptNotes
}

func newDiskState() diskState {
	return diskState{entries: map[Path]*entry{}, dirs: map[Path]bool{}}
}

// mayChangeUnseen reports whether a file that was last written at mtime, and was read at seen, can still change
// without getting another time: clocks of file systems tick every few milliseconds, those of FAT and some
// network drives every two seconds.
func mayChangeUnseen(mtime, seen time.Time) bool {
	tick := 20 * time.Millisecond
	if mtime.Nanosecond() == 0 {
		tick = 2 * time.Second
	}
	return seen.Sub(mtime) < tick
}
