package history_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ibid/context/prompt"
	"ibid/history"
	"ibid/vault"
)

// long returns a chat of n turns in the form that a session saves.
func long(n int) history.Chat {
	c := history.Chat{Epoch: noon.UnixMilli(), Model: "m"}
	reply := strings.Repeat("A sentence of a reply that has some length to it. ", 12)
	for i := range n {
		ref := prompt.Ref{Kind: prompt.Note, ID: fmt.Sprintf("Garden/Note %d.md", i%50)}
		c.Messages = append(c.Messages,
			history.Message{
				Role: history.User, Text: fmt.Sprintf("question %d?", i), Time: noon,
				Context: history.Context{Notes: []string{ref.ID}},
				Meta:    history.Meta{Items: []history.Item{{Ref: ref, Revision: "0123456789abcdef"}}},
			},
			history.Message{Role: history.Assistant, Text: fmt.Sprint(reply, i), Time: noon})
	}
	return c
}

func BenchmarkEncode(b *testing.B) {
	c := long(1000)
	b.SetBytes(int64(len(history.Encode(&c))))
	b.ReportAllocs()
	for b.Loop() {
		history.Encode(&c)
	}
}

func BenchmarkDecode(b *testing.B) {
	c := long(1000)
	data := history.Encode(&c)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		_, _, err := history.Decode(data)
		check(b, err)
	}
}

// BenchmarkSave measures the save that a streaming reply needs each second.
func BenchmarkSave(b *testing.B) {
	dir := b.TempDir()
	v, err := vault.Open(dir, vault.Options{})
	check(b, err)
	b.Cleanup(func() { _ = v.Close() })
	s := store(b, v, history.Options{StateDir: b.TempDir()})
	c := long(1000)
	save(b, s, &c)
	last := &c.Messages[len(c.Messages)-1]
	b.Run("store", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			last.Text += "w"
			save(b, s, &c)
		}
	})
	b.Run("unchanged", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			save(b, s, &c)
		}
	})
}

// BenchmarkList lists 10,000 chats from memory and from disk. "asked" reads the last
// prompts, one a chat.
func BenchmarkList(b *testing.B) {
	dir := b.TempDir()
	folder := filepath.Join(dir, "Chats")
	check(b, os.Mkdir(folder, 0o755))
	c := long(3)
	old := time.Now().Add(-time.Hour)
	for i := range 10000 {
		c.Epoch++
		name := filepath.Join(folder, fmt.Sprintf("chat_%d@20250127_120000.md", i))
		check(b, os.WriteFile(name, history.Encode(&c), 0o644))
		check(b, os.Chtimes(name, old, old))
	}
	v, err := vault.Open(dir, vault.Options{})
	check(b, err)
	b.Cleanup(func() { _ = v.Close() })
	list := func(b *testing.B, s *history.Store) {
		all, err := s.List(context.Background())
		if err != nil || len(all) != 10000 {
			b.Fatalf("%d chats, %v", len(all), err)
		}
	}
	b.Run("warm", func(b *testing.B) {
		s := store(b, v, history.Options{})
		list(b, s)
		b.ReportAllocs()
		for b.Loop() {
			list(b, s)
		}
	})
	b.Run("asked", func(b *testing.B) {
		s := store(b, v, history.Options{})
		list(b, s)
		b.ReportAllocs()
		for b.Loop() {
			if all, err := s.Asked(b.Context(), 1000); err != nil || len(all) == 0 {
				b.Fatalf("%d messages, %v", len(all), err)
			}
		}
	})
	b.Run("cold", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			list(b, store(b, v, history.Options{}))
		}
	})
}
