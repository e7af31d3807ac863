package ui

import (
	"context"
	"os/exec"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/history"
	"ibid/ui/setup"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/ui/theme/colors"
	"ibid/vault"
)

// Options make a screen. Desk and Vault are needed; the rest has a useful zero.
type Options struct {
	Desk  *desk.Place
	Vault *vault.Vault
	Store *history.Store // nil keeps no chat

	// Watch reports changes of the vault until ctx ends, as
	// (*vault.Watcher).Watch does; nil watches nothing.
	Watch func(ctx context.Context) (<-chan vault.Batch, error)
	// Degraded says why changes are seen late, "" while they are not; nil is "".
	Degraded func() string

	Service Service // where models come from

	FirstRun FirstRun
	Notices  []string // what there is to say at the start, one line each

	Theme    theme.Options
	Themes   Themes
	Terminal Terminal
	Input    Input

	Editor []string // the command that edits a file, its arguments first; empty for none
	// Exec runs the editor; nil is tea.ExecProcess.
	Exec func(c *exec.Cmd, done tea.ExecCallback) tea.Cmd
	// Opener is the command that opens an address, its arguments first; empty for that
	// of the system.
	Opener []string

	Now          func() time.Time  // nil is time.Now
	Demo         bool              // a sample vault: say so
	Approved     []chains.Access   // what nobody is asked about
	Covers       func(string) bool // whether changes of the file at this path are made without a question; nil makes none
	OfflineModel string            // the name under which the model answers that needs no network
}

// Themes are the looks that can be chosen.
type Themes struct {
	All   []colors.Palette
	Fixed bool                    // do not ask the terminal for its background: Theme says it
	Keep  func(name string) error // writes a choice into the configuration; nil does not
}

// Input is how keys and the mouse work.
type Input struct {
	NoMouse bool                // leave the mouse to the terminal
	Vim     bool                // edit the prompt with the keys of vi
	Keys    map[string][]string // other keys of actions, by their names, as ListKeys takes them

	Recent     []string          // what was done last from the palette, as KeepRecent was told, the last first
	KeepRecent func(name string) // keeps what was done; nil does not
}

// Terminal is what the terminal does for the screen, beside showing it.
type Terminal struct {
	NoImages bool        // name images, and draw none
	NoLinks  bool        // the terminal knows no hyperlinks
	Inline   bool        // print what was said to the scrollback, instead of taking the whole screen
	Notify   term.Notify // how the end of a long reply is told while another window is in front

	// Copy puts a text on the clipboard of this machine, beside what the terminal is
	// told; nil leaves it to the terminal. It is called in the background.
	Copy func(ctx context.Context, text string) error

	// PasteImage writes the image on the clipboard of this machine into the vault, beside
	// the note that is open or where images go, and says where; nil cannot.
	PasteImage func(ctx context.Context, open vault.Path, now time.Time) (vault.Path, error)
}

// Service is where models come from, and what the program is set up with.
type Service struct {
	// Models are those that can be chosen; nil is none.
	Models setup.Models
	// Found waits for what the start looks for while the screen is up: who answers. It is
	// false if that was known before, or is known to nobody; nil looks for nothing.
	Found func(ctx context.Context) (FoundModel, bool)
	// Choose opens their page at the start: several providers could answer, and nobody
	// chose one.
	Choose bool
	// SetUp opens that of Providers at the start.
	SetUp bool
	// Left deletes what providers keep of a chat, by its cache key, some time after it was
	// closed. It is called in the background; nil deletes nothing.
	Left func(ctx context.Context, cacheKey string)
	// Providers are those that can be set up; nil has no page for that.
	Providers setup.Providers
	// Settings is the configuration; nil has no page for that.
	Settings setup.Settings
	// Vaults are those that can be opened; nil has no page for that.
	Vaults setup.Vaults
}

// FoundModel is who answers, as a start found out that went on without it.
type FoundModel struct {
	Was           chains.Model   // which it was taken to be until then
	Model         chains.Options // which it is
	Provider, Say string         // of it, as Provider and Model of FirstRun
	Notices       []string
}

// FirstRun is what was found on this machine, for the screen of an empty chat.
// The zero value shows suggestions only.
type FirstRun struct {
	New      bool   // nothing was configured before
	Written  bool   // the choice of the vault was written into the configuration
	Vault    string // the vault as a user would write it: "~/notes"
	Provider string // where the model comes from: "OPENAI_API_KEY in the environment"
	Model    string // what is known about the model: "128k window · caches prefix"
	Chats    string // folder of the chats, "" if none are kept

	Questions []string // to begin with, on the first page

	// Servers looks for model servers on this machine, one line each; nil looks
	// for none. It runs in the background.
	Servers func(ctx context.Context) []string
}

func (o Options) now() time.Time {
	if o.Now != nil {
		return o.Now()
	}
	return time.Now()
}
