package vault_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ibid/vault"
	"ibid/vault/vaulttest"
)

// settingsWith returns app.json with these rules for excluded files.
func settingsWith(rules ...string) string {
	list, _ := json.Marshal(rules)
	return `{"userIgnoreFilters": ` + string(list) + `}`
}

// settledVault makes a vault whose app.json was written a while ago.
func settledVault(t *testing.T, settings string) *vault.Vault {
	t.Helper()
	dir := vaulttest.Dir(t, "-- Public/a.md --\nopen\n-- Secret/b.md --\nzebra\n-- Public/p.png --\nimage\n-- c.md --\nc\n"+
		"-- Diary.md --\n---\nprivate: true\n---\n")
	writeSettings(t, dir, settings, time.Hour)
	return vaulttest.Open(t, dir, vault.Options{})
}

// writeSettings writes app.json as if that had been done a while ago.
func writeSettings(t *testing.T, dir, settings string, ago time.Duration) {
	t.Helper()
	name := filepath.Join(dir, ".obsidian", "app.json")
	check(t, os.MkdirAll(filepath.Dir(name), 0o755))
	check(t, os.WriteFile(name, []byte(settings), 0o600))
	then := time.Now().Add(-ago)
	check(t, os.Chtimes(name, then, then))
}

// Rules are regular expressions as JavaScript has them.
func TestRulesOfJavaScript(t *testing.T) {
	for rule, want := range map[string]string{
		`/^(?!Public\/)/`:             "Public/a.md",
		`/(?<=Secret\/)b/`:            "Diary.md Public/a.md c.md",
		`/(?<!Public\/)\b\w\.md$/`:    "Diary.md Public/a.md",
		`/([a-z])\1/`:                 "Diary.md Public/a.md Secret/b.md c.md",
		`/^(?<d>[PS]).*(?:a|b)\.md$/`: "Diary.md c.md",
		`/^[^]ecret/`:                 "Diary.md Public/a.md c.md",
		`/\u0053ecret/`:               "Diary.md Public/a.md c.md",
		`/^c\.md$/`:                   "Diary.md Public/a.md Secret/b.md",
		`/^secret/`:                   "Diary.md Public/a.md Secret/b.md c.md",
	} {
		v := settledVault(t, settingsWith(rule))
		is(t, paths(v.Notes()), want)
		check(t, v.Withheld())
	}
}

// What cannot be read leaves everything on this machine, and the error names it.
func TestUnreadableRules(t *testing.T) {
	for settings, named := range map[string]string{
		settingsWith("Old/", "/(/"):                           "/(/ is no regular expression",
		settingsWith(`/a{2,1}/`):                              "/a{2,1}/",
		settingsWith(`/(?<=Secret/`):                          "/(?<=Secret/",
		settingsWith("/" + strings.Repeat("(", 20_000) + "/"): "is longer than",
		`{"userIgnoreFilters": ["Secret/"`:                    ".obsidian/app.json is not valid JSON",
		`{"userIgnoreFilters": "Secret/"}`:                    `.obsidian/app.json has no list as userIgnoreFilters, but "Secret/"`,
		`{"userIgnoreFilters": {"a": 1}}`:                     "has no list",
		`{"userIgnoreFilters": true}`:                         "has no list",
		`{"userIgnoreFilters": ["a", 3]}`:                     "an entry in userIgnoreFilters that is no text: 3",
		`{"userIgnoreFilters": [null]}`:                       "that is no text",
		`{"userIgnoreFilters": [["a"]]}`:                      "that is no text",
		`["Secret/"]`:                                         "not valid JSON",
		`null`:                                                "not valid JSON",
		"{\"userIgnoreFilters\": [\"S\xFFcret/\"]}":           "not valid JSON",
		`{"a": 1} trailing`:                                   "not valid JSON",
	} {
		v := settledVault(t, settings)
		err := v.Withheld()
		if !errors.Is(err, vault.ErrRules) || !strings.Contains(err.Error(), named) {
			t.Errorf("%s: %v", settings, err)
		}
		if _, err := v.Read("c.md"); !errors.Is(err, vault.ErrRules) {
			t.Errorf("%s: Read = %v", settings, err)
		}
		if _, err := v.ReadFile("Public/p.png", 100); !errors.Is(err, vault.ErrRules) {
			t.Errorf("%s: ReadFile = %v", settings, err)
		}
		if _, err := v.Read("Diary.md"); !errors.Is(err, vault.ErrPrivate) {
			t.Errorf("%s: Read of a private note = %v", settings, err)
		}
		text, err := v.Local().Read("c.md")
		check(t, err)
		is(t, text.Content, "c\n")
		data, err := v.Local().ReadFile("Public/p.png", 100)
		check(t, err)
		is(t, string(data), "image\n")
	}
}

