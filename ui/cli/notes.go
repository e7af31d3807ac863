package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ibid/context/gather"
	"ibid/ui/browse"
	"ibid/ui/plain"
	"ibid/ui/theme"
	"ibid/vault"
	"ibid/vault/query"
)

// run searches the vault, or does what a flag asks for in place of that.
func (f *noteFlags) run(ctx context.Context, p *parts, args []string) error {
	p.warnOfRules()
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

// check returns an error for flags that exclude each other, or are empty. It runs before a vault is opened.
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

// activeFlags are the flags of ibid active.
type activeFlags struct {
	Clear  bool   `flag:"clear" help:"forget the active note"`
	Source string `flag:"source" default:"editor" help:"say that <NAME> said so, for people"`
}

// run records the note that an editor has open, or forgets it. It opens no vault: editors call it on each change.
func (f *activeFlags) run(_ context.Context, p *parts, args []string) error {
	if f.Clear != (len(args) == 0) {
		return usagef("name a note, or --clear to forget it")
	}
	name, line := vault.SplitLineNumber(strings.Join(args, ""))
	path, dir := p.path(name), ""
	if p.flags.Vault == "" && fileExists(path) {
		dir, _ = vault.Discover(filepath.Dir(path))
	}
	if dir == "" {
		at, err := p.findVault(p.config, "")
		if err != nil {
			return err
		}
		dir = at.dir
	}
	if f.Clear {
		return vault.ClearSignal(p.folder.state, dir)
	}
	note, err := vault.ParseNotePath(dir, name, path)
	if err != nil {
		return err
	}
	return vault.WriteSignal(p.folder.state, vault.Signal{
		Vault: dir, Path: note, Line: line, When: time.Now(), Source: f.Source,
	})
}

// resolve prints the meaning of a reference, and exits with status 1 if it has none.
func (p *parts) resolve(ctx context.Context, f *noteFlags) error {
	from, err := p.from(f)
	if err != nil {
		return err
	}
	out := gather.MeaningOf(ctx, p.gather, f.Resolve, from)
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

// from returns the note of --from, "" for none.
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

// listNotes prints the list or note of a flag that replaces the search.
func (p *parts) listNotes(f *noteFlags) error {
	var n *vault.Note
	if named := f.Show + f.Links + f.Backlinks; named != "" {
		var err error
		if n, err = vault.FindNote(p.vault, named); err != nil {
			return err
		}
	}
	switch {
	case f.Show != "":
		return p.showNote(n)
	case f.Links != "":
		p.printLinks(vault.LinksOf(p.vault, n, func(vault.FoundNote) bool { return true }), f)
	case f.Backlinks != "":
		p.printLinks(vault.AllLinks(p.vault, n, func(to vault.FoundNote) bool { return to.Path == n.Path }), f)
	case f.Unresolved:
		p.printLinks(vault.AllLinks(p.vault, nil, func(to vault.FoundNote) bool {
			return to.State == vault.Missing
		}), f)
	case f.Orphans:
		orphans := limitList(vault.Orphans(p.vault), f)
		for _, n := range orphans {
			p.printLine(noteOf(n), "%s", n.Path)
		}
		p.tellIfNone(len(orphans))
	default: // tags, the most common ones first
		tags := limitList(vault.CountTags(p.vault.Notes(), func(n *vault.Note) []string { return n.Tags }), f)
		for _, t := range tags {
			p.printLine(t, "%6d  #%s", t.Notes, t.Tag)
		}
		p.tellIfNone(len(tags))
	}
	return nil
}

// noteJSON is the JSON row of ibid notes --show.
type noteJSON struct {
	Path vault.Path `json:"path"`
	Text string     `json:"text"`
}

// showNote prints a note, on a terminal drawn like the markdown of replies.
func (p *parts) showNote(n *vault.Note) error {
	text, err := p.vault.Local().Read(n.Path)
	if err != nil {
		return err
	}
	drawing := p.drawing()
	if drawing == nil {
		p.printRow(noteJSON{n.Path, text.Content}, theme.Sanitize(text.Content))
		return nil
	}
	shown, err := browse.ReadNote(p.vault, string(n.Path))
	p.print(drawing.Whole(shown))
	return err
}

// limitList cuts a list to --limit. The default of searches does not count for lists, which scripts want whole.
func limitList[T any](list []T, f *noteFlags) []T {
	if f.limitGiven {
		return list[:min(len(list), f.Limit)]
	}
	return list
}

// tellIfNone tells below an empty list which notes it did not see.
func (p *parts) tellIfNone(rows int) {
	if rows == 0 {
		p.tellLeftOut("")
	}
}

func (p *parts) printLinks(list []vault.LinkRow, f *noteFlags) {
	p.tellIfNone(len(list))
	for _, l := range limitList(list, f) {
		target := l.Target
		if l.Subpath != "" {
			target += "#" + l.Subpath
		}
		to := cmp.Or(string(l.To), "nothing")
		if len(l.Candidates) > 0 {
			to += "; did you mean " + strings.Join(l.Candidates, ", ") + "?"
		}
		p.printLine(l, "%s:%d  %s → %s", l.Path, l.Line, target, to)
	}
}

// queryRows limits the rows of an answer if --limit is not given.
const queryRows = 200

// answer prints the answer to a query.
func (p *parts) answer(ctx context.Context, f *noteFlags) error {
	from, err := p.from(f)
	if err != nil {
		return err
	}
	found, err := p.gather.Ask(ctx, f.Query, from)
	if err != nil {
		return err
	}
	if p.flags.JSON {
		p.print(theme.JSONLine(answerJSON{found}))
		return nil
	}
	rows := queryRows
	if f.limitGiven {
		rows = f.Limit
	}
	p.tellIfNone(found.Len())
	for line := range strings.Lines(found.Markdown(rows)) {
		p.print(theme.OneLine(strings.TrimRight(line, "\n")) + "\n")
	}
	return nil
}

// answerJSON is the JSON row of an answer.
type answerJSON struct {
	Result *query.Result `json:"result"`
}
