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
	at := make(map[int64]int, len(all))
	for i := range all {
		if _, ok := at[all[i].Epoch]; !ok && all[i].Copy == "" {
			at[all[i].Epoch] = i
		}
	}
	branches := make([][]int, len(all))
	var roots []int
	for i := range all {
		if from, ok := at[all[i].Origin.Epoch]; ok && from != i && all[i].Origin != (history.Origin{}) {
			branches[from] = append(branches[from], i)
		} else {
			roots = append(roots, i)
		}
	}
	done := make([]bool, len(all))
	var add func(i, deep int)
	add = func(i, deep int) {
		if done[i] {
			return
		}
		done[i] = true
		ordered, depth = append(ordered, all[i]), append(depth, deep)
		for _, b := range branches[i] {
			add(b, deep+1)
		}
	}
	for _, i := range roots {
		add(i, 0)
	}
	for i := range all { // after a cycle in edited files
		add(i, 0)
	}
	return ordered, depth
}
