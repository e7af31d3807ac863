package undo_test

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"ibid/vault"
	"ibid/vault/undo"
	"ibid/vault/vaulttest"
)

// TestMain runs the tests, or the process that TestKill kills.
func TestMain(m *testing.M) {
	if dir := os.Getenv("IBID_TEST_WRITES"); dir != "" {
		writeUntilKilled(dir)
		return
	}
	os.Exit(m.Run())
}

// openIn opens the vault and the journal below dir.
func openIn(dir string) (*vault.Vault, *undo.Journal, error) {
	v, err := vault.Open(filepath.Join(dir, "vault"), vault.Options{})
	if err != nil {
		return nil, nil, err
	}
	return v, undo.New(v, undo.Options{StateDir: filepath.Join(dir, "state"), Days: 30}), nil
}

// writeUntilKilled changes a note, creates one and undoes both, and writes several at once, again and again.
func writeUntilKilled(dir string) {
	v, j, err := openIn(dir)
	for n := 1; err == nil; n++ {
		var note []byte
		if note, err = v.ReadOwn("Note.md"); err != nil {
			break
		}
		var a, b undo.Entry
		if a, err = j.Write(undo.Write{Path: "Note.md", Before: string(note), After: version(n)}); err != nil {
			break
		}
		if b, err = j.Write(undo.Write{
			Path: vault.Path(fmt.Sprintf("New %d.md", n)), New: true, After: version(n),
		}); err != nil {
			break
		}
		if n%2 == 0 {
			_, err = j.Undo(b.ID)
		}
		if err != nil {
			break
		}
		var many undo.Entry
		var errs []error
		many, errs = j.WriteAll([]undo.Write{
			{Path: "Note.md", Before: version(n), After: version(-n)},
			{Path: vault.Path(fmt.Sprintf("Many %d.md", n)), New: true, After: version(n)},
			{Path: vault.Path(fmt.Sprintf("More %d.md", n)), New: true, After: version(n)},
		})
		if err = errors.Join(errs...); err != nil {
			break
		}
		if _, err = j.Undo(many.ID); err != nil {
			break
		}
		if n%3 == 0 && err == nil {
			_, err = j.Undo(a.ID)
		}
		fmt.Println(n)
	}
	fmt.Println("error:", err)
}

// version returns a text with a last line, by which a partial write is detected.
func version(n int) string { return strings.Repeat(fmt.Sprintf("version %d\n", n), 400) + "end" }

// TestKill kills a process that writes at random moments. A note has the content from before or after a write, the
// journal says which, and every write can be undone. IBID_KILLS is the number of kills.
func TestKill(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	kills := 12
	if s := os.Getenv("IBID_KILLS"); s != "" {
		n, err := strconv.Atoi(s)
		check(t, err)
		kills = n
	}
	unsettled := 0
	for i := range kills {
		dir := vaulttest.Dir(t, "-- vault/Note.md --\nfirst\n")
		killWriter(t, dir, time.Duration(rand.New(rand.NewPCG(uint64(i), 2)).Int64N(int64(25*time.Millisecond))))
		left, _ := filepath.Glob(filepath.Join(dir, "state", "writes", "*", "*.pending"))
		unsettled += len(left)
		afterKill(t, dir)
	}
	t.Logf("%d kills, %d of them in the middle of a write", kills, unsettled)
}

func killWriter(t *testing.T, dir string, after time.Duration) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "IBID_TEST_WRITES="+dir)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	check(t, err)
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatal("it wrote nothing")
	}
	time.Sleep(after) // the moment is random
	if err := cmd.Process.Kill(); err != nil {
		t.Error(err)
	}
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "error") {
			t.Error(lines.Text())
		}
	}
	_ = cmd.Wait() // killed
}

// afterKill examines the files as the next start does.
func afterKill(t *testing.T, dir string) {
	t.Helper()
	v, j, err := openIn(dir)
	check(t, err)
	defer v.Close() //nolint:errcheck // the test is over
	all, err := j.List()
	if err != nil || len(all) == 0 {
		t.Fatal(all, err)
	}
	for _, ext := range []string{".pending", ".tmp"} {
		if left, _ := filepath.Glob(filepath.Join(dir, "state", "writes", "*", "*"+ext)); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
	is := map[vault.Path]string{"Note.md": "first\n"}
	for i := len(all) - 1; i >= 0; i-- {
		for _, w := range all[i].Writes() {
			if all[i].Unsure || is[w.Path] != w.Before {
				t.Errorf("write %d of %s does not follow the one before it", all[i].ID, w.Path)
			}
			is[w.Path] = w.After
		}
	}
	for p, want := range is {
		got, err := v.ReadOwn(p)
		if string(got) != want || err != nil && want != "" {
			t.Errorf("%s: the journal has %.20q, the file %.20q, %v", p, want, got, err)
		}
	}
	for _, e := range all {
		if e.CanUndo() {
			if _, err := j.Undo(e.ID); err != nil {
				t.Errorf("undo %d: %v", e.ID, err)
			}
		}
	}
	if got, err := v.ReadOwn("Note.md"); err != nil || string(got) != "first\n" {
		t.Errorf("everything taken back: %.20q, %v", got, err)
	}
}
