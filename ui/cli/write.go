package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/ui/theme"
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
	if strings.Trim(note, ` "/`) == "" || strings.HasSuffix(note, "/") {
		return nil, usagef("%q is no name for a note: ibid new takes NOTE or FOLDER/NOTE", note)
	}
	return p.desk.ProposeNote(text, note)
}

// writes makes a command that puts a text from the arguments or standard input into a note. It asks nothing: the
// command is the consent. A text from standard input that is not written is printed, since it is nowhere else.
func writes(propose writer) work {
	return func(ctx context.Context, p *parts, args []string) error {
		text := strings.Join(args[1:], " ")
		if text != "" && text != "-" {
			return p.write(ctx, propose, args[0], text)
		}
		text, err := p.readStdin(ctx, stdinUse{what: "the text", undone: "nothing was written"})
		if err == nil {
			err = p.write(ctx, propose, args[0], text)
		}
		if err != nil && strings.TrimSpace(text) != "" {
			p.giveBack(text)
		}
		return err
	}
}

// write puts a text into a note.
func (a *app) write(ctx context.Context, propose writer, note, text string) error {
	if strings.TrimSpace(text) == "" {
		return usagef("the text is empty: nothing was written")
	}
	return a.with(ctx, "", readNotes|lookOnly, func(ctx context.Context, p *parts) error {
		change, done, err := desk.ApplyAgreed(ctx, func() (*chains.Proposal, error) {
			return propose(ctx, p, note, desk.Piece{Text: text})
		})
		if err != nil {
			return err
		}
		for _, w := range change.Warnings {
			p.remark("%s", w)
		}
		p.printLine(&writtenJSON{change.Path, done.Undo, done.Text}, "%s", change.Path)
		return nil
	})
}

// giveBack prints a text that came from standard input and was not written, with what is left there.
func (a *app) giveBack(text string) {
	a.complain("nothing was written: the text is on standard output")
	if a.flags.JSON {
		a.print(theme.JSONLine(rowJSON{"unwritten": text}))
		return
	}
	if terminal(a.env.Stdout) {
		text = theme.Sanitize(text)
	}
	a.print(text)
	if rest := a.stdinReader(""); rest != nil && len(text) > maxStdin {
		_, _ = io.Copy(&a.out, rest) // standardOut remembers the error
	}
}
