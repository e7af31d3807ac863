package desk

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"ibid/vault/ownfile"
)

// pageMemory is the chains.PageMemory of a state folder. Its file has hashes in place of addresses, with the time of
// the last use.
type pageMemory struct{ hints ownfile.Hints }

const (
	pagesFile = "pages.json"
	mostPages = 5000 // the ones attached longest ago are forgotten: they count as named by the chat
)

// pageKey identifies a page of the chat that began at epoch.
func pageKey(epoch int64, address string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", epoch, address))
	return hex.EncodeToString(sum[:16])
}

// Attached implements chains.PageMemory.
func (m pageMemory) Attached(epoch int64, address string) bool {
	return m.hints.Read(pagesFile)[pageKey(epoch, address)] != ""
}

// Keep implements chains.PageMemory.
func (m pageMemory) Keep(epoch int64, addresses []string) {
	now := time.Now().UTC().Format(time.RFC3339)
	m.hints.Change(pagesFile, func(all map[string]string) {
		for _, address := range addresses {
			all[pageKey(epoch, address)] = now
		}
		if len(all) <= mostPages {
			return
		}
		oldestFirst := slices.SortedFunc(maps.Keys(all), func(a, b string) int { return strings.Compare(all[a], all[b]) })
		for _, key := range oldestFirst[:len(all)-mostPages] {
			delete(all, key)
		}
	})
}
