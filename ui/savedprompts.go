package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/ui/chatview"
	"ibid/ui/composer"
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/ui/theme"
	"ibid/vault"
)

// promptList lists the saved prompts. What each of them says and costs is looked at
// in the background.
type promptList struct {
	k     *known
	looks map[vault.Path]promptLook
}

// promptLook is what a saved prompt says without a text behind its name.
type promptLook struct {
	text  string
	says  []string     // about its variables
	refs  []prompt.Ref // what they name
	costs int          // tokens of all that, of the refs if they were weighed
	rough bool         // they were not
	err   error
}

// promptLooks brings them.
type promptLooks struct{ looks map[vault.Path]promptLook }

func (l *promptList) Options() picker.Options {
	return picker.Options{
		Title: "Saved prompts", Filter: true, Page: true, Placeholder: "letters of its name", Choose: "put it into the prompt",
		Note: "the price is that of what the prompt names; its {} stands for the text behind its name",
	}
}

func (l *promptList) Actions() []page.Action {
	return []page.Action{
		page.On("enter", "put it into the prompt", func(r page.Row) page.Request { return page.Steps{page.Close{}, page.Post{Msg: usePrompt{name: r.ID}}} }),
		page.On("ctrl+o", "open in $EDITOR", func(r page.Row) page.Request {
			return page.Steps{page.Close{}, page.Run{Line: `/prompt edit "` + r.ID + `"`}}
		}),
	}
}

func (l *promptList) Rows(query string) page.Listing {
	empty := "no saved prompt is called that" + page.BackspaceShows
	if len(l.k.Desk.Prompts) == 0 {
		empty = "no prompts yet: /prompt new NAME saves your last message as one"
	}
	shown := page.Listing{Rows: picker.Rows{Empty: empty, Total: len(l.k.Desk.Prompts)}}
	for i := range l.k.Desk.Prompts {
		p := &l.k.Desk.Prompts[i]
		if match, ok := subsequence(p.Name, query); ok {
			it := l.item(p)
			it.Match = match
			shown.Items = append(shown.Items, it)
		}
	}
	return shown
}

// item is the row of a prompt.
func (l *promptList) item(p *desk.Prompt) picker.Item {
	it := picker.Item{ID: p.Name, Label: p.Name, Detail: p.Command()}
	if p.Private {
		it.Detail, it.Disabled = "", "private: it stays on this machine"
	}
	if look, ok := l.looks[p.Path]; ok {
		it.Meta = look.price()
	}
	return it
}

func (l promptLook) price() string {
	switch {
	case l.err != nil:
		return ""
	case l.rough:
		return "≈ " + theme.ShortCount(l.costs)
	}
	return "+" + theme.ShortCount(l.costs)
}

// preview shows what a prompt says.
func (l *promptList) Preview(id string) picker.Preview {
	i := slices.IndexFunc(l.k.Desk.Prompts, func(p desk.Prompt) bool { return p.Name == id })
	if i < 0 {
		return picker.Preview{}
	}
	p := &l.k.Desk.Prompts[i]
	look, ok := l.looks[p.Path]
	shown := picker.Preview{Title: p.Name, Meta: look.price()}
	add := func(s string) { shown.Lines = append(shown.Lines, picker.Line{Text: s}) }
	switch {
	case !ok:
		return shown
	case look.err != nil:
		add(look.err.Error())
		return shown
	}
	for line := range strings.SplitSeq(look.text, "\n") {
		add(line)
	}
	add("")
	for _, r := range look.refs {
		add(l.k.Theme.Glyphs.Context.Added + " " + r.Label())
	}
	for _, s := range look.says {
		add(s)
	}
	if p.Model != "" {
		add("asks for the model " + p.Model)
	}
	return shown
}

// receive asks once what the prompts say.
func (l *promptList) Receive(msg tea.Msg) (page.Request, bool) {
	switch msg := msg.(type) {
	case page.RefreshMsg, page.QueryMsg:
		if l.looks == nil && len(l.k.Desk.Prompts) > 0 {
			l.looks = map[vault.Path]promptLook{}
			return atDesk(lookAtPrompts{l.k.Desk.Prompts, l.k.opt.Vault}), false
		}
	case promptLooks:
		l.looks = msg.looks
		return nil, true
	}
	return nil, false
}

// firstLine is the beginning of what a prompt says.
func (l *promptList) firstLine(p *desk.Prompt) string {
	line, _, _ := strings.Cut(l.looks[p.Path].text, "\n")
	return line
}

// subsequence reports whether the letters of a query stand in a name in their order,
// in any case, and where. Blanks of the query do not count.
func subsequence(name, query string) (at []int, ok bool) {
	want := []rune(strings.ToLower(strings.Join(strings.Fields(query), "")))
	for i, r := range []rune(name) {
		if len(at) < len(want) && unicode.ToLower(r) == want[len(at)] {
			at = append(at, i)
		}
	}
	return at, len(at) == len(want)
}

// lookAtPrompts finds out what prompts say, and what the notes that they name cost.
type lookAtPrompts struct {
	prompts []desk.Prompt
	vault   *vault.Vault
}

func (j lookAtPrompts) run(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
	looks := map[vault.Path]promptLook{}
	var refs []prompt.Ref
	for _, p := range j.prompts {
		m, err := d.Fill(ctx, p, "")
		look := promptLook{text: m.Text, err: err}
		for _, n := range m.Notices {
			look.says = append(look.says, strings.TrimPrefix(n.Text, "prompt "+p.Name+": "))
		}
		for _, s := range m.Spans {
			if s.Ref.ID != "" && !slices.Contains(look.refs, s.Ref) {
				look.refs = append(look.refs, s.Ref)
			}
		}
		refs = append(refs, look.refs...)
		looks[p.Path] = look
	}
	weights, err := chatview.WeighSmall(ctx, d, j.vault, refs)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	for path, look := range looks {
		look.costs = (len(look.text) + 3) / 4
		for _, r := range look.refs {
			i := slices.IndexFunc(weights, func(w chains.Weight) bool { return w.Ref == r })
			if i < 0 || err != nil { // too large to read for a price, or a turn runs
				look.rough = true
				look.costs += int(chatview.SizeOf(d, j.vault, r)+3) / 4
				continue
			}
			look.costs += weights[i].Tokens
		}
		looks[path] = look
	}
	return promptLooks{looks}, nil
}

// usePrompt puts what a saved prompt says into the prompt, or its name where it needs
// a text.
type usePrompt struct {
	name  string
	typed bool // to find it, something was typed into the prompt
}

func (i usePrompt) carryOut(m *Model) tea.Cmd {
	if i.typed {
		m.composer.Accept("", "")
	}
	return m.work(i)
}

// editPrompt opens the note of a prompt in the editor. It is not what the user
// works on, so it does not become the active note.
type editPrompt struct{ path vault.Path }

func (msg editPrompt) carryOut(m *Model) tea.Cmd { return openNote(m, msg.path, 0) }

func (i usePrompt) run(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
	r, err := d.Command(ctx, `/prompt "`+i.name+`"`)
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
