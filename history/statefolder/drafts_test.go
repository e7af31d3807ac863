package statefolder_test

import (
	"strings"
	"testing"

	"ibid/history"
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
	d := store.Drafts()
	slot, _, err := d.Take()
	if err != nil {
		t.Fatal(err)
	}
	const epoch = 7
	for _, tt := range []struct {
		to, before int64
		text       string
		lies       int64 // where it is then
	}{
		{slot, slot, "a question", slot},
		{epoch, slot, strings.Repeat("too long ", 4<<20), slot},
		{epoch, epoch, "a question", epoch},
		{epoch, epoch, "", 0},
	} {
		var what any
		if tt.text != "" {
			what = tt.text
		}
		d.Put(tt.to, tt.before, what)
		long := len(tt.text) > 1<<20
		if err := d.Write(d.Pending()...); (err != nil) != long || len(d.Pending()) > 0 != long {
			t.Errorf("a draft of %d bytes: %v, %d are not written", len(tt.text), err, len(d.Pending()))
		}
		for _, at := range []int64{slot, epoch} {
			data, err := d.Read(at)
			if err != nil || at == tt.lies != (data != nil) {
				t.Errorf("%d holds %.20q, %v; it should lie under %d", at, data, err, tt.lies)
			}
		}
	}
}
