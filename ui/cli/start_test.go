package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// BenchmarkVersion measures the processor time of a start: the fastest run of `ibid --version`
// and that of an empty program, run in turn. A difference of 25 ms is too much on an idle
// machine. Most of it is the initialization of packages, which GODEBUG=inittrace=1 lists.
func BenchmarkVersion(b *testing.B) {
	dir := b.TempDir()
	empty, ibid := filepath.Join(dir, "empty.exe"), filepath.Join(dir, "ibid.exe")
	source := filepath.Join(dir, "empty.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	for to, from := range map[string]string{empty: source, ibid: "ibid"} {
		if out, err := exec.Command("go", "build", "-o", to, from).CombinedOutput(); err != nil {
			b.Fatalf("go build %s: %v\n%s", from, err, out)
		}
	}
	took := func(name string, args ...string) time.Duration {
		c := exec.Command(name, args...)
		check(b, c.Run())
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

// BenchmarkChats measures `ibid chats list` and `ibid chats search` over 10,000 unchanged
// chats: the whole program in this process, without the initialization of packages, which
// BenchmarkVersion measures. The limit on an idle machine is 75 ms.
func BenchmarkChats(b *testing.B) {
	home, dir := b.TempDir(), b.TempDir()
	getenv := func(key string) string { return map[string]string{"HOME": home, "USERPROFILE": home}[key] }
	const total = 10000
	old := time.Now().Add(-24 * time.Hour)
	err := os.Mkdir(filepath.Join(dir, "Chats"), 0o755)
	for i := range total {
		text := fmt.Sprintf("---\nepoch: %d\ntopic: \"Talk %d\"\n---\n\n**user**: question of talk %d\n[Context: Notes: Garden/%d.md]\n\n**ai**: %s\n", 1_700_000_000_000+i*1000, i, i, i%300,
			strings.Repeat(fmt.Sprintf("A sentence about the word w%d of a reply. ", i%700), 50))
		name := filepath.Join(dir, "Chats", fmt.Sprintf("Talk_%d.md", i))
		err = cmp.Or(err, os.WriteFile(name, []byte(text), 0o600), os.Chtimes(name, old, old.Add(time.Duration(i)*time.Second)))
	}
	check(b, err)
	lines := func(args string, want int) {
		var out strings.Builder
		if status := Run(context.Background(), Env{Args: strings.Fields("--vault " + dir + " chats " + args), Stdin: strings.NewReader(""), Stdout: &out, Stderr: io.Discard, Getenv: getenv, Dir: dir}); status != 0 && want > 0 {
			b.Fatalf("%s: exit status %d", args, status)
		}
		if n := strings.Count(out.String(), ".md)"); n != want {
			b.Fatalf("%s: %d chats, want %d", args, n, want)
		}
	}
	lines("search none", 0) // fills the cache
	for name, want := range map[string]int{"list": total, "search w77": 15, "search sentence": 100, "search none": 0} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				lines(name, want)
			}
		})
	}
}
