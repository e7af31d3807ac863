package plain_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/ui/plain"
	"ibid/ui/theme"
)

// drawnReply is a reply with every kind of block that changes while it comes.
const drawnReply = "# Beds\n\nSome **bold words** that go on for more than one line, see [[Alpha]].\n\n" +
	"- one\n- two\n\n```go\nfunc main() {\n\tprintln(1)\n}\n```\n\n| a | b |\n|---|---|\n| long cell | c |\n\n> [!tip]- Folded\n> inside\n\nThe \x1b[2Jend.\n"

// TestDrawnReply: a reply on a terminal is rendered while it comes, nothing of it stands there
// twice, and a tool in between divides it.
func TestDrawnReply(t *testing.T) {
	for _, rows := range []int{6, 40} {
		screen := vt.NewEmulator(40, rows)
		var all strings.Builder
		r := newRig(t, notes)
		d := &plain.Drawing{
			Theme: theme.New(theme.Options{}), Width: 40, Rows: func() int { return rows },
			Address: func(s string) string { return "obsidian://open?file=" + s },
		}
		out := &plain.Output{Out: &r.out, Err: &r.out, Drawing: d}
		flush := func() {
			all.Write(r.out.Bytes())
			_, _ = screen.Write([]byte(strings.ReplaceAll(r.out.String(), "\n", "\r\n")))
			r.out.Reset()
		}
		for i := range len(drawnReply) {
			out.Event(t.Context(), chains.TextDelta{Text: drawnReply[i : i+1]})
			flush()
			if i == 40 && !strings.Contains(screen.String(), "bold words") {
				t.Errorf("%d rows: after 40 bytes\n%s", rows, screen.String())
			}
		}
		out.Event(t.Context(), chains.ToolStarted{Call: prompt.ToolCall{Name: "readNote"}})
		out.Event(t.Context(), chains.TextDelta{Text: "\n\nMore *text*."})
		out.Event(t.Context(), chains.Done{Finish: chains.FinishStop})
		flush()
		want := strings.TrimRight(ansi.Strip(d.Whole(drawnReply)), "\n") + "\nibid: tool: Reading\nMore text."
		got := strings.TrimRight(screen.String(), " \n")
		lines := strings.Split(want, "\n")
		if rows < len(lines) {
			lines = lines[len(lines)-rows+1:]
		}
		for i, line := range strings.Split(got, "\n")[:len(lines)] {
			is(t, strings.TrimRight(line, " "), strings.TrimRight(lines[i], " "), rows, i, line, lines[i], got)
		}
		if s := all.String(); strings.Contains(s, "\x1b[2J") || !strings.Contains(s, "\x1b]8;;obsidian://open?file=Alpha") {
			t.Errorf("%q", s)
		}
	}
}
