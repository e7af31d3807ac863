package uitest

import (
	"fmt"
	"os/exec"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ibid/ui"
	"ibid/ui/keys"
	"ibid/ui/term"
)

// maxWait is the time on the fake clock after which WaitFor and WaitQuit fail.
const maxWait = 10 * time.Second

// Robot presses keys and reads the screen.
type Robot struct {
	t    testing.TB
	m    *ui.Model
	w, h int

	mu        sync.Mutex // guards inbox: commands write it from their goroutines
	inbox     []tea.Msg
	clipboard string
	raw       string
	quit      bool
	suspended int
	frames    int
	printed   []string
	rows      []string // of the last checked frame
	checked   int      // largest width that these rows were checked for
}

// Play runs a script of keys on a screen of w columns and h rows, in its own synctest bubble. options
// is called inside the bubble. Play closes the screen after the script.
func Play(t *testing.T, w, h int, options func(t *testing.T) ui.Options, script func(t *testing.T, r *Robot)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := New(t, options(t), w, h)
		defer r.Close()
		script(t, r)
	})
}

// New starts a screen. It must be called inside a bubble of testing/synctest. Unless the options have
// Exec, editors run as child processes without a terminal.
func New(t *testing.T, o ui.Options, w, h int) *Robot {
	t.Helper()
	if o.Exec == nil {
		o.Exec = func(c *exec.Cmd, done tea.ExecCallback) tea.Cmd {
			return func() tea.Msg { return done(c.Run()) }
		}
	}
	if o.Report == nil {
		o.Report = func(f *term.Fault) string {
			t.Errorf("%v\n%s", f, f.Stack)
			return ""
		}
	}
	r := &Robot{t: t, m: ui.New(t.Context(), o), w: w, h: h}
	r.update(tea.WindowSizeMsg{Width: w, Height: h})
	r.start(r.m.Init())
	r.settle()
	return r
}

// Close ends the screen like the end of the program, and waits for running work.
func (r *Robot) Close() {
	r.m.Close()
	// The regular expressions of the highlighter keep a clock running until a second after their last
	// use. All screens of a process share its end, although each begins at the same fake time, and each
	// one moves it by a second or two.
	time.Sleep(2 * time.Hour)
	synctest.Wait()
}

// start runs a command and waits until it has ended or is blocked.
func (r *Robot) start(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		msg := cmd()
		if msg == nil {
			return
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.inbox = append(r.inbox, msg)
	}()
	synctest.Wait()
}

// settle handles messages until nothing more happens without time passing.
func (r *Robot) settle() {
	for {
		synctest.Wait()
		r.mu.Lock()
		msgs := r.inbox
		r.inbox = nil
		r.mu.Unlock()
		if len(msgs) == 0 {
			return
		}
		for _, msg := range msgs {
			r.handle(msg)
		}
	}
}

func (r *Robot) handle(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.BatchMsg:
		for _, cmd := range msg {
			r.start(cmd)
		}
	case tea.QuitMsg:
		r.quit = true
	case tea.SuspendMsg:
		r.suspended++
		r.update(msg)
		r.update(tea.ResumeMsg{})
	case tea.RawMsg:
		r.raw = fmt.Sprint(msg.Msg)
	default:
		switch v := reflect.ValueOf(msg); fmt.Sprintf("%T", msg) {
		case "tea.setClipboardMsg":
			r.clipboard = v.String()
		case "tea.printLineMessage":
			r.print(v.FieldByName("messageBody").String())
		}
		r.update(msg)
	}
}

func (r *Robot) update(msg tea.Msg) {
	_, cmd := r.m.Update(msg)
	r.check()
	r.start(cmd)
}

// Send passes a message to the screen, such as a mouse event.
func (r *Robot) Send(msg tea.Msg) {
	r.update(msg)
	r.settle()
}

// Press presses keys by name, in order: "ctrl+s", "esc", "f2", "a", "up".
func (r *Robot) Press(names ...string) {
	r.t.Helper()
	for _, name := range names {
		r.Send(Key(name))
	}
}

