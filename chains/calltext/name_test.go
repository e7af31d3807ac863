package calltext_test

import (
	"testing"

	"ibid/chains/calltext"
)

func TestPlainName(t *testing.T) {
	for name, want := range map[string]string{
		"readNote": "readNote", "functions.readNote": "readNote", "functions.readNote:0": "readNote",
		"function.readNote": "readNote", "tools/readNote": "readNote", "default_api:readNote": "readNote",
		"default_api.readNote": "readNote", "`readNote` ": "readNote", "functions": "functions", "functions.": "",
		"functionsReadNote": "functionsReadNote", "": "",
	} {
		if got := calltext.PlainName(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}
