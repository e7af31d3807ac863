package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"ibid/ui/theme"
	"ibid/vault"
	"ibid/vault/dates"
	"ibid/vault/index"
)

// noteFlags are the flags of ibid notes.
type noteFlags struct {
	In         string   `flag:"in" values:"FOLDER" help:"only notes in <FOLDER>, at any depth"`
	Tags       []string `flag:"tag" values:"TAG" help:"only notes with <TAG>, or a tag below it (repeatable)"`
	Since      string   `flag:"since" values:"today|yesterday|this week|last week|last month|last year" help:"only notes dated on or after <DATE>, such as 2025-08-20 or 'last week'"`
	Until      string   `flag:"until" values:"today|yesterday|this week|last week|last month|last year" help:"only notes dated on or before <DATE>"`
	WithChats  bool     `flag:"with-chats" help:"search saved chats too, as chats: in the query does"`
	Why        bool     `flag:"why" help:"say of each hit what its score is the sum of"`
	Limit      int      `flag:"limit" values:"" default:"20" help:"show <N> hits at most"`
	Show       string   `flag:"show" values:"NOTE" help:"print <NOTE>"`
	Resolve    string   `flag:"resolve" values:"NOTE" help:"say what <REF> means instead of searching"`
	Query      string   `flag:"query" values:"" help:"answer <QUERY> of the dataview language, such as 'LIST FROM #tag'"`
	From       string   `flag:"from" values:"NOTE" help:"with --resolve and --query: what a link in <NOTE> means, and this"`
	Links      string   `flag:"links" values:"NOTE" help:"list the links of <NOTE>"`
	Backlinks  string   `flag:"backlinks" values:"NOTE" help:"list the links to <NOTE>"`
	Unresolved bool     `flag:"unresolved" help:"list the links that lead nowhere"`
	Orphans    bool     `flag:"orphans" help:"list the notes to which no other note links"`
	ListTags   bool     `flag:"tags" help:"list the tags, with how many notes have each"`

	limitGiven bool
	alone      string // the flag that replaces the search, "" for none
}

// noteOf returns the JSON row of a note in a list that is no search.
func noteOf(n *vault.Note) index.Hit {
	return index.Hit{Path: n.Path, Title: n.Title, Line: n.BodyLine}
}

// query joins the typed text and the flags. It prints a remark about each part of the text that it ignores.
func (p *parts) query(text string, f *noteFlags) (index.Query, error) {
	q, told, err := index.ParseQuery(text, time.Now())
	if err != nil {
		return q, usagef("%w", err)
	}
	for _, line := range told {
		p.remark("%s", line)
	}
	q.Limit, q.Tags, q.Chats = f.Limit, f.Tags, q.Chats || f.WithChats
	if f.In != "" {
		folder, ok := vault.FolderNamed(p.vault.Folders(), f.In)
		if !ok {
			return q, usagef("--in: there is no folder %s in the vault", f.In)
		}
		q.Folder = folder
		q.Chats = q.Chats || p.store != nil && q.Folder.In(p.store.Folder())
	}
	since, err := dateOf("--since", f.Since)
	until, wrong := dateOf("--until", f.Until)
	q.When, q.TimeOnly = []dates.Range{{From: since.From, Until: until.Until}}, f.Since+f.Until != ""
	return q, cmp.Or(err, wrong)
}

// dateOf parses the date in the value of a flag. The range is open for "".
func dateOf(flag, value string) (dates.Range, error) {
	r, ok := dates.Parse(value, time.Now())
	if !ok && value != "" {
		return r, usagef("%s: %q is no date; dates are such as 2025-08-20, 2025-08, yesterday or \"last week\"",
			flag, value)
	}
	return r, nil
}

