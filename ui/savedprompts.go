package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/ui/browse"
	"ibid/ui/chatview"
	"ibid/ui/composer"
	"ibid/vault"
)

// editPrompt opens the note of a prompt in the editor. It is not what the user
// works on, so it does not become the active note.
type editPrompt struct{ path vault.Path }

func (msg editPrompt) carryOut(m *Model) tea.Cmd { return openNote(m, msg.path, 0) }

// usePrompt finds out what a saved prompt says.
type usePrompt browse.UsePrompt

func (i usePrompt) run(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
	r, err := d.Command(ctx, `/prompt "`+i.Name+`"`)
	if err != nil && (r.Message == nil || r.Message.Lacks == "") {
		return nil, err
	}
	return *r.Message, nil
}

// takeMessage puts what a saved prompt says into the prompt, where it can be read,
// changed and priced before enter sends it, or its name where it lacks a text.
func takeMessage(m *Model, msg desk.Message) tea.Cmd {
	m.composer.Take() // what stood there is the newest of the earlier prompts
	if msg.Lacks != "" {
		return tea.Batch(m.setDraft(composer.Draft{Text: msg.Prompt.Command() + " "}), m.say("write what it is about"))
	}
	d := composer.Draft{Text: msg.Text, Model: msg.Model}
	for _, s := range msg.Spans {
		span := composer.Span{From: s.From, To: s.To}
		if s.Ref.ID != "" {
			span.Pick = s.Ref.Text()
		}
		d.Spans = append(d.Spans, span)
	}
	cmds := []tea.Cmd{m.setDraft(d)}
	for _, n := range msg.Notices {
		m.k.Turn.Notice(n.Text)
	}
	if len(msg.Notices) > 0 {
		m.k.Transcript.Bottom()
	}
	return tea.Batch(append(cmds, m.say(fmt.Sprintf("%s: enter sends it", msg.Prompt.Name)))...)
}

// lookAtPrompts finds out what prompts say, and what the notes that they name cost.
type lookAtPrompts struct {
	prompts []desk.Prompt
	vault   *vault.Vault
}

func (j lookAtPrompts) run(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
	looks := browse.PromptLooks{}
	var refs []prompt.Ref
	for _, p := range j.prompts {
		m, err := d.Fill(ctx, p, "")
		look := browse.PromptLook{Text: m.Text, Err: err}
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
	weights, err := chatview.WeighSmall(ctx, d, j.vault, refs)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	for path, look := range looks {
		look.Costs = (len(look.Text) + 3) / 4
		for _, r := range look.Refs {
			i := slices.IndexFunc(weights, func(w chains.Weight) bool { return w.Ref == r })
			if i < 0 || err != nil { // too large to read for a price, or a turn runs
				look.Rough = true
				look.Costs += int(chatview.SizeOf(d, j.vault, r)+3) / 4
				continue
			}
			look.Costs += weights[i].Tokens
		}
		looks[path] = look
	}
	return looks, nil
}