// Type types a text, one grapheme cluster per key.
func (r *Robot) Type(text string) {
	for len(text) > 0 {
		cluster, _ := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
		text = text[len(cluster):]
		switch cluster {
		case "\n":
			r.Press("alt+enter")
		default:
			r.Send(tea.KeyPressMsg{Code: []rune(cluster)[0], Text: cluster})
		}
	}
}

// Begin sends a message and waits for a text.
func (r *Robot) Begin(said, want string) {
	r.t.Helper()
	r.Type(said)
	r.Press("enter")
	if want != "" {
		r.WaitFor(want)
	}
}

// Ask sends a message, waits for a text, and lets another second pass, in which the reply ends.
func (r *Robot) Ask(said, want string) {
	r.t.Helper()
	if r.Begin(said, want); want != "" {
		r.Pass(time.Second)
	}
}

// Paste pastes a text.
func (r *Robot) Paste(text string) { r.Send(tea.PasteMsg{Content: text}) }

// Wheel turns the wheel by one notch: up if by is negative, else down.
func (r *Robot) Wheel(by int) {
	button := tea.MouseWheelDown
	if by < 0 {
		button = tea.MouseWheelUp
	}
	r.Send(tea.MouseWheelMsg{X: r.w / 2, Y: r.h / 2, Button: button})
}

// Click clicks on a cell.
func (r *Robot) Click(x, y int) { r.Drag(x, y, x, y) }

// Drag presses the mouse button on a cell, moves to another one and releases it there.
func (r *Robot) Drag(x, y, toX, toY int) {
	r.Send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	if x != toX || y != toY {
		r.Send(tea.MouseMotionMsg{X: toX, Y: toY, Button: tea.MouseLeft})
	}
	r.Send(tea.MouseReleaseMsg{X: toX, Y: toY, Button: tea.MouseLeft})
}

// Resize changes the size of the screen.
func (r *Robot) Resize(w, h int) {
	r.w, r.h = w, h
	r.Send(tea.WindowSizeMsg{Width: w, Height: h})
}

// Pass lets time pass on the fake clock.
func (r *Robot) Pass(d time.Duration) {
	for d > 0 {
		step := min(d, 10*time.Millisecond)
		time.Sleep(step)
		d -= step
		r.settle()
	}
}

// Screen returns the text on the screen, without styles and without spaces at the ends of rows.
func (r *Robot) Screen() string {
	rows := strings.Split(ansi.Strip(r.m.View().Content), "\n")
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " ")
	}
	return strings.Join(rows, "\n")
}

// Content returns the frame on the screen, with styles.
func (r *Robot) Content() string { return r.m.View().Content }

// Has reports whether a text is on the screen.
func (r *Robot) Has(text string) bool { return strings.Contains(r.Screen(), text) }

// Want fails the test unless all texts are on the screen.
func (r *Robot) Want(texts ...string) {
	r.t.Helper()
	for _, text := range texts {
		if !r.Has(text) {
			r.t.Fatalf("%q is not on the screen:\n%s", text, r.Screen())
		}
	}
}

// WantNot fails the test if one of the texts is on the screen.
func (r *Robot) WantNot(texts ...string) {
	r.t.Helper()
	for _, text := range texts {
		if r.Has(text) {
			r.t.Fatalf("%q is on the screen:\n%s", text, r.Screen())
		}
	}
}

// WantPrinted fails the test unless each of the texts was printed n times.
func (r *Robot) WantPrinted(n int, texts ...string) {
	r.t.Helper()
	for _, text := range texts {
		if got := strings.Count(r.Printed(), text); got != n {
			r.t.Errorf("%q was printed %d times, want %d:\n%s", text, got, n, r.Printed())
		}
	}
}

// Find returns the position of a text on the screen, and fails the test if it is not there.
func (r *Robot) Find(text string) (x, y int) {
	r.t.Helper()
	for y, row := range strings.Split(r.Screen(), "\n") {
		if before, _, ok := strings.Cut(row, text); ok {
			return len([]rune(before)), y
		}
	}
	r.t.Fatalf("%q is not on the screen:\n%s", text, r.Screen())
	return 0, 0
}

