package connect

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"ibid/chains"
	"ibid/chains/wire"
	"ibid/context/tokens"
	"ibid/vault/md"
	"ibid/vault/ownfile"
)

// learnedFor is how long it counts what a server has refused, and which window it
// has named: it may be started in another way, or updated.
const learnedFor = 7 * 24 * time.Hour

// learnedFile holds it, in the state folder: by address, model and what is known,
// the day and a value.
const learnedFile = "learned.json"

// refusalStore remembers the fields that a server refused, and the windows that its errors
// named, in the state folder. It is a wire.Refusals.
type refusalStore struct {
	hints ownfile.Hints
	base  string
}

var _ wire.Refusals = refusalStore{}

// fact reads an entry and the day since which it holds, for people; "" if there is none or
// it is too old.
func (l refusalStore) fact(model, what string) (value, day string) {
	day, value, _ = strings.Cut(l.hints.Read(learnedFile)[l.key(model, what)], " ")
	if at, err := time.Parse(time.DateOnly, day); err != nil || time.Since(at) > learnedFor {
		return "", ""
	}
	return value, day
}

func (l refusalStore) keep(model, what, value string) {
	l.hints.Set(learnedFile, l.key(model, what), time.Now().UTC().Format(time.DateOnly)+" "+value)
}

func (l refusalStore) key(model, what string) string { return l.base + "\t" + model + "\t" + what }

// refusedValue is the value of what a server refuses.
const refusedValue = "refused"

// Refused implements wire.Refusals.
func (l refusalStore) Refused(model string, f wire.Field) bool {
	value, _ := l.fact(model, string(f))
	return value == refusedValue
}

// Refuse implements wire.Refusals.
func (l refusalStore) Refuse(model string, f wire.Field) { l.keep(model, string(f), refusedValue) }

// calling is how a model calls tools: in text if its server has refused them, or if
// it is known to call none.
func (l *link) calling(model string, facts tokens.Facts) chains.Toolbox {
	const tools = "tools"
	var said atomic.Bool
	b := chains.Toolbox{Refuses: said.Load, Refused: func() {
		said.Store(true)
		l.learned().Refuse(model, tools)
	}}
	if l.learned().Refused(model, tools) || l.callsNone(model, facts) {
		b.Calling = chains.CallsInText
	}
	return b
}

// learned is what the errors of the link's server have taught.
func (l *link) learned() refusalStore { return refusalStore{l.of.Hints, l.base} }

// Learned says what is known of every server, in lines for people.
func (p *Providers) Learned() (lines []string) {
	for key := range p.Hints.Read(learnedFile) {
		words := strings.Split(key, "\t")
		if len(words) != 3 {
			continue
		}
		base, model, what := words[0], words[1], words[2]
		switch value, day := (refusalStore{p.Hints, base}).fact(model, what); value {
		case "":
		case refusedValue:
			lines = append(lines, fmt.Sprintf("%s at %s takes no %s", model, base, what))
		default:
			n, _ := strconv.Atoi(value)
			lines = append(lines, fmt.Sprintf("%s at %s has a %s of %s tokens, learned on %s", model, base, what, md.Thousands(n), day))
		}
	}
	slices.Sort(lines)
	return lines
}

// Forget forgets what is known of the server at an address, "" of all.
func (p *Providers) Forget(base string) {
	p.Hints.Change(learnedFile, func(all map[string]string) {
		maps.DeleteFunc(all, func(key, _ string) bool { return base == "" || strings.HasPrefix(key, base+"\t") })
	})
}
