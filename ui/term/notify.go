package term

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
)

// Notify is a way to show a notification of the terminal when a reply has arrived.
type Notify string

// The ways to notify.
const (
	NotifyOSC9   Notify = "osc9"   // for iTerm2, kitty, WezTerm and Ghostty; the default
	NotifyOSC777 Notify = "osc777" // for foot, rxvt and GNOME's terminal
	NotifyBell   Notify = "bell"
	NotifyOff    Notify = "off"
)

// Show returns the command that shows a notification with a text.
func (n Notify) Show(text string) tea.Cmd {
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
