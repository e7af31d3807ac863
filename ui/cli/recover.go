package cli

import (
	"context"
	"strings"
	"time"

	"ibid/chains/desk"
	"ibid/history"
	"ibid/ui/theme"
)

// recoverReply keeps a reply that a crash or a full disk kept out of its chat, or throws it
// away.
func recoverReply(drop bool) work {
	return func(_ context.Context, p *parts, args []string) error {
		text, _, err := p.desk.Recover(drop, strings.Join(args, ""))
		if err == nil && text != "" {
			p.print(theme.Sanitize(text) + "\n")
		}
		return err
	}
}

// unsavedJSON is a reply that was not saved, with its number.
type unsavedJSON struct {
	N int `json:"n"`
	history.UnsavedChat
}

func listUnsaved(_ context.Context, p *parts, _ []string) error {
	all, err := p.desk.Unsaved()
	for i, u := range all {
		u.Time = u.Time.Truncate(time.Second)
		p.printRow(unsavedJSON{i + 1, u}, theme.Sanitize(desk.UnsavedLines(i+1, u))+"\n")
	}
	if len(all) == 0 && err == nil {
		p.hint("everything is saved")
	}
	return err
}
