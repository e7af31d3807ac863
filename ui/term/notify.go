package term

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
)

// Notify is how the terminal tells that a reply is there.
type Notify string

// The ways to tell it.
const (
	NotifyOSC9   Notify = "osc9"   // as iTerm2, kitty, WezTerm and Ghostty understand it; the default
	NotifyOSC777 Notify = "osc777" // as foot, rxvt and GNOME's terminal do
	NotifyBell   Notify = "bell"
	NotifyOff    Notify = "off"
)

// Tell is the command that has the terminal tell a text.
func (n Notify) Tell(text string) tea.Cmd {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == ';' {
			return ' '
		}
		return r
	}, text)
	switch n {
	case NotifyOff:
		return nil
	case NotifyBell:
		return tea.Raw("\a")
	case NotifyOSC777:
		return tea.Raw("\x1b]777;notify;ibid;" + text + "\a")
	default:
		return tea.Raw("\x1b]9;ibid: " + text + "\a")
	}
}
