package desk

import (
	"context"
	"iter"
	"slices"
	"strings"
	"time"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/usage"
)

// Counted returns a turn that takes the attachments of the chat with it when it starts, and records which notes are
// used together when its request is made. ctx is the context of the turn. Chats that are not saved record nothing.
func (c *Chat) Counted(ctx context.Context, turn iter.Seq2[chains.Event, error]) iter.Seq2[chains.Event, error] {
	turn, attached := c.countTurn(ctx, turn), c.Attached()
	used := c.desk.opts.Usage
	return func(yield func(chains.Event, error) bool) {
		for e, err := range turn {
			if _, ok := e.(chains.TurnStarted); ok {
				for _, r := range attached {
					c.Drop(r)
				}
			}
			if !yield(e, err) {
				return
			}
			ready, ok := e.(chains.ContextReady)
			if !ok || ready.Follows || used == nil || c.desk.opts.Store == nil {
				continue
			}
			err = used.Add(c.session.Snapshot().Epoch, notesOf(ready.Envelope.Library), c.desk.now())
			if err != nil {
				c.desk.log.Warn("usage", "err", err) // suggestions are not worth stopping a turn
			}
		}
	}
}

// notesOf returns the notes that a chat knows, the last attached first.
func notesOf(library []prompt.LibraryItem) (notes []vault.Path) {
	library = slices.Clone(library)
	slices.SortStableFunc(library, func(a, b prompt.LibraryItem) int { return b.Used - a.Used })
	for _, it := range library {
		id := it.Ref.ID
		switch it.Ref.Kind {
		case prompt.Note:
		case prompt.Selection, prompt.Query:
			before, _, ok := strings.Cut(id, ".md#")
			if !ok {
				continue
			}
			id = before + ".md"
		default:
			continue
		}
		if p := vault.Path(id); !slices.Contains(notes, p) {
			notes = append(notes, p)
		}
	}
	return notes
}

// Limits of the search while a person types.
const (
	minTypedWords = 2 // significant words
	maxTypedNotes = 3 // notes
	typedTimeout  = 100 * time.Millisecond
)

// FitsTyped returns the notes that best match what is typed, as far as the search index finds them within 100 ms;
// none for a text of few significant words. Any goroutine may call it.
func (d *Desk) FitsTyped(ctx context.Context, text string) []vault.Path {
	if len(index.SignificantWords(text)) < minTypedWords {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, typedTimeout)
	defer cancel()
	return d.searcherWith(d.openIndex(ctx)).Likely(ctx, text, maxTypedNotes)
}

// UsageOf returns the record of notes used together at a desk; nil if nothing is recorded.
func UsageOf(d *Place) *usage.File { return d.opts.Usage }
