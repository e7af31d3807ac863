package ui

import (
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"ibid/ui/composer"
	"ibid/ui/theme"
	"ibid/ui/transcript"
)

// quitTime is how soon the second ctrl+c must follow the first.
const quitTime = 2 * time.Second

// key gives a key to whoever it is for: what is open, the bindings of the
// screen, the prompt.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	name := msg.String()
	if name == "ctrl+c" {
		return m.interrupt()
	}
	m.pressed.quit = time.Time{}
	if name != "esc" {
		m.pressed.back = time.Time{}
	}
	if m.keys.held {
		return m.leader(msg)
	}
	if m.sheet.kind != noSheet {
		if cmd, taken := m.sheetKey(msg); taken {
			return cmd
		}
	}
	switch {
	case m.find.typing:
		m.findKey(msg)
		return nil
	case key.Matches(msg, m.keys.lead):
		m.keys.held = true
		return nil
	case name == "esc":
		return m.escape()
	case name == "alt+esc": // two that came as one
		m.escape()
		return m.escape()
	case !m.composer.Focused():
		if b := m.keys.find(msg, inTranscript); b != nil {
			return b.run(m)
		}
		return nil
	}
	return m.promptKey(msg, name)
}

// promptKey is a key while the prompt has the cursor.
func (m *Model) promptKey(msg tea.KeyPressMsg, name string) tea.Cmd {
	switch {
	case name == "ctrl+d" && m.composer.Empty():
		return tea.Quit
	case name == "up" && m.recall():
		return nil
	case name == "ctrl+o" && m.composer.ExpandPaste():
		return nil
	}
	if b := m.keys.find(msg, inPrompt); b != nil {
		return b.run(m)
	}
	return m.wrote(m.composer.Update(msg))
}

// wrote follows what came of a key in the prompt.
func (m *Model) wrote(a composer.Action) tea.Cmd {
	var cmd tea.Cmd
	switch a.Kind {
	case composer.Ignored:
		return nil
	case composer.Submit:
		cmd = m.submit()
	case composer.Edited:
		cmd = m.edited()
	case composer.RemoveChip:
		cmd = m.removeChip(a.Chip)
	case composer.CycleChip:
		if a.Chip == activeID {
			cmd = m.cycleActive()
		}
	case composer.Moved:
	}
	m.followTrigger()
	return cmd
}

// leader acts on the second key behind the leader key.
func (m *Model) leader(msg tea.KeyPressMsg) tea.Cmd {
	m.keys.held = false
	if b := m.keys.second(msg); b != nil {
		if m.sheet.kind != noSheet {
			m.closeSheet()
		}
		return b.run(m)
	}
	if msg.String() == "esc" {
		return nil
	}
	return m.say(m.keys.lead.Help().Key + " " + msg.String() + " means nothing")
}

// escape closes what is open, else stops the reply, else goes back to the prompt.
// Pressed twice with nothing to leave, it lists what can be gone back to.
func (m *Model) escape() tea.Cmd {
	_, chip := m.composer.Chip()
	idle := m.composer.Focused() && m.composer.Empty() && !chip && !m.find.open && !m.turn.running()
	if now := m.opt.now(); idle {
		if now.Sub(m.pressed.back) < backTime {
			m.pressed.back = time.Time{}
			return m.openRewind()
		}
		m.pressed.back = now
	}
	switch {
	case m.find.open:
		m.find.close(m.transcript)
		m.place()
		m.focusComposer()
	case m.turn.running():
		m.turn.cancel() // what came is kept
	case !m.composer.Focused():
		m.focusComposer()
	case m.toast.text != "":
		m.toast.text = ""
	default:
		m.wrote(m.composer.Update(tea.KeyPressMsg{Code: tea.KeyEscape}))
	}
	return nil
}

