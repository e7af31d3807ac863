package uitest

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// HostileLink is the URL of a link that only an escape sequence in foreign text can make.
const HostileLink = "obsidian://open?vault=hostile"

// sequences are characters and escape sequences in foreign text that act on a terminal.
var sequences = []string{
	"\x1b]52;c;aG9zdGlsZQ==\a", "\x1b]52;c;aG9zdGlsZQ==\x1b\\", "\x1b]0;hostile\a", "\x1b]2;hostile\x1b\\", "\x1bc",
	"\x1b[!p", "\x1b[2J", "\x1b[H",
	"\x1b[8mhidden", "\x1b[5mblinking", "\x1b]8;;" + HostileLink + "\ahere\x1b]8;;\a", "\x1bP$q\x1b\\",
	"\x1b_x\x1b\\", "\x1b^x\x1b\\",
	"\u009b2J", "\u009d52;c;aG9zdGlsZQ==\u009c", "\x9b8m", "\x9d0;hostile\x07", "\r", "\b\b\b", "\x00", "\x7f",
	"\v", "\f", "\x0e",
	"\x16", "\x17", "\x19", "\x1a", "\x1c", "\x1d", "\x1e", "\x1f", "\u202e", "\u2066", "\u2028", "\u0085",
}

// spellings are ways to write a character in Markdown.
var spellings = []func(r rune) string{
	func(r rune) string { return string(r) },
	func(r rune) string { return fmt.Sprintf("&#%d", r) },
	func(r rune) string { return fmt.Sprintf("&#%d;", r) },
	func(r rune) string { return fmt.Sprintf("&#%07d;", r) },
	func(r rune) string { return fmt.Sprintf("&#x%x", r) },
	func(r rune) string { return fmt.Sprintf("&#x%X;", r) },
	func(r rune) string { return fmt.Sprintf("&#X%06x;", r) },
	func(r rune) string { return fmt.Sprintf("&amp;#%d;", r) },
	func(r rune) string { return fmt.Sprintf(`\&#%d;`, r) },
	func(r rune) string { return fmt.Sprintf("&amp#%d", r) },
	func(r rune) string { return fmt.Sprintf("%%%02x", byte(r)) },
	func(r rune) string { return fmt.Sprintf(`\x%02x`, byte(r)) },
	func(r rune) string { return fmt.Sprintf(`\u%04x`, r) },
}

// Carriers are Markdown texts with %s in every place where foreign text can stand.
var Carriers = []string{
	"%s", "# %s", "###### %s", "%s\n===", "a **%s** b", "a _%s_ b", "~~%s~~", "==%s==", "==a **%s** b==", "- %s",
	"1. %s", "- [ ] %s", "> %s", "> [!note] %s",
	"> [!%s] title", "> [!tip]- a\n> %s", "`%s`", "```\n%s\n```", "```%s\ncode\n```", "```go\n// %s\n```",
	"~~~ %s\ncode\n~~~", "    %s",
	"[%s](https://example.org)", "[text](https://example.org/%s)", "[text](<https://example.org/%s>)",
	`[text](https://example.org "%s")`, "[text](%s)", "[text](note%s.md)",
	"[text][r]\n\n[r]: https://example.org/%s '%s'", "[%s]\n\n[%s]: https://example.org", "![%s](a.png)",
	"![alt](https://example.org/%s.png)", "![alt](%s.png)", `![alt](a.png "%s")`,
	"![alt](data:image/png,%s)", "![[%s.png|100]]", "[[%s]]", "[[note|%s]]", "[[note#%s]]", "![[%s]]",
	"==[[note|%s]]==", "**[[note|%s]]**", "<https://example.org/%s>", "<%s@example.org>", "https://example.org/%s",
	"www.example.org/%s", "text[^1]\n\n[^1]: %s", "text[^%s]\n\n[^%s]: note",
	"| %s | b |\n|---|---|\n| c | %s |", "| [%s](https://example.org/%s) |\n|---|\n| ==%s== |",
	"<a href='%s'>text</a>", "a <b title=\"%s\">%s</b>", "<div>\n%s\n</div>", "<!-- %s -->", "a <!-- %s --> b",
	"<kbd>%s</kbd>", "<details><summary>%s</summary>\n\n%s\n\n</details>",
	"<details open>\n<summary>a</summary>\n\n[%s](https://example.org)\n</details>", "$%s$", "$a^{%s}$",
	"$$\n\\text{%s}\n$$", `\(%s=1\)`, `\[%s_1\]`, "%%%%%s%%%%", "#tag%s", "Term %s\n: meaning %s",
	"---\ntitle: %s\n---\n\ntext", "- [%s] task", "a\\\n%s", "<br>%s", "a&nbsp;%s&copy;", "[1]%s", "*%s",
	"**[%s", "`%s", "[[%s", "%s\n---\n> - `%s`",
}

// Spell returns one of the sequences in one of the spellings.
func Spell(t *rapid.T) string {
	var b strings.Builder
	spell := rapid.SampledFrom(spellings).Draw(t, "spelling")
	wanted := rapid.SampledFrom(sequences).Draw(t, "sequence")
	for i, r := range wanted {
		switch {
		case r == utf8.RuneError:
			b.WriteByte(wanted[i])
		case r > ' ' && r < 0x7f:
			b.WriteRune(r)
		default:
			b.WriteString(spell(r))
		}
	}
	return b.String()
}

// HostileMarkdown returns one of the Carriers with a hostile sequence.
func HostileMarkdown(t *rapid.T) string {
	return strings.ReplaceAll(strings.ReplaceAll(rapid.SampledFrom(Carriers).Draw(t, "carrier"), "%s",
		Spell(t)), "%%", "%")
}

// AllHostile returns all Carriers, each with a hostile sequence.
func AllHostile(t *rapid.T) string {
	parts := make([]string, len(Carriers))
	for i, carrier := range Carriers {
		parts[i] = strings.ReplaceAll(strings.ReplaceAll(carrier, "%s", Spell(t)), "%%", "%")
	}
	return strings.Join(parts, "\n\n")
}

// ForeignSequence returns the first part of a drawn row, quoted, that is neither text nor a style nor a
// hyperlink of the program; "" for none.
func ForeignSequence(row string) string {
	state := byte(0)
	for len(row) > 0 {
		seq, w, n, next := ansi.DecodeSequence(row, state, nil)
		state = next
		style := strings.HasPrefix(seq, "\x1b[") && strings.HasSuffix(seq, "m") && !hides(seq[2:len(seq)-1])
		rest, link := strings.CutPrefix(seq, "\x1b]8;")
		_, address, _ := strings.Cut(rest, ";")
		link = link && !strings.HasPrefix(address, HostileLink)
		if w == 0 && !style && !link && strings.ContainsFunc(seq, acts) {
			return fmt.Sprintf("%q", seq)
		}
		row = row[n:]
	}
	return ""
}

// acts reports whether terminals act on a character.
func acts(r rune) bool {
	return unicode.IsControl(r) || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// hides reports whether a style makes text blink or invisible.
func hides(params string) bool {
	all := strings.FieldsFunc(params, func(r rune) bool { return r == ';' })
	for len(all) > 0 {
		skip := 1
		switch {
		case slices.Contains([]string{"38", "48", "58"}, all[0]) && len(all) > 1:
			if skip = 3; all[1] == "2" {
				skip = 5
			}
		case slices.Contains([]string{"5", "6", "8"}, all[0]):
			return true
		}
		all = all[min(skip, len(all)):]
	}
	return false
}
