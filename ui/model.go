package ui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ibid/chains/desk"
	"ibid/ui/browse"
	"ibid/ui/chatview"
	"ibid/ui/composer"
	"ibid/ui/keys"
	"ibid/ui/page"
	"ibid/ui/rails"
	"ibid/ui/review"
	"ibid/ui/scrollback"
	"ibid/ui/setup"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/ui/transcript"
	"ibid/ui/welcome"
)

// Model is the screen, the only tea.Model that has a desk.
type Model struct {
	screenState
	editor  term.Editor
	actions map[string]action // by the names in the table of keys

	rails   *rails.Rails
	page    page.Page // nil if none is open
	trigger page.ID   // the list over the prompt
	pull    pull
	toast   *toast
	presses presses
	mouse   mouse
	stage   stage
	printer *scrollback.Printer
	drawing drawing
	drafts  *chatview.DraftKeeper
	posted  []tea.Msg // messages of requests that were not handled yet

	askedPage page.Page     // page of a question of the turn, nil for none
	broken    map[part]bool // parts that cannot be drawn
	lastFault string        // the last fault that the user was told
}

// stage holds the size of the screen and of its parts.
type stage struct {
	w, h      int
	frame     frame
	needs     needs // the needs that frame was made for
	wantRails bool
	mouse     bool
	unfocused bool // another window has the focus
}

// drawing caches the last frame.
type drawing struct {
	version int // grows with each message that may change the view
	drawn   int // version of view
	view    tea.View
	marked  string // content of view, with the marks of wrapped lines
	first   func() // draws the first frame, may be nil
}

// New makes a screen. It starts nothing: Init does, and everything that Init starts ends with ctx or
// with [Model.Close].
func New(ctx context.Context, o Options) *Model {
	table, conflicts, _ := keys.NewTable(o.Input.Keys) // the default keys are there even after an error
	o.Notices = slices.Concat(o.Notices, conflicts)
	rules := o.Vault.RulesWarning()
	if rules != "" {
		o.Notices = slices.Insert(o.Notices, 0, rules) // the welcome page shows them
	}
	o.Theme.Apart = true // until the terminal says that it counts grapheme clusters
	look := theme.New(o.Theme)
	env := page.Env{Theme: &look, Keys: &table, Now: o.now, HasNote: func(link string) bool {
		return o.Vault.Resolve(link, "").Path != ""
	}}
	m := &Model{
		actions: newActions(),
		stage:   stage{wantRails: !o.Terminal.Inline, mouse: !o.Input.NoMouse && !o.Terminal.Inline},
		drawing: drawing{drawn: -1},
	}
	setup := &chatview.Setup{
		Env: env, Host: m, Tasks: term.NewTasks(ctx), Shared: o.Desk, Composer: composer.New(look),
		Vault: o.Vault, Store: o.Store, Whole: o.Terminal.Inline, Address: browse.AddressIn(o.Vault),
		Approved: o.Approved, Covers: o.Covers, OfflineModel: o.OfflineModel, NoImages: o.Terminal.NoImages,
		Starters: len(o.FirstRun.Questions) > 0, Notices: o.Notices,
	}
	m.screenState = screenState{
		opt: o, Catalog: newCatalog(&o, setup),
		openChats: &openChats{Chat: chatview.New(setup, o.Desk.Chat,
			chatview.State{Chat: o.Desk.Session().Snapshot(), Active: o.Desk.Active()})},
	}
	setup.Current = m.Chat
	if m.Desk.Chat.Turns == 0 {
		m.Notes.Rules = rules
	}
	m.rails, m.toast = rails.New(m.Composer), &toast{tasks: m.Tasks}
	m.printer = scrollback.New(o.Terminal.Inline, m.Tasks)
	m.pull = pull{tasks: m.Tasks, toast: m.toast}
	m.drafts = chatview.NewDraftKeeper(setup, m.toast.drop)
	m.editor, m.mouse.chat = term.NewEditor(o.Editor, o.Exec, m.Tasks), transcript.NewSelection(m.Transcript)
	composer.VimIn(m.Composer).Set(o.Input.Vim)
	m.restyle()
	return m
}

