//go:build linux && (amd64 || arm64)

package history_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"ibid/history"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// fault is a system call that fails, as on a full disk, for root too, since the kernel refuses
// it. It affects only calls whose arg-th argument has one of the bits in mask, or, with mask 0,
// is at least min.
type fault struct {
	name      string
	call      uint32
	arg       uint32
	mask, min uint32
}

// faults are the calls that a save makes. Small writes are those of the runtime.
var faults = []fault{
	{name: "mkdirat", call: syscall.SYS_MKDIRAT},
	{name: "openat", call: syscall.SYS_OPENAT, arg: 2, mask: syscall.O_CREAT},
	{name: "write", call: syscall.SYS_WRITE, arg: 2, min: 64},
	{name: "pwrite", call: syscall.SYS_PWRITE64, arg: 2, min: 1},
	{name: "fchmod", call: syscall.SYS_FCHMOD},
	{name: "fsync", call: syscall.SYS_FSYNC},
	{name: "linkat", call: syscall.SYS_LINKAT},
	{name: "renameat", call: syscall.SYS_RENAMEAT},
	{name: "unlinkat", call: syscall.SYS_UNLINKAT},
}

// seccompCall is the number of the call seccomp, which package syscall lacks.
var seccompCall = map[string]uintptr{"amd64": 317, "arm64": 277}[runtime.GOARCH]

// refuse makes the calls fail with no, in all threads from now on.
func (f fault) refuse(no syscall.Errno) error {
	load := func(offset uint32) syscall.SockFilter {
		return syscall.SockFilter{Code: syscall.BPF_LD | syscall.BPF_W | syscall.BPF_ABS, K: offset}
	}
	jump := func(code uint16, k uint32, yes, no uint8) syscall.SockFilter {
		return syscall.SockFilter{Code: syscall.BPF_JMP | code | syscall.BPF_K, Jt: yes, Jf: no, K: k}
	}
	const allow, refuse = 0x7fff0000, 0x00050000
	test := jump(syscall.BPF_JGE, f.min, 0, 1)
	if f.mask != 0 {
		test = jump(syscall.BPF_JSET, f.mask, 0, 1)
	}
	filter := []syscall.SockFilter{
		load(0), jump(syscall.BPF_JEQ, f.call, 0, 3),
		load(16 + 8*f.arg), test,
		{Code: syscall.BPF_RET | syscall.BPF_K, K: refuse | uint32(no)},
		{Code: syscall.BPF_RET | syscall.BPF_K, K: allow},
	}
	program := syscall.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	runtime.LockOSThread()
	const noNewPrivileges, modeFilter, allThreads = 38, 1, 1
	if _, _, err := syscall.RawSyscall6(syscall.SYS_PRCTL, noNewPrivileges, 1, 0, 0, 0, 0); err != 0 {
		return err
	}
	if r, _, err := syscall.RawSyscall(seccompCall, modeFilter, allThreads,
		uintptr(unsafe.Pointer(&program))); err != 0 || r != 0 {
		return fmt.Errorf("seccomp: %d, %w", r, err)
	}
	return nil
}

// How the process under a fault ends.
const (
	endSaved = iota + 10
	endRescued
	endJournal // only the journal from before has the reply
	endNoFaults
)

// underFault saves a reply while a system call fails: what a session does.
func underFault(t *testing.T, dir string, f fault, no syscall.Errno, existing bool) int {
	v, err := vault.Open(dir, vault.Options{})
	check(t, err)
	s, err := history.NewStore(v, history.Options{
		StateDir: os.Getenv("IBID_FAULT_STATE"), Zone: time.UTC, Now: func() time.Time { return noon },
	})
	check(t, err)
	c := talk("Q")
	if !existing {
		if err := f.refuse(no); err != nil {
			return endNoFaults
		}
		if _, err := s.Save(&c); err != nil {
			return endRescued // nothing was sent, so nothing can be lost
		}
		return endSaved
	}
	c, _, err = s.Open(faultyChat)
	check(t, err)
	j := s.Journal(&c, 0)
	j.Write("The re")
	time.Sleep(1200 * time.Millisecond)
	if err := f.refuse(no); err != nil {
		return endNoFaults
	}
	j.Write("ply.")
	c.Messages = append(c.Messages, history.Message{Role: history.Assistant, Text: "The reply.", Time: noon})
	_, err = s.Save(&c)
	journal := j.Close(&c, err == nil)
	if err == nil {
		return endSaved
	}
	if _, err := s.Rescue(&c); err != nil && journal != nil {
		return endJournal
	}
	return endRescued
}

