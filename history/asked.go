package history

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// AskedPrompt is a message of the person in a saved chat.
type AskedPrompt struct {
	Text  string
	Time  time.Time // of the message, or else of the file
	Title string    // of the chat
}

const (
	askedChats = 32        // files that are read at once
	mostAsked  = 256 << 10 // bytes of a message that is listed
	allAsked   = 16 << 20
)

// Asked lists the last n messages of the person in all chats, newest first, each text
// once. It reads the chats that were changed last, as many as that takes and not more
// than n, and leaves out messages that are very long.
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
	for len(sums) > 0 && len(all) < n && size < allAsked {
		some := sums[:min(len(sums), askedChats)]
		sums = sums[len(some):]
		found := make([][]AskedPrompt, len(some))
		if err := parallel(ctx, len(some), func(i int) { found[i] = s.askedIn(&some[i]) }); err != nil {
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

// askedIn is the messages of the person in one chat; of a file that cannot be read
// there are none.
func (s *chatDir) askedIn(sum *Summary) (all []AskedPrompt) {
	data, err := s.read(sum.Path)
	if err != nil {
		return nil
	}
	r, _ := parts(string(data)) // the messages do not depend on the properties
	for m := range r.questions(s.opts.Zone, mostAsked) {
		if m.Time.IsZero() {
			m.Time = sum.Modified
		}
		if m.Text != "" {
			all = append(all, AskedPrompt{m.Text, m.Time, sum.Title})
		}
	}
	return all
}
