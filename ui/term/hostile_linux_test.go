package term_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"ibid/chains/chaintest"
	"ibid/ui/uitest"
	"ibid/vault/vaulttest"
)

// actsOnTerminals finds what a terminal acts on, but for ends of lines.
var actsOnTerminals = regexp.MustCompile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]|\u0085|\u009b|\u009d|\u202e|\u2066|\r[^\r\n]")

// wantedByText finds the sequences that hostile texts want to reach a terminal, among
// those of the screen.
var wantedByText = regexp.MustCompile(`\x1b\]52|\x1b\][0-2];[^\x07\x1b]*hostile|\x1bc|\x1b\[!p|\x1b\[([0-9;]*;)?[58]m|\x1bP\$q\x1b|\x1b[_^]x|` + regexp.QuoteMeta("\x1b]8;;"+uitest.HostileLink))

// TestHostileOnTerminal: sequences that terminals act on, in a reply, a note and a saved chat,
// never reach the terminal.
func TestHostileOnTerminal(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	for name, c := range map[string]struct {
		args  []string
		steps []string // what to wait for and what to type then, in turn
		bad   *regexp.Regexp
	}{
		"ask":        {[]string{"ask", "--model", "test-model", "--chain", "chat", "what is in @Odd?"}, nil, wantedByText},
		"chats show": {[]string{"chats", "show", "Odd talk"}, nil, wantedByText},
		"line mode": {
			[]string{"--plain", "--model", "test-model", "--chain", "chat"},
			[]string{"> ", "what is in @Odd?\r", "the very end", "\x04"},
			actsOnTerminals,
		},
		"inline": {inlineArgs, []string{
			"Ask your vault", "what is in @Odd?\r", noProgress, "/open Odd talk\r",
			"27 Odd", "\x15\x04",
		}, wantedByText},
		"screen": {
			[]string{"--model", "test-model"},
			[]string{
				"Ask your vault", "what is in @Odd?\r", noProgress, "/open Odd talk\r", "27 Odd",
				"\x15\x04",
			},
			wantedByText,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc := ""
			for seed := range 5 {
				doc += rapid.Custom(uitest.AllHostile).Example(seed) + "\n\n"
			}
			doc += "the very end"
			dir := newVault(t)
			for file, text := range map[string]string{
				"Odd.md": doc, "Chats/Odd talk.md": "---\nepoch: 1727129880000\ntags:\n  - copilot-conversation\n---\n\n**user**: " + doc + "\n\n27 Odd\n[Timestamp: 2024/09/23 22:18:00]\n\n**ai**: " +
					doc + "\n\n27 Odd\n[Timestamp: 2024/09/23 22:18:05]\n",
			} {
				file = filepath.Join(dir, file)
				check(t, os.MkdirAll(filepath.Dir(file), 0o755))
				text = strings.ToValidUTF8(text, "\uFFFD") // else it is no text, and not shown
				check(t, os.WriteFile(file, []byte(text), 0o644))
			}
			server := chaintest.NewServer(t, chaintest.Options{Answers: []chaintest.Answer{{Text: doc}}})
			var screen *emulator
			if c.bad == wantedByText {
				screen = newEmulator(80, 24)
			}
			p := startTerminal(t, screen, dir, server.URL(), c.args...)
			for i := 0; i < len(c.steps); i += 2 {
				p.waitFor(c.steps[i])
				p.keys(c.steps[i+1])
			}
			p.ends(0)
			out := p.out.String()
			if !strings.Contains(out, "the very end") {
				t.Errorf("it is not shown to its end:\n%q", out)
			}
			// of the line that is edited
			out = strings.NewReplacer(ansi.SetModeBracketedPaste, "", ansi.ResetModeBracketedPaste, "").Replace(out)
			if at := c.bad.FindStringIndex(out); at != nil {
				t.Errorf("%q reached the terminal in %q", out[at[0]:at[1]], out[max(at[0]-60, 0):min(at[1]+40, len(out))])
			}
		})
	}
}
