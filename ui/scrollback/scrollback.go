package scrollback

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/ui/transcript"
)

// flushTime is longer than the terminal waits for a frame that was drawn. What is
// printed is printed after that, so that the prompt moves down and not up and down;
// nothing but the looks depends on it.
const flushTime = 40 * time.Millisecond

// turnsShown is how many turns of a saved chat are printed when it is opened.
const turnsShown = 3

// Printer prints what was said.
type Printer struct {
	On     bool
	Ready  func() bool // whether the terminal shows frames, and not on the alternate screen
	Hidden bool        // nothing is drawn: the program ends, or a shell has the terminal
	Opened bool        // another conversation is current
	tasks  *term.Tasks

	whole bool          // the whole screen is taken
	state printProgress // of lines
	lines []string      // laid out, to be printed
	sent  int           // how many of them are on their way

	said  []spokenText           // of the conversation, as it was printed
	notes []string               // of the program, below the last of them
	at    transcript.Mark        // the message of the transcript that is not printed yet, or not all of it
	text  string                 // what that one said when blocks of it were printed
	same  int                    // how many of said stand in the transcript, above first
	to    transcript.Mark        // what is above will not change any more
	known printComparison        // what printed found last
	of    *transcript.Transcript // that is printed
	head  heading                // to be printed above it
	more  int                    // turns that are not printed
	begun bool                   // a conversation was printed
}

// View is what there is to print, and the screen that it is printed on.
type View struct {
	Theme      *theme.Theme
	W, H       int
	TooSmall   bool // for anything
	Transcript *transcript.Transcript
	Turns      int  // of the user
	Running    bool // a reply is being written

	Title, Path, Model string
	Vault              string
	Notices            []string // to be printed once, at the start
}

// New prints what was said if it is on.
func New(on bool, tasks *term.Tasks) *Printer {
	return &Printer{On: on, Ready: func() bool { return true }, tasks: tasks}
}

// heading is what is to be printed above a conversation.
type heading int

const (
	headNone heading = iota
	headNew
	headSaved
)

// printComparison is what comparing a transcript with what was printed came to; it holds until
// either of them changes. The zero value holds for none.
type printComparison struct {
	of          *transcript.Transcript
	version     int
	first, same int
}

// spokenText is a message that was printed.
type spokenText struct {
	role transcript.Role
	text string
}

// printProgress is how far the printing is.
type printProgress int

const (
	printIdle  printProgress = iota
	printWaits               // until the terminal shows what was drawn last
	printReady               // it does
	printBusy                // lines are on their way
)

// printMsg comes when what was drawn last should be on the terminal.
type printMsg struct{}

// isPrinted reports whether a message is that of [tea.Println], which comes here after
// its lines were written.
func isPrinted(msg tea.Msg) bool { return reflect.TypeOf(msg) == reflect.TypeOf(tea.Println()()) }

// Compact reports whether only the prompt and what is above it are drawn.
func (p *Printer) Compact() bool { return p.On && !p.whole }

// Follow compares what there is with what was printed, after each message; whole says that
// the whole screen is wanted. It reports whether the screen changes between whole and not,
// and is to be arranged anew.
func (p *Printer) Follow(v *View, msg tea.Msg, whole bool) (changed bool, wait tea.Cmd) {
	_, waited := msg.(printMsg)
	switch {
	case p.state == printBusy && isPrinted(msg):
		p.lines, p.sent, p.state = p.lines[p.sent:], 0, printReady
	case p.state == printWaits && waited && !p.Ready():
		return false, p.tasks.After(flushTime, msg)
	case p.state == printWaits && waited:
		p.state = printReady
	}
	p.compare(v)
	if whole == p.whole || p.state == printBusy {
		return false, nil
	}
	p.whole, p.state = whole, printIdle
	return true, nil
}

