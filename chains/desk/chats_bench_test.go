package desk_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/context/gather"
	"ibid/history"
	"ibid/history/chatlist"
	"ibid/vault"
)

// BenchmarkChats lists and searches 10,000 chats as a new process does: with a
// search index that an earlier one filled, and by reading all of them.
func BenchmarkChats(b *testing.B) {
	dir, cache := b.TempDir(), b.TempDir()
	folder := filepath.Join(dir, "Chats")
	check(b, os.Mkdir(folder, 0o755))
	const total = 10000
	old := time.Now().Add(-time.Hour)
	for i := range total {
		text := fmt.Sprintf("---\nepoch: %d\nmodelKey: \"m|p\"\n\n\ntags:\n  - copilot-conversation\n---\n\n",
			1700000000000+i*1000)
		for n := range 1 + i%5 {
			text += fmt.Sprintf("**user**: question %d of talk %d\n", n, i) +
				fmt.Sprintf("[Context: Notes: Garden/Note %d.md]\n[Timestamp: 2026/01/01 09:00:00]\n\n", (i+n)%3000)

			text += "**ai**: " +
				strings.Repeat(fmt.Sprintf("A sentence about the word w%d of a reply. ", i%700), 15) +
				"\n[Timestamp: 2026/01/01 09:00:05]\n\n"
		}
		name := filepath.Join(folder, fmt.Sprintf("Talk_%d@20260101_090000.md", i))
		check(b, os.WriteFile(name, []byte(text), 0o644))
		check(b, os.Chtimes(name, old, old.Add(time.Duration(i)*time.Second-3*time.Hour)))
	}
	process := func(b *testing.B, indexes string, work func(*desk.Desk, *history.Store)) {
		v := value(vault.Open(dir, vault.Options{}))(b)
		defer func() { _ = v.Close() }()
		store := value(history.NewStore(v, history.Options{}))(b)
		g := gather.New(v, gather.Options{})
		d := desk.New(desk.Options{
			Vault: v, Gather: g, Store: store, IndexDir: indexes,
			Session: chains.Options{Gather: g, Store: store},
		})
		work(d.Desk, store)
		check(b, d.Close())
	}
	list := func(_ *desk.Desk, s *history.Store) {
		if all, err := s.List(b.Context()); err != nil || len(all) != total {
			b.Fatalf("%d chats, %v", len(all), err)
		}
	}
	search := func(text string, want int) func(*desk.Desk, *history.Store) {
		return func(d *desk.Desk, _ *history.Store) {
			if hits, err := d.SearchChats(b.Context(), chatlist.Filter{Text: text}, 100); err != nil || len(hits) != want {
				b.Fatalf("%d hits, %v", len(hits), err)
			}
		}
	}
	process(b, cache, func(d *desk.Desk, s *history.Store) {
		list(d, s)
		search("question talk 1234", 1)(d, s)
		d.CatchUp(b.Context())
	})
	for name, indexes := range map[string]string{"warm": cache, "read all": ""} {
		for what, work := range map[string]func(*desk.Desk, *history.Store){
			"list": list, "search one": search("question talk 1234", 1), "search some": search("w77", 15),
			"search many": search("sentence", 100), "search none": search("nothing", 0),
		} {
			b.Run(what+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					process(b, indexes, work)
				}
			})
		}
	}
}
