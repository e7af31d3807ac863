package chains

import (
	"sync"
	"sync/atomic"
)

// Walk is the walk of the vault that calls share if they begin together: the reads of a reply, the lookups before a
// request, or the changes of one list. The first of them that needs it makes it. It is made again if the vault has
// changed since, through a write or because somebody noticed, and if a call finds that it no longer holds.
type Walk struct {
	begun   atomic.Uint64 // number of walks that were begun
	making  sync.Mutex    // guards the fields below
	holds   bool
	version uint64 // version of the vault after the walk
}

// Begun returns how many walks were begun, for Expire.
func (w *Walk) Begun() uint64 {
	if w == nil {
		return 0
	}
	return w.begun.Load()
}

// Expire says that the vault was seen to differ from the last walk after as many walks as Begun returned then. A
// walk that was begun later holds.
func (w *Walk) Expire(begun uint64) {
	if w == nil {
		return
	}
	w.making.Lock()
	defer w.making.Unlock()
	if w.begun.Load() == begun {
		w.holds = false
	}
}

// Make calls walk and reports that it did, unless an earlier walk still holds. Calls of Make that come meanwhile wait
// for its end. A walk that fails does not hold. A nil Walk shares nothing.
func (w *Walk) Make(walk func() error, version func() uint64) (made bool, err error) {
	if w == nil {
		return true, walk()
	}
	w.making.Lock()
	defer w.making.Unlock()
	if w.holds && w.version == version() {
		return false, nil
	}
	w.begun.Add(1)
	err = walk()
	w.holds = err == nil
	w.version = version()
	return true, err
}
