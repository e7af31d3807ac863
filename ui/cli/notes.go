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

	"ibid/context/prompt"
	"ibid/ui/plain"
	"ibid/ui/theme"
	"ibid/vault"
	"ibid/vault/index"
)

func (a *app) notesCommand() *cobra.Command {
	var resolve string
	var limit int
	c := &cobra.Command{
		Use:   "notes [query]",
		Short: "Search the vault, or say what a reference means",
		RunE: func(c *cobra.Command, args []string) error {
			return a.with(c.Context(), "", readNotes, func(ctx context.Context, p *parts) error {
				if resolve != "" {
					return a.resolve(ctx, p, resolve)
				}
				return a.search(ctx, p, strings.Join(args, " "), limit)
			})
		},
	}
	c.Flags().StringVar(&resolve, "resolve", "", "say what `REF` means instead of searching")
	c.Flags().IntVar(&limit, "limit", 20, "show `N` hits at most")
	return c
}

// noteJSON is one hit.
type noteJSON struct {
	Path    string  `json:"path"`
	Title   string  `json:"title"`
	Score   float64 `json:"score"`
	Snippet string  `json:"snippet"`
	Line    int     `json:"line"`
	Heading string  `json:"heading,omitempty"`
}

func (a *app) search(ctx context.Context, p *parts, query string, limit int) error {
	if limit <= 0 {
		return usagef("--limit must be at least 1")
	}
	if strings.TrimSpace(query) == "" {
		return a.listNotes(p, limit)
	}
	p.desk.Sync(ctx)
	q := index.Query{Text: query, Limit: limit}
	hits, err := p.desk.Search(ctx, q)
	if err != nil {
		return err
	}
	for _, h := range hits {
		if a.flags.json {
			a.print(theme.JSONLine(noteJSON{Path: string(h.Path), Title: h.Title, Score: h.Score, Snippet: h.Snippet, Line: h.Line, Heading: h.Heading}))
			continue
		}
		where := string(h.Path) + ":" + strconv.Itoa(h.Line)
		a.print(fmt.Sprintf("%s  %s\n    %s\n", oneLine(where), oneLine(h.Title), oneLine(h.Snippet)))
	}
	if a.flags.json {
		return nil
	}
	meant, err := p.desk.Meant(ctx, q)
	switch {
	case err != nil:
		return err
	case len(hits) == 0:
		_, _ = fmt.Fprintf(a.env.Stderr, "ibid: no note holds %q\n", oneLine(query)) // nobody is left to tell
	case meant != "":
		_, _ = fmt.Fprintf(a.env.Stderr, "ibid: this is what fits %q\n", oneLine(meant))
	}
	return nil
}

// listNotes lists the notes changed last.
func (a *app) listNotes(p *parts, limit int) error {
	notes := slices.Clone(p.vault.Notes())
	slices.SortStableFunc(notes, func(a, b *vault.Note) int { return b.ModTime.Compare(a.ModTime) })
	for _, n := range notes[:min(limit, len(notes))] {
		if a.flags.json {
			a.print(theme.JSONLine(noteJSON{Path: string(n.Path), Title: n.Title, Line: n.BodyLine}))
			continue
		}
		a.print(fmt.Sprintf("%s  %s\n", n.ModTime.Format("2006-01-02 15:04"), oneLine(string(n.Path))))
	}
	return nil
}

func (a *app) print(text string) {
	_, _ = fmt.Fprint(a.env.Stdout, text) // a reader that went away has seen enough
}

// resolvedJSON is what a reference means.
type resolvedJSON struct {
	Ref        string   `json:"ref"`
	Kind       string   `json:"kind"`
	Path       string   `json:"path"`
	ID         string   `json:"id"`
	State      string   `json:"state"`
	Candidates []string `json:"candidates"`
}

func (a *app) resolve(ctx context.Context, p *parts, ref string) error {
	refs, missing := p.gather.Reference(ctx, ref)
	out := resolvedJSON{Ref: ref, State: "ok", Candidates: []string{}}
	switch {
	case len(missing) > 0:
		out.State, out.Kind = missing[0].State, string(missing[0].Ref.Kind)
		out.Candidates = append(out.Candidates, missing[0].Candidates...)
	case len(refs) > 0:
		out.Kind, out.ID = string(refs[0].Kind), refs[0].ID
		out.Path = refs[0].ID
		var held []*vault.Note
		switch refs[0].Kind {
		case prompt.Selection:
			items, _, err := p.gather.Gather(ctx, refs)
			if err != nil {
				return err
			}
			if len(items) > 0 {
				out.Path = items[0].Path
			}
		case prompt.Tag:
			out.Path, held = "", p.vault.WithTag(refs[0].ID)
		case prompt.Folder:
			held = p.vault.InFolder(vault.Path(strings.TrimSuffix(refs[0].ID, "/")))
		}
		for _, n := range held {
			out.Candidates = append(out.Candidates, string(n.Path))
		}
		if n, ok := p.vault.Note(vault.Path(out.Path)); ok && n.Private {
			out.State = "private"
		}
	}
	if a.flags.json {
		a.print(theme.JSONLine(out))
	} else {
		a.print(fmt.Sprintf("%s: %s %s %s\n", oneLine(ref), out.State, out.Kind, oneLine(out.ID)))
		for _, c := range out.Candidates {
			a.print("    " + oneLine(c) + "\n")
		}
	}
	if out.State != "ok" {
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
		Args:    arguments(cobra.MaximumNArgs(1)),
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
	if !clear && a.flags.vault == "" && fileExists(path) {
		if d, ok := vault.Discover(filepath.Dir(path)); ok {
			dir = d
		}
	}
	if dir == "" {
		if dir, _, err = a.find(cfg, ""); err != nil {
			return err
		}
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
