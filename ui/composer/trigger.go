package composer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"ibid/vault/md"
)

// TriggerKind is the kind of popup for the text before the cursor.
type TriggerKind int

// The kinds of trigger.
const (
	NoTrigger TriggerKind = iota
	At                    // @: anything that can be attached
	Wikilink              // [[: a note
	Command               // / in the first column of the prompt
	Argument              // the argument of a command; the query begins with the command
)

// maxQuery limits the cells of a query. Longer names exist, but nobody types one in full while a list
// is open.
const maxQuery = 64

// trigger is the place where the query begins: the cell of its first character in the cursor's line.
type trigger struct {
	kind     TriggerKind
	row, col int
}

// Trigger returns the kind of popup for the text before the cursor, and the query typed so far; ok is
// false for none. An @ or [[ counts where a word can start, outside of code and pasted text;
// user@example.com does not. After [Model.Dismiss] the same place gives no trigger until the cursor
// leaves it.
func (m *Model) Trigger() (kind TriggerKind, query string, ok bool) {
	t, query := findTrigger(&m.buf)
	if t.kind == NoTrigger || t == m.dismissed || m.vim.commands() {
		return NoTrigger, "", false
	}
	return t.kind, query, true
}

// Dismiss closes the popup of the current trigger: [Model.Trigger] reports none until the cursor leaves
// the query.
func (m *Model) Dismiss() { m.dismissed, _ = findTrigger(&m.buf) }

// Accept replaces the trigger and its query by insert. For @ and [[ the text becomes one atomic
// mention; a command is ordinary text, since arguments follow it. Without a trigger, insert becomes a
// mention at the cursor. pick identifies the picked entry for the caller; [Span.Pick] returns it. A mention without
// one is text in a [Draft].
func (m *Model) Accept(insert, pick string) {
	insert = strings.ReplaceAll(clean(insert), "\n", " ")
	m.buf.edits.begin(editAlone)
	t, _ := findTrigger(&m.buf)
	if t.kind != NoTrigger {
		end := m.buf.col
		if t.kind == Wikilink && strings.HasPrefix(plainText(m.buf.line()[end:]), "]]") {
			end += 2
		}
		m.buf.cut(t.col, end)
	}
	switch {
	case insert == "":
	case t.kind == Command, t.kind == Argument:
		m.buf.insertText(insert, false)
	default:
		b := &m.buf
		if t.kind == NoTrigger && !wordCanStart(b.line(), b.col) {
			b.insertText(" ", false)
		}
		b.insert(mentionCell(insert, pick))
		if b.col < len(b.line()) && b.line()[b.col].isSpace() {
			b.col++
			break
		}
		b.insertText(" ", false)
		m.gap = gap{b.cursor(), m.edits + 1}
	}
	m.textChanged()
}

// gap is the blank that Accept put after a mention, as long as nothing was done since. The next text
// may replace it.
type gap struct {
	behind place // the cursor
	edits  int   // changes of the text
}

// closeGap removes the blank after a mention if the text s begins with a blank, or with a sign that
// follows a word without one.
func closeGap(m *Model, s string) {
	if r, _ := utf8.DecodeRuneInString(s); m.buf.col > 0 && m.gap == (gap{m.buf.cursor(), m.edits}) &&
		(unicode.IsSpace(r) || strings.ContainsRune(".,;:!?…)]}'’”»、。，；：！？）】」』", r)) {
		m.buf.cut(m.buf.col-1, m.buf.col)
	}
}

// Refine replaces the query of the current trigger, which stays open.
func (m *Model) Refine(query string) {
	if t, _ := findTrigger(&m.buf); t.kind != NoTrigger {
		open := map[TriggerKind]string{At: "@", Wikilink: "[[", Command: "/"}[t.kind]
		m.Accept("", "")
		m.Insert(open + query)
	}
}

// mentionCell returns a mention as one cell.
func mentionCell(text, pick string) cell { return atom(mention, text, cellDetails{pick: pick}) }

