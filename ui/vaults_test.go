package ui_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"ibid/chains/chaintest"
	"ibid/ui"
	"ibid/ui/setup"
	"ibid/ui/theme"
	"ibid/ui/uitest"
)

// vaultsDesk is folders in memory.
type vaultsDesk struct {
	all    []setup.Place
	wrong  []string
	opened []string
}

func (d *vaultsDesk) List(context.Context) ([]setup.Place, []string) { return d.all, d.wrong }

func (d *vaultsDesk) Named(_ context.Context, typed string) (setup.Place, error) {
	for _, p := range d.all {
		if p.Shown == typed {
			return p, nil
		}
	}
	return setup.Place{}, errors.New("there is no such folder")
}

func (d *vaultsDesk) Open(dir string) { d.opened = append(d.opened, dir) }

func newVaults() *vaultsDesk {
	place := func(shown, group, about string) setup.Place {
		return setup.Place{Dir: filepath.FromSlash("/home/ann" + shown[1:]), Shown: shown, Group: group, About: about}
	}
	d := &vaultsDesk{all: []setup.Place{
		place("~/band", "Opened lately", "2026-03-13"),
		place("~/garden", "Opened lately", "2026-03-02"),
		place("~/Documents/Work \x1b[31mnotes", "Known to Obsidian", ""),
		place("~", "This folder", ""),
	}}
	d.all[0].Now, d.all[3].Warning = true, "your home folder"
	return d
}

// playVaults runs a script with folders in memory.
func playVaults(t *testing.T, w, h int, replies []chaintest.Reply,
	script func(t *testing.T, r *uitest.Robot, d *vaultsDesk),
) {
	t.Helper()
	var d *vaultsDesk
	make := rigWithOptions(band, func(o *ui.Options) { d = newVaults(); o.Service.Vaults = d }, replies...)
	playOn(t, w, h, make, func(r *stage) { script(r.T, r.Robot, d) })
}

// TestVaultPage: the page opens another vault when the screen ends, and asks about a folder
// that is hardly one.
func TestVaultPage(t *testing.T) {
	onSizes(t, sizes[:4], func(t *testing.T, w, h int) {
		playVaults(t, w, h, nil, func(t *testing.T, r *uitest.Robot, d *vaultsDesk) {
			r.Ask("/vault", "Vaults")
			golden.RequireEqual(t, r.Screen())

			r.Press("enter")
			r.WaitFor("~/band is open")
			r.Type("~/gone")
			r.Press("enter")
			r.WaitFor("there is no such folder")
			r.Press("ctrl+u")
			r.Type("~")
			r.Press("enter")
			r.WaitFor("your home folder: every markdown file")
			r.Press("esc")
			r.Type("garden")
			r.Press("enter")
			r.Pass(time.Second)
			if want := []string{d.all[1].Dir}; !slices.Equal(d.opened, want) {
				t.Errorf("opened %q, want %q", d.opened, want)
			}
		})
	})
}

// TestVaultWhileAnswering: a running reply is asked about before another vault is opened.
func TestVaultWhileAnswering(t *testing.T) {
	replies := replies(slow(strings.Repeat("word ", 200)))
	playVaults(t, 80, 24, replies, func(t *testing.T, r *uitest.Robot, d *vaultsDesk) {
		r.Begin("go on", "word word")
		r.Type("/vault garden")
		r.Press("enter", "enter")
		r.WaitFor("Open another vault?")
		r.Press("esc")
		if len(d.opened) > 0 {
			t.Error("it was opened all the same")
		}
		r.Type("/vault garden")
		r.Press("enter", "enter", "y")
		r.Pass(time.Second)
		if len(d.opened) != 1 {
			t.Errorf("opened %q", d.opened)
		}
	})
}

