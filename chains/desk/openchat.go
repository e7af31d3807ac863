package desk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"ibid/history"
	"ibid/history/chatlist"
	"ibid/vault"
)

// open opens the chat of this name, or the one with that number in the last list, or the note, or the only chat
// whose title or text contains the words.
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
		hits, failed := likeChats(ctx, c.Desk, arg)
		switch {
		case failed != nil:
			return Result{}, failed
		case len(hits) == 0:
			return Result{}, fmt.Errorf("there is no chat called %q: /chats lists them; and no note", arg)
		case len(hits) > 1:
			many := strconv.Itoa(len(hits))
			if len(hits) == maxLikeChats {
				many += " or more"
			}
			return Result{Choices: c.numberChats(hits)},
				fmt.Errorf("%s chats fit %q: /open 1 opens the first of them", many, arg)
		}
		err = c.Open(ctx, string(hits[0].Path))
	}
	now := c.session.Snapshot().Path
	if err == nil && c.Chat == was && c.session == session {
		return Result{Text: "this chat is open: " + now}, nil
	}
	return Result{Text: "opened: " + now, Opened: true}, err
}

// maxLikeChats limits the numbered list of chats that contain the same words.
const maxLikeChats = 20

// likeChats returns the chats whose titles contain all words of a text, or else those that contain them anywhere.
func likeChats(ctx context.Context, d *Desk, text string) (hits []history.Hit, err error) {
	all, err := d.opts.Store.List(ctx)
	for i := range all {
		if len(hits) < maxLikeChats && holdsAll(all[i].Title, text) {
			hits = append(hits, history.Hit{Summary: all[i]})
		}
	}
	if len(hits) == 0 && err == nil {
		return d.SearchChats(ctx, chatlist.Filter{Text: text}, maxLikeChats)
	}
	return hits, err
}

// holdsAll reports whether a title contains every word of a text, in any case.
func holdsAll(title, text string) bool {
	title = strings.ToLower(title)
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		if !strings.Contains(title, word) {
			return false
		}
	}
	return true
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
