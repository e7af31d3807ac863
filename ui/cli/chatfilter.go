package cli

import (
	"context"
	"math"
	"strings"
	"time"

	"ibid/history"
	"ibid/history/chatlist"
	"ibid/ui/theme"
)

// ChatFlags select the chats to list or search. Some of them hide shared flags of the same name, which are about the
// next turn. It is exported because addFlags can only set fields of exported embedded structs.
type ChatFlags struct {
	Notes    []string `flag:"note" values:"NOTE" help:"only chats that used a note with <PART> in its path (repeatable)"`
	Tags     []string `flag:"tag" values:"" help:"only chats with the tag <NAME>, or one below it (repeatable)"`
	Model    string   `flag:"model" values:"MODEL" help:"only chats with a model with <PART> in its name"`
	Chain    string   `flag:"chain" values:"CHAIN" help:"only chats whose turns run as <NAME>: chat, vault, agent"`
	Since    string   `flag:"since" values:"today|yesterday|this week|last week|last month|last year" help:"only chats changed since <DATE>: 2026-01-31, 2026-01, 2026, today or 'last week'"`
	Until    string   `flag:"until" values:"today|yesterday|this week|last week|last month|last year" help:"only chats changed until the end of <DATE>"`
	Archived bool     `flag:"archived" help:"those in the archive too"`
}

// findChats returns at most most chats that fit the flags and the typed search, which may contain filters such as
// tag:x.
func (p *parts) findChats(ctx context.Context, f *ChatFlags, typed string, most int) ([]history.Hit, error) {
	now := time.Now()
	want, err := chatlist.ParseFilter(typed+" ", now)
	if err != nil {
		return nil, usagef("%w", err)
	}
	want.Archived = f.Archived
	for flag, values := range map[string][]string{
		"note": f.Notes, "tag": f.Tags, "model": {f.Model}, "chain": {f.Chain}, "since": {f.Since}, "until": {f.Until},
	} {
		for _, value := range values {
			if err := want.Set(flag, value, now); err != nil {
				return nil, usagef("--%s: %s", flag, err)
			}
		}
	}
	return p.desk.SearchChats(ctx, want, most)
}

// listFlags are the flags of ibid chats list.
type listFlags struct {
	ChatFlags
	Tree bool `flag:"tree" help:"branches under the chat that they were branched off"`
}

// run lists the chats, and tells a person with no chats how to begin one.
func (f *listFlags) run(ctx context.Context, p *parts, _ []string) error {
	fit, err := p.findChats(ctx, &f.ChatFlags, "", math.MaxInt)
	if err != nil {
		return err
	}
	rows, deep := make([]*history.Summary, len(fit)), make([]int, len(fit))
	for i := range fit {
		rows[i] = &fit[i].Summary
	}
	if f.Tree {
		rows, deep = chatlist.Tree(rows)
	}
	for i, s := range rows {
		p.printSummary(history.Hit{Summary: *s}, deep[i])
	}
	if len(fit) > 0 {
		return nil
	}
	all, err := p.store.List(ctx)
	if len(all) > 0 {
		return p.nothing("none of the %s fits", theme.Plural(len(all), "saved chat"))
	}
	p.hint("no saved chats in %s/ yet: `ibid ask` begins one", p.store.Folder())
	return err
}

// searchFlags are the flags of ibid chats search.
type searchFlags struct {
	ChatFlags
	Limit int `flag:"limit" default:"100" help:"show <N> chats at most"`
}

// run searches the chats, and exits with status 1 if it finds none, like grep.
func (f *searchFlags) run(ctx context.Context, p *parts, args []string) error {
	if f.Limit < 1 {
		return usagef("--limit must be at least 1")
	}
	hits, err := p.findChats(ctx, &f.ChatFlags, strings.Join(args, " "), f.Limit)
	if err != nil {
		return err
	}
	for _, h := range hits {
		p.printSummary(h, 0)
	}
	if len(hits) == f.Limit {
		p.hint("there may be more than %d; --limit shows them", f.Limit)
	}
	p.desk.CatchUp(ctx) // so that the next search reads no chat files
	if len(hits) == 0 {
		return p.nothing("no saved chat fits")
	}
	return nil
}
