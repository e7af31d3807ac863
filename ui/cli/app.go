package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
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

// Env holds the streams, arguments and variables, so that tests run the program without a process.
type Env struct {
	Args           []string // without the name of the program
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Dir            string // the current folder, from which relative paths start
	Version        string
	Interrupts     *plain.Interrupts // nil for none
}

// flags holds the flags that all commands share.
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

// screenFlags choose between the screen, line mode and the scrollback of the terminal.
type screenFlags struct {
	Plain  bool `flag:"plain" help:"line mode: one message or /command a line"`
	Inline bool `flag:"inline" help:"print what is said to the scrollback of the terminal; pages still take the whole screen"`
}

// resumeFlags are shared by ibid and ibid ask.
type resumeFlags struct {
	Resume bool `flag:"continue,c" help:"go on with the chat that was changed last"`
}

// app holds the flags and folders of one run. It reads no configuration, so that commands that need none work with a
// broken one.
type app struct {
	env    Env
	out    standardOut
	flags  flags
	folder folders

	screenFlags
	resumeFlags
	stdin   string   // text from standard input that is attached to the question, "" for none
	files   []string // attached to the question
	unsaved string   // reason why the chat is not saved, "" if it is
	setUp   bool     // the screen starts with its page of providers
	sample  bool     // the vault is the sample of ibid demo
	prompt  string   // printed before each line of line mode where nobody types

	root  *cobra.Command // the command ibid, with the others below it
	given *pflag.FlagSet // the flags that all commands share
}

// flagged returns the value of a shared flag, "" if it was not given.
func (a *app) flagged(name string) string {
	if a.given == nil || !a.given.Changed(name) {
		return ""
	}
	return a.given.Lookup(name).Value.String()
}

// usagef makes the error of a wrong call, which ends the program with status 2.
func usagef(format string, args ...any) error { return connect.NewUsageError("", format, args...) }

// exit is the error of a command that has already said what went wrong: it only sets the status.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// terminal reports whether a stream is a terminal. Buffers of tests and pipes are none.
func terminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

// path makes a path from the command line or the configuration absolute.
func (a *app) path(name string) string { return a.folder.expand(name, a.env.Dir) }

// canDraw reports whether the screen can open: it needs a terminal on both ends, and has no JSON form.
func canDraw(a *app) bool {
	return terminal(a.env.Stdin) && terminal(a.env.Stdout) && a.env.Getenv("TERM") != "dumb" && !a.flags.JSON
}

func fileExists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// folders holds the paths of the files and folders of ibid outside the vault.
type folders struct {
	config string // the configuration file
	state  string // signals of editors, locks, hints for the next start
	cache  string // indexes, which are safe to delete
	home   string
}

// newFolders follows the XDG variables, and if they are not set the custom of the system.
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

// checkFolders returns an error if the home folder is given by a relative path: what ibid keeps would lie about in
// whatever folder it starts in.
func checkFolders(getenv func(string) string) error {
	name := "HOME"
	if runtime.GOOS == "windows" {
		name = "USERPROFILE"
	}
	if dir := getenv(name); dir != "" && !filepath.IsAbs(dir) {
		return usagef("%s is %q, which is no absolute path: set it to your home folder", name, dir)
	}
	return nil
}

// ignoredFolders returns the XDG variables with a relative path, which their specification declares invalid. A path
// below ~ or $HOME is none: the library expands it.
func ignoredFolders(getenv func(string) string) (names []string) {
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
		dir := getenv(name)
		isExpanded := strings.HasPrefix(dir, "~") || strings.HasPrefix(dir, "$HOME")
		if dir != "" && !filepath.IsAbs(dir) && !isExpanded {
			names = append(names, name)
		}
	}
	return names
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

// tilde shortens a path under the home folder for messages.
func (f folders) tilde(path string) string {
	if rel, err := filepath.Rel(f.home, path); err == nil && f.home != "" && filepath.IsLocal(rel) {
		return filepath.Join("~", rel)
	}
	return path
}

// hints returns the store for values that the next start uses.
func (a *app) hints() ownfile.Hints { return ownfile.Hints(a.folder.state) }

// standardOut keeps the first error of writing to standard output, so that commands need not check each write: Run
// reports it at the end.
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

// checkFlag returns an error for a value that a flag cannot have. "" passes: the flag was not given.
func checkFlag(flag, value string, values ...string) error {
	if value != "" && !slices.Contains(values, value) {
		return usagef("--%s is %q; it can be %s", flag, value, config.OneOf(values))
	}
	return nil
}

// must panics on errors that only a mistake in this package can cause, such as a flag that does not exist.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
