package history

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// AskedPrompt is a message that the person sent in a saved chat.
type AskedPrompt struct {
	Text string
	Time time.Time // time of the message, else of its file
}

const (
	askedBatch    = 32        // chats read at once
	maxAskedSize  = 256 << 10 // bytes; longer messages are left out
	maxAskedTotal = 16 << 20  // bytes of all messages together
)

// Asked returns the last n messages that the person sent in all chats, newest first, without duplicates. It
// reads the n chats that were changed last, and stops when it has n messages or 16 MB of them. Messages over
// 256 KB are left out.
func (s *Store) Asked(ctx context.Context, n int) ([]AskedPrompt, error) {
	sums, err := s.List(ctx)
	if err != nil {
		return nil, err
	}
	sums = slices.Clone(sums)
	slices.SortStableFunc(sums, func(a, b Summary) int { return b.Modified.Compare(a.Modified) })
	sums = sums[:min(len(sums), n)]
	var all []AskedPrompt
	size, seen := 0, map[string]bool{}
	for len(sums) > 0 && len(all) < n && size < maxAskedTotal {
		some := sums[:min(len(sums), askedBatch)]
		sums = sums[len(some):]
		found := make([][]AskedPrompt, len(some))
		if err := parallel(ctx, len(some), func(i int) { found[i] = s.promptsIn(&some[i]) }); err != nil {
			return nil, fmt.Errorf("read the messages in %s: %w", s.folder, err)
		}
		for _, in := range found {
			for _, a := range slices.Backward(in) {
				if !seen[a.Text] {
					seen[a.Text] = true
					size += len(a.Text)
					all = append(all, a)
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b AskedPrompt) int { return b.Time.Compare(a.Time) })
	return all[:min(len(all), n)], nil
}

// promptsIn returns the messages that the person sent in one chat, nil if the file cannot be read.
func (s *chatDir) promptsIn(sum *Summary) (all []AskedPrompt) {
	data, err := s.read(sum.Path)
	if err != nil {
		return nil
	}
	r, _ := parseFile(string(data)) // the messages do not depend on the properties, so their error does not matter
	d := decoder{zone: s.opts.Zone}
	for _, sp := range r.spans {
		if sp.role != User || sp.end-sp.start > maxAskedSize {
			continue
		}
		text := r.norm[r.body+sp.start : r.body+sp.end]
		m := d.message(sp, text, text, 0, new(messageSource))
		if m.Time.IsZero() {
			m.Time = sum.Modified
		}
		if m.Text != "" {
			all = append(all, AskedPrompt{m.Text, m.Time})
		}
	}
	return all
}
