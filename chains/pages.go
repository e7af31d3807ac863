package chains

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"ibid/context/prompt"
)

// A chat file may come from elsewhere, and name pages: an address inside of a private network, or one that tells its
// owner that the chat was read. So a page that a chat names is fetched only if this person attached it to this chat, as
// the session saw or the memory of pages tells, or agreed to fetch the pages of the chat, and then from public
// addresses only.

// PageMemory remembers which pages a person attached to which chat, across processes.
type PageMemory interface {
	// Attached reports whether the person attached a page to the chat that began at epoch.
	Attached(epoch int64, address string) bool
	// Keep remembers that the person did.
	Keep(epoch int64, addresses []string)
}

// PublicGatherer is a Gatherer that can fetch a page from public addresses only. The pages of a chat are not fetched
// by other gatherers.
type PublicGatherer interface {
	GatherPublic(ctx context.Context, page prompt.Ref) (prompt.Item, []prompt.MissingRef)
}

// pageAccess says whether a page may be fetched.
type pageAccess int

const (
	noAccess     pageAccess = iota // only the chat names it
	publicAccess                   // the person agreed to fetch what the chat names
	fullAccess                     // the person named it
)

// pageRights holds what the person decided about pages in this session.
type pageRights struct {
	mu       sync.Mutex
	attached map[string]bool // addresses that the person attached
	agreed   map[string]bool // addresses of the chat that may be fetched
	declined bool            // no other question
	changed  bool            // the conversation lacks pages that may be fetched now
}

// UnattachedState is the state of a page that only the chat names, see prompt.MissingRef.
const UnattachedState = "unattached"

func unattachedPage(r prompt.Ref) prompt.MissingRef {
	return missingRef(r, UnattachedState, ": this chat names the page, and you did not attach it here: it is not fetched")
}

// pageAccess returns whether a reference may be gathered; everything but pages may.
func (s *Session) pageAccess(r prompt.Ref) pageAccess {
	if r.Kind != prompt.URL || s.opts.Pages == nil {
		return fullAccess
	}
	rights := &s.pages
	rights.mu.Lock()
	defer rights.mu.Unlock()
	switch {
	case rights.attached[r.ID]:
		return fullAccess
	case s.opts.Pages.Attached(s.chat.Epoch, r.ID):
		return fullAccess
	case s.chat.Origin.Epoch != 0 && s.opts.Pages.Attached(s.chat.Origin.Epoch, r.ID):
		return fullAccess // the chat is a branch of the one to which it was attached
	case rights.agreed[r.ID]:
		return publicAccess
	}
	return noAccess
}

// attachPages records the pages that the person named for a turn.
func (s *Session) attachPages(refs []prompt.Ref) {
	rights := &s.pages
	rights.mu.Lock()
	defer rights.mu.Unlock()
	for _, r := range refs {
		if r.Kind == prompt.URL {
			if rights.attached == nil {
				rights.attached = map[string]bool{}
			}
			rights.attached[r.ID] = true
		}
	}
}

// keepPages puts what the person attached into the memory, once the chat has an identity.
func (s *Session) keepPages(refs []prompt.Ref) {
	if s.opts.Pages == nil || s.chat.Epoch == 0 {
		return
	}
	var addresses []string
	for _, r := range refs {
		if r.Kind == prompt.URL && s.pages.wasAttached(r.ID) {
			addresses = append(addresses, r.ID)
		}
	}
	if len(addresses) > 0 {
		s.opts.Pages.Keep(s.chat.Epoch, addresses)
	}
}

func (rights *pageRights) wasAttached(address string) bool {
	rights.mu.Lock()
	defer rights.mu.Unlock()
	return rights.attached[address]
}

// gather is Gatherer.Gather for references that a chat may have named.
func (s *Session) gather(ctx context.Context, refs []prompt.Ref) ([]prompt.Item, []prompt.MissingRef, error) {
	var allowed []prompt.Ref
	var missing []prompt.MissingRef
	for _, r := range refs {
		switch s.pageAccess(r) {
		case noAccess:
			missing = append(missing, unattachedPage(r))
			continue
		case publicAccess:
			failed := s.fetchPublic(ctx, r)
			if len(failed) > 0 {
				missing = append(missing, failed...)
				continue
			}
		}
		allowed = append(allowed, r)
	}
	items, more, err := s.opts.Gather.Gather(ctx, allowed)
	return items, append(missing, more...), err
}

// fetchPublic lets the gatherer fetch a page from a public address, from where Gather takes it.
func (s *Session) fetchPublic(ctx context.Context, page prompt.Ref) []prompt.MissingRef {
	g, ok := s.opts.Gather.(PublicGatherer)
	if !ok {
		return []prompt.MissingRef{unattachedPage(page)}
	}
	_, missing := g.GatherPublic(ctx, page)
	return missing
}

// withoutUnattached returns references without the pages that only the chat names.
func (s *Session) withoutUnattached(refs []prompt.Ref) []prompt.Ref {
	return slices.DeleteFunc(slices.Clone(refs), func(r prompt.Ref) bool { return s.pageAccess(r) == noAccess })
}

// UnattachedPages returns the addresses that the chat names and that are not fetched because nobody was asked;
// nil once the person has answered.
func (p *PendingTurn) UnattachedPages() (addresses []string) {
	rights := &p.s.pages
	rights.mu.Lock()
	answered := rights.declined
	rights.mu.Unlock()
	if answered {
		return nil
	}
	named := slices.Clone(p.named.refs)
	for _, k := range p.s.chat.Library() {
		named = append(named, k.Ref)
	}
	for _, r := range named {
		if p.s.pageAccess(r) == noAccess && !slices.Contains(addresses, r.ID) {
			addresses = append(addresses, r.ID)
		}
	}
	return addresses
}

// PagesQuestion asks about the pages of UnattachedPages.
func PagesQuestion(addresses []string) string {
	if len(addresses) == 1 {
		return "this chat names 1 page: fetch it?"
	}
	return fmt.Sprintf("this chat names %d pages: fetch them?", len(addresses))
}

// AnswerPages takes the person's answer about the pages of UnattachedPages. A turn that was prepared before is to be
// prepared again. Any goroutine may call it.
func (s *Session) AnswerPages(addresses []string, fetch bool) {
	rights := &s.pages
	rights.mu.Lock()
	defer rights.mu.Unlock()
	rights.declined = rights.declined || !fetch
	if !fetch {
		return
	}
	if rights.agreed == nil {
		rights.agreed = map[string]bool{}
	}
	for _, address := range addresses {
		rights.agreed[address] = true
	}
	rights.changed = true
}

// takeChanged reports whether pages may be fetched that the conversation does not have yet, and forgets it.
func (rights *pageRights) takeChanged() bool {
	rights.mu.Lock()
	defer rights.mu.Unlock()
	changed := rights.changed
	rights.changed = false
	return changed
}
