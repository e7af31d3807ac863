package composer_test

import (
	"testing"

	"ibid/ui/composer"
	"ibid/ui/theme"
)

// TestArgumentTrigger: what follows a command in the first line is its argument.
func TestArgumentTrigger(t *testing.T) {
	for text, want := range map[string]string{
		"/pin ": "pin ", "/pin so": "pin so", "/open a b": "open a b", "/pin": "", "pin so": "", " /pin so": "", "/usr/bin so": "", "/ so": "", "/pin\nso": "", "/tag +a -b/c": "tag +a -b/c",
	} {
		m := composer.New(theme.New(theme.Options{}))
		m.Insert(text)
		kind, query, _ := m.Trigger()
		if kind != composer.Argument {
			query = ""
		}
		if query != want {
			t.Errorf("%q: %q, want %q", text, query, want)
		}
	}
	m := composer.New(theme.New(theme.Options{}))
	m.Insert("/pin so")
	m.Accept(`"Garden/Soil.md"`, "")
	if got := m.Value(); got != `/pin "Garden/Soil.md"` {
		t.Error(got)
	}
}
