package vault_test

import (
	"testing"

	"ibid/vault"
	"ibid/vault/vaulttest"
)

// TestPlainNames: a name that is typed without accents and with straight quotes means the only note that has it.
func TestPlainNames(t *testing.T) {
	v := vaulttest.New(t, `
-- Orte/Café Müller.md --
---
aliases: [Kaffee Größer]
---
x
-- Anna’s notes.md --
x
-- Resume.md --
x
-- Résumé.md --
x
-- a/Été.md --
x
-- b/Eté.md --
x
-- Ταξίδι.md --
x
-- Trip.md --
---
title: The “big” trip
---
x
`)
	for _, row := range [][4]string{
		// name, read, choose, write
		{"cafe muller", "Orte/Café Müller.md", "Orte/Café Müller.md", "missing"},
		{"cafe muller#Top", "Orte/Café Müller.md#Top", "Orte/Café Müller.md#Top", "missing #Top"},
		{"orte/cafe muller.md", "Orte/Café Müller.md", "Orte/Café Müller.md", "missing"},
		{"cafe muller.md", "Orte/Café Müller.md", "missing", "missing"},
		{"other/cafe muller", "missing", "missing", "missing"},
		{"kaffee großer", "Orte/Café Müller.md", "Orte/Café Müller.md", "missing"},
		{"Anna's notes", "Anna’s notes.md", "Anna’s notes.md", "missing"},
		{`the "big" trip`, "Trip.md", "Trip.md", "missing"},
		{"ταξιδι", "Ταξίδι.md", "Ταξίδι.md", "missing"},
		{"resume", "Resume.md", "Resume.md", "Resume.md"},
		{"ete", "missing", "missing", "missing"},
	} {
		for i, purpose := range []vault.Purpose{vault.ToRead, vault.ToChoose, vault.ToWrite} {
			is(t, answer(v.Lookup(row[0], purpose)), row[i+1], row[0], purpose)
		}
	}
}
