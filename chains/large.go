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

// LargePolicy decides about large turns.
type LargePolicy struct {
	// number of new tokens above which a turn needs a warning; 0 means 50,000 or half the window, whichever is
	// less; a negative number means no warning
	AskAbove int
	Send     bool // sends a turn that does not fit the window, too
}

// defaultAskAbove is the default of LargePolicy.AskAbove.
const defaultAskAbove = 50_000

// NeedsCostWarning returns how many new tokens the turn reads, and whether that is more than the person accepts
// without a warning.
func (p *PendingTurn) NeedsCostWarning() (tokens int, dear bool) {
	o := &p.s.opts
	limit := o.Large.AskAbove
	if limit == 0 {
		limit = defaultAskAbove
		if o.Window > 0 {
			limit = min(limit, o.Window/2)
		}
	}
	tokens = uncachedTokens(p.Envelope.Predicted)
	return tokens, limit > 0 && tokens > limit
}

// Stopped returns what was chosen for the turn and is left out for its size. The person decides about such a turn,
// because it would answer without those notes.
func (p *PendingTurn) Stopped() []prompt.MissingRef {
	return slices.DeleteFunc(slices.Clone(p.Missing), func(m prompt.MissingRef) bool {
		return m.State != "too_large" || m.Ref == p.in.Active || slices.Contains(p.in.Pins, m.Ref)
	})
}

// Unchecked returns what was chosen for the turn and is left out because it is not known what is excluded. The
// person, who gets to know the reason, may agree to send it.
func (p *PendingTurn) Unchecked() []prompt.MissingRef {
	return slices.DeleteFunc(slices.Clone(p.Missing), func(m prompt.MissingRef) bool {
		return m.State != prompt.UncheckedRef || !slices.Contains(p.named.byHand, m.Ref)
	})
}

// Refusal returns the limits that the turn exceeds, in words, "" if none.
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

// Unread returns the files that the person named for this turn, by attaching them or after "@", and that are not sent
// because they cannot be read or must not leave this machine. An answer would not be about them. A bare [[link]] is
// not among them: it may stand in a text that somebody else wrote.
func (p *PendingTurn) Unread(ctx context.Context) []prompt.MissingRef {
	isUnread := func(m prompt.MissingRef) bool { return m.Unread() || m.Ref.Kind == prompt.URL && m.State != "later" }
	if !slices.ContainsFunc(p.Missing, isUnread) {
		return nil
	}
	named := slices.Clone(p.given.Attach)
	spans := slices.Concat(p.given.Spans, bareLinks(p.given.Text))
	mentioned, misses := p.s.opts.Gather.Mentions(ctx, p.given.Text, spans...)
	for _, m := range misses {
		mentioned = append(mentioned, m.Ref)
	}
	for _, r := range mentioned {
		if r.Kind.Info().InFile {
			named = append(named, r)
		}
	}
	return slices.DeleteFunc(slices.Clone(p.Missing), func(m prompt.MissingRef) bool {
		return !isUnread(m) || !slices.Contains(named, m.Ref)
	})
}

// bareLinks returns the [[links]] of a text that do not stand behind "@", as spans in which no reference is looked
// for.
func bareLinks(text string) (all []Span) {
	for at := 0; ; {
		i := strings.Index(text[at:], "[[")
		if i < 0 {
			return all
		}
		from := at + i
		at = from + len("[[")
		end := strings.Index(text[at:], "]]")
		if end < 0 {
			return all
		}
		if from == 0 || text[from-1] != '@' {
			at += end + len("]]")
			all = append(all, Span{From: from, To: at})
		}
	}
}

// SortByWeight returns the weights that are not zero, the heaviest first.
func SortByWeight(all []Weight) []Weight {
	all = slices.DeleteFunc(slices.Clone(all), func(w Weight) bool { return w.Tokens == 0 })
	slices.SortStableFunc(all, func(a, b Weight) int { return cmp.Compare(b.Tokens, a.Tokens) })
	return all
}

// Weight is the number of tokens that a reference adds to a request. All displays of the price of an attachment use
// it.
type Weight struct {
	Ref prompt.Ref
	// "new", "known", "updated" or "muted"; "missing"; "unsent", which exists but is not sent; "later", which is
	// fetched when the turn is sent
	State  string
	Why    string // why it is "unsent", as in prompt.MissingRef.State: "broken", "too_large" …
	Reason string // the same in words, as in prompt.MissingRef.Reason
	Tokens int
	Notes  int // number of notes that it stands for: many for a folder or a tag
}

// Weights returns the weight of each reference of the turn, in the turn's order.
func (p *PendingTurn) Weights() []Weight { return p.weights(p.named.refs) }

func (p *PendingTurn) weights(refs []prompt.Ref) []Weight {
	env := p.Envelope
	if p.TooLong != nil {
		whole := p.engine
		whole.Budget.Window = 0
		env, _ = p.conv.Prepare(whole) // it failed only because it was too long
	}
	all := make([]Weight, len(refs))
	for i, r := range refs {
		all[i] = weightOf(env.Attached, p.Missing, r, p.s.refsWithin(r))
	}
	return all
}

// weightOf finds the weight of a reference, which may stand for members, in the attachments of a request.
func weightOf(attached []prompt.Attachment, missing []prompt.MissingRef, r prompt.Ref, members []prompt.Ref) Weight {
	w := Weight{Ref: r, State: "missing"}
	for _, m := range missing {
		switch {
		case m.Ref != r || m.State == "missing":
		case m.State == "later":
			w.State = m.State
		default:
			w.State, w.Why, w.Reason = "unsent", m.State, m.Reason
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

// Weigh returns what each of the references would add to the next turn, together with what goes along already. It
// sends and fetches nothing.
func (s *Session) Weigh(ctx context.Context, in Input, refs []prompt.Ref) ([]Weight, error) {
	in.Text, in.Spans = "", nil
	in.Attach = slices.Concat(in.Attach, refs)
	p, err := s.Forecast(ctx, in)
	if err != nil {
		return nil, err
	}
	return p.weights(refs), nil
}

// sendLarge builds the request that does not fit the window, if the policy allows sending it.
func (p *PendingTurn) sendLarge() {
	if p.TooLong == nil || !p.s.opts.Large.Send {
		return
	}
	p.notice("large", fmt.Sprintf("About %s tokens where %s fit: sent all the same.",
		md.Thousands(p.TooLong.Tokens), md.Thousands(p.TooLong.Limit)))
	p.engine.Budget.Window, p.TooLong = 0, nil
	p.Envelope, p.err = p.conv.Prepare(p.engine)
}
