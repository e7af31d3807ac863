package chains

import (
	"context"
	"errors"
	"fmt"

	"ibid/context/prompt"
)

// Version is a note as a conversation has it, and as it is now.
type Version struct {
	Was, Now prompt.Item
	Turn     int  // turn since which the conversation has Was
	Reopened bool // the chat was reopened after Turn, and Was is the note at that time
}

// InLibrary asks for the copy of a note in the library, in place of the number of a turn.
const InLibrary = -1

// versionOf implements Caller.Version. For a note that is not in the library yet it returns what was shown last.
func (p *PendingTurn) versionOf(ctx context.Context, path string, turn int) (v Version, err error) {
	now, ok := p.earlier.Turns()+1, false
	if turn > now {
		return v, fmt.Errorf("there is no turn %d: this is turn %d", turn, now)
	}
	first := now // first turn of this session
	for n := range p.s.turns.begun {
		first = min(first, n)
	}
	conv := p.conv
	switch start, known := p.s.turns.begun[turn+1]; {
	case turn <= 0 || turn == now:
		if p.Envelope.Turn > 0 {
			conv = p.Envelope.Next() // with the items of this turn
		}
	case known:
		conv = start.conv
	case turn+1 < now: // before the chat was reopened
		conv = p.s.turns.begun[first].conv
	}
	if turn == InLibrary {
		v.Was, v.Turn, ok = conv.Copy(path)
	}
	if !ok {
		if v.Was, v.Turn, ok = conv.Shown(path); ok && 0 < turn {
			v.Turn = turn
		}
	}
	if !ok {
		return v, errors.New("this conversation does not have the note")
	}
	if first > 1 && v.Turn < first {
		v.Turn, v.Reopened = first-1, true
	}
	items, missing, err := p.s.opts.Gather.Gather(ctx, []prompt.Ref{{Kind: prompt.Note, ID: path}})
	switch {
	case err != nil:
		return v, err
	case len(items) == 0 && len(missing) > 0:
		return v, errors.New(missing[0].Reason)
	case len(items) == 0:
		return v, errors.New("the note cannot be read now")
	}
	v.Now = items[0]
	return v, nil
}
