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

// Options configures a screen. Desk and Vault are required.
type Options struct {
	Desk  *desk.Place
	Vault *vault.Vault
	Store *history.Store // nil keeps no chat

	// Watch reports changes of the vault until ctx ends, like (*vault.Watcher).Watch; nil watches
	// nothing.
	Watch func(ctx context.Context) (<-chan vault.Batch, error)
	// Degraded says why changes are seen late, or returns ""; nil is like "".
	Degraded func() string

	Service Service // where models come from

	FirstRun FirstRun
	Notices  []string // lines to show at the start

	Theme    theme.Options
	Themes   Themes
	Terminal Terminal
	Input    Input

	Editor []string // command that edits a file, with its arguments; empty for none
	// Exec runs the editor; nil is tea.ExecProcess.
	Exec func(c *exec.Cmd, done tea.ExecCallback) tea.Cmd
	// Opener is the command that opens an address, with its arguments; empty for the one of the system.
	Opener []string

	Now func() time.Time // nil is time.Now
	// Report keeps what a bug report about a fault needs, and says where it is; nil keeps nothing.
	Report func(*term.Fault) string

	Demo         bool              // the vault is a sample, which the screen says
	Approved     []chains.Access   // accesses that need no question
	Covers       func(string) bool // reports whether changes of the file at this path need no question; nil covers none
	OfflineModel string            // name of the model that needs no network
}

// Themes lists the themes to choose from.
type Themes struct {
	All   []colors.Palette
	Fixed bool // do not ask the terminal for its background: Theme has it
}

// Input configures keys and the mouse.
type Input struct {
	NoMouse bool                // leave the mouse to the terminal
	Vim     bool                // edit the prompt with the keys of vi
	Keys    map[string][]string // keys of actions, by the names of the actions, see ListKeys

	Recent     []string          // recent actions of the palette, the last first
	KeepRecent func(name string) // saves an action as the most recent; nil does not
}

// Terminal configures the terminal and the services of its machine.
type Terminal struct {
	NoImages bool        // show names instead of images
	NoLinks  bool        // the terminal has no hyperlinks
	Inline   bool        // print messages to the scrollback instead of using the whole screen
	Notify   term.Notify // how the end of a long reply is announced while another window is in front

	// Copy puts a text on the clipboard of this machine, in addition to the sequence for the terminal;
	// nil leaves it to the terminal. It is called in the background.
	Copy func(ctx context.Context, text string) error

	// PasteImage writes the image on the clipboard of this machine into the vault, beside the open note
	// or in the folder of images, and returns its path; nil cannot paste.
	PasteImage func(ctx context.Context, open vault.Path, now time.Time) (vault.Path, error)
}

// Service provides the models and the setup of the program.
type Service struct {
	// Models lists the models to choose from; nil has none.
	Models setup.Models
	// Found waits for the model that the start looks for while the screen is up. It reports false if
	// the model was known before, or none was found; nil looks for nothing.
	Found func(ctx context.Context) (FoundModel, bool)
	// Choose opens the page of models at the start: several providers could answer, and none was
	// chosen.
	Choose bool
	// SetUp opens the page of providers at the start.
	SetUp bool
	// Left deletes the data that providers keep of a chat, by its cache key, some time after it was
	// closed. It is called in the background; nil deletes nothing.
	Left func(ctx context.Context, cacheKey string)
	// Providers sets up providers; nil has no page for that.
	Providers setup.Providers
	// Settings changes the configuration; nil has no page for that.
	Settings setup.Settings
	// Vaults opens other vaults; nil has no page for that.
	Vaults setup.Vaults
}

// FoundModel is the model that answers, as found after the screen began without it.
type FoundModel struct {
	Was           chains.Model   // the model assumed until then
	Model         chains.Options // the model found
	Provider, Say string         // see Provider and Model of FirstRun
	Notices       []string
}

// FirstRun describes this machine for the page of an empty chat. The zero value shows suggestions only.
type FirstRun struct {
	New      bool   // nothing was configured before
	Written  bool   // the choice of the vault was written into the configuration
	Vault    string // the vault as a user would write it: "~/notes"
	Provider string // origin of the model: "OPENAI_API_KEY in the environment"
	Model    string // facts about the model: "128k window · caches prefix"
	Chats    string // folder of the chats, "" if none are kept

	Questions []string // suggested first questions

	// Servers looks for model servers on this machine and returns one line for each; nil looks for
	// none. It runs in the background.
	Servers func(ctx context.Context) []string
}

func (o Options) now() time.Time {
	if o.Now != nil {
		return o.Now()
	}
	return time.Now()
}
