package vault

import (
	"bytes"
	"cmp"
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

	"ibid/vault/ownfile"
)

// Signal states which note is the active one: an editor writes it to a file outside of the vault (see
// WriteSignal). The tags are those of its file in the state folder, one line of JSON for each vault.
type Signal struct {
	Vault  string    `json:"vault"`            // absolute folder of the vault
	Path   Path      `json:"path"`             // the note; "" for none
	Line   int       `json:"line,omitempty"`   // line of the cursor from 1, 0 when unknown
	When   time.Time `json:"ts"`               // time of the statement
	Source string    `json:"source,omitempty"` // program that made it, for display: "nvim"
}

const (
	maxSignalLength = 64 << 10 // bytes
	maxSourceLength = 40       // runes
)

// WriteSignal records s for the vault s.Vault in the folder stateDir, which it creates if necessary. The name
// of the file is a hash of the vault's real path. The file is replaced atomically; the last writer wins. The
// vault itself is not touched.
func WriteSignal(stateDir string, s Signal) error {
	p, err := notePath(s.Path)
	if err != nil {
		return err
	}
	dir, err := canonicalDir(s.Vault)
	if err != nil {
		return err
	}
	data, err := json.Marshal(Signal{
		Vault: dir, Path: p, Line: max(s.Line, 0), When: s.When.UTC(), Source: printableSource(s.Source),
	})
	if err != nil {
		return fmt.Errorf("active note %q: %w", s.Path, err)
	}
	// The editor must not wait for a disk, and writes again at its next window.
	if err := ownfile.ReplaceSoon(filepath.Join(stateDir, signalName(dir)), append(data, '\n'), 0o600); err != nil {
		return fmt.Errorf("record active note: %w", err)
	}
	return nil
}

// ReadSignal returns the last statement of an editor about the vault vaultDir, the zero Signal if there is none. A
// file that cannot be parsed is an error; ClearSignal removes it.
func ReadSignal(stateDir, vaultDir string) (s Signal, err error) {
	dir, err := canonicalDir(vaultDir)
	if err != nil {
		return Signal{}, err
	}
	name := signalName(dir)
	defer describeError(&err, "read active note %s", filepath.Join(stateDir, name))
	data, _, err := ReadBounded(os.DirFS(stateDir), name, maxSignalLength)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(bytes.TrimSpace(data)) == 0 {
		return Signal{}, nil // a power failure can leave an empty file
	}
	var p Path
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err == nil {
		p, err = ParsePath(string(s.Path))
	}
	if err != nil || s.Vault != dir || p == "" {
		return Signal{}, err
	}
	s.Path, s.Line, s.Source = p, max(s.Line, 0), printableSource(s.Source)
	return s, nil
}

// ClearSignal removes the last statement of an editor about the vault vaultDir, if there is one.
func ClearSignal(stateDir, vaultDir string) error {
	dir, err := canonicalDir(vaultDir)
	if err != nil {
		return err
	}
	if err = ownfile.Remove(filepath.Join(stateDir, signalName(dir))); err != nil {
		return fmt.Errorf("forget active note: %w", err)
	}
	return nil
}

// signalName returns the name of a vault's file in the state folder. It contains a hash of the vault's real
// path, so that every spelling of that path finds the file.
func signalName(canonical string) string {
	return "active-" + hashName(canonical) + ".json"
}

// StateName returns a hash of the vault's real path. It is part of the names of files that belong to the vault
// but are kept outside of it.
func StateName(v *Vault) string { return hashName(v.real) }

func hashName(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return hex.EncodeToString(sum[:8])
}

// canonicalDir returns the canonical path of a folder: absolute, without symbolic links, and in lower case on
// Windows.
func canonicalDir(dir string) (string, error) {
	if dir == "" {
		return "", errors.New("active note: no folder of a vault given")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("active note of vault %q: %w", dir, err)
	}
	abs = ownfile.RealPath(abs)
	if runtime.GOOS == "windows" {
		abs = strings.ToLower(abs)
	}
	return abs, nil
}

// printableSource makes an editor's name safe for display: any program can write the state file, and control
// characters must not reach a terminal.
func printableSource(s string) string {
	plain := []rune(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) && r != unicode.ReplacementChar {
			return r
		}
		return -1
	}, s))
	return strings.TrimSpace(string(plain[:min(len(plain), maxSourceLength)]))
}

// workspaceLifetime is the time after its last change for which Obsidian's workspace file counts as current: the file
// keeps the last state forever.
const workspaceLifetime = time.Hour

// ActiveNote is the note that a person has in front of them, according to an editor or ibid. The zero value is
// none.
type ActiveNote struct {
	Path   Path
	Line   int       // line of the cursor from 1, 0 when unknown
	Source string    // program that says so, for display: "ibid", "nvim", "Obsidian"
	When   time.Time // time of the statement; zero for a choice in ibid
	Live   bool      // the note may be sent with a turn; otherwise it is only displayed, greyed, with its age
}

// ResolveActive chooses between an editor's signal and Obsidian's workspace file: the workspace wins if it names
// a note and changed after the signal. Absent ones are zero. A signal is live; the workspace is live if it changed
// within the hour before now. If none names a note the result is zero, and the caller may go on displaying the last
// note greyed.
func ResolveActive(signal Signal, ws Workspace, now time.Time) ActiveNote {
	// A clock that ran ahead must not make an old statement the newest one for days.
	said, written := earlierTime(signal.When, now), earlierTime(ws.When, now)
	if signal.Path != "" && (ws.Active == "" || !written.After(said)) {
		return ActiveNote{
			Path: signal.Path, Line: signal.Line, Source: cmp.Or(signal.Source, "editor"), When: said, Live: true,
		}
	}
	if ws.Active != "" {
		return ActiveNote{
			Path: ws.Active, Source: "Obsidian", When: written, Live: now.Sub(written) <= workspaceLifetime,
		}
	}
	return ActiveNote{}
}

func earlierTime(a, b time.Time) time.Time {
	if a.After(b) {
		return b
	}
	return a
}