// Close ends all tasks of the screen and waits for them. Running turns are saved as far as they came.
// It leaves the desk at the chat that was on the screen.
func (m *Model) Close() {
	m.Tasks.Close()
	func() {
		defer m.Tasks.Catch()
		_ = m.drafts.Close() // there is no screen left to show an error on
	}()
	if place := m.opt.Desk; place != nil && m.Handle != nil {
		place.Chat = m.Handle
	}
}

// Init implements tea.Model. It starts reading the names of the vault, the note in the editor and the
// conversation of the desk. None of that delays the first frame.
func (m *Model) Init() tea.Cmd {
	if m.drawing.first != nil {
		m.drawing.first()
	}
	cmds := []tea.Cmd{
		m.LookAround(), m.Do(chatview.Read(chatview.ConversationChanged{Start: true}, true)),
		m.Do(findUnsaved),
		followVault(m.Tasks, &m.opt), m.Tasks.Start(readProgress(m.Vault)),
	}
	if !m.opt.Themes.Fixed {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	if find := m.opt.FirstRun.Servers; find != nil {
		cmds = append(cmds, m.Tasks.Start(func(ctx context.Context) tea.Msg { return serversMsg{find(ctx)} }))
	}
	if find := m.opt.Service.Found; find != nil {
		cmds = append(cmds, m.Tasks.Start(func(ctx context.Context) tea.Msg {
			if found, ok := find(ctx); ok {
				return foundMsg{found}
			}
			return nil
		}))
	}
	if m.opt.Service.SetUp {
		cmds = append(cmds, m.carryOut(page.Open{ID: page.Providers}))
	} else if m.opt.Service.Choose {
		cmds = append(cmds, m.carryOut(page.Open{ID: page.Models}))
	}
	return tea.Batch(append(cmds, m.takePosted())...)
}

// Update implements tea.Model. It passes a message to its handler, and arranges the screen anew if
// needs have changed.
func (m *Model) Update(msg tea.Msg) (same tea.Model, cmd tea.Cmd) {
	defer m.Tasks.Catch()
	same = m
	if msg = term.Current(msg); msg == nil {
		return m, nil
	}
	m.drawing.version++
	switch msg.(type) {
	case chatview.TurnMsg, chatview.TickMsg: // they come often, and mostly change nothing in the rails
	default:
		m.rails.Changed()
	}
	cmd = tea.Batch(m.route(msg), m.takePosted())
	if len(m.Turn.Asked()) > 0 || m.page != nil {
		cmd = tea.Batch(cmd, followAsked(m), m.takePosted())
	}
	if needsOf(m) != m.stage.needs {
		m.place()
	}
	if m.printer.On {
		cmd = tea.Batch(cmd, followPrinter(m, msg))
	}
	return m, tea.Batch(cmd, m.drafts.Follow())
}

// route handles the messages of the terminal and passes all others on to routeAnswer.
func (m *Model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		return m.paste(msg)
	case tea.MouseWheelMsg:
		return m.attempt(mousePart, func() tea.Cmd { return m.mouse.wheel(m, msg) })
	case tea.MouseClickMsg:
		return m.attempt(mousePart, func() tea.Cmd {
			m.mouse.press(m, msg)
			return nil
		})
	case tea.MouseMotionMsg:
		return m.attempt(mousePart, func() tea.Cmd { return m.mouse.drag(m, msg) })
	case tea.MouseReleaseMsg:
		return m.attempt(mousePart, func() tea.Cmd { return m.mouse.release(m, msg) })
	case edgeMsg:
		return m.mouse.scroll(m, msg)
	case tea.WindowSizeMsg:
		m.resize(msg.Width, msg.Height)
		return m.followRelated()
	case tea.BlurMsg:
		m.stage.unfocused = true
	case tea.SuspendMsg: // the end of a suspend, or the answer of a system that has none
		m.printer.Hidden = false
	case tea.FocusMsg, tea.ResumeMsg: // back from another window or the shell, perhaps from an editor
		m.stage.unfocused = false
		return m.LookAround()
	case tea.ModeReportMsg:
		if o := m.Theme.Options; msg.Mode == ansi.ModeUnicodeCore && msg.Value != ansi.ModeNotRecognized &&
			msg.Value != ansi.ModePermanentlyReset {
			o.Apart = false
			m.setTheme(o)
		}
	case tea.BackgroundColorMsg, tea.ColorProfileMsg:
		m.setTheme(m.Theme.Options.For(msg, m.opt.Themes.Fixed))
	case tea.QuitMsg:
		return leave(m)
	default:
		return m.routeAnswer(msg)
	}
	return nil
}

