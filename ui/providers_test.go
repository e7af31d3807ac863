package ui_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"ibid/ui"
	"ibid/ui/setup"
)

const typedKey = "sk-test-3f9a77"

// providerDesk is providers in memory: one key is right.
type providerDesk struct {
	all   []setup.Provider
	calls []string
}

func (d *providerDesk) List(context.Context) ([]setup.Provider, error) { return d.all, nil }

func (d *providerDesk) Add(_ context.Context, what, key string) (string, error) {
	d.calls = append(d.calls, fmt.Sprintf("add %s %s", what, key))
	if key != typedKey {
		return "", errors.New("key the key was refused (401)")
	}
	for i := range d.all {
		if d.all[i].Name == what {
			d.all[i].Known, d.all[i].Ready, d.all[i].State = false, true, "its key is in the keyring"
		}
	}
	return what + " is added; its key is in the keyring", nil
}

func (d *providerDesk) Test(_ context.Context, name string) (string, error) {
	d.calls = append(d.calls, "test "+name)
	return "reply it answers", nil
}

func (d *providerDesk) Remove(_ context.Context, name string) (string, error) {
	d.calls = append(d.calls, "remove "+name)
	d.all = d.all[1:]
	return name + " is removed", nil
}

func newProviders() *providerDesk {
	return &providerDesk{all: []setup.Provider{
		{Name: "work", Address: "https://models.example.com/v1", State: "its key is from key_command", Ready: true},
		{
			Name: "openai", Address: "https://api.openai.com/v1", State: "its key is from env OPENAI_API_KEY",
			Ready: true, Answers: true,
		},
		{Name: "old", Address: "https://old.example.com/v1", State: "no key: set OLD_API_KEY"},
		{Name: "anthropic", Address: "https://api.anthropic.com/v1", Known: true},
		{Name: "openrouter", Address: "https://openrouter.ai/api/v1", Known: true},
	}}
}

// TestProviders sets providers up from the screen: a key is typed or pasted hidden,
// tested and kept, and stands nowhere else.
func TestProviders(t *testing.T) {
	onSizes(t, []size{{40, 12}, {80, 24}, {120, 40}, {200, 50}}, func(t *testing.T, w, h int) {
		d, all := newProviders(), ""
		playOn(t, w, h, rigWithOptions(band, func(o *ui.Options) {
			o.Service.Providers = d
		}, reply("ok")), func(r *stage) {
			see := func() {
				if strings.Contains(r.Content(), typedKey) {
					r.Fatalf("the key is on the screen:\n%s", r.Screen())
				}
			}
			shot := func() { all += r.Screen() + "\n" }
			r.Begin("/provider", "answers now")
			shot()
			r.Begin("router", "Key for openrouter")
			r.Type("sk-wrong")
			r.WantNot("sk-wrong")
			r.Press("enter")
			r.WaitFor("refused")
			shot()
			r.Press("enter")
			r.WaitFor("Key for openrouter")
			r.Paste(typedKey + "\n")
			see()
			r.Press("enter")
			r.WaitFor("openrouter is added")
			see()
			r.Begin("work", "it answers")
			r.Press("ctrl+d")
			r.WaitFor("Remove work?")
			r.Press("enter")
			r.WaitFor("work is removed")
			r.Press("esc")
			r.Pass(time.Second)
			r.Press("up") // the prompt before
			see()
			r.Press("ctrl+u")
			r.Ask("hello", "ok")
			want := []string{"add openrouter sk-wrong", "add openrouter " + typedKey, "test work", "remove work"}
			is(r, d.calls, want)
			for _, dir := range []string{r.dir, r.state, r.locks} {
				wantNoKey(r.T, dir)
			}
		})
		golden.RequireEqual(t, all)
	})
}

// wantNoKey checks that no file below a folder has the key.
func wantNoKey(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if strings.Contains(string(data), typedKey) {
			t.Errorf("the key is in %s", name)
		}
		return err
	})
	check(t, err)
}

// TestProviderByAddress: an address can be added that no table knows; the command works
// without the page.
func TestProviderByAddress(t *testing.T) {
	d := newProviders()
	playOn(t, 80, 24, rigWithOptions(band, func(o *ui.Options) {
		o.Service.Providers = d
	}), func(r *stage) {
		r.Begin("/provider", "answers now")
		r.Type("localhost:4000/v1")
		r.Press("enter")
		r.WaitFor("Key for localhost:4000/v1")
		r.Press("esc")
		r.WaitFor("Providers")
		r.Type("localhost:4000/v1")
		r.Press("enter", "enter")
		r.WaitFor("refused")
		r.Press("enter")
		r.WaitFor("Key for")
		r.Paste(typedKey)
		r.Press("enter")
		r.WaitFor("is added")
		is(r, d.calls[len(d.calls)-1], "add localhost:4000/v1 "+typedKey)
		r.Press("esc")
		res, err := r.desk.Command(r.Context(), "/provider")
		if err != nil || !strings.Contains(res.Text, "ibid provider add") {
			r.Errorf("%+v %v", res, err)
		}
	})
}
