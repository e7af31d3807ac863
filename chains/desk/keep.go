package desk

import (
	"context"
	"strings"

	"ibid/history"
)

// title asks for a title, in the background, or gives one.
func title(ctx context.Context, c *Chat, arg string) (Result, error) {
	if arg != "" {
		return rename(ctx, c, arg)
	}
	n, err := c.session.Naming(false)
	return Result{Text: "asking for a title", Naming: n}, err
}

// pinChat pins the chat, or takes the pin off.
func pinChat(c *Chat, on bool) (Result, error) {
	text := "the chat is pinned: it stands first in the list of chats"
	if !on {
		text = "the chat is no longer pinned"
	}
	return Result{Text: text}, c.session.Edit(func(chat *history.Chat) error {
		chat.Pinned = on
		return nil
	})
}

// tag changes the tags of the chat, or lists them.
func tag(_ context.Context, c *Chat, arg string) (Result, error) {
	chat, err := c.session.Chat()
	tags := chat.Tags
	if arg != "" {
		err = c.session.Edit(func(chat *history.Chat) (err error) {
			tags, err = history.EditTags(chat.Tags, strings.Fields(arg)...)
			if err == nil {
				chat.Tags = tags
			}
			return err
		})
	}
	if len(tags) == 0 {
		return Result{Text: "the chat has no tags"}, err
	}
	return Result{Text: "#" + strings.Join(tags, " #")}, err
}
