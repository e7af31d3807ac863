package desk

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"ibid/context/prompt"
	"ibid/vault/md"
)

// Describe describes a request layer by layer, for the user. fetched holds the times at which pages were fetched.
func Describe(env prompt.Envelope, missing []prompt.MissingRef, fetched map[string]time.Time) string {
	var b strings.Builder
	p := env.Predicted
	fmt.Fprintf(&b, "turn %d: about %s tokens, %s of them cached (layout %s)\n%s\n", env.Turn,
		md.Thousands(p.Prompt), md.Thousands(p.Cached), env.Layout, env.Epoch.Words())
	for _, l := range env.Layers {
		fmt.Fprintf(&b, "  %-14s %7s tokens  %7s cached  %s\n", l.Name(), md.Thousands(l.Tokens),
			md.Thousands(l.Cached), l.SHA256[:16])
	}
	if len(env.Library) > 0 {
		b.WriteString("known to the model:\n")
		for _, it := range env.Library {
			fmt.Fprintf(&b, "  %7s tokens  %s: since turn %d, attached %d×, %s, %s", md.Thousands(it.Tokens),
				it.Ref.ID, it.Since, it.Times, it.State, cmp.Or(it.Place, "not in the prompt"))
			if at, ok := fetched[it.Ref.ID]; ok {
				b.WriteString(", fetched " + at.Format("2006-01-02 15:04"))
			}
			b.WriteByte('\n')
		}
	}
	if len(env.Attached) > 0 {
		b.WriteString("attached to this turn:\n")
		for _, a := range env.Attached {
			active := ""
			if a.Active {
				active = ", active note"
			}
			fmt.Fprintf(&b, "  %7s tokens  %s: %s%s\n", md.Thousands(a.Tokens), a.Ref.ID, a.State, active)
		}
	}
	for _, s := range env.Shortened {
		fmt.Fprintf(&b, "shortened: %s (%s, about %s tokens)\n", s.What, s.How, md.Thousands(s.Tokens))
	}
	for _, n := range env.NotSent {
		fmt.Fprintf(&b, "not sent: %s (%s)\n", n.ID, n.Reason)
	}
	for _, m := range missing {
		fmt.Fprintf(&b, "not sent: %s\n", m.Reason)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// attachedJSON is an item of a context event.
type attachedJSON struct {
	ID     string `json:"id"`
	Kind   string `json:"kind"`
	State  string `json:"state"` // new, known, updated, muted, missing
	Tokens int    `json:"tokens"`
	Reason string `json:"reason,omitempty"`
}

type libraryJSON struct {
	ID       string `json:"id"`
	Kind     string `json:"kind"`
	Title    string `json:"title"`
	Revision string `json:"revision"`
	Since    int    `json:"since"`
	Times    int    `json:"times"`
	Tokens   int    `json:"tokens"`
	Place    string `json:"place"`
	State    string `json:"state"`
}

// ContextEvent is the context object of the JSON output.
type ContextEvent struct {
	Type      string            `json:"type"`
	Turn      int               `json:"turn"`
	Layout    string            `json:"layout"`
	Attached  []attachedJSON    `json:"attached"`
	Layers    []prompt.Layer    `json:"layers"`
	Library   []libraryJSON     `json:"library"`
	Epoch     prompt.EpochInfo  `json:"epoch"`
	Predicted prompt.Prediction `json:"predicted"`
	NotSent   []prompt.NotSent  `json:"not_sent"`
	Messages  []prompt.Message  `json:"messages,omitempty"`
}

// NewContextEvent describes a request as JSON, with its exact messages if whole is set.
func NewContextEvent(env prompt.Envelope, missing []prompt.MissingRef, whole bool) ContextEvent {
	e := ContextEvent{
		Type: "context", Turn: env.Turn, Layout: string(env.Layout),
		Attached: []attachedJSON{}, Layers: []prompt.Layer{}, Library: []libraryJSON{}, NotSent: []prompt.NotSent{},
		Epoch: env.Epoch, Predicted: env.Predicted,
	}
	for _, a := range env.Attached {
		e.Attached = append(e.Attached,
			attachedJSON{ID: a.Ref.ID, Kind: string(a.Ref.Kind), State: a.State, Tokens: a.Tokens})
	}
	for _, m := range missing {
		e.Attached = append(e.Attached,
			attachedJSON{ID: m.Ref.ID, Kind: string(m.Ref.Kind), State: "missing", Reason: m.Reason})
		e.NotSent = append(e.NotSent, prompt.NotSent{ID: m.Ref.ID, Reason: m.Reason})
	}
	e.NotSent = append(e.NotSent, env.NotSent...)
	for _, id := range []string{"L1", "L2", "L3", "L4", "L5", "notes", "guide", "list"} {
		for _, l := range env.Layers {
			if l.ID == id {
				e.Layers = append(e.Layers, l)
			}
		}
	}
	for _, it := range env.Library {
		e.Library = append(e.Library, libraryJSON{
			ID: it.Ref.ID, Kind: string(it.Ref.Kind), Title: it.Title, Revision: it.Revision.String(),
			Since: it.Since, Times: it.Times, Tokens: it.Tokens, Place: it.Place, State: it.State,
		})
	}
	if whole {
		e.Messages = env.Messages()
	}
	return e
}
