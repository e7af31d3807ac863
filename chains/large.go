package chains

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"ibid/context/prompt"
	"ibid/vault/md"
)

// LargePolicy says what becomes of a turn that is large.
type LargePolicy struct {
	// new tokens above which a turn is dear; 0 is 50,000 or half the window, whichever is less, and below 0 none is
	AskAbove int
	Send     bool // what does not fit the window is sent all the same
}

// dearAbove is Large.AskAbove of somebody who has not said otherwise.
const dearAbove = 50_000

// NeedsCostWarning reports whether a turn reads more new tokens than a person wants to pay
// without a word, and how many they are.
func (p *PendingTurn) NeedsCostWarning() (tokens int, dear bool) {
	o := &p.s.opts
	limit := o.Large.AskAbove
	if limit == 0 {
		limit = dearAbove
		if o.Window > 0 {
			limit = min(limit, o.Window/2)
		}
	}
	tokens = uncachedTokens(p.Envelope.Predicted)
	return tokens, limit > 0 && tokens > limit
}

// Stopped lists what was chosen for the turn and stays here because of a limit.
// Such a turn is for the person to decide about: it would answer without it.
func (p *PendingTurn) Stopped() []prompt.MissingRef {
	return slices.DeleteFunc(slices.Clone(p.Missing), func(m prompt.MissingRef) bool {
		return m.State != "too_large" || m.Ref == p.in.Active || slices.Contains(p.in.Pins, m.Ref)
	})
}

// Refusal says what a limit keeps from the turn, "" if nothing.
func (p *PendingTurn) Refusal() string {
	if p.TooLong != nil {
		return p.TooLong.Error()
	}
	var why []string
	for _, m := range p.Stopped() {
		why = append(why, m.Reason)
	}
	return strings.Join(why, "; ")
}

// SortByWeight leaves out what weighs nothing, and puts the heaviest first.
func SortByWeight(all []Weight) []Weight {
	all = slices.DeleteFunc(slices.Clone(all), func(w Weight) bool { return w.Tokens == 0 })
	slices.SortStableFunc(all, func(a, b Weight) int { return cmp.Compare(b.Tokens, a.Tokens) })
	return all
}

// Weight counts the tokens that a reference adds to a request: the one number that
// everything names which speaks of its price.
type Weight struct {
	Ref prompt.Ref
	// "new", "known", "updated" or "muted"; "missing" and "unsent", which is there, do not go along; "later" is
	// fetched when the turn is sent
	State  string
	Why    string // it is "unsent", as prompt.MissingRef has it: "broken", "too_large" …
	Tokens int
	Notes  int // that it stands for: a folder or a tag may stand for many
}

// Weights lists what each reference of the turn adds, in the turn's order.
func (p *PendingTurn) Weights() []Weight { return p.weights(p.named.refs) }

// Pictures are the bytes of the images that go along as files of their own.
func (p *PendingTurn) Pictures() map[prompt.Ref][]byte {
	all := map[prompt.Ref][]byte{}
	for _, it := range p.engine.Attached {
		if it.Kind == prompt.Picture && len(it.Images) > 0 && len(it.Images[0].Data) > 0 {
			all[it.Ref] = it.Images[0].Data
		}
	}
	return all
}

func (p *PendingTurn) weights(refs []prompt.Ref) []Weight {
	env := p.Envelope
	if p.TooLong != nil {
		whole := p.engine
		whole.Budget.Window = 0
		env, _ = p.conv.Prepare(whole) // it failed for its length alone
	}
	all := make([]Weight, len(refs))
	for i, r := range refs {
		all[i] = weightOf(env.Attached, p.Missing, r, p.s.refsWithin(r))
	}
	return all
}

// weightOf finds a reference, which may stand for members, among what goes along.
func weightOf(attached []prompt.Attachment, missing []prompt.MissingRef, r prompt.Ref, members []prompt.Ref) Weight {
	w := Weight{Ref: r, State: "missing"}
	for _, m := range missing {
		switch {
		case m.Ref != r || m.State == "missing":
		case m.State == "later":
			w.State = m.State
		default:
			w.State, w.Why = "unsent", m.State
		}
	}
	for _, a := range attached {
		if a.Ref != r && !slices.Contains(members, a.Ref) {
			continue
		}
		if w.Notes++; w.Notes == 1 || a.Tokens > 0 && w.State != "new" {
			w.State = a.State
		}
		w.Tokens += a.Tokens
	}
	return w
}

// Weigh tells what each of these references would add to the next turn, if they
// went along with what goes already. Nothing is fetched or sent.
func (s *Session) Weigh(ctx context.Context, in Input, refs []prompt.Ref) ([]Weight, error) {
	in.Text, in.Spans = "", nil
	in.Attach = slices.Concat(in.Attach, refs)
	p, err := s.Forecast(ctx, in)
	if err != nil {
		return nil, err
	}
	return p.weights(refs), nil
}

// sendLarge makes the request that does not fit, if that is wanted.
func (p *PendingTurn) sendLarge() {
	if p.TooLong == nil || !p.s.opts.Large.Send {
		return
	}
	p.notices = append(slices.Clip(p.notices),
		Notice{Kind: "large", Text: fmt.Sprintf("About %s tokens where %s fit: sent all the same.",
			md.Thousands(p.TooLong.Tokens), md.Thousands(p.TooLong.Limit))})
	p.engine.Budget.Window, p.TooLong = 0, nil
	p.Envelope, p.err = p.conv.Prepare(p.engine)
}
