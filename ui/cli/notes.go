package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ibid/context/gather"
	"ibid/ui/plain"
	"ibid/vault"
)

// run searches the vault, or tells what else the flags ask for.
func (f *noteFlags) run(ctx context.Context, p *parts, args []string) error {
	switch {
	case f.Query != "":
		return p.answer(ctx, f)
	case f.Resolve != "":
		return p.resolve(ctx, f)
	case f.alone != "":
		return p.listNotes(f)
	}
	return p.search(ctx, strings.Join(args, " "), f)
}

// check looks for flags that do not go together.
func (f *noteFlags) check(c *cobra.Command, args []string) (err error) {
	f.limitGiven = c.Flags().Changed("limit")
	for _, name := range []string{"query", "resolve", "show", "links", "backlinks", "unresolved", "orphans", "tags"} {
		if f.alone == "" && c.Flags().Changed(name) {
			f.alone = "--" + name
		}
	}
	c.LocalFlags().VisitAll(func(flag *pflag.Flag) {
		switch name := "--" + flag.Name; {
		case !flag.Changed || err != nil:
		case strings.Trim(flag.Value.String(), "[]\" ") == "":
			err = usagef("%s is empty", name)
		case f.alone != "" && name != f.alone && name != "--limit" && name != "--from":
			err = usagef("%s and %s exclude each other", f.alone, name)
		}
	})
	switch {
	case err != nil:
	case f.Limit <= 0:
		err = usagef("--limit must be at least 1")
	case f.From != "" && f.Resolve == "" && f.Query == "":
		err = usagef("--from goes with --resolve and --query: it says in which note the link stands")
	case f.alone != "" && len(args) > 0:
		err = usagef("%s is no search: leave out %q", f.alone, strings.Join(args, " "))
	}
	return err
}

// listLatest lists the notes changed last.
func (p *parts) listLatest(f *noteFlags) {
	notes := slices.DeleteFunc(slices.Clone(p.vault.Notes()), func(n *vault.Note) bool { return n.Chat && !f.WithChats })
	slices.SortStableFunc(notes, func(a, b *vault.Note) int { return b.ModTime.Compare(a.ModTime) })
	for _, n := range notes[:min(f.Limit, len(notes))] {
		p.printLine(noteOf(n), "%s  %s", n.ModTime.Format(minute), n.Path)
	}
}

// activeFlags say what else there is to say of the active note.
type activeFlags struct {
	Clear  bool   `flag:"clear" help:"forget the active note"`
	Source string `flag:"source" default:"editor" help:"say that <NAME> said so, for people"`
}

// run tells which note an editor has open, or forgets it.
func (f *activeFlags) run(a *app, _ *cobra.Command, args []string) error {
	if f.Clear != (len(args) == 0) {
		return usagef("name a note, or --clear to forget it")
	}
	cfg, err := a.settings()
	if err != nil {
		return err
	}
	name, line := vault.SplitLineNumber(strings.Join(args, ""))
	path, dir := a.path(name), ""
	if a.flags.Vault == "" && fileExists(path) {
		dir, _ = vault.Discover(filepath.Dir(path))
	}
	if dir == "" {
		at, err := a.findVault(cfg, "")
		if err != nil {
			return err
		}
		dir = at.dir
	}
	if f.Clear {
		return vault.ClearSignal(a.folder.state, dir)
	}
	note, err := vault.ParseNotePath(dir, name, path)
	if err != nil {
		return err
	}
	return vault.WriteSignal(a.folder.state, vault.Signal{Vault: dir, Path: note, Line: line, When: time.Now(), Source: f.Source})
}

// resolve prints what a reference means; one that means nothing ends the program with
// status 1.
func (p *parts) resolve(ctx context.Context, f *noteFlags) error {
	from, err := p.from(f)
	if err != nil {
		return err
	}
	out, err := gather.MeaningOf(ctx, p.gather, f.Resolve, from)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%s: %s %s %s\n", oneLine(out.Ref), out.State, out.Kind, oneLine(out.ID))
	for _, c := range out.Candidates {
		text += "    " + oneLine(c) + "\n"
	}
	p.printRow(out, text)
	if out.State != string(vault.OK) {
		return exit(plain.ExitFailed)
	}
	return nil
}

// from is the note that --from names, "" for none.
func (p *parts) from(f *noteFlags) (vault.Path, error) {
	if f.From == "" {
		return "", nil
	}
	n, err := vault.FindNote(p.vault, f.From)
	if err != nil {
		return "", err
	}
	return n.Path, nil
}
