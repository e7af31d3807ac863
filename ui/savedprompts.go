package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/ui/composer"
)

// takeMessage puts what a saved prompt says into the prompt, where it can be read,
// changed and priced before enter sends it, or its name where it lacks a text.
func takeMessage(m *Model, msg desk.Message) tea.Cmd {
	m.composer.Take() // what stood there is the newest of the earlier prompts
	if msg.Lacks != "" {
		return tea.Batch(m.setDraft(composer.Draft{Text: msg.Prompt.Command() + " "}), m.toast.say("write what it is about"))
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
	return tea.Batch(append(cmds, m.toast.say(fmt.Sprintf("%s: enter sends it", msg.Prompt.Name)))...)
}
