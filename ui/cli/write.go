package cli

import (
	"context"
	"fmt"
	"strings"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/vault"
)

// writer proposes the change of a note by a text.
type writer func(ctx context.Context, p *parts, note string, text desk.Piece) (*chains.Proposal, error)

func appendText(ctx context.Context, p *parts, note string, text desk.Piece) (*chains.Proposal, error) {
	change, err := p.desk.ProposeAppend(ctx, text, note)
	if vault.IsMissing(err) {
		err = fmt.Errorf("%w; `ibid new` makes a note", err)
	}
	return change, err
}

func newText(_ context.Context, p *parts, note string, text desk.Piece) (*chains.Proposal, error) {
	return p.desk.ProposeNote(text, note)
}

// writes makes a command that puts a text from the arguments or standard input into a note. It asks nothing: the
// command is the consent.
func writes(propose writer) work {
	return func(ctx context.Context, p *parts, args []string) (err error) {
		text := strings.Join(args[1:], " ")
		if text == "" || text == "-" {
			if text, err = p.readStdin(ctx, stdinUse{what: "the text", undone: "nothing was written"}); err != nil {
				return err
			}
		}
		if strings.TrimSpace(text) == "" {
			return usagef("the text is empty: nothing was written")
		}
		return p.with(ctx, "", readNotes|lookOnly, func(ctx context.Context, p *parts) error {
			change, err := propose(ctx, p, args[0], desk.Piece{Text: text})
			if err != nil {
				return err
			}
			for _, w := range change.Warnings {
				p.remark("%s", w)
			}
			done, err := apply(ctx, change)
			if err == nil {
				p.printLine(done, "%s", done.Path)
			}
			return err
		})
	}
}
