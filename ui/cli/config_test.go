package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ibid/ui/cli/config"
)

// check fails the test if there is an error.
func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// configOf writes a configuration file with this text.
func configOf(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config.toml")
	check(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// readConfig reads a configuration file where no flag or variable is set.
func readConfig(file string) (Config, error) {
	c, _, err := config.File[Config]{Path: file, Check: (*Config).check}.Read()
	return c, err
}

func TestReadConfig(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"unknown key":         {"model = \"m\"\n\nmodle = \"x\"\n", "line 3: unknown key \"modle\""},
		"unknown in table":    {"[cache]\nlayout = \"auto\"\nlayot = \"x\"\n", "line 3: unknown key \"cache.layot\""},
		"unknown table":       {"model = \"m\"\n[cahce]\nlayout = \"auto\"\n", "line 2: unknown key \"cahce\""},
		"dash for score":      {"base-url = \"x\"\n", "did you mean \"base_url\"?"},
		"wrong type":          {"\nmodel = 3\n", ", line 2: model is a number; it must be a text in quotes"},
		"no toml":             {"model = \n", "line 1:"},
		"bad kind":            {"[cache]\nkind = \"block\"\n", "line 2: cache.kind is \"block\"; it can be steps, boundaries, blocks, requests, slot or none"},
		"bad price":           {"[cache]\nread = -1.0\n", "line 2: cache.read cannot be negative"},
		"half a token":        {"[window]\ntokens = 1.5\n", "line 2: window.tokens is a number; it must be a whole number"},
		"list of numbers":     {"[files]\nignore = [1]\n", "line 2: files.ignore is a list; it must be a list of texts"},
		"number in a header":  {"[providers.claude]\nheaders = { X = 1 }\n", "line 2: providers.claude.headers is a table; it must be a table of texts"},
		"chats no folder":     {"chats = 3\n", ", line 1: chats is a number; it must be a text in quotes"},
		"chats twice":         {"chats = \"Talks\"\n[chats]\ntitles = true\n", "line 2"},
		"unknown of chats":    {"[chats]\ntitels = true\n", "line 2: unknown key \"chats.titels\"; did you mean \"chats.titles\"?"},
		"bad titles":          {"[chats]\ntitles = \"no\"\n", ", line 2: chats.titles is a text in quotes; it must be true or false"},
		"bad layout":          {"[cache]\n\nlayout = \"loose\"\n", "line 3: cache.layout is \"loose\"; it can be auto, strict or append"},
		"bad search":          {"[tools.web]\nfetch = true\nsearch = \"searx\"\n", ", line 3: tools.web.search: \"searx\" is no address of a search server, such as http://127.0.0.1:8888"},
		"unknown of web":      {"[tools.web]\nserach = \"x\"\n", "line 2: unknown key \"tools.web.serach\"; did you mean \"tools.web.search\"?"},
		"bad theme":           {"screen.theme = \"pink\"\n", "line 1: screen.theme"},
		"theme of no kind":    {"[screen]\ntheme = \"nord grey\"\n", "line 2: screen.theme: there is no theme \"nord grey\"; there are auto, ibid"},
		"colour of no name":   {"[screen.themes.a]\nbase = \"nord\"\ndark = { akzent = \"#aabbcc\" }\n", "line 1: screen.themes.a: there is no colour \"akzent\""},
		"no base":             {"[screen.themes.a]\nbase = \"b\"\n", "line 1: screen.themes.a: there is no theme \"b\"; there are auto, ibid, catppuccin"},
		"theme called dark":   {"[screen.themes.dark]\nbase = \"nord\"\n", "line 1: screen.themes.dark: it cannot be the name of a theme"},
		"bad duration":        {"[cache]\nlifetime = \"soon\"\n", "line 2"},
		"unknown of provider": {"[providers.box]\nbase_url = \"http://box:1/v1\"\nmodle = \"m\"\n", "line 3: unknown key \"providers.box.modle\"; did you mean \"providers.box.model\"?"},
		"key of a provider":   {"[providers.\"my box\"]\nkey = \"sk-1\"\n", "line 2: unknown key \"providers.\\\"my box\\\".key\"; keys are not kept in this file"},
		"bad protocol":        {"[providers.box]\nkind = \"grpc\"\n", "line 2: providers.box.kind is \"grpc\"; it can be openai, anthropic, ollama or azure"},
		"no address":          {"model = \"m\"\n[providers.box]\nmodel = \"m\"\n", "line 2: providers.box needs a base_url"},
		"bad address":         {"providers.box.base_url = \"ftp://box\"\n", "line 1: providers.box.base_url is no address"},
		"azure has none":      {"[providers.azure]\nmodel = \"m\"\n", "line 1: providers.azure needs a base_url"},
		"bad effort":          {"[providers.claude]\neffort = \"huge\"\n", "line 2: providers.claude.effort is \"huge\"; it can be off, minimal, low, medium, high, xhigh or max"},
		"bad wait":            {"[providers]\nclaude.first_text = \"-1m\"\n", "line 2: providers.claude.first_text cannot be negative"},
		"no wait":             {"[providers.claude]\nidle = 3\n", "line 2: \"3\" is no duration"},
		"bad price table":     {"[providers.claude.prices]\ninput = -1.0\n", "line 2: providers.claude.prices.input cannot be negative"},
		"bad command":         {"[providers.claude]\nkey_command = \"pass x | head -1\"\n", "line 2: providers.claude.key_command cannot be run: \"|\" is for a shell"},
		"messages in extra":   {"[providers.claude]\nextra = { top_k = 20, messages = [] }\n", "line 2: providers.claude.extra.messages cannot be set: each request has its own"},
		"model in extra":      {"[providers.claude.extra]\ntop_k = 20\nmodel = \"m\"\n", "line 3: providers.claude.extra.model cannot be set"},
		"stream in extra":     {"[providers.claude]\nextra.stream = false\n", "line 2: providers.claude.extra.stream cannot be set"},
		"bad name":            {"[providers.\"a/b\"]\nbase_url = \"http://a\"\n", "line 1: providers.\"a/b\" is no name of a provider"},
		"a key of a server":   {"api_key = \"sk-1\"\n", "not kept in this file"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readConfig(configOf(t, tc.text))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want it to say %q", err, tc.want)
			}
		})
	}
	t.Run("absent", func(t *testing.T) {
		if c, err := readConfig(filepath.Join(t.TempDir(), "no.toml")); err != nil || c.Model != "" {
			t.Errorf("got %+v, %v", c, err)
		}
	})
	t.Run("chats", func(t *testing.T) {
		if c, err := readConfig(configOf(t, "chats = \"Talks\"\nmodel = \"m\"\n")); err != nil || c.Chats.Folder != "Talks" || c.Chats.Titles != nil || c.Model != "m" {
			t.Errorf("got %+v, %v", c, err)
		}
		if c, err := readConfig(configOf(t, "[chats]\nfolder = \"Talks\"\ntitles = false\ntitle_model = \"small\"\n")); err != nil || c.Chats.Folder != "Talks" || *c.Chats.Titles || c.Chats.TitleModel != "small" {
			t.Errorf("got %+v, %v", c, err)
		}
	})
	t.Run("providers", func(t *testing.T) {
		c, err := readConfig(configOf(t, `[providers.claude]
key_command = 'pass show "a b"'
headers = { "X-Team" = "notes" }
extra = { top_k = 20, nested = { a = [1] } }
temperature = 0
first_text = "10m"
marks = false
prices = { input = 3.0, cached = 0, output = 15.0 }

[providers.box]
kind = "ollama"
window = 4096
`))
		check(t, err)
		p := c.Providers["claude"]
		if len(c.Providers) != 2 || p.Headers["X-Team"] != "notes" || p.Temperature == nil || *p.Temperature != 0 || p.Extra["top_k"] != int64(20) || p.FirstText != 10*time.Minute || *p.Marks || *p.Prices.Cached != 0 || p.Prices.Written != nil || c.Providers["box"].Window != 4096 {
			t.Errorf("got %+v", c.Providers)
		}
	})
	t.Run("full", func(t *testing.T) {
		c, err := readConfig(configOf(t, "vault = \"~/n\"\nself_note = false\n[cache]\nlayout = \"strict\"\nlifetime = \"7m\"\n[files]\nignore = [\"Archive/\"]\n"))
		check(t, err)
		if c.Vault != "~/n" || c.SelfNote || !c.Search.Widen || c.Cache.Layout != "strict" || c.Cache.Lifetime != 7*time.Minute || len(c.Files.Ignore) != 1 {
			t.Errorf("got %+v", c)
		}
	})
}