// resize arranges the screen for a terminal of w columns and h rows.
func (m *Model) resize(w, h int) {
	m.stage.w, m.stage.h, m.Rows = w, h, h
	m.broken = nil
	m.place()
	m.RefreshShelf()
}

// routeAnswer handles the messages of commands.
func (m *Model) routeAnswer(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case chatview.TurnMsg:
		switch {
		case msg.Ended || msg.Urgent():
			m.rails.Changed()
		case !msg.Of.Shown():
			m.drawing.version-- // it is not on the screen
		}
		return deliver(m, msg.Of, msg)
	case chatview.TickMsg:
		return tickTurn(m, msg)
	case page.Request:
		return m.carryOut(msg)
	case chatview.JobDone:
		return m.jobDone(msg)
	case desk.Message:
		return m.insertSavedPrompt(msg)
	case term.EditedText:
		return m.afterEditor(msg)
	case setup.OfferMsg:
		m.addModels(&msg)
		return m.toPage(msg)
	}
	cmd, taken := m.take(msg)
	if !taken {
		m.drawing.version--
	}
	return cmd
}

// take handles the messages of pages and of jobs of the screen and reports whether msg was one. All
// others go to the open page, which may have asked for them.
func (m *Model) take(msg tea.Msg) (cmd tea.Cmd, taken bool) {
	switch msg := msg.(type) {
	case *term.Fault:
		m.tellFault(msg)
		return nil, true
	case brokenPageWork:
		m.closeFor(msg)
		return nil, true
	case outcome:
		return m.attempt(answerPart, func() tea.Cmd { return msg.carryOut(&m.screenState) }), true
	case chatview.For:
		return deliver(m, msg.Chat, msg.Msg), true
	case chatview.Job:
		return m.Do(msg), true
	case chatview.Work:
		return m.Work(msg), true
	case chatview.TurnEnded:
		return turnEnded(m, msg), true
	case chatview.ChatsChanged:
		cmds := []tea.Cmd{m.listChats(""), closeIdle(m)}
		if msg.Say != "" {
			cmds = append(cmds, m.Say(msg.Say))
		}
		return tea.Batch(cmds...), true
	case welcome.Choose:
		return m.chooseStarter(int(msg)), true
	case showChat:
		return show(m, msg.chat), true
	case chatsMsg:
		return storeChats(m, msg), true
	case unsavedMsg:
		return m.offerUnsaved(msg.all, m.page == nil), true
	case leaveFor:
		if msg.vault.Dir != "" {
			m.opt.Service.Vaults.Open(msg.vault.Dir)
		}
		return tea.Quit, true
	case setup.UseTheme:
		return useTheme(m, msg.Name, msg.Keep), true
	case setup.Changed:
		return applySetting(m, &msg), true
	case setup.OpenVault:
		if q := m.leaveQuestion(msg); q != nil {
			return m.setPage(q), true
		}
		return m.take(leaveFor{msg})
	case review.Answer:
		m.presses.agreed = msg.Yes
		m.Turn.Answer(msg.Decision)
		return nil, true
	case review.AgreedChange:
		m.presses.agreed = true
		return m.Do(makeChange(msg)), true
	}
	if cmd, taken := m.takePart(msg); taken {
		return cmd, true
	}
	return m.toPage(msg), m.page != nil
}

// foundMsg brings the model that answers, if it was not known when the screen began.
type foundMsg struct{ FoundModel }

func (msg foundMsg) carryOut(k *screenState) tea.Cmd {
	o := &k.opt
	o.FirstRun.Provider, o.FirstRun.Model = msg.Provider, msg.Say
	for _, text := range msg.Notices {
		if slices.Contains(o.Notices, text) { // already shown at the start
			continue
		}
		o.Notices = append(o.Notices, text) // the welcome page shows them
		if k.Transcript.Len() > 0 {
			k.Turn.Notice(text)
		}
	}
	return tea.Batch(k.Do(chatview.Tell(func(d *desk.Place) { d.AdoptModel(msg.Was, &msg.Model) })), k.Forecast())
}

// serversMsg lists the model servers on this machine.
type serversMsg struct{ found []string }

func (msg serversMsg) carryOut(k *screenState) tea.Cmd {
	k.servers = msg.found
	return nil
}