// interrupt clears the prompt, or quits when pressed again soon. The text that
// was cleared is the newest of the prompt's history.
func (m *Model) interrupt() tea.Cmd {
	now := m.opt.now()
	if !m.pressed.quit.IsZero() && now.Sub(m.pressed.quit) < quitTime {
		return tea.Quit
	}
	m.pressed = pressed{quit: now}
	m.keys.held = false
	if m.sheet.kind != noSheet {
		m.closeSheet()
	}
	text := "ctrl+c again quits; the chat is saved"
	if !m.composer.Empty() {
		m.composer.Take()
		m.attach.picked = nil
		text = "cleared: " + m.theme.Glyphs.Up + " brings it back; ctrl+c again quits"
	}
	m.refreshShelf()
	return m.say(text)
}

func (m *Model) paste(msg tea.PasteMsg) tea.Cmd {
	switch {
	case m.sheet.kind != noSheet && !m.sheet.popup():
		return m.sheetPaste(msg)
	case m.find.typing:
		m.findType(msg)
		return nil
	}
	m.focusComposer()
	return m.wrote(m.composer.Update(msg))
}

// wheel scrolls what is under the pointer: the list that is open, or the
// transcript.
func (m *Model) wheel(msg tea.MouseWheelMsg) tea.Cmd {
	by, code := 3, tea.KeyDown
	if msg.Button == tea.MouseWheelUp {
		by, code = -3, tea.KeyUp
	}
	if m.sheet.kind == noSheet || m.sheet.popup() {
		m.transcript.ScrollBy(by)
		return nil
	}
	cmd, _ := m.sheetKey(tea.KeyPressMsg{Code: code})
	return cmd
}

func (m *Model) click(msg tea.MouseClickMsg) {
	if m.sheet.kind != noSheet {
		return
	}
	switch y := msg.Y; {
	case m.frame.composer.has(msg.X, y):
		m.focusComposer()
	case m.frame.body.has(msg.X, y):
		m.toTranscript()
	}
}

func (r rect) has(x, y int) bool { return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h }

func (m *Model) focusComposer() { m.composer.Focus() }

func (m *Model) toPrompt() tea.Cmd {
	m.focusComposer()
	return nil
}

func (m *Model) toTranscript() tea.Cmd {
	if m.transcript.Len() > 0 {
		m.composer.Blur()
	}
	return nil
}

func (m *Model) toggleThinking() tea.Cmd {
	m.transcript.ToggleAll()
	return nil
}

func (m *Model) toggleRails() tea.Cmd {
	m.rails = !m.rails
	m.place()
	if m.w < oneRail || m.h < lowHeight {
		return m.say("rails need 100 columns and 20 rows")
	}
	return nil
}

func (m *Model) toggleMouse() tea.Cmd {
	m.mouse = !m.mouse
	if m.mouse {
		return m.say("the wheel scrolls here; F9 leaves the mouse to the terminal")
	}
	return m.say("the terminal has the mouse: select as usual; F9 takes it back")
}

func (m *Model) undo() tea.Cmd { return m.errand(command("/undo")) }
func (m *Model) redo() tea.Cmd { return m.errand(command("/redo")) }

func (m *Model) copyText(text, what string) tea.Cmd {
	return tea.Batch(tea.SetClipboard(text), m.say("copied: "+what))
}

func (m *Model) copyMessage() tea.Cmd {
	if msg, ok := m.transcript.Selected(); ok {
		return m.copyText(msg.Text, "the message, "+theme.Plural(strings.Count(msg.Text, "\n")+1, "line"))
	}
	return nil
}

func (m *Model) copyLast() tea.Cmd {
	m.transcript.Bottom()
	return m.copyMessage()
}

// copyCode copies the last code block of the chosen message.
func (m *Model) copyCode() tea.Cmd {
	msg, ok := m.transcript.Selected()
	if !ok {
		return nil
	}
	code, ok := lastFence(msg.Text)
	if !ok {
		return m.say("there is no code block in this message")
	}
	return m.copyText(code, "the code block, "+theme.Plural(strings.Count(code, "\n"), "line"))
}

