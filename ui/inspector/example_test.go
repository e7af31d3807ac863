package inspector_test

import (
	"fmt"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ibid/ui/inspector"
	"ibid/ui/theme"
)

// The ribbon says in one row what would be sent, and where the cache ends.
func ExamplePainter_Ribbon() {
	p := inspector.NewPainter(theme.New(theme.Options{NoColor: true}))
	fmt.Println(ansi.Strip(p.Ribbon(&inspector.Report{
		Window: 128_000, Prompt: 13_688, Cached: 12_410, Boundary: "L4",
		Layers: []inspector.Layer{
			{ID: "L1", Name: "instructions", Tokens: 1180, Cached: 1180},
			{ID: "L2", Name: "notes", Tokens: 9870, Cached: 9870},
			{ID: "L4", Name: "conversation", Tokens: 1360, Cached: 1360},
			{ID: "L3", Name: "this turn", Tokens: 1240},
			{ID: "L5", Name: "question", Tokens: 38},
		},
		Library: []inspector.Item{{ID: "a", Tokens: 9870}},
	}, 80)))
	// Output:
	// ▕████▏▕notes ███████████████████████████████████▏▕█████▏║▕░░░░░▏▕░▏ 11% of 128k
}

// A price is asked for before it is paid: the parent hears of the wish, says
// what it costs, and acts on the answer.
func ExampleModel_Confirm() {
	m := inspector.New(theme.Theme{})
	m.SetReport(inspector.Report{
		Layers:  []inspector.Layer{{ID: "L2", Name: "notes", Tokens: 920, Cached: 920}},
		Library: []inspector.Item{{ID: "Lesson 3.md", Title: "Lesson 3", Tokens: 920, Evict: 2300}},
	})
	key := func(r rune) inspector.Action { return m.Update(tea.KeyPressMsg{Code: r, Text: string(r)}) }
	key('j')
	if a := key('e'); a.Kind == inspector.Evict {
		m.Confirm("Forget " + a.ID + "? 2.3k tokens are read again, once.")
	}
	fmt.Println(key('y').Kind == inspector.Confirmed)
	// Output: true
}
