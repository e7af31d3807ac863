package history_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ibid/history"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// TestEpochs: a new chat begins in a second that no chat of the folder has,
// whatever its name says of it, and its first stamp is that second.
func TestEpochs(t *testing.T) {
	v := vaulttest.New(t, `
-- Chats/Renamed.md --
---
epoch: 1737979200000
modelKey: "m"
---

**user**: here first
[Timestamp: 2025/01/27 12:00:00]
-- Chats/deep/Elsewhere@20250127_070001.md --
---
epoch: 1737979201000
modelKey: "m"
---

**user**: named by the clock of another zone
[Timestamp: 2025/01/27 07:00:01]
-- Chats/chat-1737979202000.md --
---
epoch: 1737979202000
---

**ai**: a short name
-- Chats/Old@2025_01_27_12_00_03.md --
---
epoch: 1737979203000
modelKey: m
---

**user**: as in 2023
-- Chats/Not this@20250127_120004.md --
---
epoch: 1737979100000
modelKey: m
---

**user**: its name lies
`)
	locks := t.TempDir()
	s, other := store(t, v, history.Options{StateDir: locks}), store(t, v, history.Options{StateDir: locks})
	begin := func(s *history.Store, want time.Duration) {
		t.Helper()
		c := talk("Q", "A")
		c.Messages[0].Time = noon.Add(345 * time.Millisecond)
		save(t, s, &c)
		at := noon.Add(want)
		if c.Epoch != at.UnixMilli() || !c.Messages[0].Time.Equal(at) {
			t.Errorf("begun at %d, %s; want %s", c.Epoch, c.Messages[0].Time, at)
		}
		if file := onDisk(t, v, c.Path); !strings.Contains(file, fmt.Sprintf("epoch: %d\n", c.Epoch)) || !strings.Contains(file, "Q\n[Timestamp: "+at.Format("2006/01/02 15:04:05")+"]\n") {
			t.Errorf("the file of %s:\n%s", at, file)
		}
	}
	begin(s, 4*time.Second)
	begin(other, 5*time.Second) // which the first store still holds
	check(t, s.Close())
	begin(other, 6*time.Second)
	c := open(t, other, "Chats/Renamed.md")
	for want := range 2 {
		b := history.Branch(&c, 1, noon.Add(time.Hour))
		save(t, other, &b)
		if b.Epoch != noon.Add(time.Duration(7+want)*time.Second).UnixMilli() || b.Origin.Epoch != c.Epoch {
			t.Errorf("branch %d is %d of %+v", want, b.Epoch, b.Origin)
		}
	}
	vaulttest.Write(t, v, c.Path, "**user**: rewritten\n")
	c.Messages[0].Text = "mine"
	if w := save(t, other, &c); kinds(w) != "conflict" || c.Epoch != noon.Add(9*time.Second).UnixMilli() || !strings.Contains(onDisk(t, v, c.Path), "mine\n[Timestamp: 2025/01/27 12:00:09]") {
		t.Errorf("a conflict %v goes on as %d", w, c.Epoch)
	}
}

// BenchmarkFirstSave is what a new chat costs beside 10,000 others, of which
// nothing is known yet.
func BenchmarkFirstSave(b *testing.B) {
	dir := b.TempDir()
	v, err := vault.Open(dir, vault.Options{})
	check(b, err)
	defer v.Close()
	for i := range 10000 {
		at := noon.Add(time.Duration(i) * time.Minute)
		c := history.Chat{Epoch: at.UnixMilli(), Messages: []history.Message{{Role: history.User, Text: "Q", Time: at}}}
		vaulttest.Write(b, v, vault.Path(fmt.Sprintf("Chats/Topic_%d@%s.md", i, at.Format("20060102_150405"))), string(history.Encode(&c)))
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
