package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ibid/chains/chaintest"
	"ibid/ui/setup"
)

// TestProviderPage: the page tests a key for real, keeps it where the command does,
// lists what is there then, and says nothing on the terminal.
func TestProviderPage(t *testing.T) {
	const key = "sk-page-51c0"
	server := chaintest.NewServer(t, chaintest.Options{Key: key, Answers: []chaintest.Answer{{Text: "Yes."}}})
	dir := t.TempDir()
	file := filepath.Join(dir, "config.toml")
	var loud strings.Builder
	a := &app{env: Env{
		Stdin: strings.NewReader(""), Stdout: &loud, Stderr: &loud, Dir: dir,
		Getenv: func(name string) string { return map[string]string{"IBID_KEYRING": "off"}[name] },
	}, folder: folders{config: file, state: filepath.Join(dir, "state")}}
	p := providerPage{a}
	ctx := t.Context()

	said, err := p.Add(ctx, server.URL(), "sk-wrong")
	if err == nil || !strings.Contains(err.Error(), "refused") || strings.Contains(fmt.Sprint(said, err), "sk-wrong") {
		t.Errorf("a wrong key: %q %v", said, err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a provider was added whose key is wrong")
	}
	if said, err = p.Add(ctx, server.URL(), key); err != nil || !strings.Contains(said, "is added") || strings.Contains(said, key) {
		t.Fatalf("%q %v", said, err)
	}
	config, err := os.ReadFile(file)
	if err != nil || strings.Contains(string(config), key) {
		t.Errorf("the configuration: %s %v", config, err)
	}
	list, err := p.List(ctx)
	i := slices.IndexFunc(list, func(o setup.Provider) bool { return o.Address == server.URL() })
	if err != nil || i < 0 || !list[i].Ready || list[i].Known || strings.Contains(list[i].State, key) {
		t.Fatalf("%+v %v", list, err)
	}
	name := list[i].Name
	if said, err = p.Test(ctx, name); err != nil || !strings.Contains(said, "nothing is wrong") {
		t.Errorf("%q %v", said, err)
	}
	if said, err = p.Remove(ctx, name); err != nil || !strings.Contains(said, "is removed") {
		t.Errorf("%q %v", said, err)
	}
	if keys, err := os.ReadFile(filepath.Join(dir, "keys.toml")); err == nil && strings.Contains(string(keys), key) {
		t.Error("the key is kept after its provider was removed")
	}
	if loud.Len() > 0 {
		t.Errorf("on the terminal: %q", loud.String())
	}
}
