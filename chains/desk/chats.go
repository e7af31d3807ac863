package desk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ibid/chains"
	"ibid/history/chatlist"
	"ibid/vault"
)

func newChat(ctx context.Context, c *Place, _ string) (Result, error) {
	c.Begin(ctx)
	return Result{Text: "a new chat", Opened: true}, nil
}

func chats(ctx context.Context, c *Place, arg string) (Result, error) {
	if c.opts.Store == nil {
		return Result{Text: "chats are not kept in this session (--no-save)"}, nil
	}
	want, err := chatlist.ParseFilter(arg+" ", c.now())
	if err != nil {
		return Result{}, err
	}
	list, err := c.SearchChats(ctx, want, math.MaxInt)
	if err != nil {
		return Result{}, err
	}
	switch {
	case len(list) == 0 && arg != "":
		return Result{Text: "no saved chat fits " + strconv.Quote(arg)}, nil
	case len(list) == 0:
		return Result{Text: "no saved chats yet in " + string(c.opts.Store.Folder()) + "/"}, nil
	}
	return Result{Text: c.numberChats(list)}, nil
}

// savedPath returns the path of the chat's file, or an error if it has none.
func (c *Chat) savedPath() (vault.Path, error) {
	path := c.session.Snapshot().Path
	if path == "" || c.desk.opts.Store == nil {
		return "", errors.New("the chat has no file: nothing of it is saved")
	}
	return vault.Path(path), nil
}

// trashedChat is a deleted chat: its path in the trash and the one before.
type trashedChat struct{ trashPath, originalPath vault.Path }

// deleteChat moves the chat into the trash and begins a new one in its place.
func deleteChat(ctx context.Context, c *Place, arg string) (Result, error) {
	if arg != "" {
		r, err := deleteSaved(c.Desk, "", arg)
		if err == nil {
			r.Opened, err = true, c.Open(ctx, string(r.Saved))
		}
		return r, err
	}
	return putAway(ctx, c, deleteSaved)
}

// deleteSaved moves a saved chat into the trash, or with "undo" restores the last one.
func deleteSaved(d *Desk, was vault.Path, arg string) (Result, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	last := len(d.deleted) - 1
	switch {
	case arg == "undo" && last < 0:
		return Result{}, errors.New("no chat was deleted here: `ibid chats trash` lists what is in the trash")
	case arg == "undo":
		was = d.deleted[last].originalPath
		if err := d.opts.Store.Undelete(d.deleted[last].trashPath, was); err != nil {
			return Result{}, err
		}
		d.deleted = d.deleted[:last]
		return Result{Text: "brought back: " + string(was), Saved: was}, nil
	case arg != "":
		return Result{}, fmt.Errorf("/delete takes nothing, or undo; not %q: /open it first", arg)
	}
	texts, _ := d.opts.Store.MessageTexts(was, false) // the text of an unreadable chat is not remembered
	in, err := d.opts.Store.Delete(was)
	if err != nil {
		return Result{}, err
	}
	d.deleted = append(d.deleted, trashedChat{in, was})
	return Result{Text: "in the trash: " + string(was) +
		"; /delete undo brings it back", Saved: was, Deleted: texts}, nil
}

// LastDeleted returns the path of the chat that "/delete undo" restores, "" if there is none.
func LastDeleted(d *Place) vault.Path {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n := len(d.deleted); n > 0 {
		return d.deleted[n-1].originalPath
	}
	return ""
}

// forceFlag after the name of a file lets /export overwrite it.
const forceFlag = " --force"

func export(ctx context.Context, c *Place, arg string) (Result, error) {
	chat, err := c.savedPath()
	if err != nil {
		return Result{}, err
	}
	file, over := strings.CutSuffix(" "+arg, forceFlag)
	file = strings.Trim(strings.TrimSpace(file), `"`)
	// next to the chat, whose own name ends in .md
	ends := map[string]string{"": " export.md", "md": " export.md", "html": ".html", "json": ".json"}
	if end, ok := ends[file]; ok {
		file = filepath.Join(c.opts.Vault.Dir(), chat.Dir().Native(), chat.Base()+end)
	}
	to, err := c.opts.Setup.Export(ctx, chat, file, over)
	if errors.Is(err, fs.ErrExist) {
		line, name := "/export "+strings.TrimSuffix(arg, forceFlag)+forceFlag, filepath.Base(file)
		err = fmt.Errorf("export to %s: there is such a file; %s overwrites it", name, line)
		return Result{Ask: &Ask{"Overwrite the file?", name + " is there already", "overwrite", line}}, err
	}
	return Result{Text: "exported to " + to}, err
}

func rename(_ context.Context, c *Place, arg string) (Result, error) {
	err := c.Rename(arg)
	return Result{Text: "the chat is called " + strconv.Quote(arg), Saved: vault.Path(c.session.Snapshot().Path)}, err
}

func renameSaved(d *Desk, p vault.Path, arg string) (Result, error) {
	to, err := d.opts.Store.Rename(p, arg)
	return Result{Text: "the chat is called " + strconv.Quote(arg), Saved: to}, err
}

func branch(ctx context.Context, c *Place, arg string) (Result, error) {
	chat, err := c.session.Chat()
	if err != nil {
		return Result{}, err
	}
	n := len(chat.Messages)
	if arg != "" {
		n, _ = strconv.Atoi(arg) // 0 is no number of a message
	}
	if n < 1 || n > len(chat.Messages) {
		return Result{},
			fmt.Errorf("there is nothing to branch off: /branch takes the number of one of %d messages", len(chat.Messages))
	}
	err = c.Branch(ctx, n)
	return Result{Text: "branched: " + c.session.Snapshot().Path, Opened: true}, err
}

func retry(ctx context.Context, c *Place, _ string) (Result, error) {
	turn, _ := c.Retry(ctx, nil)
	return Result{Turn: turn}, nil
}

func undoLast(ctx context.Context, c *Place, _ string) (Result, error) {
	u, err := c.session.Undo(ctx)
	if errors.Is(err, chains.ErrNothing) && LastDeleted(c) != "" {
		return deleteChat(ctx, c, "undo")
	}
	if err != nil || u.Change != "" {
		return Result{Text: "taken back: " + u.Change, Opened: u.Other}, err
	}
	r := c.undoneResult(u)
	r.Text += c.describeLeftWrites()
	return r, nil
}

// describeLeftWrites lists the notes that turns changed which are no longer in the chat, "" if there are none.
func (c *Chat) describeLeftWrites() string {
	all, _ := c.desk.Writes() // what cannot be read cannot be taken back either
	now := c.session.Snapshot()
	var notes []string
	for i := range all {
		if e := &all[i]; e.CanUndo() && e.In(now.Path, now.Epoch) && e.Turn > now.Turns {
			for _, p := range e.Paths() {
				notes = append(notes, string(p))
			}
		}
	}
	if notes == nil {
		return ""
	}
	slices.Sort(notes)
	return "; what it wrote stays: " + strings.Join(slices.Compact(notes), ", ") + " (/undo-write)"
}

// undoneResult attaches the references of a turn that was taken back, so that it can be sent again in other words.
func (c *Chat) undoneResult(u chains.UndoneStep) Result {
	c.Attach(u.Turn.Attach...)
	return Result{Text: "taken back: " + u.Turn.Text, Prompt: u.Turn.Text, Opened: true}
}

func redo(_ context.Context, c *Place, _ string) (Result, error) {
	return Result{Text: "brought back", Opened: true}, c.session.Redo()
}
