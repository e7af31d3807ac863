package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ibid/chains/connect"
	"ibid/ui/cli/config"
	"ibid/ui/plain"
)

// Env is everything that the program takes from outside.
type Env struct {
	Args           []string // without the program's name
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Dir            string // current folder
	Version        string
	Interrupts     *Interrupts // nil for none
}

// flags are the flags that all commands share.
type flags struct {
	connect.Flags
	Vault string `flag:"vault" help:"take the notes in <DIR>"`
	Chat  string `flag:"chat" help:"continue the saved chat <FILE>, or the one with that title"`
	Chats string `flag:"chats" help:"keep chats in <DIR>, inside the vault"`

	Notes   []string `flag:"note" values:"" help:"attach <REF>, as after @ (repeatable)"`
	Project string   `flag:"project" values:"off" help:"work in a project: <off|NAME> of a folder with a note of its name, or project.md, in it"`
	Active  string   `flag:"active" values:"off|follow" help:"the active note: <off|follow|REF>"`
	Chain   string   `flag:"chain" help:"what a turn sends, <chat|vault|plus|agent|project>: what you attach, passages of the vault that are found, or what the model looks up"`
	Layout  string   `flag:"layout" values:"auto|strict|append" help:"cache layout: <auto|strict|append>"`
	JSON    bool     `flag:"json" help:"one JSON object a line on standard output"`
	Raw     bool     `flag:"raw" help:"markdown as it is written, on a terminal too"`
	Record  string   `flag:"record" help:"write every request and reply to <DIR>, keys removed"`
	Config  string   `flag:"config" help:"read the configuration from <FILE>"`
	Log     string   `flag:"log" help:"write a debug log to <FILE>"`
	NoSave  bool     `flag:"no-save" help:"keep no chat file"`

	SendLarge bool            `flag:"send-large" help:"send what a limit stops: large files, and what does not fit the window"`
	Approve   plain.Approvals `flag:"approve" help:"answer yes where it would be asked: <PATTERN> of paths such as Journal/**, or all, for changes of notes; @read for notes that you did not attach; @web for the network (repeatable)"`
}

// addFlags makes flags of a command of the fields of a struct, and gives the command back.
// The tag flag of a field is the name, a letter behind a comma its short form, help what
// it means, with what stands behind it between < and >, and default what counts without
// it. Those with the tag values are completed with them, between bars, and with no files.
func addFlags(c *cobra.Command, fields any) *cobra.Command {
	set := c.Flags()
	for f, v := range reflect.ValueOf(fields).Elem().Fields() {
		if f.Anonymous {
			addFlags(c, v.Addr().Interface())
		}
		name, short, _ := strings.Cut(f.Tag.Get("flag"), ",")
		if name == "" {
			continue
		}
		help, preset := strings.NewReplacer("<", "`", ">", "`").Replace(f.Tag.Get("help")), f.Tag.Get("default")
		switch to := v.Addr().Interface().(type) {
		case *string:
			set.StringVarP(to, name, short, preset, help)
		case *[]string:
			set.StringArrayVar(to, name, nil, help)
		case *bool:
			set.BoolVarP(to, name, short, false, help)
		case *int:
			n, _ := strconv.Atoi(preset)
			set.IntVar(to, name, n, help)
		case *time.Duration:
			set.DurationVar(to, name, 0, help)
		case pflag.Value:
			set.Var(to, name, help)
		}
		if values, ok := f.Tag.Lookup("values"); ok {
			completes(c, name, strings.FieldsFunc(values, func(r rune) bool { return r == '|' })...)
		}
	}
	return c
}

// screenFlags say where what is said is shown.
type screenFlags struct {
	Plain  bool `flag:"plain" help:"line mode: one message or /command a line"`
	Inline bool `flag:"inline" help:"print what is said to the scrollback of the terminal; pages still take the whole screen"`
}

// app is one run of the program.
type app struct {
	env    Env
	out    standardOut
	flags  flags
	folder folders

	screenFlags
	stdin  string // goes along with the question, "" for nothing
	sample bool   // on the sample vault
	resume bool   // go on with the chat that was changed last

	flagged func(name string) string // what a flag of all commands says, "" if it was not given
}

// usageError is a mistake in how the program was called: exit status 2.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// exit ends the program with a status; what there was to say has been said.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// Run runs the program and returns its exit status: 0 done, 1 failed or found nothing,
// 2 wrong usage, 3 a person would have had to be asked, 130 interrupted.
func Run(ctx context.Context, env Env) int {
	a := &app{env: env, out: standardOut{Writer: env.Stdout}, folder: newFolders(env.Getenv)}
	root := a.root()
	a.flagged = func(name string) string {
		if f := root.PersistentFlags().Lookup(name); f != nil && f.Value.String() != f.DefValue {
			return f.Value.String()
		}
		return ""
	}
	root.SetArgs(tagArguments(root, env.Args))
	root.SetIn(env.Stdin)
	root.SetOut(&a.out)
	root.SetErr(env.Stderr)
	requireKnownWords(root) // after SetOut: completion scripts go where the output went when their command was made
	status := a.status(ctx, root.ExecuteContext(ctx))
	if err := a.out.err; err != nil && !closedPipe(err) {
		a.remark("%s", err)
		status = cmp.Or(status, plain.ExitFailed)
	}
	return status
}

// status is the exit status of a command, whose error it says.
func (a *app) status(ctx context.Context, err error) int {
	var status exit
	if err == nil || errors.As(err, &status) {
		return int(status)
	}
	if !errors.Is(err, a.out.err) && (ctx.Err() == nil || !errors.Is(err, context.Canceled)) {
		a.remark("%s", err)
	}
	var usage usageError
	var wrong *connect.UsageError
	var mistake config.Mistake
	switch {
	case errors.As(err, &usage), errors.As(err, &wrong), errors.As(err, &mistake):
		return plain.ExitUsage
	case ctx.Err() != nil:
		return plain.ExitInterrupted
	}
	return plain.ExitFailed
}

// main is ibid without a command.
func (a *app) main(c *cobra.Command, args []string) error {
	where := strings.Join(args, "")
	if a.Plain || !canDraw(a) {
		return a.with(c.Context(), where, readNotes|chooseModel|askServers|fromInput, lines)
	}
	return a.screens(c.Context(), where)
}

// canDraw reports whether there is a terminal for the screen, and nobody wants JSON.
func canDraw(a *app) bool {
	return terminal(a.env.Stdin) && terminal(a.env.Stdout) && a.env.Getenv("TERM") != "dumb" && !a.flags.JSON
}

// terminal reports whether a stream is a terminal.
func terminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}
