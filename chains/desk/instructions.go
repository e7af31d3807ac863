package desk

import (
	"context"
	"fmt"
	"strings"

	"ibid/chains"
	"ibid/context/prompt"
)

func memory(ctx context.Context, c *Chat, arg string) (Result, error) {
	now := c.session.Options().Instructions
	switch strings.ToLower(arg) {
	case "":
		if now.Memory == "" {
			return Result{Text: "this chat has no memory: set memory in the configuration to the name of a note"}, nil
		}
		sum := prompt.NewItem(prompt.Ref{}, "", "", now.Memory).Revision
		return Result{Text: fmt.Sprintf("memory: %d bytes, %s, read %s\n\n%s", len(now.Memory), sum.Short(), c.read.Format("2006-01-02 15:04"), now.Memory)}, nil
	case "reload":
		return c.reinstruct(ctx, c.project, "memory: read again")
	}
	return Result{}, fmt.Errorf("/memory takes reload or nothing")
}

func project(ctx context.Context, c *Chat, arg string) (Result, error) {
	switch {
	case arg == "" && c.project == "":
		return Result{Text: "no project; /project FOLDER works in one"}, nil
	case arg == "":
		return Result{Text: "project: " + c.project}, nil
	case strings.EqualFold(arg, "off"):
		return c.reinstruct(ctx, "", "no project")
	}
	return c.reinstruct(ctx, arg, "project: "+arg)
}

// reinstruct reads the instructions again, from a project folder, and gives them
// to the conversation. Chats that begin later work in the same project.
func (c *Chat) reinstruct(ctx context.Context, project, done string) (Result, error) {
	if c.desk.opts.Instructions == nil {
		return Result{}, fmt.Errorf("there are no instructions to read here")
	}
	o, notices := c.desk.instructed(ctx, project)
	if len(notices) > 0 {
		return Result{}, fmt.Errorf("%s", notices[0].Text)
	}
	r, err := c.change(ctx, chains.Change{Instructions: &o.Instructions}, done)
	if err == nil {
		c.read, c.project, c.desk.opts.Project = c.desk.now(), project, project
	}
	return r, err
}

// instructed is what a session runs with whose instructions were just read, and
// what of them is missing.
func (d *Desk) instructed(ctx context.Context, project string) (chains.Options, []chains.Notice) {
	o := d.opts.Session
	if d.opts.Instructions == nil {
		return o, nil
	}
	var missing []prompt.Missing
	o.Instructions, missing = d.opts.Instructions(ctx, project)
	var notices []chains.Notice
	for _, m := range missing {
		notices = append(notices, chains.Notice{Kind: "instructions", Text: m.Reason})
	}
	return o, notices
}
