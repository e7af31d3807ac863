package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ibid/context/prompt"
	"ibid/ui/plain"
	"ibid/ui/theme"
	"ibid/vault"
	"ibid/vault/md"
)

func (a *app) notesCommand() *cobra.Command {
	var f noteFlags
	c := &cobra.Command{
		Use:   "notes [query]",
		Short: "Search the vault, or tell of its links and tags",
		Long: "Notes searches the vault. Words rank; \"phrases\", -word, OR, parentheses, path: file: tag: content: line: section: block: task: task-todo: task-done: [property] [property:value] /regex/ after: before: on: and match-case: " +
			"decide which notes are found, as in ibid notes 'roof tag:house task-todo:(call OR write) after:\"last month\"'. " +
			"Write a -word behind --, or in quotes with another word, so that it is not read as a flag. Without a query the notes that changed last are listed. With --json, one object a line.",
		Example: "  ibid notes scales\n  ibid notes '\"left hand\" -tag:done' --in Lessons --since 'last month'\n  ibid notes --backlinks 'Lesson 4' --json\n  ibid notes --resolve 'Same#Part' --from Index.md\n  ibid notes --query 'TABLE rating FROM #book SORT rating DESC'",
		RunE: func(c *cobra.Command, args []string) error {
			f.limitGiven = c.Flags().Changed("limit")
			if err := f.check(c, args); err != nil {
				return err
			}
			return a.with(c.Context(), "", readNotes, func(ctx context.Context, p *parts) error {
				switch {
				case f.Query != "":
					return notes{a}.answer(ctx, p, &f)
				case f.Resolve != "":
					return notes{a}.resolve(ctx, p, &f)
				case f.alone != "":
					return notes{a}.list(p, &f)
				}
				return notes{a}.search(ctx, p, strings.Join(args, " "), &f)
			})
		},
	}
	addFlags(c, c.Flags(), &f)
	return c
}

// check looks for flags that do not go together.
func (f *noteFlags) check(c *cobra.Command, args []string) error {
	var err error
	c.LocalFlags().VisitAll(func(flag *pflag.Flag) {
		if flag.Changed && strings.Trim(flag.Value.String(), "[]\" ") == "" {
			err = usagef("--%s is empty", flag.Name)
		}
	})
	if err != nil {
		return err
	}
	if f.Limit <= 0 {
		return usagef("--limit must be at least 1")
	}
	if f.From != "" && f.Resolve == "" && f.Query == "" {
		return usagef("--from goes with --resolve and --query: it says in which note the link stands")
	}
	for _, name := range []string{"query", "resolve", "links", "backlinks", "unresolved", "orphans", "tags"} {
		if f.alone == "" && c.Flags().Changed(name) {
			f.alone = "--" + name
		}
	}
	if f.alone == "" {
		return nil
	}
	if len(args) > 0 {
		return usagef("%s is no search: leave out %q", f.alone, strings.Join(args, " "))
	}
	c.LocalFlags().VisitAll(func(flag *pflag.Flag) {
		if name := flag.Name; flag.Changed && name != "limit" && name != "from" && "--"+name != f.alone {
			err = usagef("%s and --%s exclude each other", f.alone, name)
		}
	})
	return err
}

// listNotes lists the notes changed last.
func (a notes) listNotes(p *parts, f *noteFlags) error {
	limit := f.Limit
	notes := slices.DeleteFunc(slices.Clone(p.vault.Notes()), func(n *vault.Note) bool { return n.Chat && !f.WithChats })
	slices.SortStableFunc(notes, func(a, b *vault.Note) int { return b.ModTime.Compare(a.ModTime) })
	for _, n := range notes[:min(limit, len(notes))] {
		a.printLine(noteJSON{Path: n.Path, Title: n.Title, Line: n.BodyLine}, "%s  %s", n.ModTime.Format("2006-01-02 15:04"), n.Path)
	}
	return nil
}

// remark says something that is not what was asked for.
func (a *app) remark(format string, args ...any) {
	_, _ = fmt.Fprintln(a.env.Stderr, "ibid: "+oneLine(fmt.Sprintf(format, args...))) // there is nowhere left to report an error
}

// printLine prints an object as JSON with --json, else a line of text.
func (a *app) printLine(object any, format string, args ...any) {
	a.printRow(object, strings.TrimRight(theme.OneLine(fmt.Sprintf(format, args...)), " ")+"\n")
}

// printRow prints an object as JSON with --json, else a text.
func (a *app) printRow(object any, text string) {
	if a.flags.JSON {
		text = theme.JSONLine(object)
	}
	a.print(text)
}

