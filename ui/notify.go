package ui

import (
	"strings"
	"time"
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

// longReply is how long a reply takes before its end is worth a notification.
const longReply = 10 * time.Second

// notify tells something about the turn of a chat, if the user is likely to be elsewhere:
// the reply took long, and another window is in front.
func notify(m *Model, t *turn, text string) tea.Cmd {
	if !m.stage.behind || m.k.opt.now().Sub(t.began) < longReply {
		return nil
	}
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == ';' {
			return ' '
		}
		return r
	}, text)
	switch m.k.opt.Terminal.Notify {
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
