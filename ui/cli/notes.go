package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ibid/context/prompt"
	"ibid/ui/plain"
	"ibid/vault"
	"ibid/vault/md"
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

// resolvedJSON is what a reference means.
type resolvedJSON struct {
	Ref        string     `json:"ref"`
	Kind       string     `json:"kind"`
	Path       vault.Path `json:"path"`
	ID         string     `json:"id"`
	State      string     `json:"state"`
	Candidates []string   `json:"candidates"`
}

// resolve prints what a reference means; one that means nothing ends the program with
// status 1.
func (p *parts) resolve(ctx context.Context, f *noteFlags) error {
	out := resolvedJSON{Ref: f.Resolve, State: string(vault.OK), Candidates: []string{}}
	find := p.resolveLink
	if f.From == "" {
		find = p.resolveRef
	}
	if err := find(ctx, f, &out); err != nil {
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

// resolveRef finds out what a reference means.
func (p *parts) resolveRef(ctx context.Context, f *noteFlags, out *resolvedJSON) error {
	refs, missing := p.gather.Reference(ctx, f.Resolve)
	if len(missing) > 0 {
		out.State, out.Kind = missing[0].State, string(missing[0].Ref.Kind)
		out.Candidates = append(out.Candidates, missing[0].Candidates...)
		return nil
	}
	if len(refs) == 0 {
		return nil
	}
	out.Kind, out.ID, out.Path = string(refs[0].Kind), refs[0].ID, vault.Path(refs[0].ID)
	var held []*vault.Note
	switch refs[0].Kind {
	case prompt.Selection:
		items, _, err := p.gather.Gather(ctx, refs)
		if err != nil {
			return err
		}
		if len(items) > 0 {
			out.Path = vault.Path(items[0].Path)
		}
	case prompt.Tag:
		out.Path, held = "", p.vault.WithTag(refs[0].ID)
	case prompt.Folder:
		held = p.vault.InFolder(vault.Path(strings.TrimSuffix(refs[0].ID, "/")))
	}
	for _, n := range held {
		out.Candidates = append(out.Candidates, string(n.Path))
	}
	out.State = stateOf(p.vault, out.Path, out.State)
	return nil
}

// resolveLink finds out what a link in a note means.
func (p *parts) resolveLink(_ context.Context, f *noteFlags, out *resolvedJSON) error {
	n, err := oneNote(p.vault, f.From)
	if err != nil {
		return err
	}
	target, _ := md.Target(md.Unlink(f.Resolve))
	found := p.vault.Resolve(target, n.Path)
	out.Kind, out.Path, out.ID, out.Candidates = string(prompt.Note), found.Path, string(found.Path), vault.Names(found.Candidates)
	if _, note := p.vault.Note(found.Path); found.State == vault.OK && !note {
		out.Kind = "file"
	} else if found.State == vault.OK && found.Subpath != "" {
		out.Kind, out.ID = string(prompt.Selection), out.ID+"#"+found.Subpath
	}
	out.State = stateOf(p.vault, found.Path, string(found.State))
	return nil
}

// stateOf is the state of what was found, for people: a note may be private.
func stateOf(v *vault.Vault, path vault.Path, state string) string {
	if n, ok := v.Note(path); ok && n.Private {
		return "private"
	}
	return state
}

// activeFlags say what else there is to say of the active note.
type activeFlags struct {
	Clear  bool   `flag:"clear" help:"forget the active note"`
	Source string `flag:"source" default:"editor" help:"say that <NAME> said so, for people"`
}

// setActive tells which note an editor has open, or forgets it.
func (a *app) setActive(args []string, f *activeFlags) error {
	if f.Clear != (len(args) == 0) {
		return usagef("name a note, or --clear to forget it")
	}
	cfg, err := a.settings()
	if err != nil {
		return err
	}
	name, line := splitLine(strings.Join(args, ""))
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
	note, err := noteIn(dir, name, path)
	if err != nil {
		return err
	}
	return vault.WriteSignal(a.folder.state, vault.Signal{Vault: dir, Path: note, Line: line, When: time.Now(), Source: f.Source})
}

// splitLine takes a line number off the end of "note.md:12".
func splitLine(s string) (name string, line int) {
	if i := strings.LastIndexByte(s, ':'); i > 0 {
		if n, err := strconv.Atoi(s[i+1:]); err == nil && n > 0 {
			return s[:i], n
		}
	}
	return s, 0
}

// noteIn is a note's path in the vault at dir: given as a path of this machine
// or as one of the vault.
func noteIn(dir, name, path string) (vault.Path, error) {
	if inside, ok := vault.Inside(dir, path); ok && fileExists(path) {
		return inside, nil
	}
	p, err := vault.ParsePath(filepath.ToSlash(name))
	if err != nil {
		return "", fmt.Errorf("active note %s: %w", name, err)
	}
	for _, try := range []vault.Path{p, p + ".md"} {
		if fileExists(filepath.Join(dir, filepath.FromSlash(string(try)))) {
			return try, nil
		}
	}
	return "", fmt.Errorf("active note %s: there is no such note in %s", name, dir)
}
