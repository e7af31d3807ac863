package cli

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ibid/chains/desk"
	"ibid/ui/theme"
	"ibid/vault"
)

// recoverCommand is for what a crash or a full disk kept out of the chats.
func recoverCommand(a *app) *cobra.Command {
	root := onChats(a, "recover", "List, keep or throw away replies that were not saved", cobra.NoArgs, listUnsaved)
	root.Long = "Recover lists the replies that a crash or a full disk kept out of their chats. One whose chat still ends in its question is not among them: the chat is read with it, and saved with it next."
	sub := func(use, short string, drop bool) *cobra.Command {
		return onChats(a, use, short, cobra.MaximumNArgs(1), func(_ context.Context, p *parts, args []string) error {
			text, _, err := p.desk.Recover(drop, strings.Join(args, ""))
			if err == nil && text != "" {
				a.print(theme.Sanitize(text) + "\n")
			}
			return err
		})
	}
	root.AddCommand(
		onChats(a, "list", "List replies that were not saved, the oldest first", cobra.NoArgs, listUnsaved),
		sub("open [N|all]", "Put one into its chat, or into a chat of its own, and print its path", false),
		sub("drop [N|all]", "Throw one away", true),
	)
	return root
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
