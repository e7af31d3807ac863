package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkVersion is what every start of the program costs: `ibid --version`
// beside an empty program, measured in turn, in processor time of the fastest
// run; 25 ms beyond the empty one is too much on a machine at rest. Most of it is
// the initialization of packages, which GODEBUG=inittrace=1 lists.
func BenchmarkVersion(b *testing.B) {
	dir := b.TempDir()
	empty, ibid := filepath.Join(dir, "empty.exe"), filepath.Join(dir, "ibid.exe")
	source := filepath.Join(dir, "empty.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	for to, from := range map[string]string{empty: source, ibid: "."} {
		if out, err := exec.Command("go", "build", "-o", to, from).CombinedOutput(); err != nil {
			b.Fatalf("go build %s: %v\n%s", from, err, out)
		}
	}
	took := func(name string, args ...string) time.Duration {
		c := exec.Command(name, args...)
		if err := c.Run(); err != nil {
			b.Fatal(err)
		}
		return c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	}
	least, floor := time.Hour, time.Hour
	measure := func() { least, floor = min(least, took(ibid, "--version")), min(floor, took(empty)) }
	for b.Loop() {
		measure()
	}
	for range 20 { // so that the fastest means something after one iteration, too
		measure()
	}
	b.ReportMetric(float64(least.Microseconds())/1000, "ms-cpu/start")
	b.ReportMetric(float64(floor.Microseconds())/1000, "ms-cpu/empty")
}
