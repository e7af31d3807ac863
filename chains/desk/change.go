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
		var each chains.Reread
		each, err = c.session.Rereads(ctx, c.Input(""), what)
		if later = "\nfrom then on " + each.String(); errors.As(err, &long) {
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
		return priceLayouts(ctx, c.Chat)
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

// priceLayouts lists what each layout costs in this chat.
func priceLayouts(ctx context.Context, c *Chat) (Result, error) {
	var b strings.Builder
	for _, l := range layouts {
		price, err := c.session.Rereads(ctx, c.Input(""), chains.Change{Layout: l})
		if err != nil {
			return Result{}, err
		}
		now := l == cmp.Or(c.session.Options().Layout, prompt.Auto)
		fmt.Fprintf(&b, "%s %-6s  %s\n", markOf(now), l, price)
	}
	return Result{Text: b.String() + "/layout NAME takes another for this chat"}, nil
}