// WaitFor lets time pass until a text is on the screen, and fails the test after ten seconds.
func (r *Robot) WaitFor(text string) {
	r.t.Helper()
	r.wait(func() bool { return r.Has(text) }, "the screen never showed %q", text)
}

// WaitQuit lets time pass until the program would end, and fails the test after ten seconds.
func (r *Robot) WaitQuit() {
	r.t.Helper()
	r.wait(func() bool { return r.quit }, "the program did not end")
}

func (r *Robot) wait(done func() bool, format string, args ...any) {
	r.t.Helper()
	for passed := time.Duration(0); passed < maxWait; passed += 10 * time.Millisecond {
		if r.settle(); done() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	r.t.Fatalf(format+":\n%s", append(args, r.Screen())...)
}

// Suspended returns how often the program was suspended; it was resumed at once.
func (r *Robot) Suspended() int { return r.suspended }

// Quit reports whether the program would have ended.
func (r *Robot) Quit() bool { return r.quit }

// Clipboard returns the last copied text.
func (r *Robot) Clipboard() string { return r.clipboard }

// print prints lines above the screen. It fails the test if there is no room for all of them.
func (r *Robot) print(text string) {
	r.t.Helper()
	lines := strings.Split(text, "\n")
	v := r.m.View()
	if rows := strings.Count(v.Content, "\n") + 1; v.AltScreen || rows+len(lines) > r.h {
		r.t.Fatalf("%d lines printed above %d rows of a screen of %d, on a page: %v",
			len(lines), rows, r.h, v.AltScreen)
	}
	for _, line := range lines {
		if bad := ForeignSequence(line); bad != "" || ansi.StringWidth(line) >= r.w {
			r.t.Fatalf("a printed line of %d columns on a screen of %d holds %s: %q",
				ansi.StringWidth(line), r.w, bad, line)
		}
		r.printed = append(r.printed, strings.TrimRight(ansi.Strip(line), " "))
	}
}

// Printed returns the lines printed above the screen, without styles.
func (r *Robot) Printed() string { return strings.Join(r.printed, "\n") }

// Raw returns the last raw sequence sent to the terminal.
func (r *Robot) Raw() string { return r.raw }

// View returns the view for the terminal: the frame, the title of the window and so on.
func (r *Robot) View() tea.View { return r.m.View() }

// Frames returns the number of frames drawn since the start.
func (r *Robot) Frames() int { return r.frames }

// Cursor returns the position of the terminal's cursor, or -1, -1.
func (r *Robot) Cursor() (x, y int) {
	if c := r.m.View().Cursor; c != nil {
		return c.X, c.Y
	}
	return -1, -1
}

// check draws a frame and checks it.
func (r *Robot) check() {
	r.t.Helper()
	v := r.m.View()
	r.frames++
	rows := strings.Split(v.Content, "\n")
	if len(rows) != r.h && (v.AltScreen || len(rows) >= r.h) {
		r.t.Fatalf("a frame of %d rows on a screen of %d:\n%s", len(rows), r.h, ansi.Strip(v.Content))
	}
	for i, row := range rows {
		if i < len(r.rows) && row == r.rows[i] && r.w >= r.checked { // checked in the last frame
			continue
		}
		if w := ansi.StringWidth(row); w > r.w {
			r.t.Fatalf("row %d is %d columns wide on a screen of %d: %q", i, w, r.w, row)
		}
		if bad := ForeignSequence(row); bad != "" {
			r.t.Fatalf("row %d holds %s: %q", i, bad, row)
		}
	}
	r.rows, r.checked = rows, r.w
	if c := v.Cursor; c != nil && (c.X < 0 || c.Y < 0 || c.X >= r.w || c.Y >= r.h) {
		r.t.Fatalf("the cursor stands at %d,%d on a screen of %dx%d", c.X, c.Y, r.w, r.h)
	}
}

// Key returns a key by its name, as tea.KeyPressMsg prints it.
func Key(name string) tea.KeyPressMsg {
	k, _ := keys.Press(name)
	return k
}
