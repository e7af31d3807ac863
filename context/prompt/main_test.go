package prompt

import (
	"flag"
	"os"
	"testing"

	"ibid/vault/vaulttest"
)

// TestMain sets the number of rapid's checks and a fixed seed, so that a test fails on every
// machine or on none. Other numbers come from rapid's own flags and variables: -rapid.seed=0 is
// a random seed.
func TestMain(m *testing.M) {
	flag.Parse()
	chosen := map[string]bool{
		"rapid.checks": testing.Short() || os.Getenv("RAPID_CHECKS") != "",
		"rapid.seed":   os.Getenv("RAPID_SEED") != "",
	}
	flag.Visit(func(f *flag.Flag) { chosen[f.Name] = true })
	checks := "50"
	if vaulttest.Slow {
		checks = "200"
	}
	for name, value := range map[string]string{"rapid.checks": checks, "rapid.seed": "1"} {
		if !chosen[name] {
			// The flags are registered by the library and take numbers: they cannot be refused.
			_ = flag.Set(name, value)
		}
	}
	os.Exit(m.Run())
}