// search prints the notes that fit a text. Without an index a person gets hits at once, by a slower search, and the
// index is built afterwards; a script waits for the index, so that it gets the same hits each time.
func (p *parts) search(ctx context.Context, text string, f *noteFlags) error {
	q, err := p.query(text, f)
	if err != nil {
		return err
	}
	wordless := strings.TrimSpace(text) == ""
	if wordless && f.In == "" && len(f.Tags) == 0 && !q.TimeOnly {
		p.listLatest(f)
		return nil
	}
	build := func() error {
		return p.indexing(ctx, func() error { p.desk.Sync(ctx); return ctx.Err() })
	}
	look := p.desk.Searcher(ctx)
	later := look.Index == nil && !p.flags.JSON && terminal(p.env.Stdout)
	if look.Index == nil && !later {
		if err := build(); err != nil {
			return err
		}
		look = p.desk.Searcher(ctx)
	}
	var hits []index.Hit
	err = p.live(func() string { return "searching; ctrl+c stops" }, func() (err error) {
		hits, err = look.Search(ctx, q)
		return err
	})
	meant := p.printHits(hits, f)
	if later && err == nil {
		err = build()
	}
	if err != nil {
		return err
	}
	if trouble := p.desk.Indexing(ctx).Trouble; trouble != "" {
		p.remark("%s; searches read the notes instead, which takes longer; ibid doctor tells more", trouble)
	}
	if p.desk.Meaning().Unanswered(ctx) {
		p.hint("%s gets no notes before you agree: ibid index", p.config.Search.Vectors)
	}
	switch {
	case len(hits) > 0 && hits[0].Shares.Words == 0 && hits[0].Shares.Meaning > 0:
		p.hint("no note holds %q: these are near it in meaning", briefLine(text))
		p.tellLeftOut(q.Folder)
	case meant != "":
		p.hint("this is what fits %q", briefLine(meant))
	case len(hits) > 0:
	case wordless:
		return p.noNote(q.Folder, "no note is among those asked for")
	default:
		return p.noNote(q.Folder, "no note holds %q", briefLine(text))
	}
	return nil
}

// noNote reports that a search in a folder found nothing, and what it could not look into.
func (p *parts) noNote(folder vault.Path, format string, args ...any) error {
	failed := p.nothing(format, args...)
	p.tellLeftOut(folder)
	return failed
}

// tellLeftOut tells what a look into the notes of a folder, "" for all, did not see.
func (p *parts) tellLeftOut(folder vault.Path) {
	left := p.vault.LeftOut(folder)
	if text := left.ForPerson(); text != "" {
		p.complain("%s", text)
	}
}

// printHits prints the hits. It returns the correction of the text that they fit, "" if they fit the text.
func (p *parts) printHits(hits []index.Hit, f *noteFlags) (meant string) {
	for _, h := range hits {
		meant = h.Meant()
		text := fmt.Sprintf("%s:%d  %s\n", oneLine(string(h.Path)), h.Line, oneLine(h.Title))
		if h.Snippet != "" {
			text += "    " + oneLine(h.Snippet) + "\n"
		}
		if f.Why {
			text += fmt.Sprintf("    %s = %.2f\n", h.Shares, h.Score)
		} else {
			h.Shares = index.Shares{}
		}
		p.printRow(h, text)
	}
	return meant
}

// briefLine cuts a text for a message.
func briefLine(text string) string { return theme.Cut(oneLine(text), 80, "…") }

// listLatest prints the latest notes, for ibid notes without anything to search for.
func (p *parts) listLatest(f *noteFlags) {
	notes := slices.DeleteFunc(slices.Clone(p.vault.Notes()), func(n *vault.Note) bool {
		return n.Chat && !f.WithChats
	})
	slices.SortStableFunc(notes, func(a, b *vault.Note) int { return b.ModTime.Compare(a.ModTime) })
	if len(notes) == 0 {
		p.hint("no notes in %s yet: `ibid new NOTE` makes one", p.folder.tilde(p.dir))
	}
	for _, n := range notes[:min(f.Limit, len(notes))] {
		p.printLine(noteOf(n), "%s  %s", n.ModTime.Format(minute), n.Path)
	}
}
