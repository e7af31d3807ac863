package term

import (
	"bytes"
	"fmt"
	"regexp"

	"ibid/ui/theme"
	"ibid/vault/routine"
)

// PanicError is a fault of the program that ended the screen. The terminal was given
// back before, and what there was to save is saved.
type PanicError struct {
	Value any    // that the panic had
	Stack []byte // of the goroutine that panicked
	Draft string // file that keeps what was not sent in the chat on the screen, "" if there is none
}

// Error says what happened, where, and where what was not sent is.
func (e *PanicError) Error() string {
	text := "the screen failed: " + theme.OneLine(fmt.Sprint(e.Value))
	if at := e.at(); at != "" {
		text += " (" + at + ")"
	}
	if e.Draft != "" {
		text += "; what you had not sent is in the prompt again when you come back, and in " + theme.OneLine(e.Draft)
	}
	return text
}

// ownFrames finds functions of the program in a stack.
var ownFrames = regexp.MustCompile(`(?m)^(ibid/\S+)\(`)

// at is the function that panicked, "" if it is not of the program.
func (e *PanicError) at() string {
	_, below, found := bytes.Cut(e.Stack, []byte("\npanic("))
	if !found {
		return ""
	}
	if m := ownFrames.FindSubmatch(below); m != nil {
		return string(m[1])
	}
	return ""
}

// OnPanic has fail called with what panics in the work. Without it nothing is caught.
func (t *Tasks) OnPanic(fail func(*PanicError)) { t.all.fail = fail }

// Catch is deferred where something may panic.
func (t *Tasks) Catch() {
	if t.all.fail == nil {
		return
	}
	if p := routine.NewPanic(recover()); p != nil {
		t.all.fail(&PanicError{Value: p.Value, Stack: p.Stack})
	}
}
