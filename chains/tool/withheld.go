package tool

import (
	"context"

	"ibid/vault"
	"ibid/vault/index"
)

// maxPrivateNotes limits the private notes that isWithheld reads.
const maxPrivateNotes = 500

// isWithheld reports whether private notes match a query that no other note matches. Private notes are read for
// nothing else, and nothing of them is returned.
func isWithheld(ctx context.Context, v *vault.Vault, q index.Query) bool {
	notes := privateNotes{vault: v}
	for _, n := range v.Notes() {
		if n.Private && len(notes.list) < maxPrivateNotes {
			open := *n
			open.Private = false
			notes.list = append(notes.list, &open)
		}
	}
	q.Limit = 1
	if len(notes.list) == 0 {
		return false
	}
	hits, err := index.Searcher{Source: notes}.Search(ctx, q)
	return err == nil && len(hits) > 0
}

// privateNotes is a search source with the private notes of a vault.
type privateNotes struct {
	vault *vault.Vault
	list  []*vault.Note
}

func (p privateNotes) Notes() []*vault.Note { return p.list }

func (p privateNotes) Note(path vault.Path) (*vault.Note, bool) {
	for _, n := range p.list {
		if n.Path == path {
			return n, true
		}
	}
	return nil, false
}

func (p privateNotes) Read(path vault.Path) (vault.Text, error) {
	data, err := p.vault.ReadOwn(path)
	if err != nil {
		return vault.Text{}, err
	}
	text, _ := vault.Normalize(data)
	n := vault.ParseNote(path, text)
	n.Private = false
	return vault.Text{Note: n, Content: text, Size: int64(len(data))}, nil
}
