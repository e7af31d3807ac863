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
)

// Set when a release is built.
var (
	version = ""
	commit  = ""
	date    = ""
)

// ballast is how many bytes the heap counts as used and nobody touches, so that they
// take no memory: a small heap grows by as much before it is collected. Collections are
// a tenth of the processor time of a reply that streams without it. A large heap, that
// of a vault of 100,000 notes, is collected as ever.
const ballast = 16 << 20

// memory is how many bytes the heap may hold, garbage and ballast included, before it is
// collected more often than for want of room: without it, a reply of 4 MB leaves more
// garbage than it takes.
const memory = 144 << 20

// boundGarbage keeps the heap below memory, or half above what is in use: it looks at
// that now and after each collection.
func boundGarbage(struct{}) {
	used := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(used)
	debug.SetMemoryLimit(max(memory, int64(used[0].Value.Uint64()/2*3)))
	runtime.AddCleanup(new([64]byte), boundGarbage, struct{}{})
}

func main() {
	boundGarbage(struct{}{})
	unused := make([]byte, ballast)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGHUP)
	ctx, cancel := context.WithCancel(ctx)
	interrupts := &cli.Interrupts{}
	pressed := make(chan os.Signal, 1)
	signal.Notify(pressed, os.Interrupt)
	context.AfterFunc(ctx, func() { // whoever interrupts twice does not want to wait
		signal.Stop(pressed)
		stop()
	})
	go func() { // until the process ends
		for range pressed {
			if !interrupts.Press() {
				cancel()
			}
		}
	}()
	// A reader that goes away ends a reply, which is saved, and not the program.
	// Ignoring the signal would pass that on to an editor that is started.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	status := run(ctx, os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr, interrupts)
	stop()
	runtime.KeepAlive(unused)
	os.Exit(status)
}

// run is the program: everything that it needs comes in, and the exit status
// comes out.
func run(ctx context.Context, args []string, getenv func(string) string, stdin io.Reader, stdout, stderr io.Writer, interrupts *cli.Interrupts) int {
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	return cli.Run(ctx, cli.Env{
		Args: args, Stdin: stdin, Stdout: stdout, Stderr: stderr, Getenv: getenv, Dir: dir,
		Version: releaseVersion(), Interrupts: interrupts,
	})
}

// releaseVersion is the version that was built in, with its commit and day, else
// what the module system knows, else "dev".
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
