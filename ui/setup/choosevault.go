package setup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/ui/theme"
)

// VaultChoice asks which vault to open, before any is open.
type VaultChoice struct {
	Theme  theme.Options
	Fixed  bool // do not ask the terminal for its background: Theme has it
	Vaults Vaults
	Config string // file that keeps the choice, as a user writes it
	Asked  *Place // a named folder with a warning; nil for none
	New    bool   // nothing is set up yet: ask first how to begin
}

// Beginning is the way to begin when nothing is set up.
type Beginning int

const (
	BeginVault Beginning = iota // with an existing vault
	BeginDemo                   // with the sample vault
	BeginModel                  // with a vault, and then a model
)

// Choose shows the page until a vault is chosen. It returns its folder, and whether to keep it as the
// default. The folder is "" if the user left.
func (c VaultChoice) Choose(ctx context.Context, in io.Reader, out io.Writer) (dir string, keep bool,
	with Beginning, err error,
) {
	m := c.Program(ctx)
	defer m.tasks.Close()
	p := tea.NewProgram(m, tea.WithInput(in), tea.WithOutput(out), tea.WithoutSignalHandler())
	defer context.AfterFunc(ctx, p.Quit)()
	_, err = p.Run()
	switch {
	case ctx.Err() != nil:
		return "", false, with, context.Cause(ctx)
	case err != nil && !errors.Is(err, tea.ErrInterrupted):
		return "", false, with, fmt.Errorf("show the screen: %w", err)
	}
	dir, keep, _ = m.Chosen()
	return dir, keep, m.Begins, nil
}

// Chooser is the program of [VaultChoice]: one page, which works as on the screen, without a desk.
type Chooser struct {
	page.Env
	from    Vaults
	fixed   bool
	tasks   *term.Tasks
	list    *page.List
	ask     page.Page // over the list, nil for none
	toast   page.Toast
	w, h    int
	chosen  OpenVault
	hasLeft bool
	Begins  Beginning // the chosen way to begin
}

// Program returns the page as a program of Bubble Tea, which Choose runs.
func (c VaultChoice) Program(ctx context.Context) *Chooser {
	m := &Chooser{tasks: term.NewTasks(ctx), fixed: c.Fixed, Env: page.NewEnv(c.Theme), from: c.Vaults}
	m.list = page.NewList(m.Env, &vaultList{Env: m.Env, from: m.from, first: c.Config}, "")
	if c.Asked != nil {
		m.ask = askVault(m.Env, *c.Asked, false)
	} else if c.New {
		m.ask = newBeginQuestion(m.Env)
	}
	return m
}

// newBeginQuestion returns the question how to begin.
func newBeginQuestion(env page.Env) *page.Question {
	return &page.Question{
		Env: env, Title: "How do you want to begin?",
		Rows: [][2]string{
			{"the demo vault: a garden, answered offline; nothing is sent", "d"},
			{"my vault: a folder of markdown notes, such as one of Obsidian", "o"},
			{"a model: my vault, and then a key or a server that answers", "m"},
		},
		Answers: []page.Answer{
			page.Reply("d", "try the demo", page.Post{Msg: BeginDemo}), page.Reply("o", "open my vault", nil),
			page.Reply("m", "set up a model", page.Steps{
				page.Post{Msg: BeginModel},
				page.Toast{Text: "which notes is it to answer from? Its page opens with them"},
			}),
			page.Reply("esc", "leave", page.Close{}),
		},
	}
}

// Chosen returns the chosen folder, "" for none, and whether to keep it as the default. left reports
// whether the program has ended.
func (m *Chooser) Chosen() (dir string, keep, left bool) {
	return m.chosen.Dir, m.chosen.keep, m.hasLeft
}

// Init implements tea.Model.
func (m *Chooser) Init() tea.Cmd {
	cmds := []tea.Cmd{m.tasks.Start(listPlaces(m.from).Work)}
	if !m.fixed {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	return tea.Batch(cmds...)
}

// Update implements tea.Model.
func (m *Chooser) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
	case tea.BackgroundColorMsg, tea.ColorProfileMsg:
		*m.Theme = theme.New(m.Theme.Options.For(msg, m.fixed))
		m.list.Update(page.RefreshMsg{})
		return m, nil
	case page.Request:
		return m, m.carryOut(msg)
	case tea.KeyPressMsg:
		m.toast = page.Toast{}
		switch {
		case msg.String() == "ctrl+c":
			return m, m.leave()
		case m.ask != nil:
			i, _ := m.ask.Update(msg)
			return m, m.carryOut(i)
		}
	}
	i, _ := m.list.Update(msg)
	return m, m.carryOut(i)
}

// carryOut carries out the requests of the page that need no desk.
func (m *Chooser) carryOut(i page.Request) tea.Cmd {
	switch i := i.(type) {
	case page.Steps:
		var cmds []tea.Cmd
		for _, step := range i {
			cmds = append(cmds, m.carryOut(step))
		}
		return tea.Batch(cmds...)
	case page.Close:
		if m.ask != nil {
			m.ask = nil
			return nil
		}
		return m.leave()
	case page.Show:
		m.ask = i.Page
	case page.Post:
		switch msg := i.Msg.(type) {
		case OpenVault:
			m.chosen = msg
			return m.leave()
		case Beginning:
			if m.Begins = msg; msg == BeginDemo {
				return m.leave()
			}
		}
	case page.Toast:
		m.toast = i
	case page.Do:
		return m.tasks.Start(i.Work)
	}
	return nil
}

// leave ends the program.
func (m *Chooser) leave() tea.Cmd {
	m.hasLeft = true
	return tea.Quit
}

// View implements tea.Model.
func (m *Chooser) View() tea.View {
	var rows []string
	switch {
	case m.hasLeft || m.w == 0:
	case m.w < 40 || m.h < 10:
		rows = page.TooSmallRows(m.w, m.h)
	default:
		rows = m.list.View(m.w, m.h)
		if m.ask != nil {
			term.Overlay(rows, m.ask.View(m.w, m.h))
		} else if m.toast.Text != "" {
			term.Overlay(rows, []string{m.Pen(m.w).Bar(theme.OneLine(m.toast.Text), "")})
		}
	}
	v := tea.NewView(theme.StripMarks(strings.Join(rows, "\n")))
	v.AltScreen, v.MouseMode, v.WindowTitle = true, tea.MouseModeCellMotion, "ibid"
	if m.ask == nil && m.w >= 40 && m.h >= 10 {
		v.Cursor = m.list.Cursor()
	}
	return v
}
