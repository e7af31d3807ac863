package ui

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"ibid/ui/inspector"
	"ibid/ui/theme"
)

func inspectorPainter(t theme.Theme) *inspector.Painter { return inspector.NewPainter(t) }

// lineStyles is the look of a line of text that is typed into.
func lineStyles(t theme.Theme) textinput.Styles {
	s := textinput.StyleState{Text: t.Styles.Text, Placeholder: t.Styles.Placeholder, Suggestion: t.Styles.Muted, Prompt: t.Styles.Accent}
	return textinput.Styles{Focused: s, Blurred: s}
}

// View is the screen. It is drawn once per version.
func (m *Model) View() tea.View {
	if m.drawn == m.version {
		return m.view
	}
	m.drawn = m.version
	v := tea.NewView(m.draw())
	v.Cursor = m.cursor()
	v.AltScreen, v.ReportFocus = true, true
	if m.mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	v.WindowTitle = "ibid " + m.theme.Glyphs.Dot + " " + m.title()
	m.view = v
	return v
}

// draw is the content of the screen, h rows of at most w columns.
func (m *Model) draw() string {
	switch {
	case m.w == 0:
		return ""
	case m.frame.tooSmall:
		return m.viewTooSmall()
	}
	switch m.sheet.kind {
	case inspectSheet:
		return m.withToast(m.inspector.View())
	case helpSheet:
		return m.viewHelp()
	case noSheet, attachSheet, commandSheet, fitSheet:
	default:
		return m.withToast(m.sheet.list.View())
	}
	f := &m.frame
	rows := make([]string, 0, m.h)
	if f.header.h > 0 {
		rows = append(rows, m.viewHeader()...)
	}
	rows = append(rows, m.viewBody()...)
	if f.find.h > 0 {
		rows = append(rows, m.viewFind())
	}
	if f.ribbon.h > 0 {
		ribbon := ""
		if m.estimate.report.Prompt > 0 || m.estimate.env != nil {
			ribbon = m.painter.Ribbon(&m.estimate.report, m.w)
		}
		rows = append(rows, ribbon)
	}
	switch {
	case m.keys.held:
		overlay(rows, m.viewLeader())
	case m.sheet.kind == fitSheet:
		overlay(rows, m.viewFit())
	case m.sheet.popup():
		overlay(rows, strings.Split(m.sheet.list.View(), "\n"))
	default:
		overlay(rows, m.viewLongToast())
	}
	rows = append(rows, strings.Split(m.composer.View(), "\n")...)
	return strings.Join(append(rows, m.viewStatus()), "\n")
}

func (m *Model) viewTooSmall() string {
	rows := make([]string, max(m.h, 1))
	rows[len(rows)/2] = clip("ibid needs 40 columns and 10 rows.", m.w, "")
	return strings.Join(rows, "\n")
}

// viewBody is the transcript between the rails.
func (m *Model) viewBody() []string {
	f := &m.frame
	var rows []string
	if m.empty() {
		rows = m.viewWelcome(f.body)
	} else {
		rows = strings.Split(m.transcript.View(), "\n")
	}
	if f.context.w == 0 {
		return rows
	}
	bar := m.theme.Styles.Border.Render(m.theme.Glyphs.Quote)
	right := m.viewContext()
	var left []string
	if f.chats.w > 0 {
		left = m.viewChats()
	}
	out := make([]string, len(rows))
	for i, row := range rows {
		line := pad(row, f.body.w) + bar + " " + right[i]
		if left != nil {
			line = left[i] + bar + line
		}
		out[i] = line
	}
	return out
}

// overlay puts a popup over the rows above the prompt.
func overlay(rows, popup []string) {
	from := len(rows) - len(popup)
	for i, line := range popup {
		if at := from + i; at >= 0 {
			rows[at] = line
		}
	}
}

// withToast puts what there is to say over the last row of a page.
func (m *Model) withToast(page string) string {
	toast := m.toastRows()
	if len(toast) == 0 {
		return page
	}
	rows := strings.Split(page, "\n")
	for i := range toast {
		toast[i] = m.bar(toast[i], "", m.w)
	}
	overlay(rows, toast)
	return strings.Join(rows, "\n")
}

// viewLongToast is what there is to say if one line is not enough.
func (m *Model) viewLongToast() []string {
	toast := m.toastRows()
	if len(toast) < 2 {
		return nil
	}
	rows := []string{m.crossRule(m.theme.Glyphs.Rule)}
	for _, line := range toast {
		rows = append(rows, m.bar(line, "", m.w))
	}
	return rows
}

// cursor is where the terminal's cursor stands, nil if nothing is typed into.
func (m *Model) cursor() *tea.Cursor {
	at := func(c *tea.Cursor, x, y int) *tea.Cursor {
		if c == nil {
			return nil
		}
		moved := *c
		moved.X, moved.Y = c.X+x, c.Y+y
		return &moved
	}
	switch {
	case m.w == 0 || m.frame.tooSmall || m.sheet.kind == helpSheet, m.sheet.kind == fitSheet:
		return nil
	case m.sheet.kind == inspectSheet:
		return m.inspector.Cursor()
	case m.sheet.kind != noSheet && !m.sheet.popup():
		return m.sheet.list.Cursor()
	case m.find.typing:
		return at(m.find.line.Cursor(), 1, m.frame.find.y)
	}
	return at(m.composer.Cursor(), 0, m.frame.composer.y)
}
