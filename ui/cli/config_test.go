package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestReadConfig(t *testing.T) {
	write := func(text string) string {
		p := filepath.Join(t.TempDir(), "config.toml")
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	for name, tc := range map[string]struct{ text, want string }{
		"unknown key":       {"model = \"m\"\n\nmodle = \"x\"\n", "line 3: unknown key \"modle\""},
		"unknown in table":  {"[cache]\nlayout = \"auto\"\nlayot = \"x\"\n", "line 3: unknown key \"cache.layot\""},
		"unknown table":     {"model = \"m\"\n[cahce]\nlayout = \"auto\"\n", "line 2: unknown key \"cahce\""},
		"dash for score":    {"base-url = \"x\"\n", "did you mean \"base_url\"?"},
		"wrong type":        {"\nmodel = 3\n", ", line 2: model is a number; it must be a text in quotes"},
		"no toml":           {"model = \n", "line 1:"},
		"bad kind":          {"[cache]\nkind = \"block\"\n", "line 2: cache.kind is \"block\"; it can be steps, boundaries, blocks, requests, slot or none"},
		"bad price":         {"[cache]\nread = -1.0\n", "cache.read and cache.write cannot be negative"},
		"chats no folder":   {"chats = 3\n", ", line 1: chats is a number; it must be a text in quotes"},
		"chats twice":       {"chats = \"Talks\"\n[chats]\ntitles = true\n", "line 2"},
		"unknown of chats":  {"[chats]\ntitels = true\n", "line 2: unknown key \"chats.titels\"; did you mean \"chats.titles\"?"},
		"bad titles":        {"[chats]\ntitles = \"no\"\n", ", line 2: chats.titles is a text in quotes; it must be true or false"},
		"bad layout":        {"[cache]\n\nlayout = \"loose\"\n", "line 3: cache.layout is \"loose\"; it can be auto, strict or append"},
		"bad search":        {"[tools.web]\nfetch = true\nsearch = \"searx\"\n", ", line 3: tools.web.search: \"searx\" is no address of a search server, such as http://127.0.0.1:8888"},
		"unknown of web":    {"[tools.web]\nserach = \"x\"\n", "line 2: unknown key \"tools.web.serach\"; did you mean \"tools.web.search\"?"},
		"bad theme":         {"screen.theme = \"pink\"\n", "line 1: screen.theme"},
		"bad duration":      {"[cache]\nlifetime = \"soon\"\n", "line 2"},
		"a key of a server": {"api_key = \"sk-1\"\n", "not read from this file"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ReadConfig(write(tc.text))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want it to say %q", err, tc.want)
			}
		})
	}
	t.Run("absent", func(t *testing.T) {
		if c, err := ReadConfig(filepath.Join(t.TempDir(), "no.toml")); err != nil || c.Model != "" {
			t.Errorf("got %+v, %v", c, err)
		}
	})
	t.Run("chats", func(t *testing.T) {
		if c, err := ReadConfig(write("chats = \"Talks\"\nmodel = \"m\"\n")); err != nil || c.Chats.Folder != "Talks" || c.Chats.Titles != nil || c.Model != "m" {
			t.Errorf("got %+v, %v", c, err)
		}
		if c, err := ReadConfig(write("[chats]\nfolder = \"Talks\"\ntitles = false\ntitle_model = \"small\"\n")); err != nil || c.Chats.Folder != "Talks" || *c.Chats.Titles || c.Chats.TitleModel != "small" {
			t.Errorf("got %+v, %v", c, err)
		}
	})
	t.Run("full", func(t *testing.T) {
		c, err := ReadConfig(write("vault = \"~/n\"\nself_note = false\n[cache]\nlayout = \"strict\"\nlifetime = \"7m\"\n[files]\nignore = [\"Archive/\"]\n"))
		if err != nil {
			t.Fatal(err)
		}
		if c.Vault != "~/n" || *c.SelfNote || c.Cache.Layout != "strict" || time.Duration(c.Cache.Lifetime) != 7*time.Minute || len(c.Files.Ignore) != 1 {
			t.Errorf("got %+v", c)
		}
	})
}
