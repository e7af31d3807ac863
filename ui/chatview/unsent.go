package chatview

import (
	"bytes"
	"cmp"
	"encoding/json"

	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/ui/composer"
	"ibid/ui/term"
)

// Released reports whether the chat was closed, so that other processes may write it,
// and only what was not sent in it is kept here. The next job of it opens it again.
func (c *Chat) Released() bool { return c.Handle == nil && c.Desk.Chat.Path != "" }

// Idle reports whether all there is to keep of the chat is unsent text that is on disk,
// and nothing is being done for it.
func (c *Chat) Idle() bool {
	now := &c.Desk.Chat
	return c.Handle != nil && now.Path != "" && !now.ReadOnly && !now.Unsaved && c.DraftFile.Ready && !c.Unkept() &&
		!c.Turn.Running() && c.work.empty() && c.Naming.Cancel == nil && !c.Unread && len(c.Late) == 0
}

// Reopened takes over the chat that a job has opened again. Its unsent text is read
// again, which another process may have changed.
func (c *Chat) Reopened(chat *desk.Chat) { c.Handle, c.DraftFile.Freed = chat, false }

// savedDraft is what the user wrote in a chat and did not send, as it is kept from one run
// of the program to the next.
type savedDraft struct {
	Draft    composer.Draft   `json:"draft"`
	Queue    []composer.Draft `json:"queue,omitempty"`
	Attached []prompt.Ref     `json:"attached,omitempty"`
	// how the active note is treated in a chat that has not begun; "" is as usual
	Active  string          `json:"active,omitempty"`
	Cleared *composer.Draft `json:"cleared,omitempty"` // with ctrl+c, and nothing was sent since
	Open    bool            `json:"open,omitempty"`    // in a process that has not ended, or broke off
}

// draftFile is what is known of the file of a conversation's unsent text.
type draftFile struct {
	Chat  *desk.Chat   // whose it is
	Ready bool         // it was read, and may be written
	Slot  int64        // its number as long as the chat has not begun, see the drafts of package statefolder; 0 for none
	Epoch int64        // of the chat as which it was written last, or its number
	Sends bool         // a message was being sent then
	Queue int          // messages in the queue
	Refs  []prompt.Ref // what was attached
	Note  string       // how the active note was treated
	Clear *composer.Draft
	Freed bool        // the chat was released, or was to be, since it was opened
	Wrote *savedDraft // when it was released; nil once the file was read again
}

func (u *savedDraft) Empty() bool {
	return term.IsBlank(u.Draft.Text) && len(u.Queue) == 0 && len(u.Attached) == 0 && u.Active == "" && u.Cleared == nil
}

// Unkept reports whether anything beside the prompt is other than it was kept.
func (c *Chat) Unkept() bool {
	k := &c.DraftFile
	return len(c.Queue) != k.Queue || len(c.Desk.Attached) != len(k.Refs) || c.Desk.Treats() != k.Note ||
		c.Cleared != k.Clear || c.Turn.Sends() != k.Sends || c.Number() != k.Epoch
}

// Number is the epoch of the chat, or what stands for it as long as it has not begun.
func (c *Chat) Number() int64 { return cmp.Or(c.Desk.Chat.Epoch, c.DraftFile.Slot) }

// Sends reports whether a message is being sent that is in no file yet.
func (t *Turn) Sends() bool {
	return t.Running() && !t.Retry && t.Saved.Before(t.Began)
}

// Is reports whether this is what a file holds.
func (u *savedDraft) Is(data []byte) bool {
	if u == nil || u.Empty() {
		return false
	}
	same, err := json.Marshal(u)
	return err == nil && bytes.Equal(same, data)
}
