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

// learnedFor limits how long refusals and windows of a server count: it may be updated or started in another way.
const learnedFor = 7 * 24 * time.Hour

// learnedFile is the file of the state folder with these. The name of a value is the address, model and subject, the
// value the day and what was learned.
const learnedFile = "learned.json"

// refusalStore keeps the fields that a server refused, and the windows that its errors named, for later runs.
type refusalStore struct {
	hints ownfile.Hints
	base  string
}

// fact returns a value and the day on which it was learned, "" if there is none or it is too old.
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

// refusedValue is the value for subjects that a server refused.
const refusedValue = "refused"

// Refused implements wire.Refusals.
func (l refusalStore) Refused(model string, f wire.Field) bool {
	value, _ := l.fact(model, string(f))
	return value == refusedValue
}

// Refuse implements wire.Refusals.
func (l refusalStore) Refuse(model string, f wire.Field) { l.keep(model, string(f), refusedValue) }

// calling decides whether a model calls tools in its text: if the server refused tools, or the model is known to lack
// them.
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

// learned returns what was learned about the server of the link.
func (l *link) learned() refusalStore { return refusalStore{l.of.Hints, l.base} }

// Learned describes what was learned about all servers, in lines for the user.
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
			lines = append(lines, fmt.Sprintf("%s at %s has a %s of %s tokens, learned on %s",
				model, base, what, md.Thousands(n), day))
		}
	}
	slices.Sort(lines)
	return lines
}

// Forget removes what was learned about the server at an address; "" means all servers.
func (p *Providers) Forget(base string) {
	p.Hints.Change(learnedFile, func(all map[string]string) {
		maps.DeleteFunc(all, func(key, _ string) bool { return base == "" || strings.HasPrefix(key, base+"\t") })
	})
}
