package vault

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

var pinTime = time.Date(2026, 1, 2, 3, 4, 5, 678, time.FixedZone("", 3600))

// openAt opens a folder as a vault until the test ends.
func openAt(t *testing.T, dir string) *Vault {
	t.Helper()
	v, err := Open(dir, Options{})
	check(t, err)
	t.Cleanup(func() { _ = v.Close() })
	return v
}

func readPins(t *testing.T, dir string) []Path {
	t.Helper()
	pins, err := ReadPins(os.DirFS(dir))
	check(t, err)
	var paths []Path
	for _, p := range pins {
		paths = append(paths, p.Path)
	}
	return paths
}

// S3-13: pins carry the time and keep the order in which they were made.
func TestPins(t *testing.T) {
	dir := t.TempDir()
	v := openAt(t, dir)
	if got := readPins(t, dir); got != nil {
		t.Errorf("before anything: %q", got)
	}
	must(t, RemovePin(v, "A.md"))
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("looking left %v", entries)
	}
	must(t, AddPin(v, "B & <C>.md", pinTime), AddPin(v, "/x/../A.md", pinTime.Add(time.Hour)),
		AddPin(v, "B & <C>.md", pinTime.Add(2*time.Hour)))
	data, err := os.ReadFile(filepath.Join(dir, ".ibid", "pins.json"))
	must(t, err)
	const want = `[
  {
    "path": "B & <C>.md",
    "pinned_at": "2026-01-02T02:04:05Z"
  },
  {
    "path": "A.md",
    "pinned_at": "2026-01-02T03:04:05Z"
  }
]
`
	is(t, string(data), want, "file")
	must(t, RemovePin(v, "B & <C>.md"), RemovePin(v, "not there.md"))
	is(t, readPins(t, dir), []Path{"A.md"})
	must(t, RemovePin(v, "A.md"))
	if got := readPins(t, dir); got != nil {
		t.Errorf("after the last: %q", got)
	}
	must(t, AddPin(v, "Z.md", pinTime))
	is(t, readPins(t, dir), []Path{"Z.md"})
}

func TestPinRefused(t *testing.T) {
	dir := t.TempDir()
	v := openAt(t, dir)
	for _, p := range []Path{"", "/", "../x.md", "a\x00b", "\xff.md"} {
		if err := AddPin(v, p, pinTime); err == nil {
			t.Errorf("AddPin(%q) succeeded", p)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestPinsBadFile(t *testing.T) {
	for _, text := range []string{
		"", "[\n  {\"path\":\"A.md\"},\n  {\"path\":\n]\n", `{"path":"A.md"}`, `[{"path":"A.md"},{"path":"../B.md"}]`,
		`[{"path":"A.md","pinned_at":"yesterday"}]`, `[null]`, "<<<<<<< HEAD\n[]",
	} {
		dir := t.TempDir()
		v := openAt(t, dir)
		put(t, text, dir, ".ibid/pins.json")
		_, err := ReadPins(os.DirFS(dir))
		for what, err := range map[string]error{
			"read": err, "add": AddPin(v, "N.md", pinTime), "remove": RemovePin(v, "A.md"),
		} {
			if err == nil || !strings.Contains(err.Error(), "pins.json is not a list of pins") ||
				strings.Contains(err.Error(), "\n") {
				t.Errorf("%s of %.30q: %v", what, text, err)
			}
		}
		if data, _ := os.ReadFile(filepath.Join(dir, ".ibid/pins.json")); string(data) != text {
			t.Errorf("%.30q became %.30q", text, data)
		}
	}
}

// Fields of a later version do no harm.
func TestPinsUnknownFields(t *testing.T) {
	dir := t.TempDir()
	put(t, `[{"path":"A.md","pinned_at":"2026-01-02T03:04:05+02:00","colour":"red"},{"path":"A.md"}]`, dir,
		".ibid/pins.json")
	is(t, readPins(t, dir), []Path{"A.md"})
	must(t, AddPin(openAt(t, dir), "B.md", pinTime))
	is(t, readPins(t, dir), []Path{"A.md", "B.md"})
}

func TestMergePins(t *testing.T) {
	own := []Pin{{"B.md", pinTime}, {"A.md", pinTime}, {"B.md", time.Time{}}}
	got := MergePins(own, "C.md", "A.md", "C.md")
	want := []Pin{{"B.md", pinTime}, {"A.md", pinTime}, {Path: "C.md"}}
	is(t, got, want)
}

func TestPinsOutsideTheVault(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege there")
	}
	dir, outside := t.TempDir(), t.TempDir()
	must(t, os.Symlink(outside, filepath.Join(dir, ".ibid")))
	if err := AddPin(openAt(t, dir), "A.md", pinTime); err == nil {
		t.Error("AddPin followed a link out of the vault")
	}
	if entries, _ := os.ReadDir(outside); len(entries) > 0 {
		t.Errorf("left outside: %v", entries)
	}
}

// Pins made at the same time by several goroutines and another process all
// arrive, and a reader never sees half a file.
func TestPinsTogether(t *testing.T) {
	if dir := os.Getenv("IBID_TEST_PIN_IN"); dir != "" {
		v := openAt(t, dir)
		for i := range 10 {
			must(t, AddPin(v, Path(fmt.Sprintf("other %d.md", i)), pinTime))
		}
		return
	}
	dir := t.TempDir()
	other := exec.Command(os.Args[0], "-test.run=^TestPinsTogether$")
	other.Env = append(os.Environ(), "IBID_TEST_PIN_IN="+dir)
	must(t, other.Start())
	v := openAt(t, dir)
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			for i := range 5 {
				if err := AddPin(v, Path(fmt.Sprintf("%d %d.md", g, i)), pinTime); err != nil {
					t.Error(err)
				}
				if _, err := ReadPins(os.DirFS(dir)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	must(t, other.Wait())
	if n := len(readPins(t, dir)); n != 30 {
		t.Errorf("%d pins, want 30", n)
	}
	if entries, _ := os.ReadDir(filepath.Join(dir, ".ibid")); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}
