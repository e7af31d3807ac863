package desk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"ibid/history"
	"ibid/vault"
)

// open opens the chat of this name, or the one with that number in the last list, or the note.
func open(ctx context.Context, c *Place, arg string) (Result, error) {
	if arg == "" {
		path, err := c.savedPath()
		return Result{Text: "the chat is " + string(path), Edit: path}, err
	}
	was, session := c.Chat, c.session
	err := c.Open(ctx, arg)
	none := errors.Is(err, fs.ErrNotExist)
	if n, bad := strconv.Atoi(arg); none && bad == nil {
		if listed := c.listedChats(); 0 < n && n <= len(listed) {
			err, none = c.Open(ctx, string(listed[n-1])), false
		}
	}
	if none || errors.Is(err, history.ErrNotChat) {
		if p, err := c.noteNamed(ctx, arg); err == nil {
			return Result{Text: "the note is " + string(p), Edit: p, IsNote: true}, nil
		}
	}
	if none {
		return Result{}, fmt.Errorf("there is no chat or note called %[1]q: /chats %[1]s lists those that fit", arg)
	}
	now := c.session.Snapshot().Path
	if err == nil && c.Chat == was && c.session == session {
		return Result{Text: "this chat is open: " + now}, nil
	}
	return Result{Text: "opened: " + now, Opened: true}, err
}

// numberChats lists chats with numbers, which /open takes until another list is shown.
func (d *Desk) numberChats(list []history.Hit) string {
	lines, paths := make([]string, len(list)), make([]vault.Path, len(list))
	for i := range list {
		paths[i] = list[i].Path
		lines[i] = fmt.Sprintf("%*d  %s  %s  %s", len(strconv.Itoa(len(list))), i+1,
			list[i].Modified.Format("2006-01-02 15:04"), list[i].Title, list[i].Path)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.listed = paths
	return strings.Join(lines, "\n")
}

func (d *Desk) listedChats() []vault.Path {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.listed
}