// TestFaults saves while each system call of a save fails, with the errors of a full
// disk, of one that is broken and of a folder that is read-only: the old chat or the
// new one is there, whole; the reply is there, in the chat or in the state folder;
// and the next process can go on.
func TestFaults(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	if dir := os.Getenv("IBID_FAULT_VAULT"); dir != "" {
		var name, kind string
		var no int
		_, err := fmt.Sscan(os.Getenv("IBID_FAULT"), &name, &no, &kind)
		check(t, err)
		at := slices.IndexFunc(faults, func(f fault) bool { return f.name == name })
		os.Exit(underFault(t, dir, faults[at], syscall.Errno(no), kind == "existing"))
	}
	var runs []*faulty
	for _, f := range faults {
		for _, no := range []syscall.Errno{syscall.ENOSPC, syscall.EROFS} {
			for _, kind := range []string{"new", "existing"} {
				runs = append(runs, &faulty{fault: f, no: no, kind: kind, vault: vaulttest.New(t, ""), state: t.TempDir()})
			}
		}
	}
	var wg sync.WaitGroup
	slots := make(chan struct{}, 12) // they wait more than they work
	for _, r := range runs {
		r.prepare(t)
		wg.Go(func() {
			slots <- struct{}{}
			r.run()
			<-slots
		})
	}
	wg.Wait()
	for _, r := range runs {
		t.Run(fmt.Sprintf("%s %s %v", r.name, r.kind, r.no), r.check)
	}
}

// faulty is a save under a fault, of a chat that is new or exists.
type faulty struct {
	fault
	no    syscall.Errno
	kind  string
	vault *vault.Vault
	state string
	err   error // how it ended
	out   []byte
}

const faultyChat = "Chats/Q@20250127_120000.md"

func (r *faulty) prepare(t *testing.T) {
	if r.kind == "existing" {
		old := talk("Q")
		save(t, store(t, r.vault, history.Options{}), &old)
	}
}

func (r *faulty) run() {
	cmd := exec.Command(os.Args[0], "-test.run=^TestFaults$")
	cmd.Env = append(os.Environ(), "IBID_FAULT_VAULT="+r.vault.Dir(), "IBID_FAULT_STATE="+r.state,
		fmt.Sprintf("IBID_FAULT=%s %d %s", r.name, int(r.no), r.kind))
	r.out, r.err = cmd.CombinedOutput()
}

func (r *faulty) check(t *testing.T) {
	var end *exec.ExitError
	if !errors.As(r.err, &end) {
		t.Fatalf("%v\n%s", r.err, r.out)
	}
	s := store(t, r.vault, history.Options{StateDir: r.state, Now: func() time.Time { return time.Now().Add(time.Hour) }})
	switch code := end.ExitCode(); {
	case code == endNoFaults:
		t.Skip("the kernel fails no calls on demand here")
	case code < endSaved || code > endJournal:
		t.Fatalf("it ended with %d\n%s", code, r.out)
	case r.kind == "new":
		if _, err := os.Stat(filepath.Join(r.vault.Dir(), faultyChat)); (err == nil) != (code == endSaved) {
			t.Errorf("ended with %d, but: %v", code, err)
		}
	default:
		found, whole := []string(nil), "The reply."
		if code == endJournal {
			whole = "The re" // it came a second before
		}
		for _, u := range unsaved(t, s) {
			found = append(found, u.Text)
		}
		c := open(t, s, faultyChat)
		if found = append(found, texts(c)...); !slices.ContainsFunc(found, func(s string) bool {
			return strings.HasPrefix(s, whole)
		}) || c.Messages[0].Text != "Q" {
			t.Errorf("ended with %d: there is %q", code, found)
		}
		c.Messages = append(c.Messages, history.Message{Role: history.User, Text: "And now?", Time: noon})
		save(t, s, &c)
	}
	unsaved(t, s)
	for _, name := range lyingAbout(t, filepath.Join(r.vault.Dir(), "Chats")) {
		if strings.HasSuffix(name, ".tmp") {
			t.Errorf("left behind: %s", name)
		}
	}
}
