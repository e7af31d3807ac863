package scrollback

import (
	"cmp"
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

// flushTime is longer than the terminal takes to get a frame after it was drawn. Lines are printed
// after this time, so that the prompt moves only down and not up and down. Only the appearance depends
// on it.
const flushTime = 40 * time.Millisecond

// turnsShown is the number of turns of a saved chat that are printed when it is opened.
const turnsShown = 3

// Printer prints the conversation.
type Printer struct {
	On     bool
	Ready  func() bool // reports whether the terminal shows frames, and not on the alternate screen
	Hidden bool        // nothing is drawn, because the program ends or a shell has the terminal
	Opened bool        // another conversation is current
	tasks  *term.Tasks

	whole bool          // the whole screen is used
	state printProgress // progress of printing lines
	lines []string      // laid out but not printed
	sent  int           // number of lines that are being printed

	messages   []spokenText           // printed messages of the conversation
	notes      []string               // printed messages of the program after the last of them
	printedEnd int                    // number of messages of the transcript that are printed
	shared     int                    // number of messages of the conversation among them
	stableEnd  int                    // number of messages of the transcript that do not change any more
	transcript *transcript.Transcript // transcript that is printed
	head       bool                   // a heading is to be printed above it
	skipped    int                    // number of turns that are not printed
	hasPrinted bool                   // a conversation has been printed
}

// View is the state to print, with the screen.
type View struct {
	Theme      *theme.Theme
	W, H       int
	TooSmall   bool // the screen is too small for anything
	Transcript *transcript.Transcript
	Turns      int  // number of the user's turns
	Running    bool // a reply is running

	Title, Path, Model string
	Vault              string
	Notices            []string // printed once, at the start
}

// New returns a printer. Unless on is true, it prints nothing.
func New(on bool, tasks *term.Tasks) *Printer {
	return &Printer{On: on, Ready: func() bool { return true }, tasks: tasks}
}

// spokenText is a printed message.
type spokenText struct {
	role transcript.Role
	text string
}

// printProgress is the progress of printing lines.
type printProgress int

const (
	printIdle  printProgress = iota
	printWaits               // waiting until the terminal shows the last frame
	printReady               // the terminal shows the last frame
	printBusy                // lines are being printed
)

// printMsg arrives when the terminal should show the last frame.
type printMsg struct{}

// isPrinted reports whether a message is that of [tea.Println], which arrives after its lines were
// written.
func isPrinted(msg tea.Msg) bool { return reflect.TypeOf(msg) == reflect.TypeOf(tea.Println()()) }

// Compact reports whether only the prompt and the rows just above it are drawn, instead of the whole screen.
func (p *Printer) Compact() bool { return p.On && !p.whole }

// Follow compares the state with the printed messages; it must be called after each message. whole asks
// for the whole screen. Follow reports whether the screen changes to or from the whole one, so that it
// must be laid out again.
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

// Print prints the messages that are complete, as soon as the terminal can be written to.
func (p *Printer) Print(v *View) tea.Cmd {
	if p.whole || p.Hidden || v.TooSmall || !p.hasWork() {
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
		p.layOut(v, Rows(v.H))
		p.rewrap(v.W - 1)
		p.sent, p.state = min(len(p.lines), Rows(v.H)), printBusy
		return tea.Println(printableLines(p.lines[:p.sent]))
	case printWaits, printBusy:
	}
	return nil
}

// rewrap breaks lines that were laid out for a wider screen.
func (p *Printer) rewrap(w int) {
	p.lines = strings.Split(ansi.Hardwrap(strings.Join(p.lines, "\n"), w, true), "\n")
}

// printableLines joins lines in a form that is safe for a terminal. It returns a space for no text,
// since an empty line would not be printed.
func printableLines(lines []string) string {
	if text := theme.StripMarks(strings.Join(lines, "\n")); text != "" {
		return text
	}
	return " "
}

// Printed returns the number of messages that are printed.
func (p *Printer) Printed() int { return p.printedEnd }

// Rows returns the number of lines printed at once on a screen of h rows. They must fit on it together
// with the drawn rows, or those would be printed too.
func Rows(h int) int { return max(h/4, 1) }

// hasWork reports whether there is anything to print.
func (p *Printer) hasWork() bool { return len(p.lines) > 0 || p.head || p.printedEnd < p.stableEnd }

// Leave lays out the rest of a conversation that is being replaced.
func (p *Printer) Leave(v *View) {
	if p.transcript == nil {
		return
	}
	if p.transcript != v.Transcript {
		p.head = false // its content is no longer known
	}
	p.layOut(v, math.MaxInt)
}

// compare updates the part to print.
func (p *Printer) compare(v *View) {
	if v.W == 0 {
		return // the width of lines is not known yet
	}
	t := v.Transcript
	if p.transcript != nil && p.transcript != t {
		p.Opened = true
		p.Leave(v)
	}
	first, same := p.firstUnprinted(t)
	if p.printedEnd = first; first == t.Len() && same < len(p.messages) { // messages were taken back
		p.messages, p.notes = p.messages[:same], nil
	}
	p.transcript, p.shared = t, same
	if p.Opened && same == 0 {
		p.begin(v)
	}
	p.Opened = false
	if p.stableEnd = t.Len(); v.Running {
		p.stableEnd = 0 // the turn that runs is printed when it has ended
	}
}

// begin prepares to print another conversation from its heading. It skips the first turns of one with
// many.
func (p *Printer) begin(v *View) {
	p.messages, p.notes, p.head = nil, nil, true
	if p.skipped = max(v.Turns-turnsShown, 0); p.skipped > 0 {
		p.skip(v.Transcript, p.skipped)
	}
	p.shared = len(p.messages)
}

// layOut lays out what is to be printed, until there are at least rows lines or nothing is left.
func (p *Printer) layOut(v *View, rows int) {
	if p.head {
		p.lines = append(p.lines, p.heading(v)...)
		p.head = false
	}
	for msg := range transcript.MessagesFrom(p.transcript, p.printedEnd) {
		if len(p.lines) >= rows || p.printedEnd >= p.stableEnd {
			return
		}
		if p.printedEnd == 0 { // the others begin with a blank line
			p.lines = append(p.lines, "")
		}
		for _, line := range transcript.LinesOf(p.transcript, p.printedEnd) {
			if v.Theme.Options.Apart {
				line = theme.SeparateEmoji(line)
			}
			p.lines = append(p.lines, line)
		}
		p.messages = p.messages[:p.shared]
		p.markNext(&msg)
		p.shared = len(p.messages)
	}
}

// markNext marks the first message that was not printed as printed.
func (p *Printer) markNext(msg *transcript.Message) {
	if p.printedEnd++; isConversation(msg) {
		p.messages, p.notes = append(p.messages, spokenText{msg.Role, msg.Text}), nil
	} else {
		p.notes = append(p.notes, noteOf(msg))
	}
}

// firstUnprinted finds the first message that is not printed: the first one that differs from the printed
// messages. same is the number of messages of the conversation before it.
func (p *Printer) firstUnprinted(t *transcript.Transcript) (first, same int) {
	for msg := range transcript.MessagesFrom(t, 0) {
		switch {
		case isConversation(&msg) && same < len(p.messages) && p.messages[same] == spokenText{msg.Role, msg.Text}:
			same++
		case !isConversation(&msg) && (same < len(p.messages) || slices.Contains(p.notes, noteOf(&msg))):
		default:
			return first, same
		}
		first++
	}
	return first, same
}

// isConversation reports whether a message is from the user or the assistant.
func isConversation(m *transcript.Message) bool {
	return m.Role == transcript.You || m.Role == transcript.Assistant
}

// noteOf returns the text by which messages of the program are compared.
func noteOf(m *transcript.Message) string { return m.Call.Words + m.Text }

// heading returns the lines above a conversation.
func (p *Printer) heading(v *View) []string {
	pen := page.NewPen(v.Theme, v.W-1)
	mark := func(bold, rest string) string {
		return term.Clip(" "+pen.Styles.Title.Render(bold)+pen.Styles.Muted.Render("  "+theme.OneLine(rest)), pen.Width,
			pen.Glyphs.Ellipsis)
	}
	title := "New chat"
	if v.Path != "" {
		title = theme.OneLine(v.Title)
	}
	lines := []string{"", mark(title, cmp.Or(v.Path, v.Model))}
	if !p.hasPrinted {
		lines[0] = mark(pen.Glyphs.Context.Active+" ibid", v.Vault)
		lines = append(lines, mark("", "@ attaches a note, / lists commands, tab shows the whole chat, F1 helps"))
		for _, text := range v.Notices {
			lines = append(lines, pen.Theme.Hanging(pen.Styles.Warn, " "+pen.Glyphs.Alert+" ",
				theme.OneLine(text), pen.Width)...)
		}
	}
	p.hasPrinted = true
	if p.skipped > 0 {
		lines = append(lines, mark("", pen.Glyphs.Ellipsis+" "+theme.Plural(p.skipped, "earlier turn")+
			": tab shows the whole chat"))
	}
	return lines
}

// skip marks the first turns as printed.
func (p *Printer) skip(t *transcript.Transcript, turns int) {
	p.printedEnd = 0
	for msg := range transcript.MessagesFrom(t, 0) {
		if msg.Role == transcript.You {
			if turns--; turns < 0 {
				break
			}
		}
		p.markNext(&msg)
	}
}

// Rest returns the text that was not printed when the program ended.
func (p *Printer) Rest(v *View) string {
	if !p.On {
		return ""
	}
	if p.compare(v); p.transcript != nil {
		p.layOut(v, math.MaxInt)
	}
	// lines that are being printed would not arrive any more
	return theme.StripMarks(strings.Join(append(p.lines, ""), "\n")) + "\n"
}
