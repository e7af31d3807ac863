package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/ui/composer"
)

// insertSavedPrompt puts the text of a saved prompt into the prompt, where it can be read, changed and priced
// before enter sends it. A saved prompt that needs a text gets its command there instead.
func (k *screenState) insertSavedPrompt(msg desk.Message) tea.Cmd {
	k.Composer.Take() // the text that was there becomes the newest earlier prompt
	if msg.Lacks != "" {
		return tea.Batch(k.setDraft(composer.Draft{Text: msg.Prompt.Command() + " "}), k.Say("write what it is about"))
	}
	d := composer.Draft{Text: msg.Text, Model: msg.Model}
	for _, s := range msg.Spans {
		span := composer.Span{From: s.From, To: s.To}
		if s.Ref.ID != "" {
			span.Pick = s.Ref.Text()
		}
		d.Spans = append(d.Spans, span)
	}
	cmds := []tea.Cmd{k.setDraft(d)}
	for _, n := range msg.Notices {
		k.Turn.Notice(n.Text)
	}
	if len(msg.Notices) > 0 {
		k.Transcript.Bottom()
	}
	return tea.Batch(append(cmds, k.Say(fmt.Sprintf("%s: enter sends it", msg.Prompt.Name)))...)
}
