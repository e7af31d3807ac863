package cli

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"ibid/ui/cli/config"
)

// settingsOn returns the tools for a configuration file with this text.
func settingsOn(t *testing.T, text string, env map[string]string) (settingTools, string) {
	t.Helper()
	file := configOf(t, text)
	a := &app{env: Env{Dir: t.TempDir(), Getenv: func(name string) string { return env[name] }}}
	a.flags.Config = file
	return settingTools{a}, file
}

// TestEverySetting: each key that the configuration has says what it means, is listed,
// and can be set and unset; nothing else of the file changes by that.
func TestEverySetting(t *testing.T) {
	const text = "# mine\r\n\r\n[providers.box] # a\r\nbase_url = \"http://box:1\" # b\r\n\r\n[screen.themes.own]\r\nbase = \"nord\"\r\n"
	tools, file := settingsOn(t, text, nil)
	_, all, err := tools.configFile().Read()
	if err != nil || len(all) < 60 {
		t.Fatalf("%d settings, %v", len(all), err)
	}
	words := map[string]string{
		"vault": tools.env.Dir, "search.vectors": "ollama/nomic-embed-text", "prompts": "Prompts", "tools.off": "getTagList", "tools.web.search": "http://127.0.0.1:8888", "files.ignore": "Archive/, #secret",
		"providers.box.base_url": "http://box:2", "providers.box.key_env": "BOX_KEY", "screen.themes.own.base": "dracula",
	}
	for i := range all {
		s := &all[i]
		name := s.Key.String()
		table, of, _ := strings.Cut(name, ".")
		live := table == "screen" && of != "inline" && !strings.HasPrefix(of, "themes.")
		if (s.Tag.Get("now") != "") != live {
			t.Errorf("%s: all of the screen is followed at once, but for the kind of screen", name)
		}
		if s.Tag.Get("help") == "" {
			t.Errorf("%s does not say what it means: give its field a help tag", name)
		}
		value := words[name]
		switch values := tools.valuesOf(s); {
		case value != "":
		case values != nil:
			value = values[len(values)-1]
		default:
			for _, text := range []string{"7m", "3", `a "word"`} { // which is a number, a time or a text
				if _, _, err := tools.set(name, &text); err == nil {
					value = text
				}
			}
			check(t, os.WriteFile(file, []byte(text), 0o600))
		}
		if s.Tag.Get("private") != "" || s.IsTable() {
			if _, _, err := tools.set(name, &value); err == nil {
				t.Errorf("%s was set, though it cannot be", name)
			}
			continue
		}
		got, _, err := tools.set(name, &value)
		if err != nil || got.From != "config" || got.Value == "" {
			t.Errorf("set %s = %s: %v; it is %q from %s", name, value, err, got.Value, got.From)
			continue
		}
		data, _ := os.ReadFile(file)
		if line := regexp.MustCompile(`(?m)^` + s.Key[len(s.Key)-1] + ` = .*\r\n`); !sameBut(string(data), text, line) {
			t.Errorf("set %s: the file became %q", name, data)
		}
		if got, _, err = tools.set(name, nil); name != "providers.box.base_url" && (err != nil || got.From != "default") { // without an address there is no provider
			t.Errorf("unset %s: %v; it is %q from %s", name, err, got.Value, got.From)
		}
		check(t, os.WriteFile(file, []byte(text), 0o600))
	}
}

// sameBut reports whether two texts are the same without the lines of a key, and the
// header of a table that was added for it at the end.
func sameBut(a, b string, line *regexp.Regexp) bool {
	for _, text := range []*string{&a, &b} {
		*text = strings.Join(strings.Fields(line.ReplaceAllString(*text, "\n")), " ")
	}
	rest, ok := strings.CutPrefix(a, b)
	return ok && (rest == "" || regexp.MustCompile(`^ \[[a-z.]+\]$`).MatchString(rest))
}

// TestStillByEnvironment: the variable wins over the file, and the setting says so.
func TestStillByEnvironment(t *testing.T) {
	for value, want := range map[string]string{"": "true from config", "1": "false from NO_MOTION"} {
		env := map[string]string{"NO_MOTION": value}
		tools, _ := settingsOn(t, "[screen]\nmotion = true\n", env)
		s, err := tools.configFile().Find("screen.motion")
		if got := s.Value + " from " + s.From; err != nil || got != want {
			t.Errorf("NO_MOTION=%s: %s, %v; want %s", value, got, err, want)
		}
		c, _, err := tools.configFile().Read()
		look, _ := lookOf(&c.Screen, tools.env.Getenv)
		if err != nil || look.Still != (value != "") {
			t.Errorf("NO_MOTION=%s: still %v, %v", value, look.Still, err)
		}
	}
}

// TestTerminalsWithoutColour: the name of a terminal that has none, or NO_COLOR, takes
// the colours away.
func TestTerminalsWithoutColour(t *testing.T) {
	for _, c := range []struct {
		term, noColor string
		want          bool
	}{
		{"vt100", "", true},
		{"vt220-w", "", true},
		{"xterm-mono", "", true},
		{"linux-m", "", true},
		{"xterm-256color", "1", true},
		{"xterm", "", false},
		{"linux", "", false},
		{"vt340", "", false},
		{"", "", false},
	} {
		env := map[string]string{"TERM": c.term, "NO_COLOR": c.noColor}
		if look, _ := lookOf(&ScreenConfig{}, func(name string) string { return env[name] }); look.NoColor != c.want {
			t.Errorf("TERM=%s NO_COLOR=%s: without colours %v, want %v", c.term, c.noColor, look.NoColor, c.want)
		}
	}
}

// TestBrokenTableStays: from a file that the program does not take nothing is removed.
func TestBrokenTableStays(t *testing.T) {
	const before = "[providers.a]\nbase_url = \"http://a\"\nkind = \"\"\"\n[b]\n\"\"\"\n"
	tools, file := settingsOn(t, before, nil)
	err := tools.configFile().RemoveTable(config.Key{"providers", "a"})
	if got, _ := os.ReadFile(file); err == nil || string(got) != before {
		t.Errorf("it became %q, %v", got, err)
	}
}