// run runs a command, and passes its message to the program.
func run(m tea.Model, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil, tea.QuitMsg:
	case tea.BatchMsg:
		for _, c := range msg {
			run(m, c)
		}
	default:
		_, next := m.Update(msg)
		run(m, next)
	}
}

// TestChooseVault: before there is a vault one is chosen: listed, typed, or none.
func TestChooseVault(t *testing.T) {
	key := func(name string) tea.KeyPressMsg {
		switch name {
		case "enter":
			return tea.KeyPressMsg{Code: tea.KeyEnter}
		case "esc":
			return tea.KeyPressMsg{Code: tea.KeyEscape}
		case "down":
			return tea.KeyPressMsg{Code: tea.KeyDown}
		}
		return tea.KeyPressMsg{Code: rune(name[0]), Text: name}
	}
	d := newVaults()
	d.all[0].Now, d.wrong = false, []string{"obsidian.json is not a list of vaults"}
	begin := func(asked *setup.Place, isNew bool, w, h int) (*setup.Chooser, func() (string, bool, bool)) {
		m := setup.VaultChoice{
			Theme: theme.Options{Dark: true}, Fixed: true, Vaults: d,
			Config: "~/.config/ibid/config.toml", Asked: asked, New: isNew,
		}.Program(t.Context())
		run(m, m.Init())
		m.Update(tea.WindowSizeMsg{Width: w, Height: h})
		return m, m.Chosen
	}
	for _, tt := range []struct {
		name  string
		asked *setup.Place
		keys  string
		dir   string
		keep  bool
		left  bool
	}{
		{"the first", nil, "enter", d.all[0].Dir, true, true},
		{"by a part of its name", nil, "g a r d enter", d.all[1].Dir, true, true},
		{"a path", nil, "~ / g a r d e n enter", d.all[1].Dir, true, true},
		{"nothing", nil, "esc", "", false, true},
		{"no such folder", nil, "~ / x y enter", "", false, false},
		{"a doubt", nil, "~ enter", "", false, false},
		{"a doubt, and yes", nil, "~ enter y", d.all[3].Dir, true, true},
		{"new: demo", nil, "d", "", false, true},
		{"new: my vault", nil, "o enter", d.all[0].Dir, true, true},
		{"new: a model, and which vault", nil, "m down enter", d.all[1].Dir, true, true},
		{"new: not answered yet", nil, "enter", "", false, false},
		{"new: none", nil, "esc", "", false, true},
		{"named", &d.all[3], "enter", "", false, false},
		{"named, and yes", &d.all[3], "y", d.all[3].Dir, false, true},
		{"named, and another", &d.all[3], "esc down enter", d.all[1].Dir, true, true},
	} {
		m, chosen := begin(tt.asked, strings.HasPrefix(tt.name, "new: "), 80, 24)
		for name := range strings.FieldsSeq(tt.keys) {
			_, cmd := m.Update(key(name))
			run(m, cmd)
		}
		with := map[string]setup.Beginning{
			"new: demo":                     setup.BeginDemo,
			"new: a model, and which vault": setup.BeginModel,
		}[tt.name]
		is(t, m.Begins, with, tt.name)
		if dir, keep, left := chosen(); dir != tt.dir || keep != tt.keep || left != tt.left {
			t.Errorf("%s: %q, %v, %v; want %q, %v, %v", tt.name, dir, keep, left, tt.dir, tt.keep, tt.left)
		}
	}
	for _, size := range [][2]int{{80, 24}, {120, 40}, {40, 10}, {39, 9}, {1, 1}} {
		m, _ := begin(&d.all[3], false, size[0], size[1])
		for _, row := range strings.Split(m.View().Content, "\n") {
			if ansi.StringWidth(row) > size[0] || strings.Contains(row, "\x1b[31mnotes") {
				t.Errorf("%v: a row is %q", size, row)
			}
		}
	}
	m, _ := begin(nil, false, 80, 24)
	golden.RequireEqual(t, ansi.Strip(m.View().Content))
}