// Print prints what was said: of a reply that is being written the blocks that are
// complete, as soon as the terminal can be written to.
func (p *Printer) Print(v *View) tea.Cmd {
	if p.whole || p.Hidden || v.TooSmall || !p.waits() {
		if p.state == printReady {
			p.state = printIdle
		}
		return nil
	}
	switch p.state {
	case printIdle:
		p.state = printWaits
		return p.tasks.After(flushTime, printMsg{})
	case printReady:
		p.lay(v, Rows(v.H))
		p.fit(v.W - 1)
		p.sent, p.state = min(len(p.lines), Rows(v.H)), printBusy
		return tea.Println(printableLines(p.lines[:p.sent]))
	case printWaits, printBusy:
	}
	return nil
}

// fit breaks the lines that were laid out for a screen that has become narrower since.
func (p *Printer) fit(w int) {
	p.lines = strings.Split(ansi.Hardwrap(strings.Join(p.lines, "\n"), w, true), "\n")
}

// printableLines joins lines, as a terminal may see them; a line of nothing is not printed.
func printableLines(lines []string) string {
	if text := theme.StripMarks(strings.Join(lines, "\n")); text != "" {
		return text
	}
	return " "
}

// Mark is where what was printed ends.
func (p *Printer) Mark() transcript.Mark { return p.at }

// Rows is how many lines are printed at once on a screen of h rows. They and what
// is drawn below them have room there, or what is drawn would be printed with them.
func Rows(h int) int { return max(h/4, 1) }

// waits reports whether something is to be printed.
func (p *Printer) waits() bool { return len(p.lines) > 0 || p.head != headNone || p.ahead() }

// ahead reports whether something of the conversation is.
func (p *Printer) ahead() bool {
	return p.to.Message > p.at.Message || p.to.Message == p.at.Message && p.to.Blocks > p.at.Blocks
}

// Leave lays out what is left of a conversation that is replaced.
func (p *Printer) Leave(v *View) {
	if p.of == nil {
		return
	}
	if p.of != v.Transcript {
		p.head = headNone // what it would say is not known any more
	}
	p.lay(v, math.MaxInt)
}

// compare finds out what is to be printed.
func (p *Printer) compare(v *View) {
	if v.W == 0 {
		return // nobody knows how wide lines may be
	}
	t := v.Transcript
	if p.of != nil && p.of != t {
		p.Opened = true
		p.Leave(v)
	}
	first, same := p.printed(t)
	p.forget(t, first)
	if p.at.Message = first; first == t.Len() && same < len(p.said) { // it was taken back
		p.said, p.notes, p.known = p.said[:same], nil, printComparison{}
	}
	p.of, p.same = t, same
	if p.Opened && same == 0 {
		p.begin(v)
	}
	p.Opened = false
	p.to = transcript.Mark{Message: t.Len()}
	if v.Running {
		p.to = transcript.StableMark(t)
	}
}

// begin has the heading of another conversation printed. Of one with many turns the
// first ones are not printed.
func (p *Printer) begin(v *View) {
	p.said, p.notes, p.head, p.more, p.known = nil, nil, headNew, 0, printComparison{}
	if v.Transcript.Len() == 0 {
		return
	}
	p.head = headSaved
	if p.more = max(v.Turns-turnsShown, 0); p.more > 0 {
		p.skip(v.Transcript, p.more)
	}
	p.same = len(p.said)
}

// lay lays out what is to be printed, until it is so many lines or a few more.
func (p *Printer) lay(v *View, rows int) {
	if p.head != headNone {
		p.lines = append(p.lines, p.heading(v)...)
		p.head = headNone
	}
	t := p.of
	for len(p.lines) < rows && p.ahead() {
		from := p.at
		to := transcript.Step(t, from, p.to, rows-len(p.lines))
		if from == (transcript.Mark{}) { // the others have a gap above them
			p.lines = append(p.lines, "")
		}
		lines := transcript.LinesBetween(t, from, to)
		if v.Theme.Options.Apart {
			for i := range lines {
				lines[i] = theme.SeparateEmoji(lines[i])
			}
		}
		p.lines = append(p.lines, lines...)
		p.take(t, to)
	}
}

// forget drops what is known of a reply that was printed in part, if that is not the
// first one any more, or if what it said turned out to be thinking.
func (p *Printer) forget(t *transcript.Transcript, first int) {
	if p.at.Blocks == 0 {
		return
	}
	if p.of == t && p.at.Message == first {
		for msg := range transcript.MessagesFrom(t, first) {
			if strings.HasPrefix(msg.Text, p.text) || !strings.Contains(msg.Reasoning, p.text) {
				return
			}
			break
		}
	}
	p.at.Blocks, p.text = 0, ""
}

