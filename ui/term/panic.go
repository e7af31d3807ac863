package term

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"time"

	"ibid/ui/theme"
	"ibid/vault/routine"
)

// Fault is a panic that cost one part of the screen, or one piece of work, and not the program. It is an error, and a
// message for the screen.
type Fault struct {
	Effect string // what the panic cost, as a verb with its object: "closed this page"
	*routine.Panic
}

// Error returns what the panic cost, and its value.
func (f *Fault) Error() string {
	return "a fault of ibid " + f.Effect + ": " + theme.OneLine(fmt.Sprint(f.Value))
}

// Guard calls f, and returns its panic as a fault with this effect, nil if there was none.
func Guard(effect string, f func()) *Fault {
	if p := routine.Call(f); p != nil {
		return &Fault{effect, p}
	}
	return nil
}

// Report returns what a bug report about a panic needs: the build, the system, what the panic cost and the stack.
// It has no text of notes or chats beyond what the value of the panic holds.
func Report(effect string, value any, stack []byte, now time.Time) string {
	build := "unknown build"
	if info, ok := debug.ReadBuildInfo(); ok {
		build = info.Main.Version
	}
	return fmt.Sprintf("%s  ibid %s, %s, %s/%s\nA panic %s: %v\n\n%s\n", now.Format(time.RFC3339), build,
		runtime.Version(), runtime.GOOS, runtime.GOARCH, effect, value, stack)
}

// PanicError is a panic in the loop of the screen, which ended the screen. Before it is returned, the terminal is
// restored and unsaved data is saved.
type PanicError struct {
	Value any    // value of the panic
	Stack []byte // stack of the goroutine that panicked
	Draft string // file with the unsent text of the chat on the screen, "" for none
}

// Error returns the panic and the file with the unsent text.
func (e *PanicError) Error() string {
	text := "the screen failed: " + theme.OneLine(fmt.Sprint(e.Value))
	if e.Draft != "" {
		text += "; what you had not sent is in the prompt again when you come back, and in " + theme.OneLine(e.Draft)
	}
	return text
}

// OnPanic makes fail handle panics in the loop. Without it, they are not caught.
func (t *Tasks) OnPanic(fail func(*PanicError)) { t.all.fail = fail }

// Catch passes a panic of the loop to the function of OnPanic. It must be deferred.
func (t *Tasks) Catch() {
	if t.all.fail == nil {
		return
	}
	if p := routine.NewPanic(recover()); p != nil {
		t.all.fail(&PanicError{Value: p.Value, Stack: p.Stack})
	}
}
