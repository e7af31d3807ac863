package ui

import (
	tea "charm.land/bubbletea/v2"

	"ibid/ui/chatview"
	"ibid/ui/rails"
	"ibid/ui/scrollback"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/ui/transcript"
)

// View implements tea.Model. It draws once per version and returns the last frame otherwise.
func (m *Model) View() (v tea.View) {
	if v = m.drawing.view; m.drawing.drawn == m.drawing.version {
		return v
	}
	defer m.Tasks.Catch()
	m.drawing.drawn = m.drawing.version
	if m.printer.Hidden {
		m.drawing.view = tea.NewView("")
		return m.drawing.view
	}
	s := screenOf(m)
	cursor := m.drawParts(&s)
	content := theme.StripMarks(m.mouse.area.Painted(m.drawing.marked))
	if m.Theme.Options.Apart {
		content = theme.SeparateEmoji(content)
	}
	v = tea.NewView(content)
	v.Cursor = cursor
	if v.Cursor != nil && m.Theme.Options.Still {
		steady := *v.Cursor
		steady.Blink = false
		v.Cursor = &steady
	}
	v.AltScreen, v.ReportFocus = !s.compact, true
	if m.stage.mouse && !s.compact {
		v.MouseMode = tea.MouseModeCellMotion
	}
	v.WindowTitle = s.Glyphs.Dotted("ibid", term.Clip(s.name(), max(s.Width/2, 20), s.Glyphs.Ellipsis))
	if len(m.running()) > 0 {
		v.WindowTitle = m.Theme.Glyphs.Spinner[0] + " " + v.WindowTitle
		if !m.Theme.Options.Still { // terminals animate it
			v.ProgressBar = tea.NewProgressBar(tea.ProgressBarIndeterminate, 0)
		}
	}
	m.drawing.view = v
	return v
}

// drawParts draws the screen and returns its cursor. It draws again without the parts that failed, of which there are
// fewer each time.
func (m *Model) drawParts(s *screen) (cursor *tea.Cursor) {
	for {
		m.drawing.marked = s.draw()
		cursor = s.cursor()
		if len(s.faults) == 0 {
			return cursor
		}
		m.takeAwayBroken(s.faults)
		*s = screenOf(m)
	}
}

// screenOf returns the values to draw a frame from.
func screenOf(m *Model) screen {
	return screen{
		screenState: &m.screenState, Pen: m.Pen(m.stage.w), h: m.stage.h, frame: m.stage.frame,
		rails: m.rails, focus: m.focus(), page: m.page, toast: m.toast.Toast, selected: m.mouse.chat,
		compact: m.printer.Compact(), printed: m.printer.Printed(), broken: m.broken,
	}
}

// needsOf returns the current needs of the parts.
func needsOf(m *Model) needs {
	return needs{
		prompt: m.Composer.Height(), rails: m.stage.wantRails && !m.printer.Compact(), ribbon: m.Estimate.Heavy,
		find: m.Find.Open, queued: min(len(m.Queue), chatview.MaxQueued), chat: m.Desk.Chat.Path,
	}
}

// place arranges the screen and sets the size of every part.
func (m *Model) place() {
	if m.stage.w == 0 {
		return
	}
	m.Composer.SetWidth(m.stage.w)
	m.Composer.SetMaxRows(promptRows(m.stage.h))
	m.Composer.SetBoxed(m.stage.h >= chatview.TallHeight)
	m.stage.needs = needsOf(m)
	m.stage.frame = arrange(m.stage.w, m.stage.h, m.stage.needs)
	m.rails.Follow(m.Chats.Kept, m.stage.needs.chat, false)
	m.rails.SetSize(rails.Chats, m.stage.frame.chats.W, m.stage.frame.chats.H)
	m.rails.SetSize(rails.Context, m.stage.frame.context.W, m.stage.frame.context.H)
	text := min(textColumn(m.stage.w), m.stage.frame.body.W)
	wide := text
	switch f := &m.stage.frame; {
	case m.printer.On:
		text = min(text, m.stage.w-1) // a line as wide as the terminal is cut when it is printed
		wide = text
	case m.stage.w >= wideCode:
		if f.context.W == 0 {
			f.indent = (m.stage.w - text) / 2
		}
		wide = f.body.W - f.indent - 1
	}
	transcript.SetColumns(m.Transcript, wide, m.stage.frame.body.H, text)
	if f := &m.stage.frame; m.printer.Compact() { // only the rows from the queue down are drawn
		f.popup.H = m.stage.h - scrollback.Rows(m.stage.h) - f.queue.H - f.ribbon.H - f.composer.H - f.status.H
	}
	m.Find.Line.SetWidth(max(m.stage.w/2-10, 8))
	size := tea.WindowSizeMsg{Width: m.stage.w, Height: m.stage.h}
	if overPrompt(m.page) {
		size.Height = m.stage.frame.popup.H
	}
	m.toPage(size)
}
