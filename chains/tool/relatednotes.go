package tool

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"ibid/chains"
	"ibid/vault"
	"ibid/vault/md"
)

type relatedArgs struct {
	Reference string
	Limit     int
}

// relatedJSON is a note that is related to another.
type relatedJSON struct {
	chains.RelatedNote
	InLibrary bool `json:"inLibrary"`
}

// Weights and limits of relations.
const (
	maxReasonNames = 3 // names in a reason

	// the score of the best note in each list
	linkedShare    = 0.5
	neighbourShare = 0.5
	taggedShare    = 0.5
	alikeShare     = 1
)

// relation is a note in a list of related notes.
type relation struct {
	path   vault.Path
	weight float64
	why    string // in words, "" for no reason
}

// relatedNotes collects the notes related to a note.
type relatedNotes struct {
	*Options
	of    *vault.Note
	chat  vault.Path // chat of the caller
	score map[vault.Path]float64
	why   map[vault.Path][]string
}

func (o Options) relatedNotes(ctx context.Context, a relatedArgs) chains.ToolOutput {
	by := chains.CallerOf(ctx)
	n, wrong := o.active(by)
	if a.Reference != "" {
		n, wrong = o.findNote(ctx, a.Reference)
	}
	if wrong != nil {
		return wrong.output()
	}
	found, err := o.Related(ctx, by.Chat, string(n.Path))
	if err != nil {
		return failedResult(err.Error(), "the call failed")
	}
	all := len(found)
	found = found[:min(all, a.Limit)]
	list, paths := []relatedJSON{}, []string{}
	for _, near := range found {
		list = append(list, relatedJSON{near, by.Held != nil && by.Held(near.ID) != ""})
		paths = append(paths, near.ID)
	}
	message := fmt.Sprintf("%d of %d", len(list), all)
	if len(list) == 0 {
		message = strings.TrimSuffix(message+"."+o.unsearched(""), ".")
	}
	out := chains.ToolOutput{Text: success(list, message), Note: "nothing is related to " + string(n.Path)}
	if len(paths) > 0 {
		out.Note = summary(paths)
	}
	return out
}

// Related returns the notes related to others, the most related first, without the chat of the caller.
func (o Options) Related(ctx context.Context, chat string, of ...string) ([]chains.RelatedNote, error) {
	r := relatedNotes{
		Options: &o, chat: vault.Path(chat), score: map[vault.Path]float64{}, why: map[vault.Path][]string{},
	}
	links := o.Links()
	for _, id := range of {
		n, ok := o.Vault.Note(vault.Path(id))
		if !ok {
			continue
		}
		r.of = n
		r.add(linkedShare, r.linked(links))
		r.add(neighbourShare, r.neighbours(links))
		r.add(taggedShare, r.tagged())
		alike, err := r.alike(ctx)
		if err != nil {
			return nil, err
		}
		r.add(alikeShare, alike)
	}
	for _, id := range of {
		delete(r.score, vault.Path(id))
	}
	found := make([]chains.RelatedNote, 0, len(r.score))
	for p := range r.score {
		near, _ := o.note(p)
		found = append(found, chains.RelatedNote{ID: string(p), Title: near.Title, Why: r.why[p]})
	}
	slices.SortFunc(found, func(a, b chains.RelatedNote) int {
		return cmp.Or(cmp.Compare(r.score[vault.Path(b.ID)], r.score[vault.Path(a.ID)]), cmp.Compare(a.ID, b.ID))
	})
	return found, nil
}

// add adds a list to the scores. The best note of the list gets share, the others less, in proportion to their
// weights.
func (r *relatedNotes) add(share float64, list []relation) {
	most := 0.0
	for _, e := range list {
		if e.path != r.of.Path {
			most = max(most, e.weight)
		}
	}
	slices.SortFunc(list, func(a, b relation) int { return cmp.Compare(a.path, b.path) })
	for _, e := range list {
		n, ok := r.note(e.path)
		if !ok || n.Chat || e.path == r.of.Path || e.path == r.chat {
			continue
		}
		r.score[e.path] += share * e.weight / most
		if e.why != "" {
			r.why[e.path] = append(r.why[e.path], e.why)
		}
	}
}

