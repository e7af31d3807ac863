package vault_test

import (
	"testing"

	"ibid/vault"
)

func TestMixedScripts(t *testing.T) {
	for path, want := range map[vault.Path]string{
		"payroll.md": "", "Заметки/план.md": "", "音楽/Bach 第3番.md": "", "Ünïcode/ñ.md": "",
		"p\u0430yroll.md": "two scripts: Latin, Cyrillic", "Notes/\u03bf.md": "two scripts: Latin, Greek",
	} {
		is(t, path.MixedScripts(), want, path)
	}
}
