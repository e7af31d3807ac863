package desk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"ibid/chains"
)

func newChat(d *Desk, ctx context.Context, _ string) (Result, error) {
	d.Instruct(ctx)
	return Result{Text: "a new chat", Opened: true}, nil
}

func open(d *Desk, ctx context.Context, arg string) (Result, error) {
	err := d.Open(ctx, arg)
	if errors.Is(err, fs.ErrNotExist) {
		return Result{}, fmt.Errorf("there is no chat called %q: /chats lists them", arg)
	}
	if err != nil {
		return Result{}, err
	}
	return Result{Text: "opened: " + d.session.Snapshot().Path, Opened: true}, nil
}

func chats(d *Desk, ctx context.Context, arg string) (Result, error) {
	if d.opts.Store == nil {
		return Result{Text: "chats are not kept in this session (--no-save)"}, nil
	}
	list, err := d.opts.Store.List(ctx)
	if err != nil {
		return Result{}, err
	}
	var b strings.Builder
	for _, c := range list {
		if arg == "" || strings.Contains(strings.ToLower(c.Title), strings.ToLower(arg)) {
			fmt.Fprintf(&b, "%s  %s  %s\n", c.Modified.Format("2006-01-02 15:04"), c.Title, c.Path)
		}
	}
	if b.Len() == 0 {
		return Result{Text: "no saved chats yet in " + string(d.opts.Store.Folder()) + "/"}, nil
	}
	return Result{Text: strings.TrimSuffix(b.String(), "\n")}, nil
}

func rename(d *Desk, _ context.Context, arg string) (Result, error) {
	err := d.Rename(arg)
	return Result{Text: "the chat is called " + strconv.Quote(arg)}, err
}

func branch(d *Desk, ctx context.Context, arg string) (Result, error) {
	n := 0
	if arg != "" {
		var err error
		if n, err = strconv.Atoi(arg); err != nil {
			return Result{}, fmt.Errorf("/branch takes the number of a message, not %q", arg)
		}
	}
	if err := d.Branch(ctx, n); err != nil {
		return Result{}, err
	}
	return Result{Text: "branched: " + d.session.Snapshot().Path, Opened: true}, nil
}

func retry(d *Desk, ctx context.Context, _ string) (Result, error) {
	return Result{Turn: d.session.Retry(ctx)}, nil
}

func undo(d *Desk, ctx context.Context, _ string) (Result, error) {
	u, _, err := d.session.Undo(ctx)
	if err != nil {
		return Result{}, err
	}
	if u.Change != "" {
		return Result{Text: "taken back: " + u.Change}, nil
	}
	d.Attach(u.Turn.Attach...)
	return Result{Text: "taken back: " + u.Turn.Text, Prompt: u.Turn.Text, Opened: true}, nil
}

func redo(d *Desk, _ context.Context, _ string) (Result, error) {
	_, err := d.session.Redo()
	return Result{Text: "brought back", Opened: true}, err
}

func model(d *Desk, ctx context.Context, arg string) (Result, error) {
	if arg == "" {
		if d.opts.Models == nil {
			return Result{Text: "the offline model answers; `ibid doctor` says how to connect one"}, nil
		}
		names, err := d.opts.Models(ctx)
		return Result{Text: strings.Join(names, "\n")}, err
	}
	if d.opts.Model == nil {
		return Result{}, fmt.Errorf("no server is connected, so there is no model to choose; `ibid doctor` says how to connect one")
	}
	o, err := d.opts.Model(ctx, arg)
	if err != nil {
		return Result{}, err
	}
	r, err := d.change(ctx, chains.Change{Model: &o}, "model: "+arg)
	if err == nil {
		d.opts.Session = d.session.Options()
	}
	return r, err
}

func chain(_ *Desk, _ context.Context, arg string) (Result, error) {
	if arg == "chat" {
		return Result{Text: "chain: chat"}, nil
	}
	return Result{}, fmt.Errorf("%q is not a chain: there is one so far, chat", arg)
}