// lastFence is the content of the last fenced block of a text.
func lastFence(text string) (string, bool) {
	var block, last strings.Builder
	found, fence := false, ""
	for line := range strings.Lines(text) {
		t := strings.TrimSpace(line)
		switch {
		case fence == "" && (strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~")):
			fence = t[:len(t)-len(strings.TrimLeft(t, t[:1]))]
			block.Reset()
		case fence != "" && strings.HasPrefix(t, fence) && strings.Trim(t, fence[:1]) == "":
			fence, found = "", true
			last.Reset()
			last.WriteString(block.String())
		case fence != "":
			block.WriteString(line)
		}
	}
	return last.String(), found
}

// editSelected takes the chosen message of the person back into the prompt.
func (m *Model) editSelected() tea.Cmd {
	if m.turn.running() {
		return m.complain("a reply is still being written: esc stops it")
	}
	msg, ok := m.transcript.Selected()
	if !ok || msg.Role != transcript.You {
		return m.say("choose a message of yours: [ and ] go from one to the next")
	}
	for k, id := range m.turn.prompts {
		if id == msg.ID {
			return m.errand(editMessage(k, msg.Text, k == len(m.turn.prompts)-1))
		}
	}
	return nil
}

// place arranges the screen and gives everything its size.
func (m *Model) place() {
	if m.w == 0 {
		return
	}
	m.composer.SetWidth(m.w)
	m.composer.SetMaxRows(promptRows(m.h))
	m.promptRows = m.composer.Height()
	m.frame = arrange(m.w, m.h, wish{prompt: m.promptRows, rails: m.rails, find: m.find.open})
	text := m.frame.body.w
	if m.frame.context.w > 0 {
		text-- // so that nothing touches the rail
	}
	m.transcript.SetSize(text, m.frame.body.h)
	m.inspector.SetSize(m.w, m.h)
	m.find.line.SetWidth(max(m.w/2-8, 8))
	if m.sheet.kind == helpSheet { // its columns depend on the width
		m.help.lines = m.helpLines()
		m.help.settle(m.h)
	}
	if l := m.sheet.list; l != nil {
		if m.sheet.popup() {
			p := m.frame.popup
			l.SetSize(p.w, min(l.Wanted(p.h), p.h))
		} else {
			l.SetSize(m.w, m.h)
		}
	}
}

// setTheme gives everything its look.
func (m *Model) setTheme(o theme.Options) {
	m.theme = theme.New(o)
	m.composer.SetTheme(m.theme)
	m.transcript.SetTheme(m.theme)
	m.inspector.SetTheme(m.theme)
	m.painter = inspectorPainter(m.theme)
	if m.sheet.list != nil {
		m.sheet.list.SetTheme(m.theme)
	}
	m.find.line.SetStyles(lineStyles(m.theme))
}

func (m *Model) toggleDark() tea.Cmd {
	o := m.theme.Options
	o.Dark = !o.Dark
	m.opt.KeepLook = true
	m.setTheme(o)
	return nil
}

// background follows the terminal's background.
func (m *Model) background(msg tea.BackgroundColorMsg) {
	if o := m.theme.Options; !m.opt.KeepLook && o.Dark != msg.IsDark() {
		o.Dark = msg.IsDark()
		m.setTheme(o)
	}
}

// profile follows what the terminal can show.
func (m *Model) profile(msg tea.ColorProfileMsg) {
	if m.opt.KeepLook {
		return
	}
	o := m.theme.Options
	switch msg.Profile.String() {
	case "ANSI256":
		o.Profile = theme.ANSI256
	case "ANSI":
		o.Profile = theme.ANSI16
	case "Ascii", "NoTTY":
		o.NoColor = true
	}
	if o != m.theme.Options {
		m.setTheme(o)
	}
}
