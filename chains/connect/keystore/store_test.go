package keystore

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
)

// double is a keyring in memory. It may be missing, or hang.
type double struct {
	keys map[string]string
	err  error
	hang chan struct{}
}

func (d *double) do() error {
	if d.hang != nil {
		<-d.hang
		return errors.New("too late")
	}
	return d.err
}

func (d *double) Get(_, user string) (string, error) {
	if err := d.do(); err != nil {
		return "", err
	}
	if d.keys[user] == "" {
		return "", errors.New("no such secret")
	}
	return d.keys[user], nil
}

func (d *double) Set(_, user, password string) error {
	if err := d.do(); err != nil {
		return err
	}
	d.keys[user] = password
	return nil
}

func (d *double) Delete(_, user string) error {
	if err := d.do(); err != nil {
		return err
	}
	delete(d.keys, user)
	return nil
}

func ringOf(d *double) ring { return ring{d.Get, d.Set, d.Delete} }

func find(t *testing.T, s Store, name, key, source string) {
	t.Helper()
	if k, from, err := s.Find(t.Context(), name); k != key || from != source || err != nil {
		t.Errorf("%s: %q from %q, %v; want %q from %q", name, k, from, err, key, source)
	}
}

// TestStore: a key is in the keyring, and in the file only where there is none.
func TestStore(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ibid", "keys.toml")
	with := Store{File: file, ring: ringOf(&double{keys: map[string]string{}})}
	without := Store{File: file, ring: ringOf(&double{err: errors.New("no bus")})}
	off := Store{File: file, NoRing: true}
	find(t, with, "claude", "", "")
	find(t, without, "claude", "", "")

	if where, err := without.Put(t.Context(), "claude", "sk-1"); where != InFile || err != nil {
		t.Fatal(where, err)
	}
	if _, err := off.Put(t.Context(), "my box", `sk-"2`); err != nil {
		t.Fatal(err)
	}
	find(t, with, "claude", "sk-1", InFile)
	find(t, without, "my box", `sk-"2`, InFile)
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Error(info, err)
	}

	if where, err := with.Put(t.Context(), "claude", "sk-3"); where != InKeyring || err != nil {
		t.Fatal(where, err)
	}
	find(t, with, "claude", "sk-3", InKeyring)
	find(t, off, "claude", "", "") // the old one is gone
	for _, s := range []Store{with, without} {
		for _, name := range []string{"claude", "my box", "nobody"} {
			if err := s.Remove(t.Context(), name); err != nil {
				t.Error(err)
			}
			find(t, s, name, "", "")
		}
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(file), ".keys.toml-*")); len(left) > 0 || err != nil {
		t.Error(left, err)
	}
}

// TestBrokenFile: a file that others may read is not used, and no error quotes it.
func TestBrokenFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys.toml")
	s := Store{File: file, NoRing: true}
	for text, mode := range map[string]os.FileMode{
		"a = \"secret\"\n": 0o644, "a = secret\n": 0o600, "[a]\nkey = \"secret\"\n": 0o600, "a = \"secret": 0o600,
	} {
		if runtime.GOOS == "windows" && mode != 0o600 {
			continue
		}
		if err := os.WriteFile(file, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(file, mode); err != nil { // whatever the umask
			t.Fatal(err)
		}
		key, source, err := s.Find(t.Context(), "a")
		if key != "" || source != InFile || err == nil || (mode != 0o600) != strings.Contains(err.Error(), `chmod 600 "`+file+`"`) || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %q, %v", text, key, err)
		}
		if _, err := s.Put(t.Context(), "b", "other"); err == nil {
			t.Errorf("%q: it was overwritten", text)
		}
	}
}

// TestRingHangs: a keyring that does not answer is done without, but a key that it
// may hold is not called removed.
func TestRingHangs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys.toml")
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		s := Store{File: file, ring: ringOf(&double{hang: hang})}
		find(t, s, "a", "", "")
		if where, err := s.Put(t.Context(), "a", "sk-1"); where != InFile || err != nil {
			t.Error(where, err)
		}
		if err := s.Remove(t.Context(), "a"); !errors.Is(err, errSilent) {
			t.Error(err)
		}
		close(hang)
	})
}

func TestWords(t *testing.T) {
	for command, want := range map[string]string{
		"pass show anthropic":              "pass|show|anthropic",
		`  op read "op://my vault/key" ''`: "op|read|op://my vault/key|",
		`C:\bin\key.exe a'b c'd`:           `C:\bin\key.exe|ab cd`,
		`sh -c 'pass x | head -1'`:         "sh|-c|pass x | head -1",
		"":                                 "ERROR it names no command",
		`pass "x`:                          "ERROR a quote is not closed",
		"pass x | head":                    `ERROR "|" is for a shell, and none is started: put the command into a script, or that into quotes`,
		"echo $KEY":                        `ERROR "$" is for a shell, and none is started: put the command into a script, or that into quotes`,
	} {
		words, err := Words(command)
		got := strings.Join(words, "|")
		if err != nil {
			got = "ERROR " + err.Error()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", command, got, want)
		}
	}
}

// TestMain lets this program stand in for the commands of people.
func TestMain(m *testing.M) {
	switch os.Getenv("KEYSTORE_TEST") {
	case "key":
		_, _ = os.Stdout.WriteString("\n \"sk-1\" \nurl: example.com\n")
	case "nothing":
	case "fails":
		_, _ = os.Stdout.WriteString("sk-secret\n")
		_, _ = os.Stderr.WriteString("sk-secret is locked\n")
		os.Exit(3)
	default:
		os.Exit(m.Run())
	}
	os.Exit(0)
}

// TestRun: a command prints the key as its first line; what it says otherwise is
// not repeated.
func TestRun(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for does, want := range map[string]string{"key": "sk-1", "nothing": "it printed no key", "fails": "exit status 3"} {
		t.Setenv("KEYSTORE_TEST", does)
		key, err := Run(t.Context(), `"`+self+`" show x`)
		if err != nil {
			key = err.Error()
		}
		if !strings.HasSuffix(key, want) || strings.Contains(key, "secret") || strings.Contains(key, "\n") {
			t.Errorf("%s: %q, %v", does, key, err)
		}
	}
	if _, err := Run(t.Context(), "no-such-command-at-all x"); err == nil || !strings.HasPrefix(err.Error(), "run key_command no-such-command-at-all: ") {
		t.Error(err)
	}
}

func TestClean(t *testing.T) {
	if got := Clean("\ufeff\t\u00a0“'`\"sk-1\" \r\n"); got != "sk-1" {
		t.Errorf("%q", got)
	}
}
