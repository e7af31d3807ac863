package chatview

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/vault"
)

// Types of the desk that lists show: a saved prompt, a piece of the chat to write to a note, the names of the vault,
// and the progress of the search index.
type (
	Prompt   = desk.Prompt
	Piece    = desk.Piece
	Names    = desk.Notes
	Indexing = desk.Indexing
)

// PromptLook is a saved prompt, filled in without further text.
type PromptLook struct {
	Text  string
	Says  []string     // notices about its variables
	Refs  []prompt.Ref // references in it
	Costs int          // tokens of the text and the references
	Rough bool         // some references were not weighed but estimated by their size
	Err   error
}

// PromptLooks are filled prompts by their paths.
type PromptLooks map[vault.Path]PromptLook

// LookAtPrompts returns the job that fills prompts in, and weighs the notes that they refer to.
func LookAtPrompts(prompts []Prompt, v *vault.Vault) Job {
	return func(ctx context.Context, d *desk.Place) (tea.Msg, error) {
		looks := PromptLooks{}
		var refs []prompt.Ref
		for _, p := range prompts {
			m, err := d.Fill(ctx, p, "")
			look := PromptLook{Text: m.Text, Err: err}
			for _, n := range m.Notices {
				look.Says = append(look.Says, strings.TrimPrefix(n.Text, "prompt "+p.Name+": "))
			}
			for _, s := range m.Spans {
				if s.Ref.ID != "" && !slices.Contains(look.Refs, s.Ref) {
					look.Refs = append(look.Refs, s.Ref)
				}
			}
			refs = append(refs, look.Refs...)
			looks[p.Path] = look
		}
		weights, err := weighSmall(ctx, d, v, refs)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for path, look := range looks {
			look.Costs = prompt.ApproximateTokens(look.Text)
			for _, r := range look.Refs {
				i := slices.IndexFunc(weights, func(w chains.Weight) bool { return w.Ref == r })
				if i < 0 || err != nil { // too large to read for its price, or a turn runs
					look.Rough = true
					look.Costs += prompt.TokensOfSize(sizeOf(d, v, r))
					continue
				}
				look.Costs += weights[i].Tokens
			}
			looks[path] = look
		}
		return looks, nil
	}
}

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
// there in a branch: with branch, after the reply to the message.
func GoBack(turns int, text string, last, branch bool) Job {
	return func(ctx context.Context, d *desk.Place) (tea.Msg, error) {
		switch {
		case branch:
			turns, text = turns+1, ""
		case last:
			r, err := d.Command(ctx, "/edit")
			if err != nil {
				return nil, err
			}
			return ReadChat(d, ConversationChanged{
				Say:    "edit and send again; /redo brings it back",
				Prompt: r.Prompt,
			}, false), nil
		}
		if err := d.BranchTurns(ctx, turns); err != nil {
			return nil, fmt.Errorf("branch: %w", err)
		}
		return ReadChat(d, ConversationChanged{
			Say: "a branch from here; the old chat is kept", Prompt: text,
		}, true), nil
	}
}
