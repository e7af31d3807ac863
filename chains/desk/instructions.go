package desk

import (
	"context"
	"fmt"

	"ibid/chains"
	"ibid/context/prompt"
)

func memory(ctx context.Context, d *Desk, arg string) (Result, error) {
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

func project(ctx context.Context, d *Desk, arg string) (Result, error) {
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
