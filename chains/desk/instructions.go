package desk

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ibid/chains"
	"ibid/context/prompt"
)

func project(ctx context.Context, c *Place, arg string) (Result, error) {
	switch {
	case arg == "" && c.project == "":
		return Result{Text: "no project; /project NAME works in one: a folder with a note of its name, or project.md, in it"}, nil
	case arg == "":
		return Result{Text: "project: " + c.project}, nil
	case strings.EqualFold(arg, "off") && c.session.Snapshot().Chain == (chains.Project{}).Name():
		return Result{}, fmt.Errorf("the chain project needs one: take another with /chain NAME first")
	case strings.EqualFold(arg, "off"):
		return c.setInstructions(ctx, "", "no project; its notes stay known until /forget")
	}
	return c.setInstructions(ctx, arg, "project: "+arg)
}

// SetProject sets the project of the chat by its name, as /project does; "" removes it. Notices of the chat say
// what the project lacks.
func (c *Chat) SetProject(ctx context.Context, name string) error {
	o, notices, err := c.desk.instructedOptions(ctx, name)
	if err != nil {
		return err
	}
	if err := c.session.Apply(chains.Change{Instructions: &o.Instructions, Done: "project: " + name}); err != nil {
		return err
	}
	c.notices = append(c.notices, notices...)
	c.project = c.session.Project()
	return nil
}

// setInstructions reads the instructions, with those of a project, and applies them to the chat. Chats that begin
// later use the same project.
func (c *Chat) setInstructions(ctx context.Context, project, done string) (Result, error) {
	o, notices, err := c.desk.instructedOptions(ctx, project)
	if err != nil {
		return Result{}, err
	}
	r, err := c.change(ctx, chains.Change{Instructions: &o.Instructions}, done)
	if err != nil {
		return Result{}, err
	}
	c.read, c.project = c.desk.now(), c.session.Project()
	c.desk.mu.Lock()
	c.desk.opts.Project = c.project
	c.desk.mu.Unlock()
	for _, n := range notices {
		r.Text += "\n" + n.Text
	}
	return r, nil
}

// instructedOptions returns the options of a new session with freshly read instructions, and notices about missing
// parts. The error says that the memory or the project does not exist; the options are valid without it.
func (d *Desk) instructedOptions(ctx context.Context, project string) (chains.Options, []chains.Notice, error) {
	o := sessionOptions(d)
	if d.opts.Instructions == nil {
		return o, nil, nil
	}
	var missing []prompt.MissingRef
	var err error
	o.Instructions, missing = d.opts.Instructions(ctx, project)
	var notices []chains.Notice
	for _, m := range missing {
		if m.State != "project" {
			err = errors.Join(err, errors.New(m.Reason))
		}
		if m.State == prompt.UncheckedRef {
			continue // RulesWarning tells it
		}
		notices = append(notices, chains.Notice{Kind: "instructions", Text: m.Reason})
	}
	return o, notices, err
}

// sessionOptions returns the options of a new chat. If they name no model, they have the one that was found for
// another chat.
func sessionOptions(d *Desk) chains.Options {
	d.mu.Lock()
	defer d.mu.Unlock()
	if found := d.foundModel.Load(); found != nil && d.opts.Session.ModelName == "" {
		return d.opts.Session.WithModel(found)
	}
	return d.opts.Session
}
