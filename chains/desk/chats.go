package desk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"ibid/chains"
	"ibid/history"
)

func newChat(ctx context.Context, c *Chat, _ string) (Result, error) {
	c.desk.Begin(ctx)
	return Result{Text: "a new chat", Opened: true}, nil
}

func open(ctx context.Context, c *Chat, arg string) (Result, error) {
	err := c.desk.Open(ctx, arg)
	if errors.Is(err, fs.ErrNotExist) {
		return Result{}, fmt.Errorf("there is no chat called %q: /chats lists them", arg)
	}
	return Result{Text: "opened: " + c.desk.session.Snapshot().Path, Opened: true}, err
}

func chats(ctx context.Context, c *Chat, arg string) (Result, error) {
	if c.desk.opts.Store == nil {
		return Result{Text: "chats are not kept in this session (--no-save)"}, nil
	}
	want, err := history.ParseFilter(arg+" ", c.desk.now())
	if err != nil {
		return Result{}, err
	}
	list, err := c.desk.SearchChats(ctx, want, math.MaxInt)
	if err != nil {
		return Result{}, err
	}
	var b strings.Builder
	for _, c := range list {
		fmt.Fprintf(&b, "%s  %s  %s\n", c.Modified.Format("2006-01-02 15:04"), c.Title, c.Path)
	}
	switch {
	case b.Len() == 0 && arg != "":
		return Result{Text: "no saved chat fits " + strconv.Quote(arg)}, nil
	case b.Len() == 0:
		return Result{Text: "no saved chats yet in " + string(c.desk.opts.Store.Folder()) + "/"}, nil
	}
	return Result{Text: strings.TrimSuffix(b.String(), "\n")}, nil
}

func rename(_ context.Context, c *Chat, arg string) (Result, error) {
	err := c.Rename(arg)
	return Result{Text: "the chat is called " + strconv.Quote(arg)}, err
}

func branch(ctx context.Context, c *Chat, arg string) (Result, error) {
	n := 0
	if arg != "" {
		var err error
		if n, err = strconv.Atoi(arg); err != nil {
			return Result{}, fmt.Errorf("/branch takes the number of a message, not %q", arg)
		}
	}
	err := c.Branch(ctx, n)
	return Result{Text: "branched: " + c.desk.session.Snapshot().Path, Opened: true}, err
}

func retry(ctx context.Context, c *Chat, _ string) (Result, error) {
	turn, _ := c.Retry(ctx)
	return Result{Turn: turn}, nil
}

func undoLast(ctx context.Context, c *Chat, _ string) (Result, error) {
	u, _, err := c.session.Undo(ctx)
	if err != nil || u.Change != "" {
		return Result{Text: "taken back: " + u.Change, Opened: u.Other}, err
	}
	r := c.takenBack(u)
	r.Text += c.leftBehind()
	return r, nil
}

// leftBehind says which notes were changed by turns that the chat has no more, "" for
// none.
func (c *Chat) leftBehind() string {
	all, err := c.desk.Writes()
	now := c.session.Snapshot()
	if err != nil || now.Path == "" {
		return ""
	}
	var notes []string
	for i := range all {
		e := &all[i]
		if e.Standing() && e.In(now.Path, now.Epoch) && e.Turn > now.Turns && !slices.Contains(notes, string(e.Path)) {
			notes = append(notes, string(e.Path))
		}
	}
	if len(notes) == 0 {
		return ""
	}
	return "; what it wrote stays: " + strings.Join(notes, ", ") + " (/undo-write)"
}

// takenBack attaches again what a turn carried, so that it can be sent in other words.
func (c *Chat) takenBack(u chains.Undone) Result {
	c.Attach(u.Turn.Attach...)
	return Result{Text: "taken back: " + u.Turn.Text, Prompt: u.Turn.Text, Opened: true}
}

func redo(_ context.Context, c *Chat, _ string) (Result, error) {
	_, err := c.session.Redo()
	return Result{Text: "brought back", Opened: true}, err
}
