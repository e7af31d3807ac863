package desk

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"ibid/chains"
	"ibid/history"
)

// Unsaved returns the replies and chats that a crash or a full disk kept from being saved, the oldest first.
func (d *Desk) Unsaved() ([]history.UnsavedChat, error) {
	if d.opts.Store == nil {
		return nil, nil
	}
	return d.opts.Store.Unsaved()
}

// UnsavedTitle returns the title of a list of n unsaved replies.
func UnsavedTitle(n int) string {
	if n == 1 {
		return "1 unsaved reply was found"
	}
	return fmt.Sprintf("%d unsaved replies were found", n)
}

// UnsavedNotice returns a notice that something was not saved, with the command that lists it. It reports whether
// there is anything to say.
func (d *Desk) UnsavedNotice(how string) (chains.Notice, bool) {
	all, err := d.Unsaved()
	switch {
	case err != nil:
		return chains.Notice{Kind: "unsaved", Text: "replies that were not saved could not be looked for: " +
			err.Error()}, true
	case len(all) == 0:
		return chains.Notice{}, false
	}
	return chains.Notice{Kind: "unsaved", Text: UnsavedTitle(len(all)) + ": " + how + " lists them"}, true
}

const allSaved = "everything is saved"

// Recover saves or drops unsaved replies, by a number in the list or "all", and describes the result. path is the
// last chat that was saved.
func (d *Desk) Recover(drop bool, which string) (text, path string, err error) {
	all, err := d.Unsaved()
	if len(all) == 0 || err != nil {
		return allSaved, "", err
	}
	if which != "all" {
		n, err := strconv.Atoi(which)
		if which == "" && len(all) == 1 {
			n, err = 1, nil
		}
		if err != nil || n < 1 || n > len(all) {
			return "", "", fmt.Errorf("%s: name one by its number in the list, or all", UnsavedTitle(len(all)))
		}
		all = all[n-1 : n]
	}
	var lines []string
	for _, u := range all {
		if drop {
			err = u.Drop()
			lines = append(lines, "thrown away: "+u.Title)
		} else {
			kept, keepErr := d.opts.Store.Keep(u)
			path, err = string(kept), keepErr
			lines = append(lines, "kept: "+path)
		}
		if err != nil {
			return "", "", fmt.Errorf("what was not saved stays where it is: %w", err)
		}
	}
	return strings.Join(lines, "\n"), path, nil
}

// recoverUnsaved runs /recover.
func recoverUnsaved(ctx context.Context, c *Place, arg string) (Result, error) {
	d := c.Desk
	verb, which := firstWord(arg)
	switch verb {
	case "":
		all, err := d.Unsaved()
		if len(all) == 0 || err != nil {
			return Result{Text: allSaved}, err
		}
		var b strings.Builder
		for i, u := range all {
			b.WriteString(UnsavedLines(i+1, u) + "\n")
		}
		b.WriteString("/recover keep N, open N or drop N")
		return Result{Text: b.String()}, nil
	case "keep", "open", "drop":
		text, path, err := d.Recover(verb == "drop", which)
		if err == nil && verb == "open" && path != "" {
			err = c.Open(ctx, path)
			return Result{Text: "opened: " + path, Opened: true}, err
		}
		return Result{Text: text}, err
	}
	return Result{}, errors.New("/recover takes keep, open or drop, and a number; alone it lists what was not saved")
}

// UnsavedLines describes the n-th unsaved reply in two lines.
func UnsavedLines(n int, u history.UnsavedChat) string {
	place := string(u.Path)
	if place == "" {
		place = "its chat is gone"
	}
	return fmt.Sprintf("%d  %s  %s  (%s)\n   %s", n, u.Time.Format("2006-01-02 15:04"), u.Title, place,
		briefLine(u.Text))
}
