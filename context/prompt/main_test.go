package prompt

import (
	"flag"
	"os"
	"testing"
)

// TestMain has the properties try harder than the library's default, since a
// conversation takes many steps to become interesting.
func TestMain(m *testing.M) {
	flag.Parse()
	chosen := false
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "rapid.checks" })
	if !chosen && !testing.Short() {
		// The flag is registered by the library and takes numbers: it cannot be refused.
		_ = flag.Set("rapid.checks", "200")
	}
	os.Exit(m.Run())
}