// findTrigger returns the trigger before the cursor and its query.
func findTrigger(b *buffer) (trigger, string) {
	line, slash := b.line(), slashTrigger(b)
	if slash.kind == Command {
		return slash, plainText(line[1:b.col])
	}
	for i := b.col - 1; i >= 0 && b.col-i <= maxQuery; i-- {
		c := line[i]
		if c.kind != text || c.literal {
			break
		}
		kind, from := NoTrigger, i
		switch {
		case c.s == "@" && wordCanStart(line, i):
			kind = At
		case c.s == "[" && i > 0 && line[i-1].s == "[" && !line[i-1].literal && linkCanStart(line, i-1):
			kind, from = Wikilink, i-1
		default:
			continue
		}
		query, ok := readQuery(kind, plainText(line[i+1:b.col]))
		if !ok || inCode(b, from) {
			break
		}
		return trigger{kind, b.row, from}, query
	}
	if slash.kind == Argument {
		return slash, plainText(line[1:b.col])
	}
	return trigger{}, ""
}

// slashTrigger returns the trigger of a prompt that begins with a /, if the cursor is in the name of the command, or
// in its argument in the only line. A second slash in the name makes it a path.
func slashTrigger(b *buffer) (t trigger) {
	if b.row != 0 || b.col == 0 {
		return trigger{}
	}
	t.kind = Command
	for i, c := range b.line()[:b.col] {
		switch {
		case c.kind != text || c.literal || i-t.col > maxQuery, t.col == 0 && (c.s == "/") != (i == 0):
			return trigger{}
		case t.col == 0 && c.isSpace():
			t = trigger{kind: Argument, col: i + 1}
		}
	}
	if t.kind == Argument && (t.col <= 2 || len(b.lines) > 1) {
		return trigger{}
	}
	return t
}

// readQuery returns the query in typed. It reports false if the text has left it: names may contain
// spaces, so one space does not end a query, but two do.
func readQuery(kind TriggerKind, typed string) (string, bool) {
	switch {
	case strings.HasPrefix(typed, " "), strings.Contains(typed, "  "), strings.Contains(typed, "\t"):
		return "", false
	case kind == Wikilink:
		return typed, !strings.Contains(typed, "]") && !strings.HasPrefix(typed, "[")
	}
	typed, quoted := strings.CutPrefix(typed, `"`)
	return typed, !quoted || !strings.Contains(typed, `"`)
}

// wordCanStart reports whether a word can start at cell i. In scripts without spaces it can start
// anywhere.
func wordCanStart(line []cell, i int) bool {
	if i == 0 || line[i-1].kind != text || line[i-1].isSpace() {
		return true
	}
	r, _ := utf8.DecodeLastRuneInString(line[i-1].s)
	switch {
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
		return true
	case unicode.IsSpace(r), unicode.In(r, unicode.Ps, unicode.Pi, unicode.Pd) && r != '-':
		return true
	}
	return strings.ContainsRune(`"'*~>|,;!?:=。、，！？：；`, r)
}

// linkCanStart is like wordCanStart for [[. After a third bracket or a word it means something else,
// mostly a subscript in code.
func linkCanStart(line []cell, i int) bool {
	return wordCanStart(line, i) && (i == 0 || line[i-1].s != "[")
}

// typedText returns the text of cells with a word in place of each large paste, so that typing does not
// become slower with them.
func typedText(cells []cell) string {
	var b strings.Builder
	for _, c := range cells {
		if c.kind == paste {
			b.WriteString("paste")
		} else {
			b.WriteString(c.s)
		}
	}
	return b.String()
}

// inCode reports whether cell col of the cursor's line is in a fenced block or follows an open
// backtick. A backtick that is never closed is no code to a markdown parser, but a user who just typed
// it is writing code.
func inCode(b *buffer, col int) bool {
	var code md.Fences
	for _, line := range b.lines[:b.row] {
		code.Line(typedText(line))
	}
	if code.Line(typedText(b.line())) {
		return true
	}
	open, run := 0, 0
	for i := 0; i <= col; i++ {
		if c := b.line()[i]; i < col && c.kind == text && c.s == "`" {
			run++
			continue
		}
		switch {
		case run == 0:
		case open == 0:
			open = run
		case open == run:
			open = 0
		}
		run = 0
	}
	return open > 0
}
