package desk

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"ibid/chains"
	"ibid/context/prompt"
)

func showContext(d *Desk, ctx context.Context, arg string) (Result, error) {
	env, missing, err := d.session.Preview(ctx, d.Input(arg))
	if err != nil {
		return Result{}, err
	}
	return Result{Report: &env, Missing: missing, Text: Describe(env, missing)}, nil
}

func dump(d *Desk, ctx context.Context, arg string) (Result, error) {
	env, _, err := d.session.Preview(ctx, d.Input(arg))
	if err != nil {
		return Result{}, err
	}
	return Result{Text: env.Dump()}, nil
}

func requests(d *Desk, _ context.Context, arg string) (Result, error) {
	sent, err := d.session.Requests()
	if err != nil {
		return Result{}, err
	}
	if arg == "" {
		var b strings.Builder
		for i, env := range sent {
			fmt.Fprintf(&b, "%3d  turn %d  about %d tokens, %d cached  epoch %d (%s)\n", i+1, env.Turn, env.Predicted.Prompt, env.Predicted.Cached, env.Epoch.N, env.Epoch.Cause)
		}
		if b.Len() == 0 {
			return Result{Text: "nothing was sent yet"}, nil
		}
		return Result{Text: strings.TrimSuffix(b.String(), "\n")}, nil
	}
	env, err := requestAt(sent, arg)
	if err != nil {
		return Result{}, err
	}
	return Result{Text: env.Dump()}, nil
}

func requestAt(sent []prompt.Envelope, arg string) (prompt.Envelope, error) {
	n, err := strconv.Atoi(arg)
	if err != nil || n < 1 || n > len(sent) {
		return prompt.Envelope{}, fmt.Errorf("%q is not a request: there are %d so far", arg, len(sent))
	}
	return sent[n-1], nil
}

func diff(d *Desk, _ context.Context, arg string) (Result, error) {
	sent, err := d.session.Requests()
	if err != nil {
		return Result{}, err
	}
	words := strings.Fields(arg)
	if len(words) == 0 && len(sent) > 1 {
		words = []string{strconv.Itoa(len(sent) - 1), strconv.Itoa(len(sent))}
	}
	if len(words) != 2 {
		return Result{}, fmt.Errorf("/diff takes the numbers of two requests; there are %d so far", len(sent))
	}
	a, err := requestAt(sent, words[0])
	if err != nil {
		return Result{}, err
	}
	b, err := requestAt(sent, words[1])
	if err != nil {
		return Result{}, err
	}
	text := prompt.DiffRequests(a, b, "request "+words[0], "request "+words[1])
	if text == "" {
		text = "the same, byte for byte"
	}
	return Result{Text: text}, nil
}

// known reads a reference to something that the model knows: also one that is
// gone from the vault, by its id or the end of it.
func (d *Desk) known(ctx context.Context, arg string) ([]prompt.Ref, error) {
	refs, err := d.session.Known()
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
	return d.refs(ctx, arg)
}

func mute(d *Desk, ctx context.Context, arg string) (Result, error) {
	return d.setMuted(ctx, arg, true)
}

func unmute(d *Desk, ctx context.Context, arg string) (Result, error) {
	return d.setMuted(ctx, arg, false)
}

func (d *Desk) setMuted(ctx context.Context, arg string, muted bool) (Result, error) {
	refs, err := d.known(ctx, arg)
	if err != nil {
		return Result{}, err
	}
	if muted {
		return d.change(ctx, chains.Change{Mute: refs}, "muted: "+ids(refs))
	}
	return d.change(ctx, chains.Change{Unmute: refs}, "no longer muted: "+ids(refs))
}

// change makes a change and says what it will cost: nothing is paid before the
// next turn, and /undo takes it back until then.
func (d *Desk) change(ctx context.Context, c chains.Change, done string) (Result, error) {
	now, then, err := d.session.Price(ctx, d.Input(""), c)
	var long *prompt.TooLongError
	if err != nil && !errors.As(err, &long) {
		return Result{}, err
	}
	cost := "the next turn was too long" // and the change may be what mends that
	if long == nil {
		cost = chains.Cost(now, then)
	}
	if _, err := d.session.Apply(c); err != nil {
		return Result{}, err
	}
	return Result{Text: done + "; " + cost + " (/undo takes it back)"}, nil
}

func refresh(d *Desk, ctx context.Context, _ string) (Result, error) {
	return d.change(ctx, chains.Change{Refresh: true}, "the next turn rebuilds the library from current notes")
}

func forget(d *Desk, ctx context.Context, arg string) (Result, error) {
	refs, err := d.known(ctx, arg)
	if err != nil {
		return Result{}, err
	}
	for _, r := range refs {
		d.Drop(r)
	}
	return d.change(ctx, chains.Change{Forget: refs}, "forgotten: "+ids(refs))
}

func layout(d *Desk, ctx context.Context, arg string) (Result, error) {
	switch l := prompt.Layout(arg); l {
	case prompt.Auto, prompt.Strict, prompt.Append:
		r, err := d.change(ctx, chains.Change{Layout: l}, "layout: "+arg)
		if err == nil {
			d.opts.Session.Layout = l
		}
		return r, err
	}
	return Result{}, fmt.Errorf("%q is not a layout: auto, strict or append", arg)
}

func memory(d *Desk, ctx context.Context, arg string) (Result, error) {
	now := d.session.Options().Instructions
	switch arg {
	case "":
		if now.Memory == "" {
			return Result{Text: "this chat has no memory: set memory in the configuration to the name of a note"}, nil
		}
		sum := prompt.NewItem(prompt.Ref{}, "", "", now.Memory).Revision
		return Result{Text: fmt.Sprintf("memory: %d bytes, %s, read %s\n\n%s", len(now.Memory), sum.Short(), d.read.Format("2006-01-02 15:04"), now.Memory)}, nil
	case "reload":
		return d.reinstruct(ctx, "memory: read again")
	}
	return Result{}, fmt.Errorf("/memory takes reload or nothing")
}

func project(d *Desk, ctx context.Context, arg string) (Result, error) {
	switch arg {
	case "":
		if d.opts.Project == "" {
			return Result{Text: "no project; /project FOLDER works in one"}, nil
		}
		return Result{Text: "project: " + d.opts.Project}, nil
	case "off":
		d.opts.Project = ""
		return d.reinstruct(ctx, "no project")
	}
	was := d.opts.Project
	d.opts.Project = arg
	r, err := d.reinstruct(ctx, "project: "+arg)
	if err != nil {
		d.opts.Project = was
	}
	return r, err
}

// reinstruct reads the instructions again and gives them to the conversation.
func (d *Desk) reinstruct(ctx context.Context, done string) (Result, error) {
	if d.opts.Instructions == nil {
		return Result{}, fmt.Errorf("there are no instructions to read here")
	}
	was := d.opts.Session.Instructions
	if notices := d.instruct(ctx); len(notices) > 0 {
		d.opts.Session.Instructions = was
		return Result{}, fmt.Errorf("%s", notices[0].Text)
	}
	in := d.opts.Session.Instructions
	return d.change(ctx, chains.Change{Instructions: &in}, done)
}
