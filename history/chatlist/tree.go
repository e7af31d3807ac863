package chatlist

import (
	"slices"

	"ibid/history"
)

// Tree orders chats so that each branch follows the chat that it was branched off, and returns their depths: 0
// for a chat that is no branch, or whose origin is not in the list. Otherwise it keeps the order.
func Tree(all []*history.Summary) (ordered []*history.Summary, depth []int) {
	if !slices.ContainsFunc(all, func(s *history.Summary) bool { return s.Origin != history.Origin{} }) {
		return all, make([]int, len(all))
	}
	first := map[int64]*history.Summary{} // by epoch
	for _, s := range all {
		if first[s.Epoch] == nil && s.Copy == "" {
			first[s.Epoch] = s
		}
	}
	branches := map[*history.Summary][]*history.Summary{} // under nil those that are no branches
	for _, s := range all {
		from := first[s.Origin.Epoch]
		if from == s || s.Origin == (history.Origin{}) {
			from = nil
		}
		branches[from] = append(branches[from], s)
	}
	done := map[*history.Summary]bool{}
	var add func(list []*history.Summary, deep int)
	add = func(list []*history.Summary, deep int) {
		for _, s := range list {
			if !done[s] {
				done[s] = true
				ordered, depth = append(ordered, s), append(depth, deep)
				add(branches[s], deep+1)
			}
		}
	}
	add(branches[nil], 0)
	add(all, 0) // after a cycle in edited files
	return ordered, depth
}
