package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"ibid/chains"
	"ibid/chains/wire"
	"ibid/context/tokens"
	"ibid/ui/theme"
)

// learnedFor is how long it counts what a server has refused, and which window or
// price it has named: it may be started in another way, or updated.
const learnedFor = 7 * 24 * time.Hour

// learnedFile holds it, in the state folder: by address, model and what is known,
// the day and a value.
const learnedFile = "learned.json"

// learned is what the errors of one server have taught. It is a wire.Refusals.
type learned struct {
	app  *app
	base string
}

var _ wire.Refusals = learned{}

// value is what is known, "" if nothing is or that is too long ago.
func (l learned) value(model, what string) string {
	day, value, _ := strings.Cut(l.app.hints().Read(learnedFile)[l.key(model, what)], " ")
	if at, err := time.Parse(time.DateOnly, day); err != nil || time.Since(at) > learnedFor {
		return ""
	}
	return value
}

// day is when that was learned, for people.
func (l learned) day(model, what string) string {
	day, _, _ := strings.Cut(l.app.hints().Read(learnedFile)[l.key(model, what)], " ")
	return day
}

func (l learned) keep(model, what, value string) {
	l.app.hints().Set(learnedFile, l.key(model, what), time.Now().UTC().Format(time.DateOnly)+" "+value)
}

func (l learned) key(model, what string) string { return l.base + "\t" + model + "\t" + what }

// refused is the value of what a server refuses.
const refused = "refused"

// Refused implements wire.Refusals.
func (l learned) Refused(model string, f wire.Field) bool {
	return l.value(model, string(f)) == refused
}

// Refuse implements wire.Refusals.
func (l learned) Refuse(model string, f wire.Field) { l.keep(model, string(f), refused) }

// window is the window that an error has named, 0 for none.
func (l learned) window(model string) int {
	n, _ := strconv.Atoi(l.value(model, "window"))
	return n
}

func (l learned) keepWindow(model string, window int) {
	l.keep(model, "window", strconv.Itoa(window))
}

// calling is how a model calls tools: in text if its server has refused them, or if
// it is known to call none.
func (l *link) calling(model string, facts tokens.Facts) chains.Toolbox {
	const tools = "tools"
	known := learned{l.app, l.base}
	var said atomic.Bool
	b := chains.Toolbox{Refuses: said.Load, Refused: func() {
		said.Store(true)
		known.keep(model, tools, refused)
	}}
	if known.value(model, tools) == refused || l.callsNone(model, facts) {
		b.Calling = chains.CallsInText
	}
	return b
}

// allLearned says what is known of every server, in lines for people.
func allLearned(a *app) (lines []string) {
	for key := range a.hints().Read(learnedFile) {
		words := strings.Split(key, "\t")
		if len(words) != 3 {
			continue
		}
		known := learned{a, words[0]}
		switch v := known.value(words[1], words[2]); {
		case v == "":
		case words[2] == pricedAs:
			lines = append(lines, fmt.Sprintf("%s at %s costs %s", words[1], words[0], known.price(words[1]).PerMillion()))
		case v == refused:
			lines = append(lines, fmt.Sprintf("%s at %s takes no %s", words[1], words[0], words[2]))
		default:
			n, _ := strconv.Atoi(v)
			lines = append(lines, fmt.Sprintf("%s at %s has a %s of %s tokens, learned on %s", words[1], words[0], words[2], theme.Comma(n), known.day(words[1], words[2])))
		}
	}
	slices.Sort(lines)
	return lines
}

// forgetAt forgets what is known of the server at one address.
func forgetAt(a *app, base string) {
	for key := range a.hints().Read(learnedFile) {
		if strings.HasPrefix(key, base+"\t") {
			a.hints().Set(learnedFile, key, "")
		}
	}
}

// forgetLearned forgets what is known of all servers.
func forgetLearned(a *app) error {
	err := os.Remove(filepath.Join(a.folder.state, learnedFile))
	if os.IsNotExist(err) {
		return nil
	}
	return err
}
