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

// What lists show of the desk: a saved prompt, and what of the chat goes into a note.
type (
	Prompt = desk.Prompt
	Piece  = desk.Piece
)

// PromptLook is what a saved prompt says without a text behind its name.
type PromptLook struct {
	Text  string
	Says  []string     // about its variables
	Refs  []prompt.Ref // what they name
	Costs int          // tokens of all that, of the refs if they were weighed
	Rough bool         // they were not
	Err   error
}

// PromptLooks brings them, by the paths of the prompts.
type PromptLooks map[vault.Path]PromptLook

// LookAtPrompts finds out what prompts say, and what the notes that they name cost.
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
			look.Costs = (len(look.Text) + 3) / 4
			for _, r := range look.Refs {
				i := slices.IndexFunc(weights, func(w chains.Weight) bool { return w.Ref == r })
				if i < 0 || err != nil { // too large to read for a price, or a turn runs
					look.Rough = true
					look.Costs += int(sizeOf(d, v, r)+3) / 4
					continue
				}
				look.Costs += weights[i].Tokens
			}
			looks[path] = look
		}
		return looks, nil
	}
}

// ReadQuery finds out what a query of a note finds now, and has that shown.
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

// GoBack takes the chat back to before a message of the user, counted from 0, and puts its text into the
// prompt. The last one is taken back; an earlier one goes on in a chat of its own, as the
// chat does behind its reply.
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
		return ReadChat(d, ConversationChanged{Say: "a branch from here; the old chat is kept", Prompt: text}, true), nil
	}
}
