package term

import (
	"bytes"
	"fmt"
	"regexp"

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

// Error returns the panic, the function that panicked, and the file with the unsent text.
func (e *PanicError) Error() string {
	text := "the screen failed: " + theme.OneLine(fmt.Sprint(e.Value))
	if at := e.function(); at != "" {
		text += " (" + at + ")"
	}
	if e.Draft != "" {
		text += "; what you had not sent is in the prompt again when you come back, and in " + theme.OneLine(e.Draft)
	}
	return text
}

// ownFrames matches functions of this program in a stack.
var ownFrames = regexp.MustCompile(`(?m)^(ibid/\S+)\(`)

// function returns the function of this program that panicked, "" if it is not known.
func (e *PanicError) function() string {
	_, below, found := bytes.Cut(e.Stack, []byte("\npanic("))
	if !found {
		return ""
	}
	if m := ownFrames.FindSubmatch(below); m != nil {
		return string(m[1])
	}
	return ""
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
