package ui

import (
	tea "charm.land/bubbletea/v2"

	"ibid/ui/inspector"
	"ibid/ui/theme"
)

// wishOf is what the layout depends on now.
func wishOf(m *Model) wish {
	return wish{
		prompt: m.composer.Height(), rails: m.stage.wantRails, ribbon: m.k.estimate.heavy, find: m.k.find.open,
		queued: min(len(m.k.queue), mostQueued),
	}
}

// place arranges the screen and gives everything its size.
func (m *Model) place() {
	if m.stage.w == 0 {
		return
	}
	m.composer.SetWidth(m.stage.w)
	m.composer.SetMaxRows(promptRows(m.stage.h))
	m.composer.SetBoxed(m.stage.h >= tallHeight)
	m.stage.wish = wishOf(m)
	m.stage.frame = arrange(m.stage.w, m.stage.h, m.stage.wish)
	text := min(textColumn(m.stage.w), m.stage.frame.body.w)
	if m.stage.inline.on {
		text = min(text, m.stage.w-1) // what is as wide as the terminal is cut where it is printed
	}
	m.k.transcript.SetSize(text, m.stage.frame.body.h)
	if m.stage.inline.compact() {
		m.stage.frame = placeInline(m.stage.w, m.stage.h, m.stage.wish)
	}
	m.k.find.line.SetWidth(max(m.stage.w/2-8, 8))
	size := tea.WindowSizeMsg{Width: m.stage.w, Height: m.stage.h}
	if overPrompt(m.page) {
		size.Height = m.stage.frame.popup.h
	}
	m.toPage(size)
}

// setTheme gives everything its look.
func (m *Model) setTheme(o theme.Options) {
	if o == m.k.theme.Options && m.k.painter != nil {
		return
	}
	m.k.theme = theme.New(o)
	m.composer.SetTheme(m.k.theme)
	for _, c := range append(m.k.others, m.k.conversation) {
		c.setTheme(&m.k.theme)
	}
	m.k.painter = inspector.NewPainter(m.k.theme)
	m.toPage(refreshMsg{})
}

// lookOf is the look that goes with what the terminal says of its background, or
// of what it can show.
func lookOf(o theme.Options, msg tea.Msg) theme.Options {
	switch msg := msg.(type) {
	case tea.BackgroundColorMsg:
		o.Dark = msg.IsDark()
	case tea.ColorProfileMsg:
		switch msg.Profile.String() {
		case "ANSI256":
			o.Profile = theme.ANSI256
		case "ANSI":
			o.Profile = theme.ANSI16
		case "Ascii", "NoTTY":
			o.NoColor = true
		}
	}
	return o
}