// Settings without rules, in all forms that Obsidian writes or reads.
func TestReadableSettings(t *testing.T) {
	for _, settings := range []string{
		"", "\n", "{}", `{"userIgnoreFilters": null}`, `{"userIgnoreFilters": []}`, "\uFEFF{}", `{"other": "x"}`, settingsWith("", "  "),
	} {
		v := settledVault(t, settings)
		check(t, v.Withheld())
		is(t, len(v.Notes()), 4, settings)
	}
	v := vaulttest.New(t, "-- a.md --\n")
	check(t, v.Withheld())
}

func TestUnreadableSettingsFile(t *testing.T) {
	dir := vaulttest.Dir(t, "-- .obsidian/app.json/x --\n-- a.md --\n")
	v := vaulttest.Open(t, dir, vault.Options{})
	if err := v.Withheld(); !errors.Is(err, vault.ErrRules) {
		t.Errorf("a folder: %v", err)
	}
	dir = vaulttest.Dir(t, "-- .obsidian/x --\n-- a.md --\n")
	symlink(t, "nowhere", filepath.Join(dir, ".obsidian", "app.json"))
	v = vaulttest.Open(t, dir, vault.Options{})
	if err := v.Withheld(); !errors.Is(err, vault.ErrRules) {
		t.Errorf("a link to nothing: %v", err)
	}
}

// A person may agree to one file, for as long as the error stays the same.
func TestAgreeToOneFile(t *testing.T) {
	v := settledVault(t, settingsWith("/(/"))
	v.Agree("c.md")
	_, err := v.Read("c.md")
	check(t, err)
	if _, err := v.Read("Public/a.md"); !errors.Is(err, vault.ErrRules) {
		t.Errorf("another file: %v", err)
	}
	writeSettings(t, v.Dir(), settingsWith("/)/"), time.Hour)
	revalidate(t, v)
	if _, err := v.Read("c.md"); !errors.Is(err, vault.ErrRules) {
		t.Errorf("another rule: %v", err)
	}
	writeSettings(t, v.Dir(), settingsWith("Secret/"), time.Hour)
	revalidate(t, v)
	check(t, v.Withheld())
	_, err = v.Read("Public/a.md")
	check(t, err)
	is(t, paths(v.Notes()), "Diary.md Public/a.md c.md")
}

// An open vault keeps the rules that it read last, and those of the new list that can be read.
func TestRunningProgramKeepsRules(t *testing.T) {
	v := settledVault(t, settingsWith("Secret/"))
	for range 2 {
		writeSettings(t, v.Dir(), settingsWith("Public/", "/(/"), time.Hour)
		revalidate(t, v)
		check(t, v.Withheld())
		is(t, paths(v.Notes()), "Diary.md c.md")
		if w := v.RulesWarning(); !strings.Contains(w, "/(/") || !strings.Contains(w, "still hold") {
			t.Errorf("warning = %q", w)
		}
	}
	writeSettings(t, v.Dir(), `{"userIgnoreFilters": 7}`, time.Hour)
	revalidate(t, v)
	is(t, paths(v.Notes()), "Diary.md Public/a.md c.md")
	check(t, os.Remove(filepath.Join(v.Dir(), ".obsidian", "app.json")))
	revalidate(t, v)
	is(t, paths(v.Notes()), "Diary.md Public/a.md c.md")
	writeSettings(t, v.Dir(), "{}", time.Hour)
	revalidate(t, v)
	is(t, len(v.Notes()), 4)
	is(t, v.RulesWarning(), "")
}

