package chatview

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/context/prompt"
)

// Types of the desk that lists show: a saved prompt, a piece of the chat to write to a note, the names of the vault,
// and the progress of the search index.
type (
	Prompt   = desk.Prompt
	Piece    = desk.Piece
	Names    = desk.Notes
	Indexing = desk.Indexing
)

// ReadQuery returns the job that runs a query of a note and shows its result.
func ReadQuery(id string, shows func(label, place, text string) tea.Msg) Job {
	return func(ctx context.Context, d *desk.Place) (tea.Msg, error) {
		ref := prompt.Ref{Kind: prompt.Query, ID: id}
		it, err := desk.Read(ctx, d, ref)
		if err != nil {
			return nil, err
		}
		return shows(ref.Label(), it.Path+", as it is now", it.Content), nil
	}
}

// GoBack returns the job that takes the chat back to before a message of the user, counted from 0, and
// puts its text into the prompt. With last, the message is undone. Otherwise the chat goes on from
// there in a branch.
func GoBack(turns int, text string, last bool) Job {
	return func(ctx context.Context, d *desk.Place) (tea.Msg, error) {
		if last {
			r, err := d.Command(ctx, "/edit")
			if err != nil {
				return nil, err
			}
			return ReadChat(d, ConversationChanged{
				Say:    "edit and send again; /redo brings it back",
				Prompt: r.Prompt,
			}, false), nil
		}
		chat, err := d.Session().Chat()
		if err == nil {
			err = d.Branch(ctx, chat.Through(turns))
		}
		if err != nil {
			return nil, fmt.Errorf("branch: %w", err)
		}
		return ReadChat(d, ConversationChanged{
			Say: "a branch from here; the old chat is kept", Prompt: text,
		}, true), nil
	}
}
