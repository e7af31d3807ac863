package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ibid/chains/connect"
	"ibid/ui/cli/config"
	"ibid/ui/plain"
	"ibid/vault/ownfile"
)

// Env is everything that the program takes from outside.
type Env struct {
	Args           []string // without the program's name
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Dir            string // current folder
	Version        string
	Interrupts     *plain.Interrupts // nil for none
}

// flags are the flags that all commands share.
type flags struct {
	connect.Flags
	Vault string `flag:"vault" values:"VAULT" help:"take the notes in <DIR>"`
	Chat  string `flag:"chat" values:"CHAT" help:"continue the saved chat <FILE>, or the one with that title"`
	Chats string `flag:"chats" values:"DIR" help:"keep chats in <DIR>, inside the vault"`

	Notes   []string `flag:"note" values:"NOTE" help:"attach <REF>, as after @ (repeatable)"`
	Project string   `flag:"project" values:"PROJECT|off" help:"work in a project: <off|NAME> of a folder with a note of its name, or project.md, in it"`
	Active  string   `flag:"active" values:"NOTE|off|follow" help:"the active note: <off|follow|REF>"`
	Chain   string   `flag:"chain" values:"CHAIN" help:"what a turn sends, <NAME> being chat, vault, plus, agent or project: what you attach, passages of the vault that are found, or what the model looks up"`
	Layout  string   `flag:"layout" values:"auto|strict|append" help:"cache layout: <auto|strict|append>"`
	JSON    bool     `flag:"json" help:"one JSON object a line on standard output"`
	Raw     bool     `flag:"raw" help:"markdown as it is written, on a terminal too"`
	Record  string   `flag:"record" values:"DIR" help:"write every request and reply to <DIR>, keys removed"`
	Config  string   `flag:"config" help:"read the configuration from <FILE>"`
	Log     string   `flag:"log" help:"write a debug log to <FILE>"`
	NoSave  bool     `flag:"no-save,n" help:"keep no chat file"`
	Quiet   bool     `flag:"quiet,q" help:"only errors on standard error"`
	System  string   `flag:"system" values:"" help:"your own system prompt for this run: <TEXT>, '' for none"`
	Bare    bool     `flag:"bare" help:"send what you name alone: no pins, active note, project or memory"`

	SendLarge bool            `flag:"send-large" help:"send what a limit stops: large files, and what does not fit the window"`
	Approve   plain.Approvals `flag:"approve" help:"answer yes where it would be asked: <PATTERN> of paths such as Journal/**, or all, for changes of notes; @read for notes that you did not attach; @web for the network (repeatable)"`
}

// screenFlags say where what is said is shown.
type screenFlags struct {
	Plain  bool `flag:"plain" help:"line mode: one message or /command a line"`
	Inline bool `flag:"inline" help:"print what is said to the scrollback of the terminal; pages still take the whole screen"`
}

// resumeFlags say which chat goes on.
type resumeFlags struct {
	Resume bool `flag:"continue,c" help:"go on with the chat that was changed last"`
}

// app is one run of the program.
type app struct {
	env    Env
	out    standardOut
	flags  flags
	folder folders

	screenFlags
	resumeFlags
	stdin   string   // goes along with the question, "" for nothing
	files   []string // go along with the question
	unsaved string   // why a chat is not saved, "" if it is
	words   []string // that are commands
	setUp   bool     // the screen begins with its page of providers
	sample  bool     // on the sample vault
	prompt  string   // of line mode where nobody types

	root  *cobra.Command // ibid, and below it the other commands
	given *pflag.FlagSet // the flags of all commands
}

// flagged returns the value of a flag of all commands, "" if it was not given.
func (a *app) flagged(name string) string {
	if a.given == nil || !a.given.Changed(name) {
		return ""
	}
	return a.given.Lookup(name).Value.String()
}

// usagef is a mistake in how the program was called: exit status 2.
func usagef(format string, args ...any) error { return connect.NewUsageError("", format, args...) }

// exit ends the program with a status; what there was to say has been said.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// terminal reports whether a stream is a terminal.
func terminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

// path is an absolute path for one that a user gave.
func (a *app) path(name string) string { return a.folder.expand(name, a.env.Dir) }

// canDraw reports whether there is a terminal for the screen, and nobody wants JSON.
func canDraw(a *app) bool {
	return terminal(a.env.Stdin) && terminal(a.env.Stdout) && a.env.Getenv("TERM") != "dumb" && !a.flags.JSON
}

func fileExists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// folders holds the paths of the folders of ibid outside the vault.
type folders struct {
	config string // the configuration file
	state  string // editors' signals, locks, what was used last
	cache  string // indexes: safe to delete
	home   string
}

// newFolders follows the XDG variables, and each system's own custom where they
// are not set.
func newFolders(getenv func(string) string) folders {
	pick := func(name, fallback string) string {
		if dir := getenv(name); filepath.IsAbs(dir) {
			return filepath.Join(dir, "ibid")
		}
		return filepath.Join(fallback, "ibid")
	}
	return folders{
		config: filepath.Join(pick("XDG_CONFIG_HOME", xdg.ConfigHome), "config.toml"),
		state:  pick("XDG_STATE_HOME", xdg.StateHome),
		cache:  pick("XDG_CACHE_HOME", xdg.CacheHome),
		home:   xdg.Home,
	}
}

// expand resolves a leading ~ and makes a path absolute from dir.
func (f folders) expand(path, dir string) string {
	if path == "~" || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, `~\`) {
		path = filepath.Join(f.home, path[1:])
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return filepath.Clean(path)
}

// tilde writes a path under the home folder short, for people.
func (f folders) tilde(path string) string {
	if rel, err := filepath.Rel(f.home, path); err == nil && f.home != "" && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return filepath.Join("~", rel)
	}
	return path
}

// hints returns the store for values that the next start uses.
func (a *app) hints() ownfile.Hints { return ownfile.Hints(a.folder.state) }

// standardOut is standard output. It keeps the first error in writing there, of which Run
// tells when the command has ended.
type standardOut struct {
	io.Writer
	err error
}

// Write implements io.Writer.
func (o *standardOut) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	o.err = cmp.Or(o.err, err)
	return n, err
}

// checkFlag refuses a value that a flag cannot have; "" is that of a flag that is not given.
func checkFlag(flag, value string, values ...string) error {
	if value != "" && !slices.Contains(values, value) {
		return usagef("--%s is %q; it can be %s", flag, value, config.OneOf(values))
	}
	return nil
}

// must panics over a flag that does not exist: the program was put together wrongly.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
