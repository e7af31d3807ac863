package desk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"ibid/chains"
	"ibid/context/gather"
	"ibid/context/prompt"
)

// Message is a message made from a saved prompt by filling in its variables. It is sent like any other.
type Message struct {
	Prompt  Prompt
	Text    string
	Spans   []chains.Span   // references of the variables; the rest of the text has none
	Notices []chains.Notice // variables that were not filled in, and the model
	Lacks   string          // why "{}" has no value, "" if it has one or does not occur
	Model   string          // model that answers it, "" for that of the chat
}

// InputOf returns the input of the next turn with a message.
func (c *Chat) InputOf(ctx context.Context, m *Message) (in chains.Input, err error) {
	in = c.Input(m.Text)
	in.Spans = m.Spans
	in.Model, err = c.ModelOf(ctx, m.Model)
	return in, err
}

// ModelOf returns the options of the model of this name, for one turn; nil for "". It looks at the provider of the
// chat first.
func (c *Chat) ModelOf(ctx context.Context, name string) (*chains.Options, error) {
	if name == "" {
		return nil, nil
	}
	if c.desk.opts.Prompts.Model == nil {
		return nil, errors.New("no server is connected")
	}
	o, err := c.desk.opts.Prompts.Model(ctx, c.session.Options().Cache.At, name)
	if err != nil {
		return nil, err
	}
	return &o, nil
}

// Fill applies a saved prompt to a text, which may be "" and whose spans were pasted or picked. It sends nothing
// and does not record the use of the prompt.
func (c *Chat) Fill(ctx context.Context, p Prompt, text string, spans ...chains.Span) (Message, error) {
	t, err := c.desk.opts.Vault.Read(p.Path)
	if err != nil {
		return Message{}, fmt.Errorf("prompt %s: %w", p.Name, err)
	}
	body := strings.TrimSpace(prompt.CanonicalText(t.Lines(t.Note.BodyLine, 1<<30)))
	if body == "" {
		return Message{}, fmt.Errorf("prompt %s: %s holds no text", p.Name, p.Path)
	}
	text = strings.TrimRightFunc(text, unicode.IsSpace)
	spans = slices.DeleteFunc(slices.Clone(spans), func(s chains.Span) bool { return s.From >= len(text) })
	for i := range spans {
		spans[i].To = min(spans[i].To, len(text))
	}
	with := gather.Values{Text: text, Spans: spans, Active: c.Input("").Open}
	for _, r := range c.Attached() {
		if r.Kind == prompt.Selection {
			with.Selected = append(with.Selected, r)
		}
	}
	f := c.desk.opts.Gather.Fill(ctx, body, with)
	m := Message{Prompt: p, Text: f.Text, Spans: f.Spans}
	if f.Empty {
		m.Lacks = "write a text behind its name, or open a note"
	}
	for _, miss := range f.Missing {
		if f.Empty && miss.State != "missing" {
			m.Lacks = miss.Reason
		}
		m.Notices = append(m.Notices, chains.Notice{Kind: "prompt", Text: "prompt " + p.Name + ": " + miss.Reason})
	}
	return m, nil
}

// UsePrompt applies the saved prompt that a text begins with to the rest of it. It records the use of the prompt.
func (c *Chat) UsePrompt(ctx context.Context, text string) (Message, error) {
	if _, err := c.desk.opts.Vault.Revalidate(ctx); err != nil {
		return Message{}, err
	}
	p, rest, err := c.desk.Prompts().cutPromptName(text)
	if err != nil {
		return Message{}, err
	}
	return c.applyPrompt(ctx, p, rest, nil)
}

// applyPrompt applies a prompt for a run: it records the use, chooses the prompt's model, and fails if the prompt
// lacks a text.
func (c *Chat) applyPrompt(ctx context.Context, p Prompt, text string, spans []chains.Span) (Message, error) {
	m, err := c.Fill(ctx, p, text, spans...)
	if err == nil && m.Lacks != "" {
		err = fmt.Errorf("prompt %s is about something: %s. Nothing was sent", p.Name, m.Lacks)
	}
	if err != nil {
		return m, err
	}
	if p.Model != "" {
		c.choosePromptModel(ctx, &m)
	}
	c.desk.opts.hints().Set(promptsFile, c.desk.Prompts().file(p.Path), c.desk.now().UTC().Format(time.RFC3339Nano))
	return m, nil
}

