package prompt

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
)

const (
	foldBlock = 8 // turns that are folded away at once: one by one would break the cache on every turn
	foldAt    = 10
	keepTurns = 2 // turns that always stay as they were

	summaryTokens = 350 // place for a summary, so that one that comes later changes nothing about what is folded
)

// fit brings a request under its share of the window: first by a new epoch,
// then by folding the oldest turns away in blocks, then by leaving only the
// outline of the items that were attached longest ago. What is attached now is
// never shortened.
func (in *incoming) fit(env Envelope, cause Cause) (Envelope, error) {
	limit := in.t.Budget.Window - in.t.Budget.Reserve
	most := min(limit, int(share*float64(in.t.Budget.Window)))
	size := env.Predicted.Prompt
	if size <= most {
		return env, nil
	}
	if cause == "" || cause == CausePromote {
		if size <= limit && float64(size) < regrowth*float64(in.c.epoch.size) {
			return env, nil // rebuilt for size not long ago: another rebuild would only cost the cache
		}
		cause = CauseBudget
		env = in.assemble(cause, trim{})
	}
	tr := trim{}
	for env.Predicted.Prompt > most && in.makeRoom(&tr, env.Predicted.Prompt-most, env.Predicted.Prompt-limit) {
		env = in.assemble(cause, tr)
	}
	env.next.epoch.size = env.Predicted.Prompt
	if env.Predicted.Prompt > limit {
		return Envelope{}, in.tooLong(env, limit)
	}
	return env, nil
}

// makeRoom adds to what makes room; over is what the prompt has above its share,
// and must is what it has above the window, both in the provider's tokens. It
// reports whether anything was added.
func (in *incoming) makeRoom(tr *trim, over, must int) bool {
	have := max(tr.turns, in.c.fold.turns)
	fold := have
	room := 0
	if !in.c.fold.summary && tr.turns == 0 {
		room = in.t.Budget.scale(summaryTokens)
	}
	for in.c.turns-fold >= foldAt && in.freed(have, fold) < over+room {
		fold += foldBlock
	}
	for fold < in.c.turns-keepTurns && must > 0 && in.freed(have, fold) < must+room {
		fold++ // blocks are not enough
	}
	if in.freed(have, fold) > 0 {
		tr.turns = fold
		tr.cut = append(tr.cut, Shortened{What: fmt.Sprintf("turns %d–%d", have+1, fold), How: "folded", Tokens: in.freed(have, fold)})
		return true
	}
	return in.stubOldest(tr, over)
}

// freed is what folding turns have+1 to fold gives back.
func (in *incoming) freed(have, fold int) int {
	past := in.c.past.all()
	total := func(turn int) int {
		if i := after(past, turn); i > 0 {
			return past[i-1].total
		}
		return 0
	}
	return in.t.Budget.scale(total(fold) - total(have))
}

// after is the index of the first message of a later turn than this.
func after(past []wire, turn int) int {
	return sort.Search(len(past), func(i int) bool { return past[i].turn > turn })
}

// summarised reports whether the turn brings a summary for turns that were cut
// without one.
func (in *incoming) summarised(f fold) bool {
	return f.turns > 0 && !f.summary && strings.TrimSpace(in.t.Summary[f.turns]) != ""
}

// stubOldest turns library items into stubs, the least recently attached first.
func (in *incoming) stubOldest(tr *trim, over int) bool {
	var candidates []*entry
	for _, e := range in.c.known {
		if !in.attaches(e.ID) && !e.stub && !tr.stubs[e.ID] && (len(e.shown.Content) > len(e.shown.Outline) || len(e.shown.Embedded) > 0) {
			candidates = append(candidates, e)
		}
	}
	slices.SortStableFunc(candidates, func(a, b *entry) int { return cmp.Compare(a.used, b.used) })
	freed := 0
	for _, e := range candidates {
		if freed >= over {
			break
		}
		n := in.t.Budget.scale(in.count(block(e.shown, false)) - in.count(stub(e.shown)))
		if n <= 0 {
			continue
		}
		if tr.stubs == nil {
			tr.stubs = map[string]bool{}
		}
		tr.stubs[e.ID] = true
		tr.cut = append(tr.cut, Shortened{What: e.ID, How: "stub", Tokens: n})
		freed += n
	}
	return freed > 0
}

// foldTurns replaces the first turns of the conversation by their summary, or
// by a line that says that they were left out.
func (in *incoming) foldTurns(turns int) (fold, *FoldInfo) {
	old := in.c.fold
	summary, ok := in.t.Summary[turns]
	ask := fmt.Sprintf("Summarize turns 1 to %d of our conversation.", turns)
	answer := summary
	if !ok || strings.TrimSpace(summary) == "" {
		ok = false
		ask = fmt.Sprintf("Turns 1 to %d of our conversation are left out here: they no longer fit.", turns)
		answer = "Understood. I will ask if something that was said there is needed."
	}
	f := fold{turns: turns, messages: after(in.c.past.all(), turns), summary: ok}
	f.pair = []wire{
		{Message: Message{Role: User, Content: ask}, tokens: in.count(ask)},
		{Message: Message{Role: Assistant, Content: answer}, tokens: in.count(answer)},
	}
	f.pair[1].total = f.pair[0].tokens + f.pair[1].tokens
	var text strings.Builder
	from := 0
	if old.summary {
		from = old.messages
		text.WriteString(old.pair[1].Content + "\n\n")
	}
	for _, w := range in.c.past.all()[from:f.messages] {
		text.WriteString(string(w.Role) + ": " + w.Content + "\n\n")
	}
	return f, &FoldInfo{Turns: turns, Text: strings.TrimSuffix(text.String(), "\n\n"), Summary: ok}
}

func (in *incoming) tooLong(env Envelope, limit int) error {
	e := &TooLongError{Tokens: env.Predicted.Prompt, Limit: limit}
	for _, k := range env.next.known {
		e.Largest = append(e.Largest, Attachment{Ref: k.Ref, Title: k.shown.Title, Tokens: in.t.Budget.scale(k.tokens)})
	}
	slices.SortStableFunc(e.Largest, func(a, b Attachment) int { return cmp.Compare(b.Tokens, a.Tokens) })
	return e
}
