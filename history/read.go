package history

import (
	"context"
	"fmt"
)

// Read reads the chat that a person named, as OpenAny finds it, to look at it: no
// lock is taken, and the chat comes back ReadOnly.
func (s *Store) Read(ctx context.Context, name string) (Chat, []Warning, error) {
	p, err := s.Find(ctx, name)
	if err != nil {
		return Chat{}, nil, err
	}
	c, warnings, err := s.loadFile(p)
	if err != nil {
		return Chat{}, nil, fmt.Errorf("read chat %s: %w", p, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c.restore(&s.state)
	s.overlay(&c)
	c.ReadOnly = true
	return c, warnings, nil
}
