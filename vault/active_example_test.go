package vault_test

import (
	"fmt"
	"time"

	"ibid/vault"
)

// An editor said at noon which note it has open; Obsidian wrote its panes an
// hour before. The later one counts.
func ExampleResolveActive() {
	noon := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	signal := vault.Signal{Path: "Piano/Scales.md", Line: 14, When: noon, Source: "nvim"}
	panes := vault.Workspace{Active: "Shopping.md", When: noon.Add(-time.Hour)}

	a := vault.ResolveActive(signal, panes, noon.Add(5*time.Minute))
	fmt.Printf("%s, line %d, from %s, live: %t\n", a.Path, a.Line, a.Source, a.Live)

	// The editor was closed and took its word back; Obsidian's is old by now.
	a = vault.ResolveActive(vault.Signal{}, panes, noon.Add(5*time.Minute))
	fmt.Printf("%s, from %s, live: %t\n", a.Path, a.Source, a.Live)
	// Output:
	// Piano/Scales.md, line 14, from nvim, live: true
	// Shopping.md, from Obsidian, live: false
}
