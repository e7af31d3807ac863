package term_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// onPty is a program on a pseudo terminal of 120 columns, that shows nothing.
type onPty struct {
	*testing.B
	cmd *exec.Cmd
	pty *os.File
	buf []byte
	out string // what it has printed behind what was awaited last
}

// startOnPty starts the program in dir, its home and vault.
func startOnPty(b *testing.B, program, dir string, args ...string) *onPty {
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color"}
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 120, Rows: 40})
	if err != nil {
		b.Skipf("no pseudo terminal here: %v", err)
	}
	p := &onPty{B: b, cmd: cmd, pty: terminal, buf: make([]byte, 64<<10)}
	b.Cleanup(p.kill)
	return p
}

func (p *onPty) kill() {
	if p.cmd.ProcessState == nil {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
	}
	_ = p.pty.Close()
}

// await reads until the program has printed text, behind what was awaited before.
func (p *onPty) await(text string) {
	_ = p.pty.SetReadDeadline(time.Now().Add(time.Minute))
	for {
		if _, rest, ok := strings.Cut(p.out, text); ok {
			p.out = rest
			return
		}
		p.out = p.out[max(0, len(p.out)-len(p.buf)):]
		n, err := p.pty.Read(p.buf)
		if p.out += string(p.buf[:n]); err != nil {
			p.Fatalf("%q did not come: %v: %q", text, err, p.out)
		}
	}
}

func (p *onPty) write(keys string) {
	_, err := p.pty.WriteString(keys)
	check(p, err)
}

// BenchmarkFirstFrame is the time from the start of the program to its first frame on
// the terminal, of which the row of keys is the last, in a vault of 10,000 notes that
// it has seen before. 45 ms is what a machine at rest may take. The notes are known at
// ms-read, where help takes the place of what the status says of them.
func BenchmarkFirstFrame(b *testing.B) {
	dir, program := newVault(b), programPath(b, "ibid")
	notes := 10_000
	if testing.Short() {
		notes = 1000
	}
	writeNotes(b, dir, notes)
	var took, read []time.Duration
	var cpu time.Duration // of the program, to its end
	start := func() {
		begin := time.Now()
		p := startOnPty(b, program, dir, "--offline")
		p.await("send")
		took = append(took, time.Since(begin))
		p.await("F1 help")
		read = append(read, time.Since(begin))
		p.write("/quit\r")
		p.await("\x1b[?1049l")
		_ = p.cmd.Wait()
		cpu += spent(p.cmd)
		p.kill()
	}
	start() // reads the vault
	took, read, cpu = nil, nil, 0
	for b.Loop() {
		start()
	}
	middle := median(took)
	b.ReportMetric(float64(took[0].Microseconds())/1000, "ms-least")
	b.ReportMetric(float64(middle.Microseconds())/1000, "ms-median")
	b.ReportMetric(float64(median(read).Microseconds())/1000, "ms-read")
	b.ReportMetric(cpu.Seconds()*1000/float64(len(took)), "ms-cpu")
}

// writeNotes writes so many notes in folders of a vault.
func writeNotes(b *testing.B, dir string, notes int) {
	b.Helper()
	for i := range notes {
		name := filepath.Join(dir, fmt.Sprintf("folder %d", i%97), fmt.Sprintf("note %d.md", i))
		check(b, os.MkdirAll(filepath.Dir(name), 0o755))
		check(b, os.WriteFile(name, fmt.Appendf(nil, "# Note %d\n\nSee [[note %d]].\n", i, i+1), 0o600))
	}
}

// BenchmarkIdle is the memory of the screen in a vault of 1,000 notes that it has seen
// before, when what the start took is given back, 10 s later: 55 MB is too much.
func BenchmarkIdle(b *testing.B) {
	if testing.Short() {
		b.Skip("waits for what the start took to be given back")
	}
	dir, program := newVault(b), programPath(b, "ibid")
	writeNotes(b, dir, 1000)
	most := 0
	show := func(wait time.Duration) {
		p := startOnPty(b, program, dir, "--offline")
		p.await("F1 help")
		time.Sleep(wait)
		most = max(most, memoryOf(b, p.cmd.Process.Pid, "VmRSS"))
		p.write("/quit\r")
		p.await("\x1b[?1049l")
		p.kill()
	}
	show(0) // reads the vault
	most = 0
	for b.Loop() {
		show(15 * time.Second)
	}
	b.ReportMetric(float64(most), "MB")
}
