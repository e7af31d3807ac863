package index

import (
	"context"
	"database/sql"
	"slices"

	"ibid/vault/index/syntax"
)

// asker asks the index which notes hold the words of a condition.
type asker struct {
	index *Index
	all   int // notes
}

// readCost is how many notes the index can name in the time in which one is read and
// looked at.
const readCost = 5

// ask asks for the words of c, if so many notes are open. Of words that only spare
// reading, such as those of a line, it leaves out what would take longer than that:
// the rarest of them often says enough. It returns how many notes stay open, about.
func (a *asker) ask(ctx context.Context, c *cond, part bool, open int) int {
	switch c.op {
	case syntax.Path, syntax.File, syntax.Tag, syntax.Property, syntax.Date, syntax.Regex:
		return open
	case syntax.Word, syntax.Phrase:
		return a.askWord(ctx, c, part, open)
	case syntax.Not:
		if part {
			return open // no note can be left out for that
		}
		a.ask(ctx, c.list[0], false, open)
		return open
	case syntax.Or:
		left := 0
		for _, one := range c.list {
			left += a.ask(ctx, one, part, open)
		}
		return min(left, open)
	case syntax.And, syntax.IgnoreCase:
	default:
		part = true
	}
	part = part || c.op == syntax.And && c.cost() > 1
	for _, one := range a.rarestFirst(ctx, c.list) {
		open = a.ask(ctx, one, part, open)
	}
	return open
}

// askWord asks for a word or phrase.
func (a *asker) askWord(ctx context.Context, c *cond, part bool, open int) int {
	if c.term.folded == "" || ctx.Err() != nil {
		return open
	}
	n := a.count(ctx, c)
	left := open * n / max(a.all, 1)
	if part && n > readCost*(open-left) {
		return open
	}
	held := map[string]bool{}
	if a.index.holding(ctx, c.term, held) != nil {
		return open // then the notes are read
	}
	c.held = held
	return left
}

// count is in how many notes a word or phrase stands, about.
func (a *asker) count(ctx context.Context, c *cond) int {
	n := 0.0
	err := a.index.use(ctx, func(db *sql.DB) (err error) {
		n, _, err = (&lookup{a.index, db}).about(ctx, "text", c.term.match())
		return err
	})
	if err != nil {
		return a.all
	}
	return min(int(n), a.all)
}

// rarestFirst orders conditions by how many notes hold them, those that are no words
// last.
func (a *asker) rarestFirst(ctx context.Context, list []*cond) []*cond {
	type held struct {
		*cond
		by int
	}
	order := make([]held, len(list))
	for i, c := range list {
		order[i] = held{c, a.all + 1}
		if c.term.folded != "" {
			order[i].by = a.count(ctx, c)
		}
	}
	slices.SortStableFunc(order, func(x, y held) int { return x.by - y.by })
	sorted := make([]*cond, len(list))
	for i := range order {
		sorted[i] = order[i].cond
	}
	return sorted
}
