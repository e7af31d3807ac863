package chatlist_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ibid/history"
	"ibid/history/chatlist"
	"ibid/vault"
)

func TestTree(t *testing.T) {
	chat := func(epoch, origin int64) *history.Summary {
		s := &history.Summary{Path: vault.Path(fmt.Sprint(epoch)), Epoch: epoch}
		if origin != 0 {
			s.Origin = history.Origin{Epoch: origin, Message: 2}
		}
		return s
	}
	outline := func(all ...*history.Summary) string {
		var b strings.Builder
		ordered, depth := chatlist.Tree(all)
		for i, s := range ordered {
			fmt.Fprintf(&b, "%s%s ", strings.Repeat(">", depth[i]), s.Path)
		}
		return strings.TrimSpace(b.String())
	}
	all := []*history.Summary{
		chat(5, 3), chat(4, 1), chat(9, 8), chat(3, 1), chat(2, 0), chat(1, 0), chat(6, 7), chat(7, 6), chat(11, 11),
	}
	if got := outline(all...); got != "9 2 1 >4 >3 >>5 11 6 >7" && got != "9 2 1 >4 >3 >>5 11 6 7" {
		t.Errorf("the tree is %s", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) *history.Summary {
			return chat(rapid.Int64Range(1, 9).Draw(t, "epoch"), rapid.Int64Range(0, 9).Draw(t, "origin"))
		}), 0, 12).Draw(t, "chats")
		for i := range all {
			all[i].Title = fmt.Sprint(i)
		}
		ordered, depth := chatlist.Tree(all)
		seen := map[string]bool{}
		for _, s := range ordered {
			seen[s.Title] = true
		}
		if len(seen) != len(all) || len(ordered) != len(all) || len(depth) != len(all) {
			t.Fatalf("%d of %d", len(seen), len(all))
		}
	})
}
