package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/BurntSushi/toml"

	"ibid/chains/connect"
)

// TestConfigFile: a table is added and removed, and all else of the file is as it was.
func TestConfigFile(t *testing.T) {
	const table = "[providers.\"my.box\"]\nkind = \"ollama\"\nbase_url = \"http://box:1\"\n"
	box := connect.Settings{Kind: "ollama", BaseURL: "http://box:1"}
	for name, tt := range map[string]struct{ before, with, after string }{
		"empty":             {"", table, ""},
		"no line end":       {"active = \"off\"", "active = \"off\"\n\n" + table, "active = \"off\"\n"},
		"tables and words":  {"# a\n[screen] # b\nascii = true\n\n\n", "# a\n[screen] # b\nascii = true\n\n" + table, "# a\n[screen] # b\nascii = true\n"},
		"another provider":  {"[providers.a]\nbase_url = \"http://a\"\n", "[providers.a]\nbase_url = \"http://a\"\n\n" + table, "[providers.a]\nbase_url = \"http://a\"\n"},
		"text like a table": {"system = \"\"\"\n[providers.x]\n\"\"\"\n", "system = \"\"\"\n[providers.x]\n\"\"\"\n\n" + table, "system = \"\"\"\n[providers.x]\n\"\"\"\n"},
	} {
		f := configFile{filepath.Join(t.TempDir(), "config.toml")}
		if err := os.WriteFile(f.path, []byte(tt.before), 0o640); err != nil {
			t.Fatal(err)
		}
		for _, step := range []struct {
			err  error
			want string
		}{{f.add("my.box", box), tt.with}, {f.remove("my.box"), tt.after}} {
			if step.err != nil {
				t.Errorf("%s: %v", name, step.err)
			}
		}
		got, err := os.ReadFile(f.path)
		if err != nil || string(got) != tt.after {
			t.Errorf("%s: %q, %v; want %q", name, got, err, tt.after)
		}
		if err := f.add("my.box", box); err != nil {
			t.Error(err)
		}
		if got, err := os.ReadFile(f.path); tt.after == tt.before && (err != nil || string(got) != tt.with) {
			t.Errorf("%s: %q, %v; want %q", name, got, err, tt.with)
		}
	}
}

// TestConfigTogether: of what several write into the file at once nothing is lost.
func TestConfigTogether(t *testing.T) {
	f := configFile{filepath.Join(t.TempDir(), "made", "config.toml")}
	names := []string{"a", "b", "c", "d", "e", "f"}
	var all sync.WaitGroup
	for _, name := range names {
		all.Go(func() {
			if err := f.add(name, connect.Settings{Kind: "ollama", BaseURL: "http://box:1"}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	data, err := os.ReadFile(f.path)
	for _, name := range names {
		if !strings.Contains(string(data), "[providers."+name+"]") {
			t.Errorf("%s is lost (%v):\n%s", name, err, data)
		}
	}
}

// TestVaultsLeft: the list of vaults that were left holds those that are there, the last
// of them, and loses none that others add meanwhile.
func TestVaultsLeft(t *testing.T) {
	dir := t.TempDir()
	tools := vaultTools{&app{}}
	tools.folder.state = filepath.Join(dir, "state")
	var all sync.WaitGroup
	for n := range mostVaults {
		at := filepath.Join(dir, strconv.Itoa(n))
		if err := os.Mkdir(at, 0o700); err != nil {
			t.Fatal(err)
		}
		all.Go(func() { tools.remember(at) })
	}
	all.Wait()
	if n := len(tools.recent()); n != mostVaults {
		t.Fatalf("%d vaults, want %d", n, mostVaults)
	}
	tools.app.hints().Change(vaultsFile, func(all map[string]string) {
		for at := range all {
			all[at] = "2026-01-02T15:04:05Z"
		}
	})
	if err := os.Remove(filepath.Join(dir, "0")); err != nil {
		t.Fatal(err)
	}
	tools.remember(dir)
	if err := os.Mkdir(filepath.Join(dir, "0"), 0o700); err != nil {
		t.Fatal(err)
	}
	left := tools.recent()
	if len(left) != mostVaults || left[0].dir != dir || slices.ContainsFunc(left, func(p vaultPlace) bool { return filepath.Base(p.dir) == "0" }) {
		t.Errorf("the list holds %v", left)
	}
}

// TestRemovedTable: what belongs to the table goes, what stands before the next one
// stays.
func TestRemovedTable(t *testing.T) {
	for before, after := range map[string]string{
		"model = \"m\"\n\n[providers.a] # mine\nbase_url = \"http://a\"\n# of a\nmodel = \"m\"\n\n[providers.a.prices]\ninput = 1.0\n\n# of the screen\n[screen]\nascii = true\n": "model = \"m\"\n\n# of the screen\n[screen]\nascii = true\n",
		"[providers.ab]\nbase_url = \"http://ab\"\n[providers . 'a']\nbase_url = \"http://a\"\n[providers.b]\nbase_url = \"http://b\"\n":                                          "[providers.ab]\nbase_url = \"http://ab\"\n[providers.b]\nbase_url = \"http://b\"\n",
		"providers.a.base_url = \"http://a\"\n":                                           "",
		"[providers.a]\nbase_url = \"http://a\"\nheaders = { X = \"\"\"\n[b]\n\"\"\" }\n": "",
	} {
		f := configFile{configOf(t, before)}
		err := f.remove("a")
		got, _ := os.ReadFile(f.path)
		if after == "" && (err == nil || string(got) != before) || after != "" && (err != nil || string(got) != after) {
			t.Errorf("%q became %q, %v", before, got, err)
		}
	}
}

// TestSetting: one line is another after it, and nothing else of the file.
func TestSetting(t *testing.T) {
	key := toml.Key{"screen", "theme"}
	for before, after := range map[string]string{
		"":                              "[screen]\ntheme = \"nord\"\n",
		"# mine\nactive = \"off\"":      "# mine\nactive = \"off\"\n\n[screen]\ntheme = \"nord\"\n",
		"[screen]\nascii = true # so\n": "[screen]\ntheme = \"nord\"\nascii = true # so\n",
		"[screen] # look":               "[screen] # look\ntheme = \"nord\"\n",
		"[tools]\n[ screen ]\r\n  'theme' = 'dark'   # a # b\r\nascii = true\r\n": "[tools]\n[ screen ]\r\ntheme = \"nord\"   # a # b\r\nascii = true\r\n",
		"[screen.themes.a]\n[screen.themes.a.dark]\naccent = \"#aabbcc\"\n":       "[screen.themes.a]\n[screen.themes.a.dark]\naccent = \"#aabbcc\"\n\n[screen]\ntheme = \"nord\"\n",
		// Those that cannot be changed line by line stay as they are.
		"screen = { theme = \"dark\" }\n":        "",
		"[screen]\ntheme = \"\"\"\ndark\"\"\"\n": "",
	} {
		f := configFile{configOf(t, before)}
		err := f.set(key, `"nord"`)
		got, _ := os.ReadFile(f.path)
		switch {
		case after == "" && (err == nil || string(got) != before):
			t.Errorf("%q: %v, and became %q", before, err, got)
		case after != "" && (err != nil || string(got) != after):
			t.Errorf("%q: %v, and became %q, want %q", before, err, got, after)
		}
	}
}
