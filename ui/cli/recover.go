package cli

import (
	"context"
	"strings"
	"time"

	"ibid/chains/desk"
	"ibid/ui/theme"
	"ibid/vault"
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

// unsavedJSON is a reply that was not saved.
type unsavedJSON struct {
	N     int        `json:"n"`
	Path  vault.Path `json:"path,omitempty"` // of its chat, absent if that is gone
	Title string     `json:"title"`
	Time  string     `json:"time"`
	Text  string     `json:"text"`
}

func listUnsaved(_ context.Context, p *parts, _ []string) error {
	all, err := p.desk.Unsaved()
	for i, u := range all {
		p.printRow(unsavedJSON{i + 1, u.Path, u.Title, u.Time.Format(time.RFC3339), u.Text}, theme.Sanitize(desk.UnsavedLines(i+1, u))+"\n")
	}
	if len(all) == 0 && err == nil {
		p.hint("everything is saved")
	}
	return err
}
