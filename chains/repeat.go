package chains

import (
	"fmt"
	"slices"
	"strings"
)

// repeatOf returns the number, from 1, of an identical earlier call in this turn, 0 if there is none. Calls are
// identical if the tool, the arguments and the state of the notes are the same.
func (t *Turn) repeatOf(j *job) int {
	version := uint64(0)
	if t.s.opts.Tools.Version != nil {
		version = t.s.opts.Tools.Version()
	}
	l := &t.loop
	key := fmt.Sprintf("%s %s %d %d", j.spec.Name, j.args, l.writes, version)
	if l.seen == nil {
		l.seen = map[string]int{}
	}
	if n := l.seen[key]; n > 0 {
		return n
	}
	l.seen[key] = j.n
	return 0
}

// passageKey identifies a passage by its place in the vault.
type passageKey struct {
	path     string
	from, to int
}

// recordShown records the passages that a search of this turn showed the model.
func (l *loop) recordShown(tool string, docs []Document) {
	if tool == SearchTool {
		for i := range docs {
			l.shown = append(l.shown, passageKey{docs[i].Path, docs[i].From, docs[i].To})
		}
	}
}

// onlyNew removes from the result of a search the passages that earlier searches of this turn showed the model.
func (l *loop) onlyNew(j *job) {
	if j.call.Name != SearchTool {
		return
	}
	docs := slices.DeleteFunc(slices.Clone(j.out.Documents), func(d Document) bool {
		return slices.Contains(l.shown, passageKey{d.Path, d.From, d.To})
	})
	all := len(j.out.Documents)
	switch {
	case len(docs) == all:
	case len(docs) == 0:
		j.state, j.out = ToolCached, ToolOutput{
			Text: "Nothing new: all that this finds stands above.", Attributes: j.out.Attributes,
			Note: "nothing that was not found before",
		}
	default:
		j.out.Documents = docs
		j.out.Sources = slices.DeleteFunc(slices.Clone(j.out.Sources), func(s Source) bool {
			return !slices.ContainsFunc(docs, func(d Document) bool { return d.ID == s.ID })
		})
		j.out.Guidance = strings.TrimPrefix(
			fmt.Sprintf("%s\nLeft out: %d found before, which stand above.", j.out.Guidance, all-len(docs)), "\n")
		j.out.Note = fmt.Sprintf("%d of %d passages are new", len(docs), all)
	}
}