// A vault without settings has read no rules, so that it cannot keep any.
func TestBrokenSettingsAppear(t *testing.T) {
	v := vaulttest.New(t, "-- c.md --\nc\n")
	check(t, v.Withheld())
	writeSettings(t, v.Dir(), `{"userIgnoreFilters": 7}`, time.Hour)
	revalidate(t, v)
	if err := v.Withheld(); !errors.Is(err, vault.ErrRules) {
		t.Errorf("Withheld = %v", err)
	}
}

// A file that is being written is read again before it counts as broken.
func TestSettingsBeingWritten(t *testing.T) {
	for _, half := range []string{`{"userIgnoreFilters": ["Secr`, "", `{`} {
		dir := vaulttest.Dir(t, "-- Secret/b.md --\nzebra\n-- c.md --\nc\n")
		writeSettings(t, dir, half, 0)
		done := make(chan struct{})
		go func() {
			defer close(done)
			time.Sleep(100 * time.Millisecond)
			_ = os.WriteFile(filepath.Join(dir, ".obsidian", "app.json"), []byte(settingsWith("Secret/")), 0o600)
		}()
		v := vaulttest.Open(t, dir, vault.Options{})
		<-done
		check(t, v.Withheld())
		is(t, paths(v.Notes()), "c.md", half)
	}
}

// A rule that takes too long for one path cannot be read; the first time is the last.
func TestRuleThatTakesTooLong(t *testing.T) {
	dir := vaulttest.Dir(t, "-- "+strings.Repeat("a", 60)+"!.md --\n-- "+strings.Repeat("a", 61)+"!.md --\n-- c.md --\n")
	writeSettings(t, dir, settingsWith(`/^(a+)+$/`), time.Hour)
	began := time.Now()
	v := vaulttest.Open(t, dir, vault.Options{})
	if err := v.Withheld(); !errors.Is(err, vault.ErrRules) || !strings.Contains(err.Error(), "/^(a+)+$/ takes too long") {
		t.Errorf("Withheld = %v", err)
	}
	is(t, len(v.Notes()), 3)
	if _, err := v.Read("c.md"); !errors.Is(err, vault.ErrRules) {
		t.Errorf("Read = %v", err)
	}
	writeSettings(t, dir, settingsWith(`/^(a+)+$/`, "x"), time.Hour)
	revalidate(t, v)
	if err := v.Withheld(); !errors.Is(err, vault.ErrRules) {
		t.Errorf("with another rule beside: %v", err)
	}
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("took %s", took)
	}
}

// The options are checked when the vault is opened.
func TestUnreadableOption(t *testing.T) {
	_, err := vault.Open(vaulttest.Dir(t, "-- a.md --\n"), vault.Options{Ignore: []string{"/(/"}})
	if !errors.Is(err, vault.ErrRules) || !strings.Contains(err.Error(), "/(/") {
		t.Errorf("Open = %v", err)
	}
}

// A rule without what it excludes leaves the folders of the rest.
func TestFoldersOfNegatedRule(t *testing.T) {
	v := settledVault(t, settingsWith(`/^(?!Public\/)/`))
	if !slices.Equal(v.Folders(), []vault.Path{"Public"}) {
		t.Errorf("folders = %v", v.Folders())
	}
	is(t, v.IgnoredBelow("Public"), false)
	v = settledVault(t, settingsWith("Secret"))
	is(t, v.IgnoredBelow("Secret"), true)
	is(t, v.IgnoredBelow("Secret/deep"), true)
	is(t, v.IgnoredBelow("Public"), false)
}
