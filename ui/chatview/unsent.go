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

// Released reports whether the chat was closed, so that other processes may write it, and only its
// unsent text is kept here. The next job reopens it.
func (c *Chat) Released() bool { return c.Handle == nil && c.Desk.Chat.Path != "" }

// Idle reports whether everything to keep of the chat is unsent text on disk, and no work is done for
// it.
func (c *Chat) Idle() bool {
	now := &c.Desk.Chat
	return c.Handle != nil && now.Path != "" && !now.ReadOnly && !now.Unsaved && c.DraftFile.Ready && !c.Unkept() &&
		!c.Turn.Running() && c.work.empty() && c.Naming.Cancel == nil && !c.Unread && len(c.Late) == 0
}

// Reopened stores the handle of a chat that a job has reopened. Its unsent text will be read again,
// since another process may have changed it.
func (c *Chat) Reopened(chat *desk.Chat) { c.Handle, c.DraftFile.Freed = chat, false }

// savedDraft is the unsent text of a chat, as it is kept from one run of the program to the next.
type savedDraft struct {
	Draft    composer.Draft   `json:"draft"`
	Queue    []composer.Draft `json:"queue,omitempty"`
	Attached []prompt.Ref     `json:"attached,omitempty"`
	// how the active note is treated in a chat that has not begun; "" for the default
	Active  string          `json:"active,omitempty"`
	Cleared *composer.Draft `json:"cleared,omitempty"` // cleared with ctrl+c, and nothing was sent since
	Open    bool            `json:"open,omitempty"`    // in a process that has not ended, or broke off
}

// draftFile is the saved draft of a chat: what was last written to its file.
type draftFile struct {
	Chat  *desk.Chat // owner
	Ready bool       // it was read, and may be written
	Slot  int64      // number of a chat that has not begun, see statefolder.Drafts; 0 for none
	Epoch int64      // number under which it was written last: the chat's epoch, or Slot
	Wrote savedDraft // what was written last since the file was read
	Freed bool       // the chat was released, or is about to be, since it was opened
}

// Empty reports whether there is nothing to keep.
func (u *savedDraft) Empty() bool {
	return term.IsBlank(u.Draft.Text) && len(u.Queue) == 0 && len(u.Attached) == 0 && u.Active == "" && u.Cleared == nil
}

// Unkept reports whether anything but the text of the prompt differs from what was written.
func (c *Chat) Unkept() bool {
	wrote, queued := &c.DraftFile.Wrote, len(c.Queue)
	if c.Turn.IsSending() {
		queued++
	}
	return queued != len(wrote.Queue) || len(c.Desk.Attached) != len(wrote.Attached) ||
		c.Desk.ActiveTreatment() != wrote.Active || c.Cleared != wrote.Cleared || c.DraftNumber() != c.DraftFile.Epoch
}

// DraftNumber returns the epoch of the chat, or the number of its draft if the chat has not begun.
func (c *Chat) DraftNumber() int64 { return cmp.Or(c.Desk.Chat.Epoch, c.DraftFile.Slot) }

// IsSending reports whether a message is being sent that is in no file yet.
func (t *Turn) IsSending() bool {
	return t.Running() && !t.Retry && t.Saved.Before(t.Began)
}

// Is reports whether data is the encoded draft.
func (u *savedDraft) Is(data []byte) bool {
	if u.Empty() {
		return false
	}
	same, err := json.Marshal(u)
	return err == nil && bytes.Equal(same, data)
}
