package ui

import (
	"strings"
	"testing"

	"ibid/history"
	"ibid/ui/chatview"
	"ibid/ui/composer"
	"ibid/vault/vaulttest"
)

// TestDraftMoves: the draft of a chat that begins stays under its number until it is
// written under the epoch of the chat.
func TestDraftMoves(t *testing.T) {
	store, err := history.NewStore(vaulttest.New(t, ""), history.Options{StateDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	slot, _, err := store.Drafts().Take()
	if err != nil {
		t.Fatal(err)
	}
	const epoch = 7
	f := newDraftFiles(store.Drafts())
	write := func(n int, to, before int64, text string) error {
		return f.write(n, to, before, &chatview.Unsent{Draft: composer.Draft{Text: text}})
	}
	lies := func(want ...int64) {
		t.Helper()
		for _, at := range []int64{slot, epoch} {
			data, err := store.Drafts().Read(at)
			if held := len(want) > 0 && at == want[0]; err != nil || held != (data != nil) {
				t.Errorf("%d holds %q, %v", at, data, err)
			}
		}
	}
	if err := write(1, slot, slot, "a question"); err != nil {
		t.Fatal(err)
	}
	lies(slot)
	if write(2, epoch, slot, strings.Repeat("too long ", 4<<20)) == nil {
		t.Error("it was not too long")
	}
	lies(slot)
	if err := write(3, epoch, epoch, "a question"); err != nil {
		t.Error(err)
	}
	lies(epoch)
	if err := write(4, epoch, epoch, ""); err != nil {
		t.Error(err)
	}
	lies()
}
