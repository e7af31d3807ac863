package desk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/vault/md"
)

// change makes a change and says what it will cost. It costs nothing before the next turn, and until then /undo
// takes it back. Another model or layout affects the price of every later turn, which it says, too.
func (c *Chat) change(ctx context.Context, what chains.Change, done string) (Result, error) {
	var long *prompt.TooLongError
	what.Done = done
	now, then, err := c.session.Price(ctx, c.Input(""), what)
	cost, later := chains.Cost(now, then)+priceOf(what.Model, then), ""
	if errors.As(err, &long) { // a change is possible then, too: it may make the turn fit
		cost, err = "the next turn was too long", nil
	}
	if err == nil && (what.Model != nil || what.Layout != "") {
		var again int
		again, err = c.session.Rereads(ctx, c.Input(""), what)
		later = fmt.Sprintf("\nfrom then on each turn that brings something new reads about %s tokens again",
			md.Thousands(again))
		if errors.As(err, &long) {
			later, err = "", nil
		}
	}
	if err == nil {
		err = c.session.Apply(what)
	}
	if err != nil {
		return Result{}, err
	}
	return Result{Text: done + "; " + cost + " (/undo takes it back)" + later}, nil
}

// priceOf returns what the prompt of the next turn costs with another model, as the end of a sentence; "" if model
// is nil or its price unknown.
func priceOf(model *chains.Options, then prompt.Prediction) string {
	if model == nil {
		return ""
	}
	if amount := chains.Dollars(model.Price().Sending(then)); amount != "" {
		return ": about " + amount + " for its prompt"
	}
	return ""
}

// knownRefs returns the reference to something that the model knows, by its id or the end of it. The note may be gone
// from the vault.
func (c *Chat) knownRefs(ctx context.Context, arg string) ([]prompt.Ref, error) {
	refs, err := c.session.Known()
	if err != nil {
		return nil, err
	}
	name := strings.Trim(strings.TrimPrefix(arg, "@"), `"`)
	for _, r := range refs {
		id := strings.TrimSuffix(r.ID, ".md")
		if r.ID == name || id == name || strings.HasSuffix(id, "/"+strings.TrimSuffix(name, ".md")) {
			return []prompt.Ref{r}, nil
		}
	}
	return c.refs(ctx, arg)
}

func setMuted(muted bool) func(context.Context, *Place, string) (Result, error) {
	return func(ctx context.Context, c *Place, arg string) (Result, error) {
		refs, err := c.knownRefs(ctx, arg)
		switch {
		case err != nil:
			return Result{}, err
		case muted:
			return c.change(ctx, chains.Change{Mute: refs}, "muted: "+prompt.JoinIDs(refs))
		}
		return c.change(ctx, chains.Change{Unmute: refs}, "no longer muted: "+prompt.JoinIDs(refs))
	}
}

func refresh(ctx context.Context, c *Place, _ string) (Result, error) {
	return c.change(ctx, chains.Change{Refresh: true}, "the next turn rebuilds the library from current notes")
}

func forget(ctx context.Context, c *Place, arg string) (Result, error) {
	refs, err := c.knownRefs(ctx, arg)
	if err != nil {
		return Result{}, err
	}
	for _, r := range refs {
		c.Drop(r)
	}
	return c.change(ctx, chains.Change{Forget: refs}, "forgotten: "+prompt.JoinIDs(refs))
}

// layouts lists all layouts, the default first.
var layouts = []prompt.Layout{prompt.Auto, prompt.Strict, prompt.Append}

func layout(ctx context.Context, c *Place, arg string) (Result, error) {
	if arg == "" {
		now := cmp.Or(c.session.Options().Layout, prompt.Auto)
		return Result{Text: fmt.Sprintf("the layout is %s; /layout takes auto, strict or append", now)}, nil
	}
	l := prompt.Layout(strings.ToLower(arg))
	if !slices.Contains(layouts, l) {
		return Result{}, fmt.Errorf("%q is not a layout: auto, strict or append", arg)
	}
	r, err := c.change(ctx, chains.Change{Layout: l}, "layout: "+string(l))
	if err == nil {
		c.changeLaterChats(func(o *chains.Options) { o.Layout = l })
	}
	return r, err
}
