package setup

import (
	"testing"

	"ibid/ui/page"
	"ibid/ui/theme"
)

// TestFoldersOfBefore: while a longer path is looked up, the folders of the shorter one
// are offered only as far as they go with it, so that enter opens no other one.
func TestFoldersOfBefore(t *testing.T) {
	l := &vaultList{
		Env:     page.NewEnv(theme.Options{}),
		folders: FoldersMsg{"/", []Place{{Dir: "/", Shown: "/"}, {Dir: "/etc", Shown: "/etc"}}},
	}
	for query, want := range map[string]int{"/": 2, "/et": 1, "/gone": 0} {
		if got := l.Rows(query).Items; len(got) != want {
			t.Errorf("%s: %v", query, got)
		}
	}
}
