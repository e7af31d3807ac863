package cli

import (
	"sync/atomic"
	"time"

	"ibid/chains"
	"ibid/context/tokens"
)

// refusedFor is how long it counts that a server took no tools for a model: it may
// be started in another way, or updated.
const refusedFor = 30 * 24 * time.Hour

// calling is how a model calls tools: in text if its server has refused them, or if
// it is known to call none.
func (l *link) calling(model string, facts tokens.Facts) chains.Toolbox {
	const file = "tools.json"
	key := l.base + " " + model
	var said atomic.Bool
	b := chains.Toolbox{Refuses: said.Load, Refused: func() {
		said.Store(true)
		l.app.keep(file, key, time.Now().UTC().Format(time.DateOnly))
	}}
	refused, err := time.Parse(time.DateOnly, l.app.kept(file)[key])
	if err == nil && time.Since(refused) < refusedFor || l.callsNone(model, facts) {
		b.Calling = chains.CallsInText
	}
	return b
}
