package vault_test

import (
	"testing"

	"ibid/vault"
	"ibid/vault/vaulttest"
)

// What a note says of itself, and what chats and private notes are, make no
// difference to whether anybody links to it.
func TestOrphans(t *testing.T) {
	v := vaulttest.New(t, `
-- a.md --
[[b]] [[#part]] [[a]] [x](Folder/With%23sign.md)
-- b.md --
nothing
-- Folder/c.md --
![[picture.png]] [[../d]] [[Missing]]
-- Folder/With#sign.md --
-- d.md --
[[d]]
-- e.md --
[[e|myself]] ![[E]]
-- secret.md --
---
private: true
---
[[Folder/c]]
-- picture.png --
x
`)
	got := ""
	for _, n := range vault.Orphans(v) {
		got += string(n.Path) + " "
	}
	is(t, got, "a.md e.md ", "orphans")
}
