package config

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// sample is a configuration.
type sample struct {
	Vault  string `toml:"vault"`
	Model  string `toml:"model"`
	Active string `toml:"active"`
	System string `toml:"system"`
	Chats  struct {
		Folder string `toml:"folder"`
		Titles *bool  `toml:"titles"`
	} `toml:"chats"`
	Files struct {
		Ignore []string `toml:"ignore"`
	} `toml:"files"`
	Tools struct {
		Rounds int      `toml:"rounds"`
		Off    []string `toml:"off"`
		Web    struct {
			Fetch bool `toml:"fetch"`
		} `toml:"web"`
	} `toml:"tools"`
	Screen struct {
		Themes map[string]struct {
			Dark map[string]string `toml:"dark"`
		} `toml:"themes"`
		Theme string `toml:"theme"`
		ASCII bool   `toml:"ascii"`
	} `toml:"screen"`
	Providers map[string]struct {
		Kind    string            `toml:"kind"`
		BaseURL string            `toml:"base_url"`
		Model   string            `toml:"model"`
		Headers map[string]string `toml:"headers"`
		Prices  *struct {
			Input float64 `toml:"input"`
		} `toml:"prices"`
	} `toml:"providers"`
}

// fileOf writes a configuration file with this text.
func fileOf(t *testing.T, text string) File[sample] {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(file, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
	return File[sample]{Path: file}
}

// TestConfigFile: a table is added and removed, and all else of the file is as it was.
func TestConfigFile(t *testing.T) {
	const table = "[providers.\"my.box\"]\nkind = \"ollama\"\nbase_url = \"http://box:1\"\n"
	box := [][2]string{{"kind", "ollama"}, {"base_url", "http://box:1"}, {"model", ""}}
	for name, tt := range map[string]struct{ before, with, after string }{
		"empty":             {"", table, ""},
		"no line end":       {"active = \"off\"", "active = \"off\"\n\n" + table, "active = \"off\"\n"},
		"tables and words":  {"# a\n[screen] # b\nascii = true\n\n\n", "# a\n[screen] # b\nascii = true\n\n" + table, "# a\n[screen] # b\nascii = true\n"},
		"another provider":  {"[providers.a]\nbase_url = \"http://a\"\n", "[providers.a]\nbase_url = \"http://a\"\n\n" + table, "[providers.a]\nbase_url = \"http://a\"\n"},
		"text like a table": {"system = \"\"\"\n[providers.x]\n\"\"\"\n", "system = \"\"\"\n[providers.x]\n\"\"\"\n\n" + table, "system = \"\"\"\n[providers.x]\n\"\"\"\n"},
	} {
		f := fileOf(t, tt.before)
		for _, step := range []struct {
			err  error
			want string
		}{{f.AddTable(Key{"providers", "my.box"}, box), tt.with}, {f.RemoveTable(Key{"providers", "my.box"}), tt.after}} {
			if step.err != nil {
				t.Errorf("%s: %v", name, step.err)
			}
		}
		got, err := os.ReadFile(f.Path)
		if err != nil || string(got) != tt.after {
			t.Errorf("%s: %q, %v; want %q", name, got, err, tt.after)
		}
		if err := f.AddTable(Key{"providers", "my.box"}, box); err != nil {
			t.Error(err)
		}
		if got, err := os.ReadFile(f.Path); tt.after == tt.before && (err != nil || string(got) != tt.with) {
			t.Errorf("%s: %q, %v; want %q", name, got, err, tt.with)
		}
	}
}

// TestConfigTogether: of what several write into the file at once nothing is lost.
func TestConfigTogether(t *testing.T) {
	f := File[sample]{Path: filepath.Join(t.TempDir(), "made", "config.toml")}
	names := []string{"a", "b", "c", "d", "e", "f"}
	var all sync.WaitGroup
	for _, name := range names {
		all.Go(func() {
			if err := f.AddTable(Key{"providers", name}, [][2]string{{"base_url", "http://box:1"}}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	data, err := os.ReadFile(f.Path)
	for _, name := range names {
		if !strings.Contains(string(data), "[providers."+name+"]") {
			t.Errorf("%s is lost (%v):\n%s", name, err, data)
		}
	}
}

// TestRemovedTable: what belongs to the table goes, what stands before the next one
// stays.
func TestRemovedTable(t *testing.T) {
	for before, after := range map[string]string{
		"model = \"m\"\n\n[providers.a] # mine\nbase_url = \"http://a\"\n# of a\nmodel = \"m\"\n\n[providers.a.prices]\ninput = 1.0\n\n# of the screen\n[screen]\nascii = true\n": "model = \"m\"\n\n# of the screen\n[screen]\nascii = true\n",
		"[providers.ab]\nbase_url = \"http://ab\"\n[providers . 'a']\nbase_url = \"http://a\"\n[providers.b]\nbase_url = \"http://b\"\n":                                          "[providers.ab]\nbase_url = \"http://ab\"\n[providers.b]\nbase_url = \"http://b\"\n",
		"providers.a.base_url = \"http://a\"\n": "",
	} {
		f := fileOf(t, before)
		err := f.RemoveTable(Key{"providers", "a"})
		got, _ := os.ReadFile(f.Path)
		if after == "" && (err == nil || string(got) != before) || after != "" && (err != nil || string(got) != after) {
			t.Errorf("%q became %q, %v", before, got, err)
		}
	}
}

// TestSetting: one line is another after it, and nothing else of the file.
func TestSetting(t *testing.T) {
	nord := "nord"
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
		f := fileOf(t, before)
		_, err := f.Set("screen.theme", &nord)
		got, _ := os.ReadFile(f.Path)
		switch {
		case after == "" && (err == nil || string(got) != before):
			t.Errorf("%q: %v, and became %q", before, err, got)
		case after != "" && (err != nil || string(got) != after):
			t.Errorf("%q: %v, and became %q, want %q", before, err, got, after)
		}
	}
}
