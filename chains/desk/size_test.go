package desk_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"ibid/chains/desk"
	"ibid/context/gather"
	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/vaulttest"
)

// Environment variables that make the test binary a program at a vault of its own,
// so that its memory and its start can be measured.
const (
	measureDir   = "DESK_MEASURE_DIR"
	measureCache = "DESK_MEASURE_CACHE"
	measureOnce  = "DESK_MEASURE_ONCE"
)

func TestMain(m *testing.M) {
	if os.Getenv(measureDir) == "" {
		os.Exit(m.Run())
	}
	if err := runMeasured(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// runMeasured is the program: it prints the memory in bytes that it has when the index of the
// vault is ready, and the seconds until then. With Once it runs a search and ends.
func runMeasured() error {
	began := time.Now()
	ctx := context.Background()
	cache := os.Getenv(measureCache)
	v, err := vault.Open(os.Getenv(measureDir), vault.Options{Cache: cache})
	if err != nil {
		return err
	}
	d := desk.New(desk.Options{Vault: v, Gather: gather.New(v, gather.Options{}), IndexDir: cache})
	if os.Getenv(measureOnce) != "" {
		if err := v.Scan(ctx); err != nil {
			return err
		}
		scanned := time.Since(began)
		d.Sync(ctx)
		hits, err := d.Search(ctx, index.Query{Text: "copper w1234"})
		fmt.Println(len(v.Notes()), len(hits), scanned.Seconds(), time.Since(began).Seconds())
		return err
	}
	var notes *desk.Notes
	ctx, stop := context.WithCancel(ctx)
	d.Run(ctx, desk.Changes{Watch: func(ctx context.Context) (<-chan vault.Batch, error) {
		defer stop()
		for ctx.Err() == nil { // the index is written by another goroutine
			x, err := index.Open(ctx, index.Options{Dir: cache, Vault: v.Dir()})
			if err != nil {
				return nil, err
			}
			ready := x.Ready()
			if err := x.Close(); err != nil || ready {
				return make(chan vault.Batch), err
			}
			time.Sleep(50 * time.Millisecond)
		}
		return nil, ctx.Err()
	}}, func(u desk.Update) {
		if u.Notes != nil {
			notes = u.Notes
		}
	})
	fmt.Println(resident(), time.Since(began).Seconds())
	runtime.KeepAlive(notes)
	_ = d.Close()
	return v.Close()
}

// resident returns the memory of this process, 0 if the system does not report it.
func resident() int {
	data, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(data), "VmRSS:")
	n, _ := strconv.Atoi(strings.Fields(rest + " 0")[0])
	return n << 10
}

// measure starts the program and gives what it prints.
func measure(b *testing.B, env ...string) (out [4]float64) {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	check(b, err)
	s := bufio.NewScanner(strings.NewReader(string(text)))
	s.Split(bufio.ScanWords)
	for i := 0; i < len(out) && s.Scan(); i++ {
		out[i], err = strconv.ParseFloat(s.Text(), 64)
		check(b, err)
	}
	return out
}

// BenchmarkVault measures what a vault costs: the memory of a program that knows it
// and has indexed it, and the seconds that a command takes that searches it, when it
// was read before and when not, beside those of reading every file.
func BenchmarkVault(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		if n > 1_000 && testing.Short() {
			continue
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir := vaulttest.Generate(b, n)
			for b.Loop() {
				env := []string{measureDir + "=" + dir, measureCache + "=" + b.TempDir()}
				cold := measure(b, env...)
				warm := measure(b, env...)
				once := measure(b, append(env, measureOnce+"=1")...)
				b.ReportMetric(cold[0]/1e6, "MB-first")
				b.ReportMetric(warm[0]/1e6, "MB-later")
				b.ReportMetric(once[2], "s-scan")
				b.ReportMetric(once[3], "s-command")
				b.ReportMetric(readAll(b, dir).Seconds(), "s-floor")
			}
		})
	}
}

// readAll reads every file, one after another.
func readAll(b *testing.B, dir string) time.Duration {
	b.Helper()
	began := time.Now()
	check(b, filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			_, err = os.ReadFile(name)
		}
		return err
	}))
	return time.Since(began)
}