func (a *app) print(text string) {
	_, _ = io.WriteString(&a.out, text) // which remembers the error
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

func (a notes) resolve(ctx context.Context, p *parts, f *noteFlags) error {
	ref := f.Resolve
	if f.From != "" {
		return a.resolveLink(p, f)
	}
	refs, missing := p.gather.Reference(ctx, ref)
	out := resolvedJSON{Ref: ref, State: "ok", Candidates: []string{}}
	switch {
	case len(missing) > 0:
		out.State, out.Kind = missing[0].State, string(missing[0].Ref.Kind)
		out.Candidates = append(out.Candidates, missing[0].Candidates...)
	case len(refs) > 0:
		out.Kind, out.ID = string(refs[0].Kind), refs[0].ID
		out.Path = vault.Path(refs[0].ID)
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
		if n, ok := p.vault.Note(out.Path); ok && n.Private {
			out.State = "private"
		}
	}
	return a.printResolved(&out)
}

// resolveLink says what a link in a note means.
func (a notes) resolveLink(p *parts, f *noteFlags) error {
	n, err := oneNote(p.vault, f.From)
	if err != nil {
		return err
	}
	target, _ := md.Target(md.Unlink(f.Resolve))
	found := p.vault.Resolve(target, n.Path)
	out := resolvedJSON{Ref: f.Resolve, Path: found.Path, ID: string(found.Path), State: string(found.State), Candidates: vault.Names(found.Candidates)}
	to, note := p.vault.Note(found.Path)
	switch {
	case found.State != vault.OK:
		out.Kind = string(prompt.Note)
	case !note:
		out.Kind = "file"
	case found.Subpath != "":
		out.Kind, out.ID = string(prompt.Selection), out.ID+"#"+found.Subpath
	default:
		out.Kind = string(prompt.Note)
	}
	if note && to.Private {
		out.State = "private"
	}
	return a.printResolved(&out)
}

// printResolved prints what a reference means; one that means nothing ends the
// program with status 1.
func (a notes) printResolved(out *resolvedJSON) error {
	text := fmt.Sprintf("%s: %s %s %s\n", oneLine(out.Ref), out.State, out.Kind, oneLine(out.ID))
	for _, c := range out.Candidates {
		text += "    " + oneLine(c) + "\n"
	}
	a.printRow(out, text)
	if out.State != string(vault.OK) {
		return exit(plain.ExitFailed)
	}
	return nil
}

func (a *app) activeCommand() *cobra.Command {
	var clear bool
	var source string
	c := &cobra.Command{
		Use:     "active NOTE",
		Aliases: []string{"focus"},
		Short:   "Tell ibid which note an editor has open",
		Long:    "Active tells a running ibid, and the next one, which note is open in an editor: call it from the editor's hooks. NOTE is a path, and may end in the line of the cursor, as in plan.md:12. --clear forgets it.",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if clear != (len(args) == 0) {
				return usagef("name a note, or --clear to forget it")
			}
			where := ""
			if !clear {
				where = args[0]
			}
			return a.setActive(where, source, clear)
		},
	}
	c.Flags().BoolVar(&clear, "clear", false, "forget the active note")
	c.Flags().StringVar(&source, "source", "editor", "say that `NAME` said so, for people")
	return c
}

func (a *app) setActive(where, source string, clear bool) error {
	cfg, err := a.settings()
	if err != nil {
		return err
	}
	name, line := splitLine(where)
	path := a.path(name)
	var dir string
	if !clear && a.flags.Vault == "" && fileExists(path) {
		if d, ok := vault.Discover(filepath.Dir(path)); ok {
			dir = d
		}
	}
	if dir == "" {
		at, err := vaultTools{a}.find(cfg, "")
		if err != nil {
			return err
		}
		dir = at.dir
	}
	if clear {
		return vault.ClearSignal(a.folder.state, dir)
	}
	note, err := noteIn(dir, name, path)
	if err != nil {
		return err
	}
	return vault.WriteSignal(a.folder.state, vault.Signal{Vault: dir, Path: note, Line: line, When: time.Now(), Source: source})
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
	if fileExists(path) {
		real, err1 := filepath.EvalSymlinks(path)
		root, err2 := filepath.EvalSymlinks(dir)
		if err1 == nil && err2 == nil {
			if rel, err := filepath.Rel(root, real); err == nil && filepath.IsLocal(rel) {
				return vault.ParsePath(filepath.ToSlash(rel))
			}
		}
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
