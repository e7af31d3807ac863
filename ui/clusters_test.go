package ui_test

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// terminalRows returns the rows of a frame on a terminal. If joins is true, the terminal draws
// joined characters as one; otherwise it draws each.
func terminalRows(frame string, w, h int, joins bool) (rows []string) {
	e := vt.NewEmulator(w, h)
	defer e.Close()
	if joins {
		_, _ = e.WriteString(ansi.SetModeUnicodeCore)
	}
	_, _ = e.WriteString("\x1b[?7l" + strings.ReplaceAll(frame, "\n", "\r\n"))
	for y := range h {
		var row strings.Builder
		for x := range w {
			switch c := e.CellAt(x, y); {
			case c == nil || c.Content == "" && c.Width == 1:
				row.WriteString(" ")
			default: // nothing for the second half of a wide character
				row.WriteString(c.Content)
			}
		}
		rows = append(rows, strings.TrimRight(row.String(), " "))
	}
	return rows
}

// TestJoinedEmoji: rows have the width that the terminal counts, on terminals that join the parts of an emoji and on
// others, which show its first part.
func TestJoinedEmoji(t *testing.T) {
	const said = "A 👨‍👩‍👧‍👦 family, 👩‍🌾 👍🏽 ❤️ 1️⃣ 🇫🇷 and שלום ends.\n\n| who | what |\n|---|---|\n| 👨‍👩‍👧‍👦 | four |\n| 👩‍🌾 | one |\n| no | none |\n\n> 🏳️‍🌈 quoted"
	playAt(t, 60, 24, replies(reply(said)), func(r *stage) {
		r.Ask("a 👨‍👩‍👧‍👦 prompt", "quoted")
		r.Type("now 👩‍👩‍👧 and 👍🏽 here")
		for _, joins := range []bool{false, true} {
			words := []string{
				"a 👨 prompt", "A 👨 family, 👩 👍 ❤  1⃣  🇫🇷 and שלום ends.", "🏳  quoted",
				"> now 👩 and 👍 here", " a 👨 prompt ", "Chats/a_👨_prompt",
			}
			if joins {
				r.Send(tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: ansi.ModeReset}) // it can count clusters
				words = []string{
					"a 👨‍👩‍👧‍👦 prompt", "A 👨‍👩‍👧‍👦 family, 👩‍🌾 👍🏽 ❤️ 1️⃣ 🇫🇷 and שלום ends.", "🏳️‍🌈 quoted",
					"> now 👩‍👩‍👧 and 👍🏽 here", " a 👨‍👩‍👧‍👦 prompt ",
				}
			}
			rows := terminalRows(r.Content(), 60, 24, joins)
			screen := strings.Join(rows, "\n")
			for _, want := range words {
				if !strings.Contains(screen, want) {
					r.Errorf("joins %v: %q is not on the screen:\n%s", joins, want, screen)
				}
			}
			width := ansi.StringWidthWc
			if joins {
				width = ansi.StringWidth
			}
			var borders []int
			for _, row := range rows {
				if at := strings.LastIndexAny(row, "│┐┤┘"); at >= 0 && strings.ContainsAny(row, "┼┌└") ||
					strings.Count(row, "│") == 3 {
					borders = append(borders, width(row[:at]))
				}
			}
			if len(borders) != 7 || len(slices.Compact(borders)) != 1 {
				r.Errorf("joins %v: the borders stand at %v:\n%s", joins, borders, screen)
			}
		}
	})
}