// take counts what is above a place as printed.
func (p *Printer) take(t *transcript.Transcript, to transcript.Mark) {
	p.said, p.known = p.said[:p.same], printComparison{}
	for msg := range transcript.MessagesFrom(t, p.at.Message) {
		if p.at.Message == to.Message {
			p.text = msg.Text
			break
		}
		p.keep(&msg)
	}
	p.at, p.same = to, len(p.said)
}

// keep counts the first message that was not printed as printed.
func (p *Printer) keep(msg *transcript.Message) {
	if p.at.Message++; isConversation(msg) {
		p.said, p.notes = append(p.said, spokenText{msg.Role, msg.Text}), nil
	} else {
		p.notes = append(p.notes, noteOf(msg))
	}
}

// printed finds the first message that is not printed: what stands below the first one
// that differs. same is how many are as they were printed.
func (p *Printer) printed(t *transcript.Transcript) (first, same int) {
	version := transcript.Version(t)
	if k := &p.known; k.of != t || k.version != version {
		first, same = p.differs(t)
		*k = printComparison{t, version, first, same}
	}
	return p.known.first, p.known.same
}

// differs is printed, by looking at every message.
func (p *Printer) differs(t *transcript.Transcript) (first, same int) {
	for msg := range transcript.MessagesFrom(t, 0) {
		switch {
		case isConversation(&msg) && same < len(p.said) && p.said[same] == spokenText{msg.Role, msg.Text}:
			same++
		case !isConversation(&msg) && (same < len(p.said) || slices.Contains(p.notes, noteOf(&msg))):
		default:
			return first, same
		}
		first++
	}
	return first, same
}

// isConversation reports whether a message is one of the conversation.
func isConversation(m *transcript.Message) bool {
	return m.Role == transcript.You || m.Role == transcript.Assistant
}

// noteOf tells a message of the program from others.
func noteOf(m *transcript.Message) string { return m.Call.Words + m.Text }

// heading is what is printed above a conversation.
func (p *Printer) heading(v *View) []string {
	pen := page.NewPen(v.Theme, v.W-1)
	mark := func(bold, rest string) string {
		return term.Clip(" "+pen.Styles.Title.Render(bold)+pen.Styles.Muted.Render("  "+theme.OneLine(rest)), pen.Width,
			pen.Glyphs.Ellipsis)
	}
	if p.head == headNew {
		if p.begun {
			return []string{"", mark("New chat", v.Model)}
		}
		p.begun = true
		lines := []string{
			mark(pen.Glyphs.Context.Active+" ibid", pen.Glyphs.Dotted(v.Vault, v.Model)),
			mark("", "@ attaches a note, / lists commands, tab shows the whole chat, F1 helps"),
		}
		for _, text := range v.Notices {
			lines = append(lines, pen.Theme.Hanging(pen.Styles.Warn, " "+pen.Glyphs.Alert+" ",
				theme.OneLine(text), pen.Width)...)
		}
		return lines
	}
	p.begun = true
	lines := []string{"", mark(theme.OneLine(v.Title), v.Path)}
	if p.more > 0 {
		lines = append(lines, mark("", pen.Glyphs.Ellipsis+" "+theme.Plural(p.more, "earlier turn")+
			": tab shows the whole chat"))
	}
	return lines
}

// skip counts the first turns as printed.
func (p *Printer) skip(t *transcript.Transcript, turns int) {
	p.at.Message = 0
	for msg := range transcript.MessagesFrom(t, 0) {
		if msg.Role == transcript.You {
			if turns--; turns < 0 {
				break
			}
		}
		p.keep(&msg)
	}
}

// Rest is what was not printed when the program ended.
func (p *Printer) Rest(v *View) string {
	if !p.On {
		return ""
	}
	if p.compare(v); p.of != nil {
		p.lay(v, math.MaxInt)
	}
	return theme.StripMarks(strings.Join(append(p.lines, ""), "\n")) + "\n" // those on their way come no more
}
