package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"ibid/chains/reading"
	"ibid/history"
	"ibid/ui/theme"
	"ibid/vault"
)

func rename(p *parts, path vault.Path, words []string) error {
	to, err := p.store.Rename(path, strings.Join(words, " "))
	return p.report(rowJSON{"path": to}, string(to), err)
}

func moveToTrash(p *parts, path vault.Path, _ []string) error {
	trashed, err := p.store.Delete(path)
	if err = p.report(rowJSON{"path": trashed}, "moved to "+string(trashed), err); err == nil {
		p.remark("`ibid chats restore` brings it back")
	}
	return err
}

// onChat makes a command whose first word names a chat. do gets its path and the other words.
func onChat(do func(p *parts, path vault.Path, words []string) error) work {
	return func(ctx context.Context, p *parts, args []string) error {
		path, err := p.store.Find(ctx, args[0])
		if err != nil {
			return err
		}
		return do(p, path, args[1:])
	}
}

// summaryJSON is the JSON row of a chat in a list.
type summaryJSON struct {
	history.Hit
	Modified string `json:"modified"`
	Notes    int    `json:"notes"` // number of notes that the chat used
}

// printSummary prints a chat of a list, indented by its depth in a tree.
func (a *app) printSummary(s history.Hit, deep int) {
	s.Tags, s.Problems = history.JSONList(s.Tags), history.JSONList(s.Problems)
	row := summaryJSON{s, s.Modified.Format(time.RFC3339), len(s.Notes)}
	turns := "turns"
	if s.Turns == 1 {
		turns = "turn "
	}
	marks := ""
	if s.Pinned {
		marks = "  pinned"
	}
	for _, tag := range s.Tags {
		marks += "  #" + oneLine(tag)
	}
	text := fmt.Sprintf("%s  %3d %s  %s%s  (%s)%s\n", s.Modified.Format(minute), s.Turns, turns,
		strings.Repeat("  ", deep), oneLine(s.Title), oneLine(string(s.Path)), marks)
	if s.Snippet != "" {
		text += "    " + oneLine(s.Snippet) + "\n"
	}
	for _, problem := range s.Problems {
		text += "    ! " + oneLine(problem) + "\n"
	}
	a.printRow(row, text)
}

// showFlags are the flags of ibid chats show.
type showFlags struct {
	Variants bool `flag:"variants" help:"also the other replies of turns that have several, and turns that were taken back"`
}

// run prints a chat. People read it as on the screen, with references resolved; JSON has it as it is saved.
func (f *showFlags) run(ctx context.Context, p *parts, args []string) error {
	if err := p.vault.Scan(ctx); err != nil {
		return err
	}
	chat, warnings, err := p.store.Read(ctx, args[0])
	if err != nil {
		return err
	}
	out := history.ShowChat(&chat, warnings, p.vault, p.gather.Revision)
	if f.Variants {
		out.Variants = history.VariantRows(&chat)
	}
	if p.flags.JSON {
		p.print(theme.JSONLine(out))
		return nil
	}
	drawn := reading.Chat(&chat)
	out.Messages = history.ShowChat(&drawn, nil, p.vault, p.gather.Revision).Messages
	text := p.output()
	text.Drawing = p.drawing()
	text.SayChat(&out)
	if f.Variants && len(out.Variants) == 0 {
		text.Warn("variants", "every turn has one reply")
	}
	return nil
}
