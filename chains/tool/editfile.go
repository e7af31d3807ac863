package tool

import (
	"context"
	"errors"

	"ibid/chains"
	"ibid/vault"
	"ibid/vault/edit"
	"ibid/vault/undo"
)

type editArgs struct {
	Path, OldText, NewText string
	ReplaceAll             bool
}

func (o Options) editFile(ctx context.Context, a editArgs) chains.ToolOutput {
	n, sub, wrong := o.findPart(ctx, a.Path, vault.ToWrite)
	if wrong == nil && sub != "" {
		wrong = o.hasPart(n.Path, sub)
	}
	if wrong != nil {
		return wrong.output()
	}
	return o.propose(ctx, "editFile", n.Path, func(before string, _ bool) (string, error) {
		return edit.Replace(before, a.OldText, a.NewText, a.ReplaceAll)
	})
}

// propose returns the proposal of a tool to change a file. Errors of alter become results for the model.
func (o Options) propose(ctx context.Context, name string, p vault.Path,
	alter func(before string, there bool) (string, error),
) chains.ToolOutput {
	if err := o.Journal.Check(p, true); err != nil {
		return failedResult("not allowed", reason(err))
	}
	p, err := vault.Destination(o.Vault, p) // so that the person sees the file that is written
	if err != nil {
		return failedResult("not allowed", reason(err))
	}
	by := chains.CallerOf(ctx)
	author := undo.Author{Chat: by.Chat, Epoch: by.Epoch, Turn: by.Turn, Tool: name}
	plan, err := o.Journal.Plan(p, author, alter)
	var (
		wrong     *mistake
		notFound  *edit.NotFoundError
		notUnique *edit.NotUniqueError
	)
	switch {
	case errors.As(err, &wrong):
		return wrong.output()
	case errors.As(err, &notFound):
		return failedResult("NOT_FOUND", err.Error()+"\nread the note again, and copy oldText from it")
	case errors.As(err, &notUnique):
		return failedResult("NOT_UNIQUE", err.Error()+"; give more of the text around it, or set replaceAll")
	case errors.Is(err, vault.ErrBinary):
		return failedResult("not a text", "the file is no text in UTF-8 or UTF-16, and is not changed")
	case errors.Is(err, undo.ErrSame):
		return failedResult("nothing to do", "the note holds this already")
	case err != nil:
		return failedResult("not read", reason(err))
	}
	proposal := chains.NewProposal(o.Journal, plan)
	return chains.ToolOutput{Propose: proposal, Note: string(p) + ": " + proposal.Summary()}
}

// reason returns the cause in err, without the contexts that wrap it.
func reason(err error) string {
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner
		//nolint:errorlint // the cause itself is needed
		if errors.Is(err, undo.ErrForbidden) && errors.Unwrap(err) == undo.ErrForbidden {
			break
		}
	}
	return err.Error()
}
