package history

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// AskedPrompt is a message that the person sent in a saved chat.
type AskedPrompt struct {
	Text  string
	Time  time.Time // time of the message, else of its file
	Title string    // title of the chat
}

// maxAskedSize is the length in bytes of the longest message that Asked returns.
const maxAskedSize = 256 << 10

// Asked returns the last n messages that the person sent in all chats, newest first, without duplicates. It
// reads the n chats that were changed last. Messages over 256 KB are left out.
func (s *Store) Asked(ctx context.Context, n int) ([]AskedPrompt, error) {
	sums, err := s.List(ctx)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(sums, func(a, b Summary) int { return b.Modified.Compare(a.Modified) })
	sums = sums[:min(len(sums), n)]
	found := make([][]AskedPrompt, len(sums))
	if err := parallel(ctx, len(sums), func(i int) { found[i] = s.promptsIn(&sums[i]) }); err != nil {
		return nil, fmt.Errorf("read the messages in %s: %w", s.folder, err)
	}
	all := slices.Concat(found...)
	slices.SortStableFunc(all, func(a, b AskedPrompt) int { return b.Time.Compare(a.Time) })
	seen := map[string]bool{}
	all = slices.DeleteFunc(all, func(a AskedPrompt) bool {
		again := seen[a.Text]
		seen[a.Text] = true
		return again
	})
	return all[:min(len(all), n)], nil
}

// promptsIn returns the messages that the person sent in one chat, latest first; nil if the file cannot be read.
func (s *chatDir) promptsIn(sum *Summary) (all []AskedPrompt) {
	data, err := s.read(sum.Path)
	if err != nil {
		return nil
	}
	c, _, _ := decode(data, s.opts.Zone) // the only error is that it is no chat
	for _, m := range slices.Backward(c.Messages) {
		if m.Role != User || m.Text == "" || len(m.Text) > maxAskedSize {
			continue
		}
		if m.Time.IsZero() {
			m.Time = sum.Modified
		}
		all = append(all, AskedPrompt{strings.Clone(m.Text), m.Time, sum.Title}) // the file need not stay in memory
	}
	return all
}
