package statefolder

import (
	"encoding/json"
	"os"

	"ibid/vault/ownfile"
)

// Backup is the text above the messages of a chat.
type Backup struct {
	Path string `json:"chat"`
	Top  string `json:"top"`
}

const (
	maxTop     = 1 << 20 // bytes of a top that is kept
	maxBackups = 5000    // per vault
)

// backupFile returns the name of a chat's backup file.
func (f *Folder) backupFile(epoch int64) string { return f.fileName("chats", epoch, ".json") }

// Backup reads the backup of a chat; ok is false if there is none.
func (f *Folder) Backup(epoch int64) (b Backup, ok bool) {
	if f.dir == "" {
		return b, false
	}
	data, err := ownfile.Read(f.backupFile(epoch))
	return b, err == nil && json.Unmarshal(data, &b) == nil && b.Top != ""
}

// KeepBackup replaces the backup of a chat, and reports whether it did. A new one removes the oldest if there are too
// many.
func (f *Folder) KeepBackup(epoch int64, b Backup) bool {
	data, err := json.Marshal(b)
	if err != nil || len(b.Top) > maxTop || f.makeSub("chats") == "" {
		return false
	}
	name := f.backupFile(epoch)
	_, missing := os.Stat(name)
	// The save that waits for this function is on the disk: a crash costs the backup at most.
	if err := ownfile.ReplaceSoon(name, data, 0o600); err != nil {
		f.err = err
		return false
	}
	if missing != nil {
		all := f.list("chats")
		for _, old := range all[min(len(all), maxBackups):] {
			_ = os.Remove(old.Name) // a file that remains is tried again
		}
	}
	return true
}
