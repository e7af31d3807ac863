package vault

import "time"

// fileID is the number under which the file system knows a file.
type fileID struct{ dev, ino uint64 }

// entry is what is known about one file on disk.
type entry struct {
	walkedFile
	note    *Note  // nil for attachments and excluded files
	sum     uint64 // of the bytes of a note
	ignored bool
	failed  bool // the note could not be read
	kept    bool // the file of Options.Keep has it
	again   bool // read it again next time: it may have changed unseen, or could not be read
}

// diskState is the state of the folder that the next refresh compares with. It
// belongs to whoever holds Vault.refreshing.
type diskState struct {
	entries  map[Path]*entry
	dirs     map[Path]bool
	skipped  []Path
	warnings []string
	kept     keptNotes
}

func newDiskState() diskState {
	return diskState{entries: map[Path]*entry{}, dirs: map[Path]bool{}}
}

// mayChangeUnseen reports whether a file that was last written at mtime and looked at at
// seen may still change without its time changing: clocks of file systems
// tick every few milliseconds, those of FAT and some network drives every two
// seconds.
func mayChangeUnseen(mtime, seen time.Time) bool {
	tick := 20 * time.Millisecond
	if mtime.Nanosecond() == 0 {
		tick = 2 * time.Second
	}
	return seen.Sub(mtime) < tick
}
