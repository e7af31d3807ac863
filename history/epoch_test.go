package history_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"ibid/history"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// BenchmarkFirstSave measures the first save of a new chat beside 10,000 others that were not read yet.
func BenchmarkFirstSave(b *testing.B) {
	dir := b.TempDir()
	v, err := vault.Open(dir, vault.Options{})
	check(b, err)
	defer v.Close()
	for i := range 10000 {
		at := noon.Add(time.Duration(i) * time.Minute)
		c := history.Chat{Epoch: at.UnixMilli(), Messages: []history.Message{{Role: history.User, Text: "Q", Time: at}}}
		vaulttest.Write(b, v, vault.Path(fmt.Sprintf("Chats/Topic_%d@%s.md", i, at.Format("20060102_150405"))),
			string(history.Encode(&c)))
	}
	locks := filepath.Join(dir, "locks")
	now := time.Second
	for b.Loop() {
		s := store(b, v, history.Options{StateDir: locks})
		c := talk("Q", "A")
		c.Messages[0].Time = c.Messages[0].Time.Add(now)
		now += time.Hour + time.Second
		save(b, s, &c)
		check(b, s.Close())
	}
}
