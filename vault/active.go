package vault

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
	"unicode"
)

// Signal is a statement that a note is the active one: an editor's, kept in a
// file outside the vault (see WriteSignal), or a person's in ibid.
// The tags are those of its file in the state folder, one line of JSON a vault.
type Signal struct {
	Vault  string    `json:"vault"`            // absolute folder of the vault
	Path   Path      `json:"path"`             // the note; "" says nothing
	Line   int       `json:"line,omitempty"`   // 1-based line of the cursor, 0 when unknown
	When   time.Time `json:"ts"`               // when it was stated
	Source string    `json:"source,omitempty"` // who stated it, for people: "nvim"
}

const (
	maxSignalLength = 64 << 10 // bytes
	maxSourceLength = 40       // runes
)

// WriteSignal records s for the vault s.Vault in the folder stateDir, which it
// makes when it is missing, under a name made of the vault's real path. The file
// is replaced atomically; the last writer wins. The vault's own folder is not touched.
func WriteSignal(stateDir string, s Signal) error {
	p, err := notePath(s.Path)
	if err != nil {
		return err
	}
	dir, err := canonicalDir(s.Vault)
	if err != nil {
		return fmt.Errorf("active note of vault %q: %w", s.Vault, err)
	}
	data, err := json.Marshal(Signal{
		Vault: dir, Path: p, Line: max(s.Line, 0), When: s.When.UTC(), Source: plainSource(s.Source),
	})
	if err != nil {
		return fmt.Errorf("active note %q: %w", s.Path, err)
	}
	if err := os.MkdirAll(stateDir, 0o700); err != nil {
		return fmt.Errorf("state folder: %w", err)
	}
	root, err := os.OpenRoot(stateDir)
	if err != nil {
		return fmt.Errorf("state folder: %w", err)
	}
	defer func() { _ = root.Close() }()
	// An editor says it again at its next window; it must not wait for a disk.
	if err := replaceSmallFile(root, signalName(dir), append(data, '\n'), 0o600, false); err != nil {
		return fmt.Errorf("record active note: %w", err)
	}
	return nil
}

// ReadSignal reads what an editor last stated about the vault vaultDir; false
// means nothing. Only a file that cannot be understood is an error; ClearSignal
// removes it.
func ReadSignal(stateDir, vaultDir string) (Signal, bool, error) {
	dir, err := canonicalDir(vaultDir)
	if err != nil {
		return Signal{}, false, fmt.Errorf("active note of vault %q: %w", vaultDir, err)
	}
	name := signalName(dir)
	data, _, err := readBounded(os.DirFS(stateDir), name, maxSignalLength)
	if errors.Is(err, fs.ErrNotExist) {
		return Signal{}, false, nil
	}
	if err != nil {
		return Signal{}, false, fmt.Errorf("read active note: %w", err)
	}
	if data = bytes.TrimSpace(data); len(data) == 0 {
		return Signal{}, false, nil // what a loss of power can leave of it
	}
	var s Signal
	if err := json.Unmarshal(data, &s); err != nil {
		return Signal{}, false, fmt.Errorf("read active note %s: %w", filepath.Join(stateDir, name), err)
	}
	p, err := ParsePath(string(s.Path))
	if err != nil {
		return Signal{}, false, fmt.Errorf("read active note %s: %q: %w", filepath.Join(stateDir, name), s.Path, err)
	}
	if s.Vault != dir || p == "" {
		return Signal{}, false, nil
	}
	s.Path, s.Line, s.Source = p, max(s.Line, 0), plainSource(s.Source)
	return s, true, nil
}

// ClearSignal forgets what an editor stated about the vault vaultDir. It is no
// error when there is nothing to forget.
func ClearSignal(stateDir, vaultDir string) error {
	dir, err := canonicalDir(vaultDir)
	if err != nil {
		return fmt.Errorf("active note of vault %q: %w", vaultDir, err)
	}
	err = os.Remove(filepath.Join(stateDir, signalName(dir)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("forget active note: %w", err)
	}
	return nil
}

// signalName is the file of a vault in the state folder. The name is a hash of
// the vault's real path, so that every way to write that path finds the file.
func signalName(canonical string) string {
	return "active-" + hashName(canonical) + ".json"
}

// StateName is the part of a name that tells what is kept of a vault outside of it from
// that of others: a hash of the vault's real path.
func StateName(v *Vault) string { return hashName(v.real) }

func hashName(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return hex.EncodeToString(sum[:8])
}

// canonicalDir is the one name for a folder: absolute, without symbolic links,
// and in one case where the file system knows no other.
func canonicalDir(dir string) (string, error) {
	if dir == "" {
		return "", errors.New("no folder given")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	if runtime.GOOS == "windows" {
		abs = strings.ToLower(abs)
	}
	return abs, nil
}

// plainSource makes an editor's name fit to be shown: any program can write the
// state file, and control characters of its choice must not reach a terminal.
func plainSource(s string) string {
	plain := []rune(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) && r != unicode.ReplacementChar {
			return r
		}
		return -1
	}, s))
	return strings.TrimSpace(string(plain[:min(len(plain), maxSourceLength)]))
}

// liveFor is how long after its last change Obsidian's workspace file still
// counts as what a person has open: the file keeps the last state for ever.
const liveFor = time.Hour

// ActiveNote is the note a person has in front of them, as far as anybody
// says. The zero value is none.
type ActiveNote struct {
	Path   Path
	Line   int       // 1-based line of the cursor, 0 when unknown
	Source string    // who says so, for people: "ibid", "nvim", "Obsidian"
	When   time.Time // since when; zero when a choice in ibid carries no time
	Live   bool      // may go with a turn; otherwise shown greyed, with its age, and not sent
}

// ResolveActive decides between a choice made in ibid, an editor's signal and
// Obsidian's workspace file, in that order, except that a workspace that
// changed after the signal and names a note wins over it. Absent ones are
// zero. A choice and a signal are live; the workspace is while it changed
// within the hour before now. When none of them names a note the result is
// zero, and a caller that showed one may go on showing it greyed.
func ResolveActive(explicit, signal Signal, ws Workspace, now time.Time) ActiveNote {
	if explicit.Path != "" {
		return ActiveNote{Path: explicit.Path, Line: explicit.Line, Source: "ibid", When: explicit.When, Live: true}
	}
	// A clock that ran ahead must not make an old statement the newest for days.
	said, written := earlierTime(signal.When, now), earlierTime(ws.When, now)
	if signal.Path != "" && (ws.Active == "" || !written.After(said)) {
		source := signal.Source
		if source == "" {
			source = "editor"
		}
		return ActiveNote{Path: signal.Path, Line: signal.Line, Source: source, When: said, Live: true}
	}
	if ws.Active != "" {
		return ActiveNote{Path: ws.Active, Source: "Obsidian", When: written, Live: now.Sub(written) <= liveFor}
	}
	return ActiveNote{}
}

func earlierTime(a, b time.Time) time.Time {
	if a.After(b) {
		return b
	}
	return a
}
