package term

import (
	"fmt"

	"ibid/ui/theme"
	"ibid/vault/routine"
)

// PanicError is a panic that ended the screen. Before it is returned, the terminal is restored and
// unsaved data is saved.
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

// OnPanic makes fail handle panics in the work. Without it, panics are not caught.
func (t *Tasks) OnPanic(fail func(*PanicError)) { t.all.fail = fail }

// Catch passes a panic to the function of OnPanic. It must be deferred.
func (t *Tasks) Catch() {
	if t.all.fail == nil {
		return
	}
	if p := routine.NewPanic(recover()); p != nil {
		t.all.fail(&PanicError{Value: p.Value, Stack: p.Stack})
	}
}
