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

// ConversationChanged brings another conversation, or the current one with changed messages.
type ConversationChanged struct {
	Messages []transcript.Message
	notices  []chains.Notice
	Say      string // line for the status
	Prompt   string // text to put into the prompt
	Start    bool   // the program has just started
	At       int    // 1-based number of the message to show; 0 for the end
	Words    string // to mark in that message
	Stay     bool   // leave the focus where it is
	Again    bool   // the shown chat was read again: keep the scroll position
	Busy     bool   // a turn runs in it, so the screen has a newer state
}

// Read returns the job that reads the current conversation, see ReadChat.
func Read(msg ConversationChanged, notices bool, after ...string) Job {
	return func(_ context.Context, d *desk.Place) (tea.Msg, error) {
		return ReadChat(d, msg, notices, after...), nil
	}
}

// ReadChat returns msg with the messages of the current conversation. notices adds the notices of its
// opening; the lines of after follow below the messages. If a turn runs, only Busy is set.
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

// idOf returns the id of the part of the n-th message that contains words. Calls may divide a
// message into parts.
func (msg *ConversationChanged) idOf(n int, words string) string {
	for _, one := range msg.Messages {
		part := strings.HasPrefix(one.ID, messageID(n)+".")
		if part && strings.Contains(strings.ToLower(one.Text), strings.ToLower(words)) {
			return one.ID
		}
	}
	return messageID(n)
}

// takeIn shows the conversation.
func (msg ConversationChanged) takeIn(c *Chat) tea.Cmd {
	if msg.Busy {
		return nil
	}
	c.Naming.Stop()
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
		c.Composer.Take() // the text that was there becomes the newest earlier prompt
		c.Composer.SetValue(msg.Prompt)
	}
	if !msg.Stay && !msg.Again {
		c.Composer.Focus()
	}
	if msg.At > 0 {
		c.Find.ShowAt(msg.idOf(msg.At, msg.Words), msg.Words)
	}
	cmds := []tea.Cmd{c.Forecast(), c.AwaitLock(), c.LoadImages()}
	if msg.Say != "" {
		cmds = append(cmds, c.Say(msg.Say))
	}
	return tea.Batch(cmds...)
}

// AwaitLock waits in the background until a chat that another process has open can be written. Only the
// chat on the screen waits.
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

// takeOver returns the job that reopens the current chat for writing.
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

// CheckFile checks whether the chat's file was changed outside, and reads the change. While a turn runs
// it does nothing: saving merges.
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