// linked returns the linked notes, with the highest weight for those linked both ways.
func (r *relatedNotes) linked(l *vault.Links) (list []relation) {
	to, from := l.Of(r.of.Path)
	for _, p := range linkedNotes(l, r.of.Path) {
		switch out, back := slices.Contains(to, p), slices.Contains(from, p); {
		case out && back:
			list = append(list, relation{p, 3, "linked both ways"})
		case out:
			list = append(list, relation{p, 2, "linked from here"})
		default:
			list = append(list, relation{p, 1, "links here"})
		}
	}
	return list
}

// neighbours returns notes that have linked notes in common with the note. A linked note that few notes share
// weighs more.
func (r *relatedNotes) neighbours(l *vault.Links) []relation {
	weights, shared := map[vault.Path]float64{}, map[vault.Path][]string{}
	for _, p := range linkedNotes(l, r.of.Path) {
		between, ok := r.note(p)
		if !ok {
			continue
		}
		theirs := linkedNotes(l, p)
		for _, other := range theirs {
			weights[other] += 1 / math.Log(1+float64(len(theirs)))
			shared[other] = append(shared[other], between.Title)
		}
	}
	return sharing(weights, "shared neighbour", shared)
}

// linkedNotes returns the notes that a note is linked with, in either direction, each once.
func linkedNotes(l *vault.Links, p vault.Path) []vault.Path {
	to, from := l.Of(p)
	all := slices.Concat(to, from)
	slices.Sort(all)
	return slices.Compact(all)
}

// sharing returns relations with reasons such as "2 shared tags: #a, #b".
func sharing(weights map[vault.Path]float64, what string, shared map[vault.Path][]string) (list []relation) {
	for p, weight := range weights {
		names := shared[p]
		why := md.Plural(len(names), what) + ": " + strings.Join(names[:min(len(names), maxReasonNames)], ", ")
		list = append(list, relation{p, weight, why})
	}
	return list
}

// tagged returns notes that share tags with the note. A tag that few notes have weighs more.
func (r *relatedNotes) tagged() []relation {
	if len(r.of.Tags) == 0 {
		return nil
	}
	holders, notes := map[string][]vault.Path{}, 0
	own := map[string]string{}
	for _, t := range r.of.Tags {
		own[strings.ToLower(t)] = t
	}
	for _, n := range r.Vault.Notes() {
		if !n.Ordinary() {
			continue
		}
		notes++
		for _, t := range n.Tags {
			if key := strings.ToLower(t); own[key] != "" {
				holders[key] = append(holders[key], n.Path)
			}
		}
	}
	tags := slices.SortedFunc(maps.Keys(holders), func(a, b string) int {
		return cmp.Or(len(holders[a])-len(holders[b]), cmp.Compare(a, b))
	})
	weights, shared := map[vault.Path]float64{}, map[vault.Path][]string{}
	for _, t := range tags {
		if len(holders[t]) == notes {
			continue // a tag of all notes distinguishes none
		}
		for _, p := range holders[t] {
			weights[p] += math.Log(float64(notes) / float64(len(holders[t])))
			shared[p] = append(shared[p], "#"+own[t])
		}
	}
	return sharing(weights, "shared tag", shared)
}

// alike returns the notes that contain the most characteristic words of the note.
func (r *relatedNotes) alike(ctx context.Context) (list []relation, err error) {
	found, err := r.Searcher(ctx).Alike(ctx, r.of)
	for _, a := range found {
		list = append(list,
			relation{a.Path, a.Score, "same words: " + strings.Join(a.Words[:min(len(a.Words), maxReasonNames)], ", ")})
	}
	return list, err
}