// runPrompt runs the word of a prompt as a command.
func (c *Chat) runPrompt(ctx context.Context, p Prompt, arg string, spans []chains.Span) (Result, error) {
	m, err := c.applyPrompt(ctx, p, arg, spans)
	return Result{Message: &m}, err
}

// savedPrompt lists the saved prompts, or runs, saves or opens one.
func (c *Chat) savedPrompt(ctx context.Context, arg string, spans []chains.Span) (Result, error) {
	if _, err := c.desk.opts.Vault.Revalidate(ctx); err != nil {
		return Result{}, err
	}
	how, name := firstWord(arg)
	switch how = strings.ToLower(how); {
	case arg == "":
		return Result{Text: c.desk.Prompts().listText()}, nil
	case (how == "new" || how == "edit") && name == "":
		return Result{}, fmt.Errorf("/prompt %s takes the name of a prompt", how)
	case how == "new":
		return c.newPrompt(name)
	}
	if how == "edit" {
		arg = name
	}
	p, rest, err := c.desk.Prompts().cutPromptName(arg)
	switch {
	case err != nil:
		return Result{}, err
	case how == "edit":
		return Result{Text: fmt.Sprintf("prompt %s is the note %s", p.Name, p.Path), Edit: p.Path}, nil
	}
	return c.runPrompt(ctx, p, rest, spansAfter(spans, len(arg)-len(rest)))
}

// spansAfter returns spans for the rest of a text without its first n bytes.
func spansAfter(spans []chains.Span, n int) (rest []chains.Span) {
	for _, s := range spans {
		if s.From, s.To = s.From-n, s.To-n; s.From >= 0 {
			rest = append(rest, s)
		}
	}
	return rest
}

// newPrompt saves the user's last message as a prompt.
func (c *Chat) newPrompt(name string) (Result, error) {
	chat, err := c.session.Chat()
	if err != nil {
		return Result{}, err
	}
	at := chat.LastTurn()
	if at < 0 || strings.TrimSpace(chat.Messages[at].Text) == "" {
		return Result{}, fmt.Errorf("/prompt new saves your last message, and there is none in this chat yet")
	}
	p, err := c.desk.Prompts().save(name, chat.Messages[at].Text)
	if err != nil {
		return Result{}, err
	}
	return Result{Text: fmt.Sprintf(
		"saved as %s; in it {} stands for the text behind its name, {activeNote} for the note that is open", p)}, nil
}

// listText lists the prompts for the user.
func (s *Prompts) listText() string {
	var b strings.Builder
	for _, p := range s.List() {
		fmt.Fprintf(&b, "%-28s %s", p.Command(), p.Path)
		if p.Private {
			b.WriteString(" (private: it stays on this machine)")
		}
		b.WriteByte('\n')
	}
	if b.Len() == 0 {
		return fmt.Sprintf(
			"there are no prompts yet: a note in %s/ is one, and /prompt new NAME saves your last message there",
			s.Folder())
	}
	return b.String() + "TEXT behind the name is what {} stands for; without {} it follows the prompt"
}

// choosePromptModel sets the model of a message to the one that its prompt names, if there is such a model, and
// adds a notice.
func (c *Chat) choosePromptModel(ctx context.Context, m *Message) {
	name, _, _ := strings.Cut(m.Prompt.Model, "|") // Copilot writes name|provider
	name = strings.TrimSpace(name)
	now := c.session.Snapshot().Model
	if name == "" || name == now {
		return
	}
	said := fmt.Sprintf("prompt %s asks for the model %s, which answers this message", m.Prompt.Name, name)
	o, err := c.ModelOf(ctx, name)
	switch {
	case err != nil:
		said = fmt.Sprintf("prompt %s asks for the model %s, but %s answers: %s", m.Prompt.Name, name, now, err)
	case o.ModelName == now:
		return
	default:
		m.Model = o.ModelName
	}
	m.Notices = append(m.Notices, chains.Notice{Kind: "prompt", Text: said})
}
