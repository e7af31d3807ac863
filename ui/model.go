package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/composer"
	"ibid/ui/inspector"
	"ibid/ui/theme"
	"ibid/ui/transcript"
)

// Model is the screen. It is the only tea.Model of the program.
type Model struct {
	opt  Options
	crew crew
	stage

	composer   *composer.Model
	transcript *transcript.Transcript
	inspector  *inspector.Model

	keys     keyMap
	sheet    sheet
	desk     deskQueue
	turn     turn
	estimate estimate
	attach   attach
	notes    notes
	chats    chats
	inspect  inspection
	find     find
	help     help
	toast    toast
	pressed  pressed
	offers   offers
}

// pressed is when a key was pressed that means more when it is pressed twice.
type pressed struct{ quit, back time.Time }

// offers is what commands found outside the vault.
type offers struct {
	models  []string // that can be chosen
	servers []string // that answer on this machine
}

// stage is the look of the screen: theme, size, and what was drawn last.
type stage struct {
	theme   theme.Theme
	painter *inspector.Painter
	w, h    int
	frame   frame
	rails   bool
	mouse   bool

	promptRows int // that the composer wanted when everything was placed

	version int // grows with each message that may change the view
	drawn   int // version of view
	view    tea.View
	sides   struct {
		version        int // grows with what the rails show beside the report
		context, chats rail
	}
}

// New makes a screen. It starts nothing: Init does, and what it starts ends with
// ctx, or with [Model.Close].
func New(ctx context.Context, o Options) *Model {
	m := &Model{
		opt: o, crew: newCrew(ctx), keys: newKeyMap(), find: newFind(),
		desk: deskQueue{seat: o.Desk}, stage: stage{rails: true, mouse: !o.NoMouse, drawn: -1},
		composer: composer.New(composer.Options{Theme: theme.New(o.Theme)}), transcript: transcript.New(transcript.Options{Now: o.Now}), inspector: inspector.New(inspector.Options{}),
	}
	m.desk.state.chat = o.Desk.Session().Snapshot()
	m.desk.state.active = o.Desk.Active()
	m.setTheme(o.Theme)
	return m
}

// Close ends everything that runs for the screen and waits for it. A turn that
// was running is saved as far as it came.
func (m *Model) Close() { m.crew.stop() }

// Init starts what the screen needs: the names of the vault, what the editor has
// open, the conversation on the desk. None of it holds up the first frame.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{
		m.errand(lookAround(m.opt.now())), m.errand(begun),
		m.crew.begin(scan(m.opt.Vault)), m.crew.begin(progress(m.opt.Vault)),
	}
	if !m.opt.KeepLook {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	if look := m.opt.FirstRun.Servers; look != nil {
		cmds = append(cmds, m.crew.begin(findServers(look)))
	}
	return tea.Batch(cmds...)
}

// Update hands a message to its handler, and gives the prompt the rows it wants.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.version++
	cmd := m.route(msg)
	if m.composer.Height() != m.promptRows {
		m.place()
	}
	return m, cmd
}

// route finds the handler of a message: of the terminal's here, of the answers
// of commands in the two routers below.
func (m *Model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		return m.paste(msg)
	case tea.MouseWheelMsg:
		return m.wheel(msg)
	case tea.MouseClickMsg:
		m.click(msg)
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
		m.place()
	case tea.FocusMsg: // back from another window: an editor, maybe
		return m.errand(lookAround(m.opt.now()))
	case tea.BackgroundColorMsg:
		m.background(msg)
	case tea.ColorProfileMsg:
		m.profile(msg)
	default:
		return m.answered(msg)
	}
	return nil
}

// answered routes what commands report about the conversation.
func (m *Model) answered(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case turnMsg:
		return m.turned(msg)
	case spinMsg:
		return m.spun(msg)
	case deskMsg:
		m.sides.version++
		return m.deskDone(msg)
	case turnReadyMsg:
		return m.runTurn(msg)
	case tightMsg:
		return m.tightened(msg)
	case openedMsg:
		return m.opened(msg)
	case toldMsg:
		return m.told(msg)
	case reckonMsg:
		return m.reckoned(msg)
	case previewedMsg:
		return m.previewed(msg)
	case lookAgainMsg:
		return m.lookedAgain(msg)
	case toastMsg:
		m.toast.expired(msg)
	case quitMsg:
		return tea.Quit
	case clipMsg:
		return tea.SetClipboard(msg.text)
	case draftFileMsg:
		return m.draftFile(msg)
	case editorDoneMsg:
		return m.editorDone(msg)
	case composedMsg:
		return m.composed(msg)
	case linkMsg:
		return m.openInEditor(msg.path)
	default:
		return m.learned(msg)
	}
	return nil
}

// learned routes what commands found out about the vault and the saved chats.
func (m *Model) learned(msg tea.Msg) tea.Cmd {
	m.sides.version++
	switch msg := msg.(type) {
	case scannedMsg:
		return m.scanned(msg)
	case progressMsg:
		return m.progressed(msg)
	case watchingMsg:
		return m.watching(msg)
	case batchMsg:
		return m.batched(msg)
	case chatsMsg:
		return m.chatsListed(msg)
	case searchMsg:
		return m.searched(msg)
	case foundMsg:
		return m.found(msg)
	case trashedMsg:
		return m.chatTrashed(msg)
	case modelsMsg:
		return m.listModels(msg)
	case serversMsg:
		m.offers.servers = msg.found
	case requestsMsg:
		return m.requested(msg)
	case bytesMsg:
		m.gotBytes(msg)
	case pageMsg:
		m.gotPage(msg)
	case priceMsg:
		m.priced(msg)
	default:
		m.version-- // not for us
		m.sides.version--
	}
	return nil
}
