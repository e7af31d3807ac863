package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"ibid/vault"
)

// TestPasteImage: an image goes where Obsidian puts those that are pasted; without one, or
// without a program, it is said.
func TestPasteImage(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program of the clipboard is a script of sh")
	}
	dir, bin := t.TempDir(), t.TempDir()
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	write := func(name, text string, mode os.FileMode) {
		t.Helper()
		check(t, os.MkdirAll(filepath.Dir(name), 0o755))
		check(t, os.WriteFile(name, []byte(text), mode))
	}
	write(filepath.Join(dir, ".obsidian", "app.json"), `{"attachmentFolderPath":"./files"}`, 0o644)
	v, err := vault.Open(dir, vault.Options{})
	check(t, err)
	defer v.Close() //nolint:errcheck // nothing is written then
	env := map[string]string{"DISPLAY": ":0"}
	p := &parts{app: &app{env: Env{Getenv: func(name string) string { return env[name] }}}, vault: v, dir: dir}
	now := time.Date(2026, 3, 14, 10, 30, 0, 0, time.UTC)
	script := func(text string) {
		for _, name := range []string{"xclip", "osascript"} {
			write(filepath.Join(bin, name), "#!/bin/sh\n"+text, 0o755)
		}
	}
	fails := func(want string) {
		t.Helper()
		if _, err := p.pasteImage(t.Context(), "Notes/Open.md", now); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("it says %v, want %s", err, want)
		}
	}
	script("exit 1\n")
	fails("no image on the clipboard")
	script(`printf '\211PNG image'` + "\n")
	file, err := p.pasteImage(t.Context(), "Notes/Open.md", now)
	if data, _ := os.ReadFile(filepath.Join(dir, filepath.FromSlash(string(file)))); err != nil || file != "Notes/files/Pasted image 20260314103000.png" || string(data) != "\x89PNG image" {
		t.Errorf("%s holds %q, %v", file, data, err)
	}
	if env = map[string]string{}; runtime.GOOS == "linux" {
		fails("no program here")
	}
	env["SSH_TTY"] = "/dev/pts/1"
	fails("the machine that you sit at")
}

// TestResumeCommand: the line that stays on the terminal names the vault and the configuration, if the command would
// take others without them.
func TestResumeCommand(t *testing.T) {
	dir := t.TempDir()
	p := &parts{app: &app{env: Env{Dir: t.TempDir()}}, config: &Config{Vault: dir}}
	for _, row := range [][3]string{
		{dir, "", "ibid --continue"},
		{dir, "Ann's.toml", `ibid --continue --config 'Ann'\''s.toml'`},
		{"/notes", "my.toml", "ibid --continue --vault '/notes' --config 'my.toml'"},
	} {
		p.dir, p.flags.Config = row[0], row[1]
		if got := p.resumeCommand(); got != row[2] {
			t.Errorf("%q, want %q", got, row[2])
		}
	}
}
