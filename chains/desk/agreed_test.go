package desk_test

import (
	"strconv"
	"testing"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/vault"
	"ibid/vault/edit"
	"ibid/vault/undo"
	"ibid/vault/vaulttest"
)

// TestApplyAgreed: a text is added also if the note changes so that the first proposal does not fit any more, and not
// without an end.
func TestApplyAgreed(t *testing.T) {
	for changes, want := range map[int]string{0: "- a\n- new\n", 4: "4\n\n- new\n", 99: "5\n"} {
		v := vaulttest.New(t, "-- Log.md --\n- a\n")
		j := undo.New(v, undo.Options{})
		proposed := 0
		p, _, err := desk.ApplyAgreed(t.Context(), func() (*chains.Proposal, error) {
			plan, err := j.Plan("Log.md", undo.Author{}, func(before string, _ bool) (string, error) {
				return edit.Append(before, "- new"), nil
			})
			if err != nil {
				return nil, err
			}
			if proposed++; proposed <= changes {
				vaulttest.Write(t, v, "Log.md", strconv.Itoa(proposed)+"\n")
			}
			return chains.NewProposal(j, plan), nil
		})
		if p == nil || (err != nil) != (changes == 99) {
			t.Errorf("changed %d times: %v", changes, err)
		}
		data, _ := v.ReadOwn(vault.Path("Log.md"))
		if string(data) != want {
			t.Errorf("changed %d times it is %q, want %q", changes, data, want)
		}
	}
}
