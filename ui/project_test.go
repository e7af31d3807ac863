package ui_test

import (
	"testing"
	"time"

	"ibid/chains"
	"ibid/context/gather"
	"ibid/context/prompt"
)

// TestProjectChip: the notes of a project make one chip, which says how many they are.
func TestProjectChip(t *testing.T) {
	const yard = band + "-- Garden/Garden.md --\n---\ncontext: [\"[[Soil]]\", \"[[Tomatoes]]\"]\n---\nSpeak of gardens.\n"
	playOn(t, 110, 24, func(t *testing.T) *rig {
		return rigWithSession(yard, func(o *chains.Options) {
			_, _, _ = o.Gather.Gather(t.Context(), []prompt.Ref{{Kind: prompt.Folder, ID: "Garden/"}}) // looks at the vault
			o.Instructions, _ = o.Gather.(*gather.Gatherer).Instructions(t.Context(), prompt.Instructions{}, "", "Garden")
		}, reply("one"))(t)
	}, func(r *stage) {
		r.Type("what of it")
		r.Pass(time.Second)
		r.Want("project Garden, 2 notes")
		r.WantNot("Soil")
	})
}
