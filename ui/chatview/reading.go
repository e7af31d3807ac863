package chatview

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/ui/transcript"
)

// ConversationChanged says that another conversation is the current one, or that this one
// reads differently now.
type ConversationChanged struct {
	Messages []transcript.Message
	notices  []chains.Notice
	Say      string // for the status line
	Prompt   string // to be edited
	Start    bool   // of the program
	At       int    // the message to show, 1-based; 0 for the end
	Words    string // that stand in it
	Stay     bool   // leave the cursor where it is
	Again    bool   // it is the chat that is shown, read again: the user stays where they read
	Busy     bool   // a turn runs in it: what the screen has of it is newer
}

// Read reads the current conversation, with notices also what there was to say when it was opened;
// after is to be said below it.
func Read(msg ConversationChanged, notices bool, after ...string) Job {
	return func(_ context.Context, d *desk.Place) (tea.Msg, error) {
		return ReadChat(d, msg, notices, after...), nil
	}
}

// ReadChat puts the messages of the current conversation into msg, aside, and with
// notices what there was to say when it was opened; after is to be said below it.
func ReadChat(d *desk.Place, msg ConversationChanged, notices bool, after ...string) ConversationChanged {
	chat, err := d.Session().Chat()
	if msg.Busy = errors.Is(err, chains.ErrBusy); err != nil {
		return msg
	}
	if notices {
		msg.notices = d.Notices()
	}
	for _, text := range after {
		msg.notices = append(msg.notices, chains.Notice{Text: text})
	}
	opts := d.Session().Options()
	msg.Messages = messagesOf(&chat, &opts)
	return msg
}

// idOf is the message on the screen in which words stand of the n-th displayed one,
// which calls may divide.
func (msg *ConversationChanged) idOf(n int, words string) string {
	for _, one := range msg.Messages {
		part := strings.HasPrefix(one.ID, MessageID(n)+".")
		if part && strings.Contains(strings.ToLower(one.Text), strings.ToLower(words)) {
			return one.ID
		}
	}
	return MessageID(n)
}

// takeIn shows the conversation as it was read.
func (msg ConversationChanged) takeIn(c *Chat) tea.Cmd {
	if msg.Busy {
		return nil
	}
	c.Naming.Stop()
	c.Turn.addThoughts(msg.Messages)
	if msg.Again {
		transcript.Reload(c.Transcript, msg.Messages)
	} else {
		c.Transcript.Reset(msg.Messages)
	}
	var ids []string // of the user's messages
	for _, msg := range msg.Messages {
		if msg.Role == transcript.You {
			ids = append(ids, msg.ID)
		}
	}
	c.Turn.Reset(ids)
	c.Composer.SetHistory(c.Prompts()) // for the arrow keys
	c.Turn.ShowPrompt()                // it was sent while this chat was being opened
	c.Estimate.Reset()
	c.Find.Close()
	if msg.Start && c.Transcript.Len() > 0 {
		for _, text := range c.Notices {
			c.Turn.Notice(text)
		}
	}
	for _, n := range msg.notices {
		c.Turn.Notice(n.Text)
	}
	if msg.Prompt != "" {
		c.Composer.Take() // what stood there is the newest of the earlier prompts
		c.Composer.SetValue(msg.Prompt)
	}
	if !msg.Stay && !msg.Again {
		c.Composer.Focus()
	}
	if msg.At > 0 {
		c.Find.ShowAt(msg.idOf(msg.At, msg.Words), msg.Words)
	}
	cmds := []tea.Cmd{c.Forecast(), c.AwaitLock(), c.Illustrate()}
	if msg.Say != "" {
		cmds = append(cmds, c.say(msg.Say))
	}
	return tea.Batch(cmds...)
}

// AwaitLock waits in the background until the chat can be written, if another process
// has it open; only the chat that is shown waits.
func (c *Chat) AwaitLock() tea.Cmd {
	c.Unlock()
	chat := c.Desk.Chat
	if !chat.ReadOnly || chat.Newer || c.Store == nil {
		return nil
	}
	scope := c.Tasks.Scope()
	c.Unlock = scope.Cancel
	return scope.Start(func(ctx context.Context) tea.Msg {
		if c.Store.Await(ctx, chat.Epoch) != nil {
			return nil
		}
		return For{c, takeOver(chat.Epoch)}
	})
}

// takeOver opens the current chat again, to write it.
func takeOver(epoch int64) Job {
	return func(ctx context.Context, d *desk.Place) (tea.Msg, error) {
		if d.Session().Snapshot().Epoch != epoch {
			return nil, nil
		}
		taken, err := d.TakeOver(ctx)
		if err != nil {
			return nil, err
		}
		msg := ConversationChanged{Again: true}
		if taken {
			msg.Say = desk.TakenOver
		}
		return ReadChat(d, msg, false), nil
	}
}

// CheckFile looks whether the chat's file was changed outside, and takes the
// change in. While a turn runs nothing is done: saving merges.
func (c *Chat) CheckFile() tea.Cmd {
	store := c.Store
	if store == nil || c.Turn.Running() {
		return nil
	}
	return c.Do(func(ctx context.Context, d *desk.Place) (tea.Msg, error) {
		chat, err := d.Session().Chat()
		if err != nil || chat.Path == "" {
			return nil, nil //nolint:nilerr // busy: the turn saves, and saving merges
		}
		changed, err := store.Changed(&chat)
		if err != nil || !changed {
			return nil, err
		}
		path, said := chat.Path, "reloaded from disk"
		if now, ok := store.Moved(&chat); ok {
			path, said = now, "the chat is now "+string(now)
		}
		if err := d.Open(ctx, string(path)); err != nil {
			return nil, fmt.Errorf("the chat's file changed outside and cannot be read: %w", err)
		}
		return ReadChat(d, ConversationChanged{Say: said, Again: true}, true), nil
	})
}

// takeIn draws a table at the end of the transcript.
func (t Table) takeIn(c *Chat) tea.Cmd {
	c.Transcript.Append(transcript.Message{Role: transcript.Notice, Text: string(t), Markdown: true})
	c.Transcript.Bottom()
	return c.Forecast()
}
