package config

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ibid/vault/vaulttest"
)

// TestHostileConfigurations: a file of another's making is read, or refused with its first mistake, in a bounded time.
func TestHostileConfigurations(t *testing.T) {
	lines := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for name, text := range map[string]string{
		"many keys":      "\n" + lines("key%d = 1\n", 100_000),
		"many tables":    "\n" + lines("[table%d]\nx = 1\n", 50_000),
		"unknown keys":   "\n" + lines("key%d = 1\n", 10_000),
		"unknown tables": "\n" + lines("[table%d]\nx = 1\n", 5_000),
		"long key":       "\n" + strings.Repeat("k", 1_000_000) + " = 1\n",
		"dotted key":     "\n" + strings.Repeat("a.", 50_000) + "b = 1\n",
		"nested list":    "\na = " + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "\n",
	} {
		began := vaulttest.CPU()
		_, _, err := fileOf(t, text).Read()
		if err == nil || !strings.Contains(err.Error(), ", line ") {
			t.Errorf("%s: %.200v", name, err)
		}
		if used := vaulttest.CPU() - began; used > 10*time.Second {
			t.Errorf("%s: it took %v", name, used)
		}
	}
}
