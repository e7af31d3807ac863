package history

import (
	"errors"
	"slices"
	"time"
)

// A chat is identified by its epoch, the time of its first message in milliseconds. Copilot identifies a chat
// by the time in its first stamp, which has whole seconds, and overwrites the first file with that epoch. So
// each new chat gets a second of its own, and its first stamp is that second. Existing files keep their epoch
// and stamp.

// began returns the time of the first message, or otherwise if that has no time.
func (c *Chat) began(otherwise time.Time) time.Time {
	if len(c.Messages) == 0 || c.Messages[0].Time.IsZero() {
		return otherwise
	}
	return c.Messages[0].Time
}

// wholeSecond returns epoch rounded down to a whole second.
func wholeSecond(epoch int64) int64 { return epoch - (epoch%1000+1000)%1000 }

// renumber sets the epoch of c, and the stamp of its first message to match, unless that has none.
func (c *Chat) renumber(epoch int64) {
	c.Epoch = epoch
	if at := c.began(time.UnixMilli(epoch)); at.UnixMilli() == epoch {
		return
	}
	c.Messages = slices.Clone(c.Messages) // branches and checkpoints share the slice
	m := &c.Messages[0]
	m.Time = time.UnixMilli(epoch).In(m.Time.Location())
}

// reserve gives a new chat the first second, from its epoch on, that no chat of the folder has and no other
// process has reserved. The lock that it takes reserves the second until the file exists.
func (s *Store) reserve(c *Chat) error {
	for d := (identity{s, wholeSecond(c.Epoch)}); ; d.epoch += 1000 {
		if s.open[d.epoch] != nil {
			continue
		}
		l, err := s.acquire(d.epoch)
		if errors.Is(err, ErrReadOnly) {
			continue
		}
		if err != nil {
			return err
		}
		if d.taken() { // only now, because the last owner of the lock may have made a file
			if err := l.Release(); err != nil {
				return err
			}
			continue
		}
		s.open[d.epoch] = &openChat{lock: l}
		c.renumber(d.epoch)
		return nil
	}
}
