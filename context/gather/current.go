package gather

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"ibid/context/prompt"
	"ibid/vault"
)

// Current looks at known items again, by content, since a time stamp may be wrong and an event may be missed. A
// note that is gone from its path and exists elsewhere with the same content has moved. A selection of lines
// follows its text, whatever the line numbers are now. Files that cannot be read for a moment are not reported. A
// page has changed if Refetch fetched another text since.
func (g *Gatherer) Current(ctx context.Context, known []prompt.Item) (map[string]prompt.Current, []prompt.Move, error) {
	now := map[string]prompt.Current{}
	var moves []prompt.Move
	var lost []prompt.Item
	for _, k := range known {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		if k.Kind == prompt.URL {
			if p, ok := g.fetched(k.Ref); ok && p.item.Revision != k.Revision {
				now[k.ID] = prompt.Current{State: prompt.Changed, Item: p.item}
			}
		}
		if k.Kind != prompt.Note && k.Kind != prompt.Selection && k.Kind != prompt.Picture && k.Kind != prompt.Query {
			continue
		}
		found, missing := g.gatherAgain(ctx, k)
		if len(found) == 1 {
			if it := found[0]; it.Revision != k.Revision {
				now[k.ID] = prompt.Current{State: g.changedState(k), Item: it}
			} else if it.StartLine != k.StartLine || it.EndLine != k.EndLine {
				now[k.ID] = prompt.Current{State: prompt.Changed, Item: it} // only its place has changed
			}
			continue
		}
		switch state := missing[0].State; {
		case state == "private", state == "ignored", state == prompt.UncheckedRef, g.changedState(k) == prompt.Withdrawn:
			now[k.ID] = prompt.Current{State: prompt.Private}
		case state != "unreadable" && state != "not_downloaded":
			lost = append(lost, k)
		}
	}
	if len(lost) == 0 {
		return now, nil, nil
	}
	if err := g.updateVault(ctx); err != nil {
		return nil, nil, err
	}
	// notes before their parts
	slices.SortStableFunc(lost, func(a, b prompt.Item) int { return cmp.Compare(a.Kind, b.Kind) })
	for _, k := range lost {
		if m, ok := g.findMoved(ctx, k, moves); ok {
			moves = append(moves, m)
		} else {
			now[k.ID] = prompt.Current{State: prompt.Deleted, Like: g.similarNotes(k, known)}
		}
	}
	return now, moves, nil
}

// similarNotes returns the notes that a lost one may have become, if it was renamed and edited: those that share
// most of their lines with it and are not known. The first answer is remembered, because it reads many notes.
func (g *Gatherer) similarNotes(k prompt.Item, known []prompt.Item) []string {
	if k.Kind != prompt.Note || k.Content == "" {
		return nil
	}
	g.mu.Lock()
	like, ok := g.similar[k.Revision]
	g.mu.Unlock()
	if ok {
		return like
	}
	had := linesOf(k.Content)
	for _, n := range g.vault.Notes() {
		if n.Size > 2*int64(len(k.Content)) || 2*n.Size < int64(len(k.Content)) ||
			slices.ContainsFunc(known, func(o prompt.Item) bool { return o.ID == string(n.Path) }) {
			continue
		}
		t, err := g.vault.Read(n.Path)
		if err != nil {
			continue
		}
		shared, has := 0, linesOf(t.Content)
		for line := range has {
			if had[line] {
				shared++
			}
		}
		if 2*shared >= max(len(had), len(has)) {
			like = append(like, string(n.Path))
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.similar[k.Revision] = like
	return like
}

// linesOf returns the set of lines of a text, without empty ones.
func linesOf(text string) map[string]bool {
	lines := map[string]bool{}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines[line] = true
		}
	}
	return lines
}

// changedState returns the state of a changed item: Withdrawn if something that it embedded, or that its query found,
// must not be sent any more.
func (g *Gatherer) changedState(k prompt.Item) prompt.State {
	if k.Kind == prompt.Query && g.mayExpose(k.Content) {
		return prompt.Withdrawn
	}
	for _, e := range k.Embedded {
		name, _, ok := g.split(e.Path)
		if !ok {
			name = e.Path
		}
		_, err := g.vault.Read(vault.Path(name))
		if errors.Is(err, vault.ErrPrivate) || errors.Is(err, vault.ErrIgnored) || errors.Is(err, vault.ErrRules) {
			return prompt.Withdrawn
		}
	}
	return prompt.Changed
}

// findMoved finds the new place of a note, the only other path with the content that it had, or of a part of a note
// that has moved. An empty note cannot be recognized.
func (g *Gatherer) findMoved(ctx context.Context, k prompt.Item, moves []prompt.Move) (prompt.Move, bool) {
	to := k
	switch {
	case k.Content == "":
		return prompt.Move{}, false
	case k.Kind == prompt.Note:
		paths := g.withRevision(k.Revision.Short())
		if len(paths) != 1 || string(paths[0]) == k.ID {
			return prompt.Move{}, false
		}
		to.ID = string(paths[0])
	case k.Kind == prompt.Selection:
		path := string(g.vault.Lookup(k.Path, vault.ToReadOldChat).Path)
		for _, m := range moves {
			if m.From.Kind == prompt.Note && m.From.ID == k.Path {
				path = m.To.ID
			}
		}
		to.ID = path + strings.TrimPrefix(k.ID, k.Path)
	default:
		return prompt.Move{}, false
	}
	found, _ := g.gatherAgain(ctx, to)
	if len(found) == 0 || found[0].Revision != k.Revision {
		return prompt.Move{}, false
	}
	return prompt.Move{From: k.Ref, To: found[0]}, true
}

// Revision returns the revision that the content of the note at p would have for a model, 16 hex digits; "" if it
// would not be sent. It does not read a note again that has not changed since the last call.
func (g *Gatherer) Revision(p vault.Path) string {
	n, ok := g.vault.Note(p)
	if !ok {
		return ""
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.revision(n)
}

// revision is Revision for a note of the vault. The caller holds mu. A note that did not change is the same pointer
// in the vault's next snapshot.
func (g *Gatherer) revision(n *vault.Note) string {
	at := g.vault.Version()
	known, ok := g.revisions[n]
	if !ok || known.embeds && known.at != at {
		known = revision{at: at}
		for l := range n.Links() {
			known.embeds = known.embeds || l.Kind == vault.Embed && !vault.IsPicture(l.Target)
		}
		if found, _ := g.note(prompt.NoteRef(n.Path)); len(found) > 0 {
			known.short = found[0].Revision.Short()
		}
		if g.revisions == nil {
			g.revisions = map[*vault.Note]revision{}
		}
		g.revisions[n] = known
	}
	return known.short
}

// revision is the remembered revision of a note.
type revision struct {
	short  string // 16 hex digits, "" if the note would not be sent
	embeds bool   // it may depend on other notes, too
	at     uint64 // version of the vault
}

// withRevision returns the notes that have a revision. The first call reads every note, later ones those that have
// changed since.
func (g *Gatherer) withRevision(rev string) []vault.Path {
	g.mu.Lock()
	defer g.mu.Unlock()
	notes := g.vault.Notes()
	if len(g.revisions) > 2*len(notes)+1000 {
		g.revisions = nil // most of it is about earlier versions of notes
	}
	var found []vault.Path
	for _, n := range notes {
		if g.revision(n) == rev {
			found = append(found, n.Path)
		}
	}
	return found
}
