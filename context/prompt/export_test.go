package prompt

import "time"

// Replay is one of the conversations of BenchmarkLayout, for a test that plays it
// from the session down to the wire.
type Replay struct {
	Files map[string]string
	Turns []ReplayTurn
}

// ReplayTurn is one turn, with the events before it.
type ReplayTurn struct {
	Gap             time.Duration
	Cold            bool
	Edits           map[string]string
	Active          string
	Attached        []string // the active note among them
	Question, Reply string
	Tool            string
	Again           bool
	Least           float64 // what it has to cost, in uncached tokens
}

// ReplayPrice is a provider's cache, with the highest costs of a conversation.
type ReplayPrice struct {
	Name string
	Cache
	Life time.Duration
	Most float64 // × the lower bound, mean over conversations
}

// ReplayPrices returns the caches of BenchmarkLayout.
func ReplayPrices() (all []ReplayPrice) {
	for i, most := range []float64{1.12, 1.15, 1.15, 1.25} {
		all = append(all, ReplayPrice{prices[i].name, prices[i].Cache, prices[i].life, most})
	}
	return all
}

// NewReplay returns the conversation of this seed, with instructions of so many bytes.
func NewReplay(seed uint64, p ReplayPrice, instructions int) Replay {
	s, least := recordedSession(seed), ideal{base: instructions, known: map[string]string{}}
	out, now := Replay{Files: s.files}, map[string]string{}
	for path, text := range s.files {
		now[path] = text
	}
	for i, e := range s.events {
		for path, text := range e.edits {
			now[path] = text
		}
		cold := i > 0 && e.gap > p.Life
		out.Turns = append(out.Turns, ReplayTurn{
			e.gap, cold, e.edits, e.active, e.attached, e.question, e.reply, e.tool, e.again,
			least.send(e, now, i == 0 || cold, price{p.Name, p.Cache, p.Life}),
		})
	}
	return out
}
