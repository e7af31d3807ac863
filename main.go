package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"syscall"

	"ibid/ui/cli"
	"ibid/ui/plain"
)

// These are set when a release is built.
var (
	version = ""
	commit  = ""
	date    = ""
)

// spareGarbage is the size in bytes of the garbage that the heap may hold beyond as much as is in use. Without it,
// collections of a small heap take a tenth of the processor time of a streaming reply. It does not affect how a
// large heap, such as that of a vault of 100,000 notes, is collected. smallHeap is the least heap in use that it is
// computed for: the share of garbage also sets the size at which a heap is first collected.
const (
	spareGarbage = 16 << 20
	smallHeap    = 4 << 20
)

// memoryLimit is the size in bytes, with garbage, that the heap may reach before it is collected more often. Without
// this limit, a reply of 4 MB leaves more garbage than it takes itself.
const memoryLimit = 128 << 20

// limitGarbage sets how much garbage the heap in use may be joined by, and the memory limit: memoryLimit, or one
// and a half times the heap in use if that is more. It calls itself again after each collection.
func limitGarbage(struct{}) {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	used := max(smallHeap, sample[0].Value.Uint64())
	debug.SetGCPercent(int(100 + 100*spareGarbage/used))
	debug.SetMemoryLimit(max(memoryLimit, int64(used/2*3)))
	runtime.AddCleanup(new([64]byte), limitGarbage, struct{}{})
}

func main() {
	limitGarbage(struct{}{})
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGHUP)
	ctx, cancel := context.WithCancel(ctx)
	interrupts := &plain.Interrupts{}
	pressed := make(chan os.Signal, 1)
	signal.Notify(pressed, os.Interrupt)
	context.AfterFunc(ctx, func() { // a second interrupt ends the process at once
		signal.Stop(pressed)
		stop()
	})
	go func() { // runs until the process ends
		for range pressed {
			if !interrupts.Press() {
				cancel()
			}
		}
	}()
	// If the reader of standard output goes away, the reply ends and is saved, and the program goes on.
	// Ignoring the signal instead would make editors that ibid starts ignore it too.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	status := run(ctx, os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr, interrupts)
	stop()
	os.Exit(status)
}

// run runs the program with everything that it needs as arguments, and returns the exit status.
func run(ctx context.Context, args []string, getenv func(string) string, stdin io.Reader, stdout, stderr io.Writer,
	interrupts *plain.Interrupts,
) int {
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	return cli.Run(ctx, cli.Env{
		Args: args, Stdin: stdin, Stdout: stdout, Stderr: stderr, Getenv: getenv, Dir: dir,
		Version: releaseVersion(), Interrupts: interrupts,
	})
}

// releaseVersion returns the version that was built in, with its commit and day, else the version from the
// module system, else "dev".
func releaseVersion() string {
	if version != "" {
		if built := strings.TrimSpace(commit + " " + date); built != "" {
			return version + " (" + built + ")"
		}
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}
