package composer_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/composer"
	"ibid/ui/theme"
)

// TestVim: keys of vi on a text. The cursor stands at the | of it, and behind the keys
// at that of what is wanted; \n in keys is esc.
func TestVim(t *testing.T) {
	rows := []struct{ text, keys, want string }{
		{"one t|wo", "h", "one |two"},
		{"one t|wo", "l", "one tw|o"},
		{"one t|wo", "lll", "one tw|o"},
		{"on|e\ntwo", "j", "one\ntw|o"},
		{"one\ntw|o", "k", "on|e\ntwo"},
		{"one\ntw|o", "gg", "|one\ntwo"},
		{"o|ne\n  two", "G", "one\n  |two"},
		{"one\ntw|o\nx", "1G", "|one\ntwo\nx"},
		{"|one two.three", "w", "one |two.three"},
		{"|one two.three", "ww", "one two|.three"},
		{"|one two.three", "3w", "one two.|three"},
		{"|one\ntwo", "w", "one\n|two"},
		{"one two.thre|e", "b", "one two.|three"},
		{"one |two", "b", "|one two"},
		{"|one two", "e", "on|e two"},
		{"on|e two", "e", "one tw|o"},
		{"  one| two", "0", "|  one two"},
		{"  one| two", "^", "  |one two"},
		{"|one two", "$", "one tw|o"},
		{"|one two", "fw", "one t|wo"},
		{"|one two", "tw", "one |two"},
		{"one tw|o", "Fn", "o|ne two"},
		{"o|ne", "iX\n", "o|Xne"},
		{"  o|ne", "IX\n", "  |Xone"},
		{"o|ne", "aX\n", "on|Xe"},
		{"o|ne", "AX\n", "one|X"},
		{"o|ne\ntwo", "oX\n", "one\n|X\ntwo"},
		{"one\nt|wo", "OX\n", "one\n|X\ntwo"},
		{"o|ne", "x", "o|e"},
		{"o|ne two", "3x", "o|two"},
		{"on|e", "x", "o|n"},
		{"on|e", "X", "o|e"},
		{"one\nt|wo\nx", "dd", "one\n|x"},
		{"one\nt|wo\nx", "2dd", "|one"},
		{"on|e", "dd", "|"},
		{"o|ne two", "D", "|o"},
		{"one\nt|wo", "ccX\n", "one\n|X"},
		{"o|ne two", "CX\n", "o|X"},
		{"o|ne two", "sX\n", "o|Xe two"},
		{"o|ne two", "SX\n", "|X"},
		{"o|ne", "rX", "o|Xe"},
		{"|one", "2rX", "X|Xe"},
		{"|one two three", "dw", "|two three"},
		{"|one two three", "d2w", "|three"},
		{"|one two three", "2dw", "|three"},
		{"one |two\nx", "dw", "one| \nx"},
		{"one tw|o three", "db", "one |o three"},
		{"|one two", "de", "| two"},
		{"o|ne two", "d0", "|ne two"},
		{"o|ne two", "d$", "|o"},
		{"one t|wo three", "diw", "one | three"},
		{"one t|wo three", "ciwX\n", "one |X three"},
		{"|one two", "cwX\n", "|X two"},
		{"|one two three", "c2wX\n", "|X three"},
		{"|one two", "dtw", "|wo"},
		{"one\nt|wo\nx", "dj", "|one"},
		{"one\nt|wo\nx", "dgg", "|x"},
		{"one\nt|wo\nx", "dG", "|one"},
		{"|one two", "ywP", "one| one two"},
		{"|one", "yyp", "one\n|one"},
		{"one\nt|wo", "yyP", "one\n|two\ntwo"},
		{"|one two", "dwp", "tone| wo"},
		{"|one", "x3p", "noo|oe"},
		{"|one two", "xxu", "|ne two"},
		{"|one two", "xxuu", "|one two"},
		{"|one two", "xuR", "|ne two"},
		{"|one two", "cwX\nu", "|one two"},
		{"on|e\ntwo", "J", "one|two"},
		{"日本|語 x", "dw", "日本|x"},
		{"|one", "d\nx", "|ne"},
		{"|one", "qzZ", "|one"},
	}
	for _, row := range rows {
		t.Run(row.text+" "+row.keys, func(t *testing.T) {
			m := composer.New(theme.New(theme.Options{}))
			composer.VimIn(m).Set(true)
			before, after, _ := strings.Cut(row.text, "|")
			m.SetDraft(composer.Draft{Text: before + after})
			m.Update(tea.KeyPressMsg{Code: tea.KeyEscape})
			lines := strings.Split(before, "\n")
			for _, k := range "gg" + strings.Repeat("j", len(lines)-1) + "0" +
				strings.Repeat("l", len([]rune(lines[len(lines)-1]))) {
				m.Update(tea.KeyPressMsg{Code: k, Text: string(k)})
			}
			for _, k := range row.keys {
				switch k {
				case '\n':
					m.Update(tea.KeyPressMsg{Code: tea.KeyEscape})
				case 'R':
					m.Update(tea.KeyPressMsg{Code: 'r', Mod: tea.ModCtrl})
				default:
					m.Update(tea.KeyPressMsg{Code: k, Text: string(k)})
				}
			}
			if got := withCursor(m); got != row.want {
				t.Errorf("%q, want %q", got, row.want)
			}
		})
	}
}

// withCursor returns the text with a | at the cursor.
func withCursor(m *composer.Model) string {
	text := m.Value()
	m.Update(tea.KeyPressMsg{Code: tea.KeyEscape}) // from any mode into the insert mode
	m.Update(tea.KeyPressMsg{Code: 'i', Text: "i"})
	m.Insert("|")
	if composer.VimIn(m).Commands() {
		return text + " in no insert mode"
	}
	return m.Value()
}
